"""The stable partition of rawl2 of one source, straight from the stable partition of 1-rwl.

The classes of the base do not change any more. So only vertices that changed their colour in the
last round push differences, and the part of a class that saw none keeps its colour. See
`mark_kernels` for members and differences.
"""

from __future__ import annotations

from typing import Any

from wlkg.analysis.links.mark_check import Witness, groups_see_alike
from wlkg.analysis.links.mark_kernels import (
    MEMBERS,
    TOUCHED,
    Base,
    Marked,
    Names,
    class_size,
    find_groups,
    forget_touched,
    key_of,
    mark,
    push,
)
from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import ArcArrays
from wlkg.refinement.compiled.mixing import ZERO


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
def is_equitable(
    row: Any, base: Base, arcs_back: ArcArrays, witness: Witness, marked: Marked
) -> bool:
    """Whether all vertices of each class see the same members, or none sees any."""
    count: Any = 0
    for place in range(marked.counts[MEMBERS]):
        w = marked.members[place]
        for arc in range(arcs_back.offsets[w], arcs_back.offsets[w + 1]):
            v = arcs_back.neighbour[arc]
            if not (base.is_alone[row, v] or marked.is_touched[v]):
                marked.is_touched[v] = True
                marked.touched[count] = v
                count += 1
    marked.counts[TOUCHED] = count
    groups = find_groups(marked.touched, count, row, base, marked)
    holds = True
    for group in range(groups):
        size = class_size(key_of(marked.head[group], row, base, marked), row, base, marked)
        holds = holds and marked.group_size[group] == size
    holds = holds and groups_see_alike(
        marked.touched, count, groups, marked.group, marked.group_size, marked.colour, witness
    )
    forget_touched(marked)
    return holds


@Kernel
def to_stable(
    source: Any,
    row: Any,
    base: Base,
    arcs_back: ArcArrays,
    names: Names,
    witness: Witness,
    marked: Marked,
) -> Any:
    """Mark the source in the stable partition, and refine until nothing changes.

    Returns whether it is proved that no split was missed.
    """
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
    return is_equitable(row, base, arcs_back, witness, marked)
