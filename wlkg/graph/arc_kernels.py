"""The compiled loops of `wlkg.graph.arcs`: arcs put in order by counting, without comparing.

Triples are sorted by (head, relation, tail). So those of a head are in the order that its arcs
need. Taken relation by relation, they are sorted by (relation, head, tail), and dealt out to their
tails in that order each tail gets them sorted by (relation, head).
"""

from __future__ import annotations

from typing import Any

from wlkg.compiled.kernel import Kernel

#: An array inside a kernel, where numba infers the type of its elements.
Array = Any


@Kernel
def deal_out(
    order: Array,
    owner: Array,
    relation: Array,
    neighbour: Array,
    shift: int,
    cursor: Array,
    relation_out: Array,
    neighbour_out: Array,
) -> None:
    """Append each row, in the given order, to the arcs of its owner.

    ``cursor`` has the next free place of each owner; ``shift`` is added to the relations.
    """
    for row in order:
        v = owner[row]
        place = cursor[v]
        cursor[v] = place + 1
        relation_out[place] = relation[row] + shift
        neighbour_out[place] = neighbour[row]


@Kernel
def merge(
    offsets: Array,
    relation: Array,
    neighbour: Array,
    other_offsets: Array,
    other_relation: Array,
    other_neighbour: Array,
    offsets_out: Array,
    relation_out: Array,
    neighbour_out: Array,
) -> None:
    """Merge two sorted lists of arcs of each vertex; an arc in both lists is kept once."""
    place = 0
    for v in range(len(offsets) - 1):
        a, b = offsets[v], other_offsets[v]
        end_a, end_b = offsets[v + 1], other_offsets[v + 1]
        while a < end_a or b < end_b:
            order = 0  # below zero: the next arc is that of the first list; above: of the second
            if a == end_a:
                order = 1
            elif b == end_b:
                order = -1
            elif relation[a] != other_relation[b]:
                order = -1 if relation[a] < other_relation[b] else 1
            elif neighbour[a] != other_neighbour[b]:
                order = -1 if neighbour[a] < other_neighbour[b] else 1
            if order <= 0:
                relation_out[place], neighbour_out[place] = relation[a], neighbour[a]
                a += 1
            else:
                relation_out[place], neighbour_out[place] = other_relation[b], other_neighbour[b]
            if order >= 0:
                b += 1
            place += 1
        offsets_out[v + 1] = place
