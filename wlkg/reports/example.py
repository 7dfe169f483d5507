"""The built-in graphs as data and as text."""

from __future__ import annotations

from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.examples import EXAMPLES, PREFIX, TARGETS, example
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.terminal import console, note, printable
from wlkg.writers.example_files import ExampleFiles


def examples_document(name: str | None) -> dict[str, Any]:
    """What ``wlkg example --json`` prints: one graph, or all with their default parameters."""
    names = list(EXAMPLES) if name is None else [name.removeprefix(PREFIX)]
    return {"examples": [_entry(each) for each in names]}


def _entry(spec: str) -> dict[str, Any]:
    graph = example(spec)
    about = EXAMPLES[spec.partition(",")[0]]
    return {
        "name": spec,
        "group": about.group,
        "summary": about.summary,
        "parameters": {key: value.default for key, value in about.parameters.items()},
        **_counts(graph),
        "labels": len(graph.label_names),
        "targets": spec in TARGETS,
    }


def _counts(graph: RelationalGraph) -> dict[str, int]:
    return {
        "vertices": graph.num_vertices,
        "triples": graph.num_triples,
        "relations": graph.num_relations,
    }


def print_examples(name: str | None) -> None:
    """All graphs under the headings of their groups, or one."""
    out = console()
    entries = examples_document(name)["examples"]
    groups = dict.fromkeys(entry["group"] for entry in entries)
    for group in groups:
        out.print(Text(group, style="bold"))
        out.print(_table([entry for entry in entries if entry["group"] == group]))
        out.print()
    chosen = "NAME" if name is None else printable(entries[0]["name"])
    for line in (
        f"wlkg info example:{chosen}: every command takes them in this way",
        f"wlkg example {chosen} -o FILE writes a file; {', '.join(TARGETS)} has --targets, too",
    ):
        out.print(line, soft_wrap=True)


def _table(entries: list[dict[str, Any]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(justify="right", no_wrap=True)
    table.add_column()
    for entry in entries:
        settings = [f"{key}={value}" for key, value in entry["parameters"].items()]
        name = entry["name"] if "," in entry["name"] else ",".join([entry["name"], *settings])
        size = f"{entry['vertices']:,} vertices"
        table.add_row(printable(name), size, entry["summary"])
    return table


def written_document(name: str, files: ExampleFiles) -> dict[str, Any]:
    """What ``wlkg example NAME -o FILE --json`` prints."""
    return {
        "name": name.removeprefix(PREFIX),
        "output": files.output,
        **_counts(files.graph),
        "lost": list(files.lost),
        "tables": files.tables,
    }


def print_written(files: ExampleFiles) -> None:
    """What was written, and on stderr what the format could not hold."""
    for loss in files.lost:
        note(f"not kept: {loss}")
    out = console()
    out.print(f"{printable(files.output)}: {files.graph.counts}", soft_wrap=True)
    for use, path in files.tables.items():
        out.print(f"{printable(path)}: for --{use}", soft_wrap=True)
