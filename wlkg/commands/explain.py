"""``wlkg explain``: why vertices or graphs are separated, and what a model has learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from wlkg.commands.options import (
    GraphArgument,
    MemoryOption,
    Outputs,
    PrefixOption,
    Reading,
    TestOption,
    check_tests,
    has_outputs,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.classes import ClassOptions, takes_classes
from wlkg.commands.options.given import refuse_given
from wlkg.commands.options.single import quiet_option
from wlkg.errors import UsageError
from wlkg.shell.panels import OUTPUT

Question = Literal["pair", "class", "graphs", "checkpoint", "predictions", "targets"]

_ABOUT_CLASSES: set[Question] = {"checkpoint", "predictions", "targets"}
#: The options that only some questions use.
_OPTIONS: dict[str, set[Question]] = {
    "--test": {"pair", "class", "graphs", "predictions", "targets"},
    "--round": {"class", "predictions", "targets"},
    "--svg": {"pair"},
    "--holdout": _ABOUT_CLASSES,
    "--among": _ABOUT_CLASSES,
    "--entity-column": _ABOUT_CLASSES,
    "--label-column": _ABOUT_CLASSES,
    "--fidelity": _ABOUT_CLASSES,
    "--features": {"checkpoint"},
    "--unknown-relations": {"checkpoint"},
}
_BECAUSE: dict[Question, str] = {
    "pair": "two vertices are explained",
    "class": "the class of one vertex is explained",
    "graphs": "two graphs are explained",
    "checkpoint": "a model is explained, and its layers decide the test and the round",
    "predictions": "predictions are explained",
    "targets": "labels are explained",
}


@has_outputs
@reads_graphs
@takes_classes
def explain(
    context: typer.Context,
    graph: GraphArgument,
    reading: Reading,
    outputs: Outputs,
    classes: ClassOptions,
    about: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="V [W] | GRAPH",
            help="One vertex, two vertices, or a second graph. The name of a file is a graph; <V>"
            " is always a vertex.",
            show_default=False,
        ),
    ] = None,
    test: TestOption = "1-rwl",
    round: Annotated[  # noqa: A002
        int | None,
        quiet_option(
            "--round",
            metavar="N",
            min=0,
            help="One vertex: explain its class of round N, by default of the last. Predictions:"
            " the layers of the model, by default the first round that determines them.",
        ),
    ] = None,
    prefix: PrefixOption = None,
    svg: Annotated[
        str | None,
        quiet_option(
            "--svg",
            metavar="FILE",
            help="Two vertices: draw the neighbourhoods in which they differ.",
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    max_memory: MemoryOption = None,
) -> None:
    """Explain why vertices or graphs differ, or what a model does.

    The answer is a formula of graded modal logic, as deep as the separating round: in English, as
    logic, as an OWL class and as a SPARQL query. With --checkpoint, --predictions or --targets, the
    answer is one formula for each class that a model predicts, or that the labels name.

    \b
    Examples:
      wlkg explain family.ttl :dana :finn
      wlkg explain family.ttl :dana --round 1
      wlkg explain example:c6 example:2xc3 --test 2-rlwl
      wlkg explain aifb.nt.gz --checkpoint runs/seed-0.pt
      wlkg explain aifb.nt.gz --checkpoint runs/seed-0.pt --among people.txt
      wlkg explain kg.nt --predictions predicted.tsv --round 2 --fidelity 0.95
    """
    from wlkg.graph.prefixes import parse_prefixes

    asked = tuple(about or ())
    question = _question(asked, classes)
    for option, questions in _OPTIONS.items():
        if question not in questions:
            refuse_given(context, option, because=_BECAUSE[question])
    check_tests(test)
    how = _How(
        test=test,
        round=round,
        prefixes=parse_prefixes(prefix or []),
        max_memory=memory_limit(max_memory),
        outputs=outputs,
    )
    if question == "graphs":
        _explain((graph, *asked), (reading.read(graph), reading.read(asked[0])), reading, how)
    elif question in ("pair", "class"):
        if svg is not None:
            from wlkg.reports.unfolding_file import check_unfolding_path

            check_unfolding_path(svg, test)
        _explain((graph, *asked), (reading.read(graph), *asked), reading, how, svg=svg)
    else:
        _explain_classes(graph, reading, classes, how)


@dataclass(frozen=True)
class _How:
    """What all questions have in common."""

    test: str
    round: int | None
    prefixes: dict[str, str]
    max_memory: int | None
    outputs: Outputs


def _question(asked: tuple[str, ...], classes: ClassOptions) -> Question:
    """What is to be explained, or an error that says how to ask."""
    from wlkg.readers.read import names_a_graph

    about_classes = classes.of_model or classes.targets is not None
    two_models = classes.checkpoint is not None and classes.predictions is not None
    if bool(asked) == about_classes or two_models or len(asked) > 2:
        raise UsageError(
            "name one vertex, two vertices or a second graph, or give one of --checkpoint,"
            " --predictions and --targets"
        )
    if about_classes:
        if not classes.of_model:
            return "targets"
        return "predictions" if classes.checkpoint is None else "checkpoint"
    if len(asked) == 2:
        return "pair"
    return "graphs" if names_a_graph(asked[0]) else "class"


def _explain(
    names: tuple[str, ...],
    subject: tuple[Any, ...],
    reading: Reading,
    how: _How,
    svg: str | None = None,
) -> None:
    """Explain vertices or graphs, which the user calls by these names."""
    from wlkg.analysis.explanation.explain import explain as run
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.reports.explain import print_explanation
    from wlkg.reports.explain_document import explanation_document
    from wlkg.reports.explain_words import Explained
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_tests import after_explanation

    watch = Stopwatch()
    explanation = run(
        *subject,
        test=how.test,
        round=how.round,
        prefixes=how.prefixes,
        max_memory=how.max_memory,
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    explained = Explained(subject[0], how.test, how.prefixes)
    if svg is not None:
        from wlkg.reports.unfolding_file import write_unfolding

        write_unfolding(svg, explanation, explained)
    named = zip(names, subject, strict=True)
    graphs = [(name, graph) for name, graph in named if not isinstance(graph, str)]
    how.outputs.present(
        "explain",
        lambda: {
            "graph": names[0],
            **explanation_document(explanation, explained, names),
            "prefixes": how.prefixes,
            "seconds": seconds,
        },
        lambda: print_explanation(explanation, explained, names),
        [reading.named(name, graph) for name, graph in graphs],
        step=lambda: after_explanation(reading.asked(*(name for name, _ in graphs)), explanation),
    )


def _explain_classes(name: str, reading: Reading, classes: ClassOptions, how: _How) -> None:
    """Explain the classes that a model predicts, or labels."""
    from wlkg.analysis.explanation.learned.rules import explain_predictions
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.reports.explain_rules import print_rules, rules_document, setting_of
    from wlkg.reports.progressbar import TerminalProgress

    graph = reading.read(name)
    watch = Stopwatch()
    bounded = classes.read(
        graph,
        reading,
        test=how.test,
        round=how.round,
        prefixes=how.prefixes,
        max_memory=how.max_memory,
    )
    explanation = explain_predictions(
        bounded.graph,
        bounded.classes,
        bounded.test,
        bounded.round,
        fidelity=classes.fidelity,
        on=bounded.known,
        progress=TerminalProgress(),
    )
    seconds = watch.seconds
    setting = setting_of(explanation, how.prefixes)
    how.outputs.present(
        "explain",
        lambda: {
            "graph": name,
            **classes.files,
            **rules_document(explanation, setting),
            "seconds": seconds,
        },
        lambda: print_rules(name, explanation, setting, labels=not classes.of_model),
        [reading.named(name, graph)],
    )
