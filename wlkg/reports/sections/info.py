"""The section of ``wlkg info``: what a graph contains."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Chart, Column, Paragraph, Section, Series, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, counted, file_name, listed

#: The most relations in the chart.
_MOST_BARS = 30
_COUNTS = ("vertices", "triples", "relations", "self_loops", "duplicates", "isolated", "arcs")
_KINDS = {"iri": "IRIs", "blank": "blank nodes", "literal": "literals", "name": "names"}


def info_section(result: Result) -> Section:
    """The size of the graph, the graph, its relations and degrees."""
    fields = result.fields
    title = file_name(fields.text("graph"))
    if fields.has("graphs"):
        return _several(title, fields)
    graph = view(result.graphs, tests=("1-rwl",))
    chart = _relations_chart(fields, Names.of(result))
    blocks: list[Block] = [
        Paragraph(_answer(fields), "verdict"),
        *(Paragraph(text, "note") for text in fields.texts("notes")),
        *graph.drawing,
    ]
    if chart.series[0].points:
        blocks.append(chart)
    blocks += [_counts_table(fields), _relations_table(fields, Names.of(result))]
    blocks += graph.folded
    return Section(title, tuple(blocks))


def _several(title: str, fields: Fields) -> Section:
    """A table of several graphs."""
    graphs = fields.many("graphs")
    keys = ("vertices", "triples", "relations", "self_loops")
    columns = (Column("graph"), *(Column(key.replace("_", "-"), "count") for key in keys))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (f"#{i}", *map(graph.whole, keys)) for i, graph in enumerate(graphs, 1)
    )
    answer = f"{counted(len(graphs), 'graph', 'graphs')} in this file."
    return Section(title, (Paragraph(answer, "verdict"), Table("Graphs", columns, rows)))


def _answer(fields: Fields) -> str:
    size = listed(
        [
            counted(fields.whole("vertices"), "vertex", "vertices"),
            counted(fields.whole("triples"), "triple", "triples"),
            counted(fields.whole("relations"), "relation", "relations"),
        ]
    )
    labels = fields.whole("labels")
    start = f"start with {counted(labels, 'label', 'labels')}" if labels else "start alike"
    return f"{size}. Direction {fields.text('direction')}; all vertices {start}."


def _counts_table(fields: Fields) -> Table:
    kinds = fields.counts("kinds")
    degree = fields.one("degree")
    rows: list[tuple[Value, ...]] = [(key.replace("_", "-"), fields.whole(key)) for key in _COUNTS]
    if set(kinds) - {"name"}:
        rows += [(f"vertices: {_KINDS.get(kind, kind)}", count) for kind, count in kinds.items()]
    rows += [
        ("labels", fields.whole("labels")),
        ("arcs per vertex, least", degree.whole("least")),
        ("arcs per vertex, median", degree.number("median")),
        ("arcs per vertex, most", degree.whole("most")),
    ]
    note = (
        "Each triple is seen from both ends where the direction is both or undirected: an arc leads"
        " from a vertex to a neighbour. Duplicate triples were dropped."
    )
    return Table("Size", (Column(""), Column("count", "count")), tuple(rows), note=note)


def _relations_chart(fields: Fields, names: Names) -> Chart:
    counts = list(fields.counts("triples_per_relation").items())[:_MOST_BARS]
    points = tuple((float(place), float(count)) for place, (_, count) in enumerate(counts))
    return Chart(
        "Triples per relation",
        "relation",
        "triples",
        (Series("triples", points, "bars"),),
        style="count",
        x_names=tuple(names.relation(name) for name, _ in counts),
    )


def _relations_table(fields: Fields, names: Names) -> Table:
    rows = tuple(
        (names.relation(name), name, count)
        for name, count in fields.counts("triples_per_relation").items()
    )
    short = any(short != name for short, name, _ in rows)
    columns: tuple[Column, ...] = (Column("relation"), Column("triples", "count"))
    if short:
        columns = (Column("relation"), Column("name"), columns[1])
    shown = rows if short else tuple((name, count) for _, name, count in rows)
    return Table("Relations", columns, shown, searchable=len(rows) > 12)
