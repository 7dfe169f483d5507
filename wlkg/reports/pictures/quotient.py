"""The largest classes as a small graph: its edges stand for the triples between them."""

from __future__ import annotations

import numpy as np

from wlkg.graph.prefixes import ShortNames
from wlkg.reports.blocks import Colouring, Drawing, DrawnGraph
from wlkg.reports.pictures.layout import layout
from wlkg.reports.pictures.whole_classes import WholeClasses

#: The largest classes, and those that have most to do with them: more would be a hairball again.
_LARGEST = 7
_MOST_CLASSES = 15
_MOST_EDGES = 26


def quotient_drawing(classes: WholeClasses) -> Drawing | None:
    """The largest classes of one graph, their surroundings, and the most frequent relations."""
    graph = classes.graphs[0]
    shown = _shown(classes)
    triples, counts = _between(classes, shown)
    if not triples:
        return None
    short = ShortNames(graph)
    relations = sorted({relation for _, relation, _ in triples})
    place = {relation: i for i, relation in enumerate(relations)}
    drawn = DrawnGraph(
        name=f"{len(shown)} of {len(classes.sizes):,} classes: the largest, and those most often"
        " related to them",
        vertices=tuple(classes.name(int(classes.members(c)[0])) for c in shown),
        places=layout(len(shown), [(head, tail) for head, _, tail in triples]),
        triples=tuple((head, place[relation], tail) for head, relation, tail in triples),
        sizes=tuple(int(classes.sizes[c - 1]) for c in shown),
        counts=tuple(counts),
    )
    return Drawing(
        title=f"The largest classes of {classes.test} and the relations between them",
        graphs=(drawn,),
        relations=tuple(short.relation(graph.relation_names[r]) for r in relations),
        direction=graph.direction,
        colourings=(Colouring(classes.test, "vertices", ((tuple(shown),),)),),
    )


def _shown(classes: WholeClasses) -> list[int]:
    """The numbers of the classes that are drawn, ascending."""
    graph, number = classes.graphs[0], classes.number
    head, tail = number[graph.head], number[graph.tail]
    largest = min(_LARGEST, len(classes.sizes))
    touched = np.concatenate([tail[head <= largest], head[tail <= largest]])
    beside, counts = np.unique(touched[touched > largest], return_counts=True)
    often = beside[np.lexsort([beside, -counts])][: _MOST_CLASSES - largest]
    return [*range(1, largest + 1), *sorted(often.tolist())]


def _between(
    classes: WholeClasses, shown: list[int]
) -> tuple[list[tuple[int, int, int]], list[int]]:
    """The most frequent (class, relation, class) among some classes, with their counts."""
    graph = classes.graphs[0]
    place = np.full(len(classes.sizes) + 1, -1, dtype=np.int64)
    place[shown] = np.arange(len(shown))
    of_vertex = place[classes.number]
    head, tail = of_vertex[graph.head], of_vertex[graph.tail]
    kept = (head >= 0) & (tail >= 0)
    keys = (head[kept] * graph.num_relations + graph.relation[kept]) * len(shown) + tail[kept]
    found, counts = np.unique(keys, return_counts=True)
    best = np.argsort(-counts, kind="stable")[:_MOST_EDGES]
    pairs, tails = np.divmod(found[best], len(shown))
    heads, relations = np.divmod(pairs, graph.num_relations)
    rows = zip(heads.tolist(), relations.tolist(), tails.tolist(), strict=True)
    return list(rows), counts[best].tolist()
