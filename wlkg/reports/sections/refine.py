"""The section of ``wlkg refine``: classes round by round, and the graph in their colours."""

from __future__ import annotations

from wlkg.reports.blocks import Chart, Column, Details, Paragraph, Section, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.rounds import LONG, MOST_ROWS, left_out_note, line, shown_rounds
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import counted, titled

_ITEMS = {1: "vertices", 2: "pairs of vertices", 3: "triples of vertices"}


def refine_section(result: Result) -> Section:
    """The answer, the graph, the chart of classes, and the table of rounds."""
    fields = result.fields
    test, classes = fields.text("test"), fields.wholes("classes_per_round")
    chart = Chart(
        "Classes per round",
        "round",
        "classes",
        (line(test, classes),),
        log_x=len(classes) > LONG,
        style="count",
    )
    graph = view(result.graphs, tests=(test,), rounds=fields.whole("rounds"))
    return Section(
        title=titled(fields.text("graph"), f"{test}"),
        blocks=(
            Paragraph(_answer(fields), "verdict"),
            *graph.drawing,
            chart,
            *graph.overview,
            _rounds_table(classes),
            Details("Details", (_details(fields),)),
        ),
        figure=(chart,),
    )


def _answer(fields: Fields) -> str:
    state = "is stable at" if fields.truth("stable") else "was stopped after"
    arity = fields.whole("arity") if fields.has("arity") else 1
    items = _ITEMS.get(arity, f"{arity}-tuples of vertices")
    answer = (
        f"{fields.text('test')} {state} round {fields.whole('rounds'):,} with"
        f" {counted(fields.whole('classes'), 'class', 'classes')} of {items}."
    )
    if arity > 1 and fields.has("vertex_classes"):
        count = fields.whole("vertex_classes")
        answer += f" As colours of vertices these are {counted(count, 'class', 'classes')}."
    return f"{answer} {_alike(fields, arity)}"


def _alike(fields: Fields, arity: int) -> str:
    alike = fields.whole("indistinguishable_pairs")
    what = "vertices" if arity == 1 else "tuples"
    if not alike:
        return f"Any two {what} are told apart."
    verb = "cannot" if fields.truth("stable") else "could not"
    return f"{counted(alike, 'pair', 'pairs')} of {what} {verb} be told apart."


def _rounds_table(classes: list[int]) -> Table:
    return Table(
        "Classes per round",
        (Column("round", "count"), Column("classes", "count")),
        tuple((t, classes[t]) for t in shown_rounds(len(classes), MOST_ROWS)),
        note=left_out_note(len(classes)),
    )


def _details(fields: Fields) -> Table:
    """How the colours were computed, and how sure they are."""
    rows: list[tuple[str, str | int | bool | None]] = [
        ("test", fields.text("test")),
        ("direction", fields.text("direction")),
        ("pairs told apart", fields.whole("distinguishable_pairs")),
        ("pairs not told apart", fields.whole("indistinguishable_pairs")),
        ("exact", fields.truth("exact")),
        ("proof", fields.maybe(fields.text, "proof")),
        ("engine", fields.maybe(fields.text, "engine")),
    ]
    return Table("How it was computed", (Column(""), Column("")), tuple(rows))
