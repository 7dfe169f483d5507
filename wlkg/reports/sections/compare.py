"""The section of ``wlkg compare``: which tests and models separate two graphs, and why."""

from __future__ import annotations

from dataclasses import replace

from wlkg.graph.name_labels import labelled_by_name
from wlkg.reports.blocks import Block, Chart, Column, Drawing, Paragraph, Section, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.results import NamedGraph, Result
from wlkg.reports.sections.compare_vertices import vertices_section
from wlkg.reports.sections.explain_blocks import formula_blocks
from wlkg.reports.sections.verdicts import drawn_tests, said, skipped_note, verdicts_table
from wlkg.reports.sections.views import View, view
from wlkg.reports.sections.words import Names, counted, file_name, listed, sentence

_ISOMORPHIC = {
    True: "The graphs are isomorphic.",
    False: "The graphs are not isomorphic.",
    None: "Whether the graphs are isomorphic is open.",
}
_BOUND = {True: "holds", False: "violated", None: "open"}


def compare_section(result: Result) -> Section:
    """The answer, both graphs, the verdicts, why the weakest test separates them, and models."""
    fields = result.fields
    if len(result.graphs) not in (0, 2):  # none if they are not there any more
        raise fields.wrong("inputs", "two graphs", len(result.graphs))
    verdicts = fields.many("verdicts")
    if fields.has("vertices"):
        return vertices_section(result, fields, verdicts)
    graphs = view(_compared(result, fields), tests=drawn_tests(verdicts))
    blocks: list[Block] = [
        Paragraph(_answer(fields, verdicts), "verdict"),
        *(Paragraph(text, "note") for text in _notes(fields)),
        *graphs.drawing,
        verdicts_table(verdicts),
        *_explanation(fields),
        *_differences(result, fields),
    ]
    models = fields.many("models")
    if models:
        blocks.append(_models_table(models))
        blocks += [Paragraph(text, "note") for model in models for text in _remarks(model)]
    blocks += graphs.overview
    one, two = map(file_name, fields.pair("graphs"))
    return Section(f"{one} and {two}", tuple(blocks), figure=_figure(graphs))


def _figure(graphs: View) -> tuple[Drawing | Chart, ...]:
    """Both graphs if they are small, or else the classes of each test round by round."""
    drawings = [block for block in graphs.drawing if isinstance(block, Drawing)]
    charts = [block for block in graphs.overview if isinstance(block, Chart)]
    of_rounds = [chart for chart in charts if chart.x_title == "round"]
    pictures: tuple[Drawing | Chart, ...] = (*drawings, *of_rounds)
    return pictures[:1]


def _compared(result: Result, fields: Fields) -> tuple[NamedGraph, ...]:
    """The graphs as they were compared: with their names as labels if names count."""
    if not fields.maybe(fields.truth, "names"):
        return result.graphs
    with_labels = any(named.graph.labels is not None for named in result.graphs)
    return tuple(
        replace(named, graph=labelled_by_name(named.graph, with_labels=with_labels))
        for named in result.graphs
    )


def _notes(fields: Fields) -> list[str]:
    notes = [f"Compared by name: {sentence(text)}" for text in fields.texts("notes")]
    if fields.maybe(fields.truth, "names_ignored"):
        notes.append(
            "Names of vertices were not compared: graphs that differ in names only look the same."
            " --names compares them."
        )
    return notes


def _answer(fields: Fields, verdicts: list[Fields]) -> str:
    weakest = fields.texts("weakest_tests")
    isomorphic = _ISOMORPHIC[fields.maybe(fields.truth, "isomorphic")]
    same = [each.text("test") for each in verdicts if said(each) == "same"]
    if not weakest:
        rests = fields.maybe(fields.text, "isomorphism_rests_on")
        because = f" ({rests})" if rests else ""
        return f"No test separates the graphs. {isomorphic[:-1]}{because}."
    rounds = {each.text("test"): each.maybe(each.whole, "round") for each in verdicts}
    at = [f"{test} at round {t:,}" for test in weakest if (t := rounds.get(test)) is not None]
    answer = f"The graphs are separated by {listed(at or weakest)}"
    answer += f", and not by {listed(same, 'or')}." if same else "."
    return f"{answer} {isomorphic}"


def _explanation(fields: Fields) -> list[Block]:
    """Why the weakest test separates the graphs, if the document says so."""
    if not fields.has("explanation"):
        return []
    explanation = fields.one("explanation")
    blocks = formula_blocks(explanation)
    if not blocks:
        return []
    test, t = explanation.text("test"), explanation.whole("round")
    return [Paragraph(f"Why {test} separates them at round {t:,}:"), *blocks]


def _differences(result: Result, fields: Fields) -> list[Block]:
    """The colours that are not equally frequent, with some of their vertices."""
    if not fields.has("differences"):
        return []
    graphs = [file_name(name) for name in fields.pair("graphs")]
    names = [Names(named.graph) for named in result.graphs] or [Names(None)] * 2
    return [
        _differences_table(each, graphs, names)
        for each in fields.many("differences")
        if each.whole("colours")
    ]


def _differences_table(each: Fields, graphs: list[str], names: list[Names]) -> Table:
    columns = tuple(
        column
        for graph in graphs
        for column in (Column(graph, "count"), Column(f"vertices of {graph}"))
    )
    rows = tuple(_difference(row, names) for row in each.many("largest"))
    test, t, colours = each.text("test"), each.whole("round"), each.whole("colours")
    more = colours - len(rows)
    note = f"{counted(more, 'more colour', 'more colours')} not listed." if more > 0 else ""
    title = f"Colours that are not equally frequent at round {t:,} of {test}"
    return Table(title, columns, rows, note=note)


def _difference(row: Fields, names: list[Names]) -> tuple[Value, ...]:
    counts, vertices = row.wholes("counts"), row.lists("vertices")
    if len(counts) != 2 or len(vertices) != 2:
        raise row.wrong("counts", "two numbers, and two lists of vertices", counts)
    cells: list[Value] = []
    for count, members, naming in zip(counts, vertices, names, strict=True):
        known = [naming.vertex(name) for name in members if isinstance(name, str)]
        more = ["..."] if count > len(known) else []
        cells += [count, ", ".join([*known, *more])]
    return tuple(cells)


def _models_table(models: list[Fields]) -> Table:
    titles = ("model", "weights", "verdict")
    columns = (
        *(Column(title) for title in titles),
        *(Column(title, "count") for title in ("at layer", "separating draws", "draws")),
        *(Column(title) for title in ("bounded by", "bound")),
    )
    rows = tuple(
        (
            model.text("model"),
            model.text("weights"),
            said(model),
            *(model.maybe(model.whole, key) for key in ("layer", "separating_draws", "draws")),
            model.maybe(model.text, "bound"),
            None if model.has("skipped") else _BOUND[model.maybe(model.truth, "bound_holds")],
        )
        for model in models
    )
    return Table("What models say", columns, rows, note=skipped_note(models, "model"))


def _remarks(model: Fields) -> list[str]:
    """What the row of a model alone does not say."""
    name, remarks = model.text("model"), []
    if model.has("predicted"):
        one, two = model.pair("predicted")
        remarks.append(f"{name} predicts {one} for the first graph and {two} for the second.")
    if model.maybe(model.truth, "graph_only") is False:
        remarks.append(f"{name} depends on more than the graph, so no test bounds it.")
    elif model.maybe(model.truth, "bound_holds") is False:
        late = model.maybe(model.whole, "bound_round")
        when = "not at all" if late is None else f"only at round {late:,}"
        bound = model.maybe(model.text, "bound") or "its test"
        remarks.append(f"{name} violates its bound: it separates, and {bound} does {when}.")
    return remarks
