"""Checks "same" and "different" for tests that colour tuples (v_1, ..., v_K) of vertices.

A tuple starts with its atomic type: the labels, which vertices are equal, and the relations between
them. In each round it sees

===========  =======================================================================================
K-rlwl       for each j, the colours with v_j replaced by w and R, for all R and w in N_R(v_j)
delta-K-lwl  the same with all distinct neighbours w, without R; atomic types have no relations too
K-wl         for each j, the colours with v_j replaced by w, for all vertices w
K-fwl        for all vertices w, the K colours with v_1, ..., v_K replaced by w, together
===========  =======================================================================================

"Same" gives the class of every tuple, in lexicographic order of the numbers of their vertices. It
is checked that tuples of a class have one atomic type and see the same, and that each class is as
large in one graph as in the other. Then no round separates the graphs, by induction.

"Different" gives for the rounds 0, 1, ..., t how many classes have n tuples in the first graph and
m in the second, as [n, m, classes]. The rounds are run again from the definition and compared. At
round t some n is not m, and at no round before.

Cost: the steps that `steps` counts, per round; above `MOST_STEPS` it is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import product

from wlkg.errors import TooLargeError
from wlkg.verification.fields import shown
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.wl_tests import TupleTest

#: Colours that are looked at in a round; more take minutes.
MOST_STEPS = 10**7

Tuple = tuple[int, ...]
#: For each vertex v, the pairs (R, u) with u in N_R(v).
_Around = list[list[tuple[Hashable, int]]]


def check_steps(graphs: Iterable[PlainGraph], test: TupleTest, name: str) -> None:
    """Refuse graphs whose tuples are too many for certificates."""
    needed = sum(steps(graph, test) for graph in graphs)
    if needed > MOST_STEPS:
        raise TooLargeError(
            f"a certificate for {name} on these graphs needs {needed:,} steps per round, more than"
            f" the {MOST_STEPS:,} allowed. Use smaller graphs, a smaller K or a vertex test"
        )


def steps(graph: PlainGraph, test: TupleTest) -> int:
    """How many colours of tuples are looked at in a round."""
    vertices, k = len(graph.names), test.arity
    if test.kind in ("wl", "fwl"):
        return int(k * vertices ** (k + 1))
    arcs = 2 * sum(map(len, graph.pairs.values()))
    return int(vertices**k + k * arcs * vertices ** (k - 1))


def all_tuples(graph: PlainGraph, test: TupleTest) -> Iterator[Tuple]:
    """The tuples in lexicographic order."""
    return product(range(len(graph.names)), repeat=test.arity)


def _around(graph: PlainGraph, test: TupleTest) -> _Around:
    around: _Around = [[] for _ in graph.names]
    if test.kind == "lwl":
        for v, neighbours in graph.distinct_neighbours().items():
            around[v] = [("any", u) for u in neighbours]
        return around
    for relation in graph.relations():
        for v, neighbours in graph.neighbours(relation).items():
            around[v].extend((relation, u) for u in neighbours)
    return around


def atomic_types(graph: PlainGraph, test: TupleTest) -> Iterator[Hashable]:
    """The start colour of every tuple."""
    between: dict[tuple[int, int], set[Hashable]] = {}
    for v, neighbours in enumerate(_around(graph, test)):
        for relation, u in neighbours:
            between.setdefault((v, u), set()).add(relation)
    relations = {pair: frozenset(some) for pair, some in between.items()}
    for vertices in all_tuples(graph, test):
        pairs = [(p, q) for p in vertices for q in vertices]
        yield (
            tuple(graph.labels[p] for p in vertices),
            tuple(p == q for p, q in pairs),
            tuple(relations.get(pair) for pair in pairs),
        )


def sights(graph: PlainGraph, test: TupleTest, colours: Sequence[int]) -> Iterator[Hashable]:
    """What every tuple sees of a colouring of the tuples, its own colour not included."""
    colour_of = dict(zip(all_tuples(graph, test), colours, strict=True))
    around, vertices = _around(graph, test), range(len(graph.names))
    for v in colour_of:
        places = [(v[:j], v[j + 1 :]) for j in range(test.arity)]
        if test.kind == "fwl":
            yield _multiset(
                tuple(colour_of[(*left, w, *right)] for left, right in places) for w in vertices
            )
        elif test.kind == "wl":
            yield tuple(
                _multiset(colour_of[(*left, w, *right)] for w in vertices) for left, right in places
            )
        else:
            yield tuple(
                _multiset((relation, colour_of[(*left, w, *right)]) for relation, w in around[p])
                for p, (left, right) in zip(v, places, strict=True)
            )


def _multiset(items: Iterable[Hashable]) -> Hashable:
    return frozenset(Counter(items).items())


# -- the same -------------------------------------------------------------------------------------


def same_failures(
    graphs: list[PlainGraph], test: TupleTest, colours: list[list[int]], sizes: list[int]
) -> Iterator[str]:
    """Why a colouring of all tuples does not show that the graphs are the same for the test."""
    types: dict[int, tuple[Hashable, str]] = {}
    seen: dict[int, tuple[Hashable, str]] = {}
    for number, (graph, some) in enumerate(zip(graphs, colours, strict=True), 1):
        counts = Counter(some)
        for c, size in enumerate(sizes):
            if counts[c] != size:
                has = f"class {c} has {counts[c]:,} tuples"
                yield f"graph {number}: {has}, and {size:,} are claimed"
        what = (
            (atomic_types(graph, test), types, "have different atomic types"),
            (sights(graph, test, some), seen, "see different classes around them"),
        )
        for values, first, differ in what:
            for v, c, value in zip(all_tuples(graph, test), some, values, strict=True):
                here = f"({', '.join(shown(graph.names[p]) for p in v)}) of graph {number}"
                before = first.setdefault(c, (value, here))
                if before[0] != value:
                    yield f"class {c}: the tuples {before[1]} and {here} {differ}"


# -- different ------------------------------------------------------------------------------------


def rounds(graphs: list[PlainGraph], test: TupleTest) -> Iterator[list[list[int]]]:
    """The classes of the tuples of each graph at rounds 0, 1, ..., while classes split."""
    number: dict[Hashable, int] = {}
    now = [[number.setdefault(t, len(number)) for t in atomic_types(g, test)] for g in graphs]
    while True:
        yield now
        following: dict[Hashable, int] = {}
        after = [
            [
                following.setdefault(key, len(following))
                for key in zip(colours, sights(graph, test, colours), strict=True)
            ]
            for graph, colours in zip(graphs, now, strict=True)
        ]
        if len(following) == len({c for colours in now for c in colours}):
            return
        now = after


def histogram(colours: list[list[int]]) -> list[list[int]]:
    """How many classes have n tuples in the first graph and m in the second: [n, m, classes]."""
    one, two = map(Counter, colours)
    kinds = Counter((one[c], two[c]) for c in {*one, *two})
    return sorted([n, m, classes] for (n, m), classes in kinds.items())


def different_failures(
    graphs: list[PlainGraph], test: TupleTest, claimed: list[list[list[int]]]
) -> Iterator[str]:
    """Why the claimed histograms do not show that the test separates the graphs."""
    last = len(claimed) - 1
    done = 0
    for t, colours in enumerate(rounds(graphs, test)):
        rows = histogram(colours)
        if rows != claimed[t]:
            yield f"round {t}: the numbers of tuples per class are {_few(rows)}, not as claimed"
        differs = any(n != m for n, m, _ in rows)
        if differs != (t == last):
            yield f"round {t}: the graphs {'differ' if differs else 'do not differ'} at this round"
        done = t
        if t == last:
            break
    if done < last:
        yield f"the colours are stable at round {done}, and {last + 1} rounds are claimed"


def _few(rows: list[list[int]]) -> str:
    return ", ".join(map(str, rows[:3])) + (", ..." if len(rows) > 3 else "")
