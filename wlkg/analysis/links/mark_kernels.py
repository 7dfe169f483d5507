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
multisets; a collision of two 64-bit sums at once, which could hide a split, is not checked for.

The stable partition is refined from the stable P, whose classes do not change any more. Then only
vertices that changed their colour in the last round push differences, and the part of a class that
saw none keeps its colour.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

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


def random_names(n: int, num_relations: int, seed: int) -> Names:
    """Codes for the classes of the base and for all colours of members."""
    draw = np.random.default_rng(seed)
    factors = draw.integers(0, 2**63, size=(num_relations + 1, 2), dtype=np.uint64)
    return Names(
        codes=draw.integers(0, 2**64, size=(3 * n + 2, 2), dtype=np.uint64),
        factors=factors * np.uint64(2) + np.uint64(1),
    )


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
def next_round(row: Any, base: Base, arcs_back: ArcArrays, names: Names, marked: Marked) -> None:
    """From the round before to this one, both of which are rows of the base."""
    members, colour = marked.members, marked.colour
    n = len(colour)
    for place in range(marked.counts[MEMBERS]):
        w = members[place]
        old_class = base.class_of[row - 1, w]
        marked.lost[old_class] = 0
        push(w, n + colour[w], old_class, row, base, arcs_back, names, marked)
    count: Any = 0
    for place in range(marked.counts[MEMBERS]):
        w = members[place]
        if base.is_alone[row, w]:
            colour[w] = -1
        else:
            members[count] = w
            count += 1
    for place in range(marked.counts[TOUCHED]):
        v = marked.touched[place]
        if colour[v] < 0 and (marked.lanes[v, 0] != ZERO or marked.lanes[v, 1] != ZERO):
            members[count] = v
            count += 1
    groups = find_groups(members, count, row, base, marked)
    for place in range(count):
        v = members[place]
        colour[v] = marked.group[place]
        marked.lost[base.class_of[row, v]] += 1
    for group in range(groups):
        marked.colour_size[group] = marked.group_size[group]
    marked.counts[MEMBERS] = count
    forget_touched(marked)


@Kernel
def name_groups(groups: Any, first_colour: Any, row: Any, base: Base, marked: Marked) -> Any:
    """Put a new colour in place of the head of each group; return the next colour that is free.

    A class that moves as a whole is not split, since all its vertices saw the same difference. Its
    group gets -1.
    """
    free: Any = first_colour
    for group in range(groups):
        v = marked.head[group]
        if marked.colour[v] < 0:
            own_class = base.class_of[row, v]
            whole = base.size[row, own_class] - marked.lost[own_class]
        else:
            whole = marked.colour_size[marked.colour[v]]
        if marked.group_size[group] == whole:
            marked.head[group] = -1
        else:
            marked.head[group] = free
            marked.colour_size[free] = 0
            free += 1
    return free


@Kernel
def recolour(count: Any, row: Any, base: Base, marked: Marked) -> Any:
    """Give the vertices ``changed[:count]`` the new colours of their groups.

    Only those whose class was split stay in ``changed``; returns their number.
    """
    colour, colour_size = marked.colour, marked.colour_size
    kept: Any = 0
    for place in range(count):
        v = marked.changed[place]
        number = marked.head[marked.group[place]]
        if number < 0:
            continue
        marked.old[v] = colour[v]
        if colour[v] < 0:
            marked.lost[base.class_of[row, v]] += 1
            marked.members[marked.counts[MEMBERS]] = v
            marked.counts[MEMBERS] += 1
        else:
            colour_size[colour[v]] -= 1
        colour[v] = number
        colour_size[number] += 1
        marked.changed[kept] = v
        kept += 1
    return kept


@Kernel
def to_stable(
    source: Any, row: Any, base: Base, arcs_back: ArcArrays, names: Names, marked: Marked
) -> None:
    """Mark the source in the stable partition, and refine until nothing changes."""
    colour, old, changed = marked.colour, marked.old, marked.changed
    n = len(colour)
    mark(source, row, base, marked)
    free: Any = 1
    num_changed = marked.counts[MEMBERS]
    changed[0] = source
    old[source] = -1
    while num_changed > 0:
        for place in range(num_changed):
            w = changed[place]
            old_name = base.class_of[row, w] if old[w] < 0 else n + old[w]
            push(w, n + colour[w], old_name, row, base, arcs_back, names, marked)
        count: Any = 0
        for place in range(marked.counts[TOUCHED]):
            v = marked.touched[place]
            if marked.lanes[v, 0] != ZERO or marked.lanes[v, 1] != ZERO:
                changed[count] = v
                count += 1
        groups = find_groups(changed, count, row, base, marked)
        free = name_groups(groups, free, row, base, marked)
        num_changed = recolour(count, row, base, marked)
        forget_touched(marked)
