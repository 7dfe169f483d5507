"""Docstrings as this project writes them, for the Python reference.

- Doctests become blocks of code; Markdown would take their prompts for quotations.
- The comments ``#:`` above a field are its description.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import griffe

_COMMENT = re.compile(r"\s*#: ?(.*)")


def with_blocks(text: str) -> str:
    """The text with every run of lines that begins with a prompt, up to an empty line, fenced."""
    paragraphs = re.split(r"\n\n", text)
    fenced = (f"```pycon\n{p}\n```" if p.lstrip().startswith(">>> ") else p for p in paragraphs)
    return "\n\n".join(fenced)


@cache
def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def comment_above(lines: list[str], number: int) -> str:
    """The comments ``#:`` directly above a line, which is counted from 1."""
    found: list[str] = []
    for line in reversed(lines[: number - 1]):
        match = _COMMENT.fullmatch(line)
        if match is None:
            break
        found.append(match[1])
    return " ".join(reversed(found))


class Docstrings(griffe.Extension):
    """What griffe asks while it reads the sources."""

    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        """Fence the doctests of a docstring."""
        if obj.docstring is not None:
            obj.docstring.value = with_blocks(obj.docstring.value)

    def on_attribute(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Take the comment of a field for its docstring."""
        if attr.docstring is None and attr.lineno and isinstance(attr.filepath, Path):
            text = comment_above(_lines(attr.filepath), attr.lineno)
            if text:
                attr.docstring = griffe.Docstring(text, parent=attr)
