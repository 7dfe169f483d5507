"""``wlkg explain``: why vertices or graphs are separated, and what a model has learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

import typer

from wlkg.commands.options import (
    GraphArgument,
    JsonOption,
    MemoryOption,
    Reading,
    TestOption,
    check_tests,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.classes import ClassOptions, takes_classes
from wlkg.commands.options.given import refuse_given
from wlkg.commands.options.single import quiet_option
from wlkg.errors import UsageError

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


@reads_graphs
@takes_classes
def explain(
    context: typer.Context,
    graph: GraphArgument,
    reading: Reading,
    classes: ClassOptions,
    about: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="V [W] | GRAPH",
            help="One vertex, two vertices, or a second graph. What is a file is a graph; <V> is"
            " always a vertex.",
            show_default=False,
        ),
    ] = None,
    test: TestOption = "1-rwl",
    round: Annotated[  # noqa: A002
        int | None,
        quiet_option(
            "--round",
            min=0,
            help="One vertex: the round of its class, by default the last. Predictions: the round"
            " that bounds the model, by default the first that determines them.",
        ),
    ] = None,
    prefix: Annotated[
        list[str] | None,
        quiet_option("--prefix", metavar="PREFIX=IRI", help="A prefix for names; may be repeated."),
    ] = None,
    svg: Annotated[
        str | None,
        quiet_option(
            "--svg", metavar="FILE", help="Two vertices: draw where their unfolding trees part."
        ),
    ] = None,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Explain why a test separates two vertices or two graphs, or what selects a vertex.

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
        json=json,
    )
    if question == "graphs":
        _explain((graph, *asked), (reading.read(graph), reading.read(asked[0])), how)
    elif question in ("pair", "class"):
        if svg is not None:
            from wlkg.reports.unfolding_file import check_unfolding_path

            check_unfolding_path(svg, test)
        _explain((graph, *asked), (reading.read(graph), *asked), how, svg=svg)
    else:
        _explain_classes(graph, reading, classes, how)


@dataclass(frozen=True)
class _How:
    """What all questions have in common."""

    test: str
    round: int | None
    prefixes: dict[str, str]
    max_memory: int | None
    json: bool


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
    names: tuple[str, ...], subject: tuple[Any, ...], how: _How, svg: str | None = None
) -> None:
    """Explain vertices or graphs, which the user calls by these names."""
    import time

    from wlkg.analysis.explanation.explain import explain as run
    from wlkg.reports.explain import print_explanation
    from wlkg.reports.explain_document import explanation_document
    from wlkg.reports.explain_words import Explained
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    started = time.perf_counter()
    explanation = run(
        *subject,
        test=how.test,
        round=how.round,
        prefixes=how.prefixes,
        max_memory=how.max_memory,
        progress=TerminalProgress(),
    )
    seconds = time.perf_counter() - started
    explained = Explained(subject[0], how.test, how.prefixes)
    if svg is not None:
        from wlkg.reports.unfolding_file import write_unfolding

        write_unfolding(svg, explanation, explained)
    if how.json:
        document = explanation_document(explanation, explained, names)
        print_json("explain", {"graph": names[0], **document, "seconds": seconds})
    else:
        print_explanation(explanation, explained, names)


def _explain_classes(name: str, reading: Reading, classes: ClassOptions, how: _How) -> None:
    """Explain the classes that a model predicts, or labels."""
    import time

    from wlkg.analysis.explanation.learned.rules import explain_predictions
    from wlkg.reports.explain_rules import print_rules, rules_document, setting_of
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress

    graph = reading.read(name)
    started = time.perf_counter()
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
    seconds = time.perf_counter() - started
    setting = setting_of(explanation, how.prefixes)
    if how.json:
        document = rules_document(explanation, setting)
        print_json("explain", {"graph": name, **classes.files, **document, "seconds": seconds})
    else:
        print_rules(name, explanation, setting, labels=not classes.of_model)
