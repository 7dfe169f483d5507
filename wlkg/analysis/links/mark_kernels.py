"""rawl2 of one source: 1-rwl with the source marked, computed where it differs from 1-rwl.

Let P be the partition of 1-rwl at round t, and P_u that of 1-rwl with u marked, which is what rawl2
gives to the pairs (u, v). P_u refines P. The vertices that the mark has parted from others of their
class of P are the *members*; all others still have the colour of P. In every round

- v becomes a member only if a neighbour was one: far from u nothing changes;
- v never is one if it is alone in its class of P, since no mark can part it from others;
- two vertices of one class of P that shared a colour still do exactly if the *differences* that
  they see agree: the sum over arcs (i, w) to members w of code(colour of w) - code(class of w),
  times a random odd number for i, modulo 2^64 in two lanes. All that they see of non-members agrees
  already, since they are in one class of P.

So a round costs the arcs at members, not those of the graph. Different sums mean different
multisets; that equal sums hide no split is checked in every round (see `mark_check`).

The stable partition is found in another way: see `stable_marks`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.analysis.links.mark_check import Witness, groups_see_alike
from wlkg.arrays import BoolArray, IntArray
from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays, Array
from wlkg.refinement.compiled.mixing import GOLDEN, SHIFT_3, ZERO, scrambled


class Base(NamedTuple):
    """The partitions of a vertex test: a row for each round 0, 1, ..., the last for the stable."""

    class_of: Array
    #: The number of vertices of each class.
    size: Array
    #: Whether a vertex is alone in its class.
    is_alone: Array


class Names(NamedTuple):
    """Random numbers, two lanes each: codes of colours, and odd factors of relations."""

    codes: Array
    factors: Array


class Marked(NamedTuple):
    """The members of one source. Colours are numbered from 0; -1 is the colour of the base."""

    colour: Array
    colour_size: Array
    #: For each class of the base, how many of its vertices are members.
    lost: Array
    members: Array
    touched: Array
    is_touched: Array
    lanes: Array
    #: Groups of equal differences: a hash table, the group of each touched vertex, and heads.
    table: Array
    group: Array
    head: Array
    group_size: Array
    #: The colour that each vertex had before it changed, and the vertices that changed.
    old: Array
    changed: Array
    #: The number of members; see `MEMBERS`.
    counts: Array


MEMBERS = 0
TOUCHED = 1


def base_of(rows: IntArray) -> Base:
    """The partitions with these class numbers, below the number of vertices."""
    n = rows.shape[1]
    size = np.array([np.bincount(row, minlength=max(n, 1)) for row in rows], dtype=np.int32)
    is_alone: BoolArray = np.take_along_axis(size, rows, axis=1) == 1
    return Base(rows.astype(np.int32), size, is_alone)


def random_names(n: int, num_relations: int, seed: int, mask: int = 2**64 - 1) -> Names:
    """Codes for the classes of the base and for all colours of members; tests weaken them."""
    draw = np.random.default_rng(seed)
    factors = draw.integers(0, 2**63, size=(num_relations + 1, 2), dtype=np.uint64)
    codes = draw.integers(0, 2**64, size=(3 * n + 2, 2), dtype=np.uint64)
    return Names(codes & np.uint64(mask), factors * np.uint64(2) + np.uint64(1))


def marked_memory(n: int) -> Marked:
    """Working memory for a graph with n vertices; nothing is marked."""

    def numbers(count: int = n) -> IntArray:
        return np.zeros(count, dtype=np.int32)

    return Marked(
        colour=np.full(n, -1, dtype=np.int32),
        colour_size=numbers(2 * n + 2),
        lost=numbers(max(n, 1)),
        members=numbers(),
        touched=numbers(),
        is_touched=np.zeros(n, dtype=np.bool_),
        lanes=np.zeros((n, 2), dtype=np.uint64),
        table=numbers(max(4, 1 << (2 * n).bit_length())),
        group=numbers(),
        head=numbers(),
        group_size=numbers(),
        old=numbers(),
        changed=numbers(),
        counts=np.zeros(2, dtype=np.int64),
    )


@Kernel
def mark(source: Any, row: Any, base: Base, marked: Marked) -> None:
    """Give the source a colour of its own, unless it is alone in its class anyway."""
    marked.counts[MEMBERS] = 0
    if not base.is_alone[row, source]:
        marked.members[0] = source
        marked.counts[MEMBERS] = 1
        marked.colour[source] = 0
        marked.colour_size[0] = 1
        marked.lost[base.class_of[row, source]] += 1


@Kernel
def unmark(row: Any, base: Base, marked: Marked) -> None:
    """Forget all members."""
    for place in range(marked.counts[MEMBERS]):
        v = marked.members[place]
        marked.colour[v] = -1
        marked.lost[base.class_of[row, v]] = 0
    marked.counts[MEMBERS] = 0


@Kernel
def push(
    w: Any,
    name: Any,
    old_name: Any,
    row: Any,
    base: Base,
    arcs_back: ArcArrays,
    names: Names,
    marked: Marked,
) -> None:
    """Tell the vertices that see w how its code differs from the old one."""
    one = names.codes[name, 0] - names.codes[old_name, 0]
    two = names.codes[name, 1] - names.codes[old_name, 1]
    for arc in range(arcs_back.offsets[w], arcs_back.offsets[w + 1]):
        v = arcs_back.neighbour[arc]
        if base.is_alone[row, v]:
            continue
        relation = arcs_back.relation[arc]
        marked.lanes[v, 0] += names.factors[relation, 0] * one
        marked.lanes[v, 1] += names.factors[relation, 1] * two
        if not marked.is_touched[v]:
            marked.is_touched[v] = True
            marked.touched[marked.counts[TOUCHED]] = v
            marked.counts[TOUCHED] += 1


@Kernel
def find_groups(vertices: Array, count: Any, row: Any, base: Base, marked: Marked) -> Any:
    """Group vertices by colour, class of the base and difference; return the number of groups."""
    colour, class_of, lanes = marked.colour, base.class_of, marked.lanes
    size = 4
    while size < 2 * count:
        size *= 2
    marked.table[:size] = -1
    groups = 0
    for place in range(count):
        v = vertices[place]
        own = np.uint64(class_of[row, v]) * GOLDEN + np.uint64(colour[v] + 1)
        x = scrambled(own * GOLDEN + lanes[v, 0])
        slot: Any = np.int64((x >> SHIFT_3) & np.uint64(size - 1))
        while True:
            group = marked.table[slot]
            if group < 0:
                marked.table[slot] = groups
                marked.head[groups] = v
                marked.group_size[groups] = 0
                group = groups
                groups += 1
                break
            w = marked.head[group]
            if (
                colour[v] == colour[w]
                and class_of[row, v] == class_of[row, w]
                and lanes[v, 0] == lanes[w, 0]
                and lanes[v, 1] == lanes[w, 1]
            ):
                break
            slot = (slot + 1) & (size - 1)
        marked.group[place] = group
        marked.group_size[group] += 1
    return groups


@Kernel
def forget_touched(marked: Marked) -> None:
    """Clear the differences of all touched vertices."""
    for place in range(marked.counts[TOUCHED]):
        v = marked.touched[place]
        marked.is_touched[v] = False
        marked.lanes[v, 0] = ZERO
        marked.lanes[v, 1] = ZERO
    marked.counts[TOUCHED] = 0


@Kernel
def next_round(
    row: Any, base: Base, arcs_back: ArcArrays, names: Names, witness: Witness, marked: Marked
) -> bool:
    """From the round before to this one, both of which are rows of the base.

    Returns whether it is proved that no split was missed.
    """
    members, colour = marked.members, marked.colour
    n = len(colour)
    for place in range(marked.counts[MEMBERS]):
        w = members[place]
        old_class = base.class_of[row - 1, w]
        marked.lost[old_class] = 0
        push(w, n + colour[w], old_class, row, base, arcs_back, names, marked)
    count: Any = 0
    dropped: Any = 0
    for place in range(marked.counts[MEMBERS]):
        w = members[place]
        if base.is_alone[row, w]:
            marked.changed[dropped] = w
            dropped += 1
        else:
            members[count] = w
            count += 1
    holds = True
    for place in range(marked.counts[TOUCHED]):
        v = marked.touched[place]
        if colour[v] >= 0:
            continue
        if marked.lanes[v, 0] != ZERO or marked.lanes[v, 1] != ZERO:
            members[count] = v
            count += 1
        else:
            holds = False
    groups = find_groups(members, count, row, base, marked)
    if holds:
        holds = groups_see_alike(
            members, count, groups, marked.group, marked.group_size, colour, witness
        )
    for place in range(dropped):
        colour[marked.changed[place]] = -1
    for place in range(count):
        v = members[place]
        colour[v] = marked.group[place]
        marked.lost[base.class_of[row, v]] += 1
    for group in range(groups):
        marked.colour_size[group] = marked.group_size[group]
    marked.counts[MEMBERS] = count
    forget_touched(marked)
    return holds


@Kernel
def class_size(key: Any, row: Any, base: Base, marked: Marked) -> Any:
    """The number of vertices of a class: one of the base, or n plus the colour of members."""
    n = len(marked.colour)
    if key < n:
        return base.size[row, key] - marked.lost[key]
    return marked.colour_size[key - n]


@Kernel
def key_of(v: Any, row: Any, base: Base, marked: Marked) -> Any:
    """The number of the class of a vertex: that of the base, or n plus its own colour."""
    if marked.colour[v] < 0:
        return np.int64(base.class_of[row, v])
    return np.int64(len(marked.colour)) + marked.colour[v]
