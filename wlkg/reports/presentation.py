"""How much a run says, and how it writes names: set by the command line, read by all reports."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any


@dataclass(frozen=True)
class Presentation:
    """The choices of ``-q``, ``-v`` and ``--full-names``."""

    #: No notes, no progress, no next step.
    quiet: bool = False
    #: Times, memory, versions and the cache at the end.
    verbose: bool = False
    #: Names as they are in the input, without prefixes.
    full_names: bool = False


_current = Presentation()


def presentation() -> Presentation:
    """The current choices."""
    return _current


def present(**choices: Any) -> None:
    """Change some choices."""
    global _current  # noqa: PLW0603  a process has one standard output
    _current = replace(_current, **choices)
