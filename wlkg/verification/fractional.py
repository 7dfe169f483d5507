"""Checks the fractional isomorphism that a colouring of both graphs gives.

It is the matrix X with X[v, w] = 1 / size if v of the first graph and w of
the second are in one class, and 0 otherwise. It is checked entry by entry that rows and columns
add up to 1 and that A_R X = X B_R for the adjacency matrices A_R and B_R of every relation of the
test's view; entries that are zero on both sides are not visited.

Cost: a pass over the arcs of the second graph.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from wlkg.verification.colourings import Colouring, named
from wlkg.verification.fields import shown
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.wl_tests import VertexTest


def fractional_failures(
    colouring: Colouring, test: VertexTest, graphs: list[PlainGraph]
) -> Iterator[str]:
    """Where X is not doubly stochastic, or A_R X is not X B_R.

    Let X_c be the value of X within class c. For v in class c and w in class d, the entry of A_R X
    is X_d times the number of u in N_R(v) that are in class d. The entry of X B_R is X_c times the
    number of u in class c of the second graph with w in N_R(u). The first number is the one that
    was checked for class c.
    """
    values = colouring.values or []
    for c, value in enumerate(values):
        if value * colouring.sizes[c] != 1:
            yield f"the entries {value} of class {c} do not add up to 1 over {colouring.sizes[c]:,}"
    two, colours = graphs[1], colouring.colours[1]
    members = Counter(colours)
    for relation in test.relations(two):
        row = colouring.arcs.get(relation, {})
        #: For each class c and vertex w, the number of u in class c with w in N_R(u).
        reached = Counter(
            (colours[u], w) for u, some in test.neighbours(two, relation).items() for w in some
        )
        visited: Counter[tuple[int, int]] = Counter()
        for (c, w), count in reached.items():
            d = colours[w]
            visited[c, d] += 1
            left, right = row.get(c, {}).get(d, 0) * values[d], values[c] * count
            if left != right:
                yield (
                    f"{named(relation)}: the entry of A X is {left} and that of X B is {right}"
                    f" for class {c} and vertex {shown(two.names[w])} of graph 2"
                )
        for c, seen in row.items():
            for d, amount in seen.items():
                if visited[c, d] != members[d]:
                    yield (
                        f"{named(relation)}: A X has {amount * values[d]} for classes {c} and {d},"
                        f" and X B has 0 for a vertex of class {d} of graph 2"
                    )
