"""WL on one page: every test in dictionaries and tuples, straight from the definitions.

A WL test gives every vertex (or every K-tuple of vertices) a colour, and refines the colours in
rounds. The next colour of an item is its own colour together with what it *sees*: a multiset of the
colours around it. The tests differ only in what they see: one small function per test, below.
Refinement stops when a round splits no class. A test separates two graphs if some colour occurs
more often in one of them than in the other.

Nothing here is fast, and little can go wrong: a colour may be any hashable value, a multiset is a
frozen set of counts, and equal colours are found by a dictionary. The engines of `wlkg.refinement`
must give the same partitions, round by round, on all the small graphs that the tests generate.

Reading order: `neighbours`, the six vertex tests, `rounds_until_stable`, the three ways in which
tuples see, `_atomic_type`. The rest puts them together.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from fractions import Fraction

from wlkg.catalogue import Direction
from wlkg.graph.relational_graph import RelationalGraph

#: For each vertex v the pairs (i, u) with u in N_i(v).
Neighbours = dict[int, set[tuple[str, int]]]
#: The colours of all items: of vertices by id, or of tuples in the order of `all_tuples`.
Colours = list[Hashable]


def neighbours(graph: RelationalGraph, direction: Direction) -> Neighbours:
    """For each vertex v the pairs (i, u) with u in N_i(v): triples read in a direction mode."""
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


# -- vertex tests: what a vertex v sees -----------------------------------------------------------


def _one_wl(v: int, seen: Neighbours, colour: Colours) -> Hashable:
    """{{ C(u) : u in N(v) }}: each neighbour once, relations forgotten."""
    return _multiset([colour[u] for u in {u for _, u in seen[v]}])


def _weak_rwl(v: int, seen: Neighbours, colour: Colours) -> Hashable:
    """{{ C(u) : i in [r], u in N_i(v) }} and, separately, |N_1(v)|, ..., |N_r(v)|."""
    degrees = _multiset([i for i, _ in seen[v]])
    return _multiset([colour[u] for _, u in seen[v]]), degrees


def _one_rwl(v: int, seen: Neighbours, colour: Colours) -> Hashable:
    """{{ (i, C(u)) : i in [r], u in N_i(v) }}."""
    return _multiset([(i, colour[u]) for i, u in seen[v]])


def _mean_rwl(v: int, seen: Neighbours, colour: Colours) -> Hashable:
    """For each relation i and colour c, the share of N_i(v) that has the colour c."""
    colours_under: dict[str, list[Hashable]] = {}
    for i, u in seen[v]:
        colours_under.setdefault(i, []).append(colour[u])
    return frozenset(
        (i, c, Fraction(count, len(colours)))
        for i, colours in colours_under.items()
        for c, count in Counter(colours).items()
    )


def _one_wl_all(v: int, seen: Neighbours, colour: Colours) -> Hashable:
    """{{ C(u) : u in N(v) }} and {{ C(w) : w in V, w not in N(v) }}."""
    others = set(seen) - {u for _, u in seen[v]}
    return _one_wl(v, seen, colour), _multiset([colour[w] for w in others])


def _one_rwl_all(v: int, seen: Neighbours, colour: Colours) -> Hashable:
    """{{ (i, C(u)) : i in [r], u in N_i(v) }}, and {{ C(w) : w not in N_i(v) }} for each i."""
    # Relations without an arc at v have all vertices as non-neighbours; one stands for them all.
    relations = {i for i, _ in seen[v]} | {"no arc at v"}
    others: Colours = [(i, colour[w]) for i in relations for w in seen if (i, w) not in seen[v]]
    return _one_rwl(v, seen, colour), _multiset(others)


#: ``seen`` has the vertices of one graph, even if several are refined together.
ORACLES: dict[str, Callable[[int, Neighbours, Colours], Hashable]] = {
    "1-wl": _one_wl,
    "weak-rwl": _weak_rwl,
    "1-rwl": _one_rwl,
    "mean-rwl": _mean_rwl,
    "1-wl-all": _one_wl_all,
    "1-rwl-all": _one_rwl_all,
}


def refine_slowly(
    graph: RelationalGraph,
    test: str,
    direction: Direction,
    blocks: Sequence[int] | None = None,
) -> list[Colours]:
    """The colours of the vertices at rounds 0, 1, ... up to the first stable round.

    ``blocks`` are the numbers of vertices of the graphs whose disjoint union this is.
    """
    seen = neighbours(graph, direction)
    vertices = iter(seen)
    graphs = [
        {v: seen[v] for v in itertools.islice(vertices, size)} for size in blocks or [len(seen)]
    ]
    start = [0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()
    return rounds_until_stable(
        start, lambda now: [ORACLES[test](v, each, now) for each in graphs for v in each]
    )


# -- the rounds, for vertices and tuples alike ----------------------------------------------------


def rounds_until_stable(
    start: list[Hashable], what_each_sees: Callable[[Colours], Colours]
) -> list[Colours]:
    """Refine by (own colour, what is seen) until a round splits no class."""
    rounds = [_renumbered(start)]
    while True:
        now = rounds[-1]
        following = _renumbered(list(zip(now, what_each_sees(now), strict=True)))
        if len(set(following)) == len(set(now)):
            return rounds
        rounds.append(following)


def _renumbered(colours: list[Hashable]) -> Colours:
    """The same partition with small numbers as colours: nested tuples would grow with the rounds.

    All items share one dictionary, so equal numbers mean equal colours, in every graph.
    """
    number: dict[Hashable, int] = {}
    return [number.setdefault(colour, len(number)) for colour in colours]


# -- tuple tests: what a tuple v = (v_1, ..., v_K) sees -------------------------------------------

Vertices = tuple[int, ...]
ColourOf = Mapping[Vertices, Hashable]


def _replaced(v: Vertices, j: int, w: int) -> Vertices:
    """The tuple with w in position j."""
    return (*v[:j], w, *v[j + 1 :])


def _local(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    """For each position j, {{ (i, C(v with w in position j)) : i in [r], w in N_i(v_j) }}."""
    return tuple(
        _multiset([(i, colour[_replaced(v, j, w)]) for i, w in seen[v[j]]]) for j in range(len(v))
    )


def _oblivious(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    """For each position j, {{ C(v with w in position j) : w in V }}."""
    return tuple(_multiset([colour[_replaced(v, j, w)] for w in seen]) for j in range(len(v)))


def _folklore(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    """{{ (C(v with w in position 1), ..., C(v with w in position K)) : w in V }}."""
    return _multiset([tuple(colour[_replaced(v, j, w)] for j in range(len(v))) for w in seen])


def _second_only(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    """{{ (i, C(v_1, w)) : i in [r], w in N_i(v_2) }}: the source v_1 stays."""
    return _multiset([(i, colour[_replaced(v, 1, w)]) for i, w in seen[v[1]]])


def _second_and_all(v: Vertices, seen: Neighbours, colour: ColourOf) -> Hashable:
    """The same, and {{ C(v_1, w) : w in V }}."""
    return _second_only(v, seen, colour), _multiset([colour[_replaced(v, 1, w)] for w in seen])


#: K in a name stands for the number of vertices in a tuple.
TUPLE_ORACLES: dict[str, Callable[[Vertices, Neighbours, ColourOf], Hashable]] = {
    "K-rlwl": _local,
    "delta-K-lwl": _local,  # on neighbours whose relations are forgotten
    "K-wl": _oblivious,
    "K-fwl": _folklore,
}
#: The tests of link prediction, which start with labels and equality only.
PAIR_ORACLES: dict[str, Callable[[Vertices, Neighbours, ColourOf], Hashable]] = {
    "rawl2": _second_only,
    "rawl2-all": _second_and_all,
    "rwl2": _local,
}


def _atomic_type(v: Vertices, seen: Neighbours, labels: Sequence[str]) -> Hashable:
    """The start colour of a tuple: labels, equalities, and the relations between its vertices."""
    return (
        tuple(labels[p] for p in v),
        tuple(p == q for p in v for q in v),
        tuple(frozenset(i for i, u in seen[p] if u == q) for p in v for q in v),
    )


def refine_tuples_slowly(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction
) -> list[Colours]:
    """The colours of all tuples at rounds 0, 1, ... up to the first stable round."""
    seen = _seen_by(test, graphs, direction)
    labels = [_labels(graph) for graph in graphs]
    items = all_tuples(graphs, arity(test))
    start: list[Hashable] = [
        _atomic_type(v, {p: set() for p in v} if test in PAIR_ORACLES else seen[g], labels[g])
        for g, v in items
    ]
    return rounds_until_stable(start, lambda now: signatures_slowly(graphs, test, direction, now))


def signatures_slowly(
    graphs: Sequence[RelationalGraph], test: str, direction: Direction, colours: Sequence[Hashable]
) -> Colours:
    """What each tuple sees of the colours, its own not included."""
    k = arity(test)
    signature = PAIR_ORACLES.get(test) or TUPLE_ORACLES[test.replace(str(k), "K")]
    seen = _seen_by(test, graphs, direction)
    items = list(all_tuples(graphs, k))
    colour_of: list[dict[Vertices, Hashable]] = [{} for _ in graphs]
    for (g, v), colour in zip(items, colours, strict=True):
        colour_of[g][v] = colour
    return [signature(v, seen[g], colour_of[g]) for g, v in items]


def arity(test: str) -> int:
    """The K of a tuple test."""
    match = re.search("[0-9]+", test)
    assert match is not None
    return int(match[0])


def all_tuples(graphs: Sequence[RelationalGraph], k: int) -> Iterator[tuple[int, Vertices]]:
    """All tuples, each with the number of its graph; tuples of different graphs never mix."""
    for number, graph in enumerate(graphs):
        for v in itertools.product(range(graph.num_vertices), repeat=k):
            yield number, v


def _seen_by(
    test: str, graphs: Sequence[RelationalGraph], direction: Direction
) -> list[Neighbours]:
    """The neighbours in each graph; for delta-K-lwl all under one relation."""
    seen = [neighbours(graph, direction) for graph in graphs]
    if test.startswith("delta"):
        return [{v: {("", u) for _, u in pairs} for v, pairs in each.items()} for each in seen]
    return seen


def _labels(graph: RelationalGraph) -> list[str]:
    """The label of each vertex by name, since graphs are compared by the names of labels."""
    if graph.labels is None:
        return [""] * graph.num_vertices
    return [graph.label_names[i] for i in graph.labels.tolist()]


# -- what the colours of tuples say about vertices and graphs -------------------------------------


def vertex_colours(
    graphs: Sequence[RelationalGraph], test: str, colours: Sequence[Hashable]
) -> Colours:
    """The colour of a vertex v: that of (v, ..., v) and the multiset of the tuples (v, ...)."""
    diagonal: dict[tuple[int, int], Hashable] = {}
    beginning: dict[tuple[int, int], list[Hashable]] = {}
    for (g, v), colour in zip(all_tuples(graphs, arity(test)), colours, strict=True):
        beginning.setdefault((g, v[0]), []).append(colour)
        if len(set(v)) == 1:
            diagonal[g, v[0]] = colour
    return _renumbered(
        [(diagonal[vertex], _multiset(colours)) for vertex, colours in beginning.items()]
    )


def differ_slowly(
    graphs: Sequence[RelationalGraph], test: str, rounds: Sequence[Colours]
) -> int | None:
    """The first round at which the graphs have different histograms of colours."""
    for number, colours in enumerate(rounds):
        histograms: list[Counter[Hashable]] = [Counter() for _ in graphs]
        for (g, _), colour in zip(all_tuples(graphs, arity(test)), colours, strict=True):
            histograms[g][colour] += 1
        if any(histogram != histograms[0] for histogram in histograms):
            return number
    return None
