"""Single options that several commands share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

import typer

from wlkg.catalogue import TEST_CHOICES, find_test
from wlkg.commands.options.completing import complete_graph, complete_test, one_of
from wlkg.gnn.config import ACTIVATIONS, UNKNOWN_RELATIONS
from wlkg.shell.panels import INPUT, OUTPUT


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


def lower_case(given: Any) -> Any:
    """Names of tests as users write them, such as 1-RWL, in the letters of the tables."""
    if isinstance(given, str):
        return given.lower()
    return [name.lower() for name in given] if given else given


GraphArgument = Annotated[
    str,
    typer.Argument(
        metavar="GRAPH",
        help="A file (FILE#3: its third graph), a folder, - for standard input, or example:NAME.",
        show_default=False,
        autocompletion=complete_graph,
    ),
]
TestOption = Annotated[
    str,
    typer.Option(
        "--test",
        metavar="TEST",
        help=f"The WL test: {TEST_CHOICES}.",
        autocompletion=complete_test,
        callback=lower_case,
    ),
]
MemoryOption = Annotated[
    str | None,
    typer.Option(
        "--max-memory",
        metavar="SIZE",
        help="Refuse to use more memory than this, as in 4G; by default half of what is free.",
        show_default=False,
    ),
]
_TARGETS: dict[str, Any] = {
    "metavar": "FILE",
    "help": "The entities to learn from and their labels: a TSV or CSV with a header.",
}
TargetsOption = Annotated[str, typer.Option("--targets", **_TARGETS)]
OptionalTargetsOption = Annotated[str | None, quiet_option("--targets", **_TARGETS)]
HoldoutOption = Annotated[
    str | None,
    quiet_option(
        "--holdout",
        metavar="FILE",
        help="The entities to test on and their labels, in the form of --targets.",
    ),
]
EntityColumnOption = Annotated[
    str | None,
    quiet_option(
        "--entity-column",
        metavar="NAME",
        help="Tables of labels: the title of the column with the entities.",
        rich_help_panel=INPUT,
    ),
]
LabelColumnOption = Annotated[
    str | None,
    quiet_option(
        "--label-column",
        metavar="NAME",
        help="Tables of labels: the title of the column with the labels.",
        rich_help_panel=INPUT,
    ),
]
FeaturesOption = Annotated[
    str | None,
    quiet_option(
        "--features",
        metavar="FEATURES",
        help="Features of vertices: constant, glorot (one random vector for all), labels (one-hot"
        " of --labels) or a TSV of vertices and numbers.",
        rich_help_panel=INPUT,
        autocompletion=one_of(("constant", "glorot", "labels")),
    ),
]
AmongOption = Annotated[
    str | None,
    typer.Option(
        "--among", metavar="FILE", help="Only these vertices: a file with one name per line."
    ),
]
SourcesOption = Annotated[
    str | None,
    typer.Option(
        "--sources",
        metavar="FILE",
        help="rawl2, rawl2-all: only pairs with these sources, a file with one vertex per line.",
    ),
]
PrefixOption = Annotated[
    list[str] | None,
    quiet_option(
        "--prefix",
        metavar="PREFIX=IRI",
        help="A prefix for names, may be repeated.",
        rich_help_panel=INPUT,
    ),
]
UnknownRelationsOption = Annotated[
    str,
    typer.Option(
        "--unknown-relations",
        metavar="POLICY",
        help="Relations that the model of a checkpoint does not know: refuse the graph (error) or"
        " leave out their triples (skip).",
        rich_help_panel=INPUT,
        autocompletion=one_of(UNKNOWN_RELATIONS),
    ),
]
ActivationOption = Annotated[
    str,
    typer.Option(
        "--activation",
        metavar="NAME",
        help=f"Constructed weights: the activation, {listed(ACTIVATIONS)}.",
        autocompletion=one_of(ACTIVATIONS),
    ),
]
ExitZeroOption = Annotated[
    bool,
    typer.Option(
        "--exit-zero",
        help="End with status 0 where it would be 1; errors keep their status.",
        rich_help_panel=OUTPUT,
    ),
]
ForceOption = Annotated[
    bool, typer.Option("--force", help="Replace files that exist.", rich_help_panel=OUTPUT)
]
JsonOption = Annotated[
    bool,
    typer.Option("--json", help="Print one JSON document instead of text.", rich_help_panel=OUTPUT),
]


def tests_option(*, default: str) -> Any:
    """A ``--test`` that may be repeated; ``default`` names the tests that run without it."""
    text = f"A WL test, may be repeated: {TEST_CHOICES}. By default {default}."
    return quiet_option(
        "--test", metavar="TEST", help=text, callback=lower_case, autocompletion=complete_test
    )


def target_words(
    targets: str, holdout: str | None, entity_column: str | None, label_column: str | None
) -> list[str]:
    """Tables of labels as words of a command line."""
    options = {
        "--targets": targets,
        "--holdout": holdout,
        "--entity-column": entity_column,
        "--label-column": label_column,
    }
    return [word for name, value in options.items() if value for word in (name, value)]


def check_tests(*names: str | None) -> None:
    """Refuse unknown tests now, not after a graph has been read for minutes."""
    for name in names:
        if name is not None:
            find_test(name)


def memory_limit(text: str | None) -> int | None:
    """The bytes of ``--max-memory``."""
    from wlkg.memory import parse_size

    return None if text is None else parse_size(text)
