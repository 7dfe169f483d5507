"""The section of ``wlkg compare --vertices``: which tests separate a vertex of each graph."""

from __future__ import annotations

from wlkg.reports.blocks import Paragraph, Section
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.verdicts import drawn_tests, said, verdicts_table
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import file_name, listed


def vertices_section(result: Result, fields: Fields, verdicts: list[Fields]) -> Section:
    """The answer, both graphs with the vertices pointed out, and the verdicts."""
    vertices, graphs = fields.pair("vertices"), fields.pair("graphs")
    about = [f"{v} of {file_name(g)}" for v, g in zip(vertices, graphs, strict=True)]
    separating = [each for each in verdicts if said(each).startswith("separated")]
    same = [each.text("test") for each in verdicts if said(each) == "same"]
    if separating:
        at = [f"{each.text('test')} at round {each.whole('round'):,}" for each in separating]
        answer = f"{listed(about)} are separated by {listed(at)}"
        answer += f", and not by {listed(same, 'or')}." if same else "."
    else:
        answer = f"No test separates {listed(about)}."
    marked = _marked(result, vertices)
    shown = view(result.graphs, tests=drawn_tests(verdicts), marked=marked)
    blocks = (
        Paragraph(answer, "verdict"),
        *shown.drawing,
        verdicts_table(verdicts),
        *shown.folded,
    )
    return Section(listed(about), blocks)


def _marked(result: Result, vertices: tuple[str, str]) -> list[tuple[int, int]]:
    """The vertices by their full names; names in short are not looked up here."""
    found = [
        (place, named.graph.find_vertex(name))
        for place, (named, name) in enumerate(zip(result.graphs, vertices, strict=False))
    ]
    return [(place, vertex) for place, vertex in found if vertex is not None]
