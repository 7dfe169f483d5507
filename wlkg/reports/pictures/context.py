"""Vertices of large graphs with what is around them, in the colours of the whole graphs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wlkg.arrays import IntArray
from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.results import Refinement
from wlkg.reports.blocks import Block, Colouring, Drawing, DrawnGraph
from wlkg.reports.pictures.colourings import MOST_ROUNDS, numbered
from wlkg.reports.pictures.layout import layout
from wlkg.reports.results import NamedGraph

#: The most neighbours of a vertex that are drawn, and the most vertices in all.
_MOST_NEIGHBOURS = 22
_MOST_MARKED = 4


def context_drawing(
    graphs: Sequence[NamedGraph], refinement: Refinement, marked: Sequence[tuple[int, int]]
) -> list[Block]:
    """The marked vertices with their neighbours; those with a cut neighbourhood say so."""
    marked = list(dict.fromkeys(marked))[:_MOST_MARKED]
    used = sorted({graph for graph, _ in marked})
    chosen = [_around(graphs[g].graph, [v for h, v in marked if h == g]) for g in used]
    relations = list(dict.fromkeys(r for g in used for r in graphs[g].graph.relation_names))
    starts = np.cumsum([0, *(named.graph.num_vertices for named in graphs)])
    places = {
        (g, v): (i, kept.index(v))
        for i, (g, kept) in enumerate(zip(used, chosen, strict=True))
        for h, v in marked
        if h == g
    }
    drawn = [_drawn(graphs[g], kept, relations) for g, kept in zip(used, chosen, strict=True)]
    present = sorted({r for graph in drawn for _, r, _ in graph.triples})
    number = {r: i for i, r in enumerate(present)}
    short = ShortNames(graphs[used[0]].graph)
    items = [starts[g] + np.array(kept) for g, kept in zip(used, chosen, strict=True)]
    return [
        Drawing(
            title="In context",
            graphs=tuple(_with_relations(graph, number) for graph in drawn),
            relations=tuple(short.relation(relations[r]) for r in present),
            direction=graphs[used[0]].graph.direction,
            colourings=(_colouring(refinement, items),),
            marked=tuple(places[pair] for pair in marked),
            is_part=True,
        )
    ]


def _around(graph: RelationalGraph, vertices: Sequence[int]) -> list[int]:
    """The vertices and their first neighbours."""
    arcs = graph.arcs()
    kept = dict.fromkeys(vertices)
    for v in vertices:
        near = arcs.neighbour[arcs.offsets[v] : arcs.offsets[v + 1]].tolist()
        kept.update(dict.fromkeys(list(dict.fromkeys(near))[:_MOST_NEIGHBOURS]))
    return list(kept)


def _drawn(named: NamedGraph, kept: list[int], relations: list[str]) -> DrawnGraph:
    graph = named.graph
    part = graph.induced(kept)
    number = [relations.index(name) for name in graph.relation_names]
    rows = zip(*(c.tolist() for c in (part.head, part.relation, part.tail)), strict=True)
    triples = tuple((h, number[r], t) for h, r, t in rows)
    before, after = np.diff(graph.arcs().offsets)[kept], np.diff(part.arcs().offsets)
    labels = () if graph.labels is None else graph.labels[kept].tolist()
    short = ShortNames(graph)
    pieces = [short.prefixed(graph.vertex_names[v]) for v in kept]
    return DrawnGraph(
        name=named.name,
        vertices=tuple(
            graph.vertex_names[v] if piece is None else ":".join(piece)
            for v, piece in zip(kept, pieces, strict=True)
        ),
        places=layout(len(kept), [(h, t) for h, _, t in triples]),
        triples=triples,
        labels=tuple(graph.label_names[label] for label in labels),
        partial=tuple(np.flatnonzero(before != after).tolist()),
    )


def _with_relations(graph: DrawnGraph, number: dict[int, int]) -> DrawnGraph:
    from dataclasses import replace

    return replace(graph, triples=tuple((h, number[r], t) for h, r, t in graph.triples))


def _colouring(refinement: Refinement, items: Sequence[IntArray]) -> Colouring:
    """The colours of the drawn vertices in the whole graphs."""
    everything = np.concatenate(items)
    last = min(refinement.rounds, MOST_ROUNDS)
    rounds = numbered([refinement.vertices.class_at(everything, t) for t in range(last + 1)])
    ends = np.cumsum([len(part) for part in items])[:-1]
    return Colouring(
        refinement.test,
        "vertices" if refinement.arity == 1 else "tuples",
        tuple(tuple(tuple(part.tolist()) for part in np.split(row, ends)) for row in rounds),
    )
