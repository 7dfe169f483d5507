"""The options that every command with a graph shares, written down once.

A command declares a parameter ``reading: Reading`` and is decorated with `reads_graphs`; on the
command line it then has all reading options, and in the function they arrive as one value that can
read.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph

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
        help="Tests of tuples: refuse to take more, as in 4G; half of what is free by default.",
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
    str, typer.Option("--activation", help="The non-linearity of constructed weights: sign, relu.")
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON document instead of text.")
]


def memory_limit(text: str | None) -> int | None:
    """The bytes of ``--max-memory``."""
    from wlkg.memory import parse_size

    return None if text is None else parse_size(text)


def _option(*names: str, help: str, **more: Any) -> Any:  # noqa: A002
    return typer.Option(*names, help=help, show_default=False, **more)


#: Option of `wlkg.read` -> type and description on the command line.
_READING: dict[str, Any] = {
    "format": Annotated[
        str | None, _option("--format", help="The format, where the suffix does not tell.")
    ],
    "direction": Annotated[
        str | None,
        _option(
            "--direction",
            help="both (default), undirected (default for undirected input), out or in.",
        ),
    ],
    "literals": Annotated[
        str | None, _option("--literals", help="RDF: shared (default), occurrence or drop.")
    ],
    "named_graph": Annotated[
        str | None, _option("--graph", metavar="IRI", help="Quads: this named graph only.")
    ],
    "base": Annotated[
        str | None, _option("--base", metavar="IRI", help="RDF: base of relative IRIs.")
    ],
    "columns": Annotated[
        str | None,
        _option(
            "--columns",
            help="Tables: head,relation,tail in another order, or head,tail; _ skips one.",
        ),
    ],
    "delimiter": Annotated[str | None, _option("--delimiter", help="Tables: the separator.")],
    "header": Annotated[
        bool | None, _option("--header/--no-header", help="Tables: whether there is a header line.")
    ],
    "comment": Annotated[
        str | None, _option("--comment", help="Tables: how comments start (#); '' for none.")
    ],
    "splits": Annotated[
        str | None, _option("--splits", help="Folders: some of train,valid,test (train).")
    ],
    "relation_attribute": Annotated[
        str | None,
        _option(
            "--relation-attribute",
            metavar="NAME",
            help="GraphML, GEXF, JSON: the relation of an edge.",
        ),
    ],
    "label_attribute": Annotated[
        str | None,
        _option(
            "--label-attribute", metavar="NAME", help="GraphML, GEXF, JSON: the label of a node."
        ),
    ],
    "labels": Annotated[
        str | None,
        _option("--labels", help="Start colours: a TSV of vertex and label, or kind, or type."),
    ],
}


@dataclass(frozen=True)
class Reading:
    """How the user wants graphs to be read."""

    options: dict[str, Any]

    def read(self, path: str) -> RelationalGraph:
        """The graph at ``path``, labelled; its notes and progress go to stderr."""
        from wlkg.readers.read import read
        from wlkg.reports.progressbar import TerminalProgress

        return self._labelled(read(path, progress=TerminalProgress(), **self._given()))

    def read_all(self, path: str) -> list[RelationalGraph]:
        """All graphs at ``path``."""
        from wlkg.readers.read import read_all
        from wlkg.reports.progressbar import TerminalProgress

        return [
            self._labelled(graph)
            for graph in read_all(path, progress=TerminalProgress(), **self._given())
        ]

    def but(self, **options: Any) -> Reading:
        """The same with some options replaced."""
        return replace(self, options={**self.options, **options})

    def _given(self) -> dict[str, Any]:
        return {
            key: value
            for key, value in self.options.items()
            if value is not None and key != "labels"
        }

    def _labelled(self, graph: RelationalGraph) -> RelationalGraph:
        from wlkg.readers.labels import label
        from wlkg.reports.terminal import note

        for text in graph.notes:
            note(text)
        labels = self.options["labels"]
        return graph if labels is None else label(graph, labels)


#: Option of the model commands -> type, default and description on the command line.
_MODEL: dict[str, tuple[Any, Any]] = {
    "model": (
        Annotated[str, typer.Option("--model", help="rgcn, rgcn-mlp, compgcn or k-rn.")],
        "rgcn",
    ),
    "layers": (Annotated[int | None, _option("--layers", help="How many layers.")], None),
    "dim": (Annotated[int, typer.Option("--dim", help="The width of the features.")], 4),
    "aggregation": (Annotated[str, typer.Option("--aggregation", help="sum or mean.")], "sum"),
    "composition": (
        Annotated[
            str,
            typer.Option(
                "--composition",
                help="CompGCN, k-RN: add, sub, mult, concat, rotate, corr, scale or mlp.",
            ),
        ],
        "mult",
    ),
    "bias": (Annotated[bool, typer.Option("--bias/--no-bias", help="Add a bias.")], False),
    "direction_weights": (
        Annotated[
            bool,
            typer.Option(
                "--direction-weights/--no-direction", help="CompGCN: a matrix per direction."
            ),
        ],
        True,
    ),
    "norm": (
        Annotated[bool, typer.Option("--norm/--no-norm", help="CompGCN: divide by degrees.")],
        True,
    ),
    "relation_update": (
        Annotated[
            bool,
            typer.Option(
                "--relation-update/--no-relation-update",
                help="CompGCN, k-RN: transform the vectors of relations in each layer.",
            ),
        ],
        True,
    ),
    "k": (Annotated[int, typer.Option("-k", help="k-RN: the length of tuples.")], 2),
    "dtype": (Annotated[str, typer.Option("--dtype", help="float32 or float64.")], "float32"),
    "device": (Annotated[str, typer.Option("--device", help="auto, cpu, cuda or mps.")], "auto"),
    "seed": (Annotated[int, typer.Option("--seed", min=0, help="The random seed.")], 0),
}


@dataclass(frozen=True)
class Modelling:
    """Which model the user wants."""

    options: dict[str, Any]

    def config(self, *, layers: int, **more: Any) -> Any:
        """The `wlkg.gnn.config.ModelConfig`; widths that the data decides are filled in later."""
        from wlkg.gnn.config import ModelConfig

        chosen = self.options
        return ModelConfig(
            model=chosen["model"],
            in_width=chosen["dim"],
            width=chosen["dim"],
            out_width=1,
            relations=1,
            layers=layers if chosen["layers"] is None else chosen["layers"],
            aggregation=chosen["aggregation"],
            composition=chosen["composition"],
            bias=chosen["bias"],
            direction=chosen["direction_weights"],
            norm=chosen["norm"],
            relation_update=chosen["relation_update"],
            k=chosen["k"],
            **more,
        )


Command = TypeVar("Command", bound=Callable[..., None])


def reads_graphs(command: Command) -> Command:
    """Replace the parameter ``reading`` of a command by the reading options."""
    options = {name: (annotation, None) for name, annotation in _READING.items()}
    return _with_options(command, "reading", options, Reading)


def takes_model(**defaults: Any) -> Callable[[Command], Command]:
    """Replace the parameter ``modelling`` of a command by the options of the model commands.

    Defaults may be other ones than those of most commands.
    """
    options = {
        name: (annotation, defaults.get(name, default))
        for name, (annotation, default) in _MODEL.items()
    }
    return lambda command: _with_options(command, "modelling", options, Modelling)


def _with_options(
    command: Command,
    parameter: str,
    options: dict[str, tuple[Any, Any]],
    gather: Callable[[dict[str, Any]], Any],
) -> Command:
    """Replace a parameter by options, which arrive in the function as one value.

    An option that the command has itself, under the same name, is the command's.
    """
    signature = inspect.signature(command, eval_str=True)
    kept = [p for name, p in signature.parameters.items() if name != parameter]
    names = [name for name in options if name not in signature.parameters]
    added = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=options[name][1],
            annotation=options[name][0],
        )
        for name in names
    ]

    @wraps(command)
    def wrapper(**arguments: Any) -> None:
        given = {name: arguments.pop(name) for name in names}
        command(**arguments, **{parameter: gather(given)})

    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in kept] + added
    wrapper.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapper  # type: ignore[return-value]
