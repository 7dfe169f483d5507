"""The command reference, written from the commands themselves."""

from __future__ import annotations

import re
from typing import Any

import typer.main

from tools.docs.contract import KEYS, REMARKS, STATUSES
from wlkg.cli import app
from wlkg.shell.groups import GROUPS

FOLDER = "commands"


def all_commands() -> dict[str, Any]:
    """The commands by name, in the order of ``wlkg --help``."""
    group: Any = typer.main.get_command(app)
    return {name: command for name, command in group.commands.items() if not command.hidden}


def groups() -> dict[str, list[str]]:
    """The names of the commands by the group of the help in which they stand."""
    known = all_commands()
    return {title: [name for name in names if name in known] for title, names in GROUPS.items()}


def pages() -> dict[str, str]:
    """Every page of the reference by its place in the documentation."""
    group: Any = typer.main.get_command(app)
    context = group.make_context("wlkg", ["--help"], resilient_parsing=True)
    written = {
        f"{FOLDER}/{name}.md": _page(name, command, context)
        for name, command in all_commands().items()
    }
    return {f"{FOLDER}/index.md": _index(group, context), **written}


def _index(group: Any, context: Any) -> str:
    """The commands, the options of all, and the exit statuses."""
    lines = ["# Commands", "", "Written from the code. `wlkg COMMAND --help` shows the same.", ""]
    for title, names in groups().items():
        lines += [f"## {title}", "", "| command | what it answers |", "|---|---|"]
        lines += [f"| [`{n}`]({n}.md) | {_summary(all_commands()[n])} |" for n in names]
        lines += [""]
    lines += ["## Options of `wlkg` itself", "", *_table(group.get_params(context), context), ""]
    lines += ["## Exit status", "", "| status | meaning |", "|---|---|"]
    lines += [f"| {status} | {meaning} |" for status, meaning in STATUSES.items()]
    lines += ["", "So 0 and 1 are always answers, and any other status is none."]
    return "\n".join(lines) + "\n"


def _page(name: str, command: Any, parent: Any) -> str:
    context = command.make_context(name, [], parent=parent, resilient_parsing=True)
    prose, examples = _described(command.help)
    usage = " ".join(command.collect_usage_pieces(context))
    lines = [f"# wlkg {name}", "", "```text", f"wlkg {name} {usage}", "```", "", prose, ""]
    if examples:
        lines += ["## Examples", "", "```text", examples, "```", ""]
        lines += ["Names of files stand for your own.", ""]
    for panel, parameters in _by_panel(command.get_params(context)).items():
        lines += [f"## {panel}", "", *_table(parameters, context), ""]
    if name in KEYS:
        keys = ", ".join(f"`{key}`" for key in KEYS[name])
        lines += ["## JSON", "", f'`"schema": "wlkg/{name}/1"`. Scripts may rely on {keys}.']
        lines += [REMARKS.get(name, ""), ""]
    lines += ["The [exit statuses](index.md#exit-status) are the same for all commands."]
    return "\n".join(lines) + "\n"


def _summary(command: Any) -> str:
    text: str = command.short_help or command.help
    return " ".join(text.split("\n\n", maxsplit=1)[0].split())


def _described(help_text: str) -> tuple[str, str]:
    """The paragraphs of a help text as Markdown, and its examples as they are."""
    paragraphs, examples = [], ""
    for part in re.split(r"\n\n+", help_text):
        plain = part.removeprefix("\b\n")
        if plain.startswith("Examples:"):
            examples = re.sub(r"^  ", "", plain.split("\n", 1)[1], flags=re.MULTILINE)
        elif plain != part:
            paragraphs.append(f"```text\n{plain}\n```")
        else:
            paragraphs.append(_as_markdown(" ".join(plain.split())))
    return "\n\n".join(paragraphs), examples


def _by_panel(parameters: list[Any]) -> dict[str, list[Any]]:
    """Arguments first, then the options by panel."""
    grouped: dict[str, list[Any]] = {}
    for parameter in parameters:
        if getattr(parameter, "hidden", False):
            continue
        kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
        panel = getattr(parameter, "rich_help_panel", None)
        grouped.setdefault(panel if isinstance(panel, str) else kind, []).append(parameter)
    return grouped


def _table(parameters: list[Any], context: Any) -> list[str]:
    """A row for each parameter: how it is written, and its help with its default."""
    rows = [record for p in parameters if (record := p.get_help_record(context)) is not None]
    cells = [(name.replace("|", "\\|"), _as_markdown(text)) for name, text in rows]
    return ["| | meaning |", "|---|---|", *(f"| `{name}` | {text} |" for name, text in cells)]


def _as_markdown(text: str) -> str:
    """Text of the help: options as code, and nothing that Markdown would take for markup."""
    text = re.sub(r"([\\<>*_|])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--?[a-z][a-z-]*)", r"`\1`", text)
