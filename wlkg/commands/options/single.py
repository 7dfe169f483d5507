"""Options that several commands have, one by one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from wlkg.gnn.config import ACTIVATIONS


def quiet_option(*names: str, help: str, **more: Any) -> Any:  # noqa: A002
    """An option whose default needs no mention."""
    return typer.Option(*names, help=help, show_default=False, **more)


def listed(names: Iterable[str]) -> str:
    """Names as a choice in a help text.

    >>> listed(["sum", "mean", "max"])
    'sum, mean or max'
    """
    *others, last = names
    return f"{', '.join(others)} or {last}" if others else last


GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A file, a folder, - for standard input, FILE#3, or example:NAME.",
        show_default=False,
    ),
]
TESTS_HELP = "1-wl, weak-rwl, 1-rwl, mean-rwl, K-rlwl, delta-K-lwl, K-wl or K-fwl, as in 2-rlwl"
TestOption = Annotated[
    str, typer.Option("--test", metavar="TEST", help=f"The WL test: {TESTS_HELP}.")
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--max-memory",
        metavar="SIZE",
        help="Refuse to take more, as in 4G; by default half of what is free.",
        show_default=False,
    ),
]
TargetsOption = Annotated[
    str, typer.Option("--targets", metavar="FILE", help="TSV of entities and labels.")
]
HoldoutOption = Annotated[
    str | None,
    typer.Option("--holdout", metavar="FILE", help="The same, to test on.", show_default=False),
]
EntityColumnOption = Annotated[
    str | None, typer.Option("--entity-column", help="Its header.", show_default=False)
]
LabelColumnOption = Annotated[
    str | None, typer.Option("--label-column", help="Its header.", show_default=False)
]
FeaturesOption = Annotated[
    str | None,
    typer.Option(
        "--features",
        help="constant, labels (one-hot of --labels), or a TSV of numbers.",
        show_default=False,
    ),
]
ActivationOption = Annotated[
    str, typer.Option("--activation", help=f"Constructed weights: {listed(ACTIVATIONS)}.")
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead of text.")
]


def memory_limit(text: str | None) -> int | None:
    """The bytes of ``--max-memory``."""
    from wlkg.memory import parse_size

    return None if text is None else parse_size(text)
