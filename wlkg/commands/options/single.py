"""Single options that several commands share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from wlkg.catalogue import TEST_CHOICES, find_test
from wlkg.gnn.config import ACTIVATIONS, UNKNOWN_RELATIONS


def quiet_option(*names: str, help: str, **more: Any) -> Any:  # noqa: A002
    """An option whose help does not show its default."""
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
TestOption = Annotated[
    str, typer.Option("--test", metavar="TEST", help=f"The WL test: {TEST_CHOICES}.")
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--max-memory",
        metavar="SIZE",
        help="Memory limit, as in 4G; by default half of the free memory.",
        show_default=False,
    ),
]
TargetsOption = Annotated[
    str, typer.Option("--targets", metavar="FILE", help="TSV of entities and their labels.")
]
HoldoutOption = Annotated[
    str | None,
    quiet_option("--holdout", metavar="FILE", help="TSV of the test targets and their labels."),
]
EntityColumnOption = Annotated[
    str | None,
    quiet_option("--entity-column", metavar="NAME", help="Header of the column of entities."),
]
LabelColumnOption = Annotated[
    str | None,
    quiet_option("--label-column", metavar="NAME", help="Header of the column of labels."),
]
FeaturesOption = Annotated[
    str | None,
    quiet_option(
        "--features",
        help="Features of vertices: constant, glorot (one random vector for all), labels (one-hot"
        " of --labels) or a TSV of numbers.",
    ),
]
AmongOption = Annotated[
    str | None,
    typer.Option(
        "--among", metavar="FILE", help="Only these vertices: a file with one name per line."
    ),
]
UnknownRelationsOption = Annotated[
    str,
    typer.Option(
        "--unknown-relations",
        help=f"Relations that are new to the model of a checkpoint: {listed(UNKNOWN_RELATIONS)}.",
    ),
]
ActivationOption = Annotated[
    str,
    typer.Option(
        "--activation", help=f"Constructed weights: the activation, {listed(ACTIVATIONS)}."
    ),
]
ExitZeroOption = Annotated[
    bool,
    typer.Option("--exit-zero", help="Exit with status 0 instead of 1; errors keep their status."),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead of text.")
]


def tests_option(*, default: str) -> Any:
    """A ``--test`` that may be repeated; ``default`` names the tests that run without it."""
    text = f"A WL test; may be repeated: {TEST_CHOICES}. By default {default}."
    return quiet_option("--test", metavar="TEST", help=text)


def check_tests(*names: str | None) -> None:
    """Refuse unknown tests now, not after a graph has been read for minutes."""
    for name in names:
        if name is not None:
            find_test(name)


def memory_limit(text: str | None) -> int | None:
    """The bytes of ``--max-memory``."""
    from wlkg.memory import parse_size

    return None if text is None else parse_size(text)
