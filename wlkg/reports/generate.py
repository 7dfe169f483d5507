"""A generated graph as data and as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from wlkg.generation.generate import Generated
from wlkg.reports.next_steps import Asked, end_text
from wlkg.reports.terminal import console, note, printable
from wlkg.text import counted


def generated_document(generated: Generated, like: str | None) -> dict[str, Any]:
    """What ``wlkg generate --json`` prints."""
    return {**asdict(generated), "like": like}


def print_generated(generated: Generated, format_name: str | None) -> None:
    """What was written, and on stderr what a user should know about it."""
    if generated.repeated:
        note(f"left out: {counted(generated.repeated, 'repeated triple', 'repeated triples')}")
    console().print(f"{printable(generated.output)}: {generated.counts}", soft_wrap=True)
    more = () if format_name is None else ("--format", format_name)
    direction = () if generated.directed else ("--direction", "undirected")
    end_text(
        Asked((generated.output,)).step("refine", "its stable colours", more=(*more, *direction))
    )
