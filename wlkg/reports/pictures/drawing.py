"""Small graphs as a drawing: places, short names, and the colourings of some tests."""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.analysis.side_by_side import SideBySide
from wlkg.errors import UsageError
from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.blocks import Block, Drawing, DrawnGraph, Paragraph
from wlkg.reports.pictures.colourings import colouring_of
from wlkg.reports.pictures.matching import Places, places_of
from wlkg.reports.results import NamedGraph

#: The most vertices and triples, of all graphs together, that are drawn one by one.
MOST_VERTICES = 150
MOST_TRIPLES = 400


def is_small(graphs: Sequence[NamedGraph]) -> bool:
    """Whether the graphs can be drawn vertex by vertex."""
    vertices = sum(named.graph.num_vertices for named in graphs)
    triples = sum(named.graph.num_triples for named in graphs)
    return 0 < vertices <= MOST_VERTICES and triples <= MOST_TRIPLES


def drawing_of(
    graphs: Sequence[NamedGraph],
    tests: Sequence[str],
    rounds: int | None,
    marked: Sequence[tuple[int, int]],
) -> tuple[Block, ...]:
    """The drawing, and a remark about tests that it does not show."""
    pair = SideBySide(tuple(named.graph for named in graphs))
    if len({graph.direction for graph in pair.graphs}) > 1:
        raise UsageError("graphs of different direction modes cannot be drawn together")
    colourings = {test: colouring_of(pair, test, rounds) for test in dict.fromkeys(tests)}
    shown = tuple(colouring for colouring in colourings.values() if colouring is not None)
    missing = ", ".join(test for test, colouring in colourings.items() if colouring is None)
    drawing = Drawing(
        title=" and ".join(named.name for named in graphs),
        graphs=_drawn(graphs, pair),
        relations=_relations(pair.union),
        direction=pair.graphs[0].direction,
        colourings=shown,
        marked=tuple(marked),
    )
    left_out = f"Too large to be coloured here: {missing}."
    return (drawing, Paragraph(left_out, "note")) if missing else (drawing,)


def _relations(union: RelationalGraph) -> tuple[str, ...]:
    names = ShortNames(union)
    return tuple(names.relation(name) for name in union.relation_names)


def _drawn(graphs: Sequence[NamedGraph], pair: SideBySide) -> tuple[DrawnGraph, ...]:
    relation = {name: i for i, name in enumerate(pair.union.relation_names)}
    places = places_of(pair.graphs)
    return tuple(
        _drawn_graph(named, spots, relation) for named, spots in zip(graphs, places, strict=True)
    )


def _drawn_graph(named: NamedGraph, places: Places, relation: dict[str, int]) -> DrawnGraph:
    graph, short = named.graph, ShortNames(named.graph)
    columns = (graph.head, graph.relation, graph.tail)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    labels = () if graph.labels is None else graph.labels.tolist()
    return DrawnGraph(
        name=named.name,
        vertices=tuple(short.vertex(v) for v in range(graph.num_vertices)),
        places=places,
        triples=tuple((h, relation[graph.relation_names[r]], t) for h, r, t in rows),
        labels=tuple(graph.label_names[label] for label in labels),
    )
