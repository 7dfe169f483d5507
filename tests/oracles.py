"""The obvious slow version of every test: dictionaries and tuples, straight from the definitions.

A colour is a nested tuple and means the same in every graph, so nothing is renamed and nothing
hashed into a number. Only for tiny graphs.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction

from wlkg.catalogue import Direction
from wlkg.graph.relational_graph import RelationalGraph

Neighbours = dict[int, set[tuple[str, int]]]
Colours = list[Hashable]


def neighbours(graph: RelationalGraph, direction: Direction) -> Neighbours:
    """For each vertex v the pairs (i, u) with u in N_i(v)."""
    result: Neighbours = {v: set() for v in range(graph.num_vertices)}
    for h, r, t in zip(
        graph.head.tolist(), graph.relation.tolist(), graph.tail.tolist(), strict=True
    ):
        name = graph.relation_names[r]
        if direction in ("both", "undirected", "out"):
            result[h].add((name, t))
        if direction in ("in", "undirected"):
            result[t].add((name, h))
        if direction == "both":
            result[t].add((name + "^-1", h))
    return result


def _multiset(items: list[Hashable]) -> Hashable:
    return frozenset(Counter(items).items())


def _one_wl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    return _multiset([colours[u] for u in {u for _, u in seen[v]}])


def _weak_rwl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    degrees = _multiset([i for i, _ in seen[v]])
    return _multiset([colours[u] for _, u in seen[v]]), degrees


def _one_rwl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    return _multiset([(i, colours[u]) for i, u in seen[v]])


def _mean_rwl(v: int, seen: Neighbours, colours: Colours) -> Hashable:
    by_relation: dict[str, list[Hashable]] = {}
    for i, u in seen[v]:
        by_relation.setdefault(i, []).append(colours[u])
    return frozenset(
        (i, colour, Fraction(count, len(those)))
        for i, those in by_relation.items()
        for colour, count in Counter(those).items()
    )


ORACLES: dict[str, Callable[[int, Neighbours, Colours], Hashable]] = {
    "1-wl": _one_wl,
    "weak-rwl": _weak_rwl,
    "1-rwl": _one_rwl,
    "mean-rwl": _mean_rwl,
}


def refine_slowly(graph: RelationalGraph, test: str, direction: Direction) -> list[Colours]:
    """The colours of the vertices at rounds 0, 1, ... up to the first stable one."""
    seen = neighbours(graph, direction)
    start = [0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()
    # Colours are renumbered each round, in one dictionary for all vertices, to keep the tuples
    # small.
    rounds: list[Colours] = [_renumbered(start)]
    while True:
        now = rounds[-1]
        following = _renumbered([(now[v], ORACLES[test](v, seen, now)) for v in range(len(now))])
        if len(set(following)) == len(set(now)):
            return rounds
        rounds.append(following)


def _renumbered(keys: list[Hashable]) -> Colours:
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]


# -- tuple tests ----------------------------------------------------------------------------------

Vertices = tuple[int, ...]
ColourOf = Mapping[Vertices, Hashable]


def _replaced(v: Vertices, j: int, w: int) -> Vertices:
    return (*v[:j], w, *v[j + 1 :])


def _local(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    return tuple(
        _multiset([(i, colour[_replaced(v, j, w)]) for i, w in seen[v[j]]]) for j in range(len(v))
    )


def _oblivious(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    return tuple(_multiset([colour[_replaced(v, j, w)] for w in seen]) for j in range(len(v)))


def _folklore(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    return _multiset([tuple(colour[_replaced(v, j, w)] for j in range(len(v))) for w in seen])


#: Names with K for the number of vertices in a tuple.
TUPLE_ORACLES: dict[str, Callable[[Vertices, Neighbours, ColourOf], Hashable]] = {
    "K-rlwl": _local,
    "delta-K-lwl": _local,
    "K-wl": _oblivious,
    "K-fwl": _folklore,
}


def _atomic_type(v: Vertices, seen: Neighbours, labels: Sequence[str]) -> Hashable:
    return (
        tuple(labels[p] for p in v),
        tuple(p == q for p in v for q in v),
        tuple(frozenset(i for i, u in seen[p] if u == q) for p in v for q in v),
    )


def arity(test: str) -> int:
    """The K of a tuple test."""
    found = re.search("[0-9]+", test)
    assert found is not None
    return int(found[0])


def all_tuples(graphs: Sequence[RelationalGraph], k: int) -> Iterator[tuple[int, Vertices]]:
    """The tuples of the first graph, then those of the second, ..., each with its graph."""
    for number, graph in enumerate(graphs):
        for v in itertools.product(range(graph.num_vertices), repeat=k):
            yield number, v


def refine_tuples_slowly(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction
) -> list[Colours]:
    """The colours of all tuples at rounds 0, 1, ... up to the first stable one.

    1-rlwl and delta-1-lwl are 1-rwl and 1-wl, which start from the labels alone: a loop at the one
    vertex of a tuple is not seen in round 0.
    """
    return _refined(graphs, test, direction, test not in ("1-rlwl", "delta-1-lwl"))


def refine_by_the_letter(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction
) -> list[Colours]:
    """As `refine_tuples_slowly`, with the definition for K tuples taken literally at K = 1."""
    return _refined(graphs, test, direction, True)


def _refined(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction, starts_with_arcs: bool
) -> list[Colours]:
    seen, labels = _all_seen(graphs, test, direction), [_labels_by_name(graph) for graph in graphs]
    start: list[Hashable] = [
        _atomic_type(v, seen[g], labels[g]) if starts_with_arcs else labels[g][v[0]]
        for g, v in all_tuples(graphs, arity(test))
    ]
    rounds = [_renumbered(start)]
    while True:
        now = rounds[-1]
        signatures = signatures_slowly(graphs, test, direction, now)
        following = _renumbered(list(zip(now, signatures, strict=True)))
        if len(set(following)) == len(set(now)):
            return rounds
        rounds.append(following)


def signatures_slowly(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction, colours: Sequence[Hashable]
) -> Colours:
    """What each tuple sees of these colours, its own aside."""
    k = arity(test)
    signature = TUPLE_ORACLES[test.replace(str(k), "K")]
    seen = _all_seen(graphs, test, direction)
    items = list(all_tuples(graphs, k))
    colour: list[dict[Vertices, Hashable]] = [{} for _ in graphs]
    for (g, v), c in zip(items, colours, strict=True):
        colour[g][v] = c
    return [signature(v, seen[g], colour[g]) for g, v in items]


def _all_seen(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction
) -> list[Neighbours]:
    seen = [neighbours(graph, direction) for graph in graphs]
    if test.startswith("delta"):
        return [{v: {("", u) for _, u in arcs} for v, arcs in each.items()} for each in seen]
    return seen


def _labels_by_name(graph: RelationalGraph) -> list[str]:
    if graph.labels is None:
        return [""] * graph.num_vertices
    return [graph.label_names[i] for i in graph.labels.tolist()]


def vertex_colours(
    graphs: Sequence[RelationalGraph], test: str, colours: Sequence[Hashable]
) -> Colours:
    """What the colours of the tuples say of a vertex v: of (v, ..., v) and of all that start so."""
    k = arity(test)
    found: dict[tuple[int, int], tuple[list[Hashable], list[Hashable]]] = {}
    for (g, v), colour in zip(all_tuples(graphs, k), colours, strict=True):
        diagonal, starting = found.setdefault((g, v[0]), ([], []))
        starting.append(colour)
        if len(set(v)) == 1:
            diagonal.append(colour)
    return _renumbered(
        [(_multiset(diagonal), _multiset(starting)) for diagonal, starting in found.values()]
    )


def differ_slowly(
    graphs: Sequence[RelationalGraph], test: str, rounds: Sequence[Colours]
) -> int | None:
    """The first round at which the graphs have different histograms of colours."""
    k = arity(test)
    for number, colours in enumerate(rounds):
        histograms: list[Counter[Hashable]] = [Counter() for _ in graphs]
        for (g, _), colour in zip(all_tuples(graphs, k), colours, strict=True):
            histograms[g][colour] += 1
        if any(histogram != histograms[0] for histogram in histograms):
            return number
    return None
