"""How large the classes are: a chart, and a table of the largest with some of their members."""

from __future__ import annotations

import numpy as np

from wlkg.reports.blocks import Chart, Column, Series, Table
from wlkg.reports.pictures.whole_classes import WholeClasses
from wlkg.text import counted

#: The most classes in the table, and the most members of each.
_MOST_CLASSES = 400
_MOST_MEMBERS = 6
_LONGEST_NAME = 64


def class_sizes_chart(classes: WholeClasses) -> Chart:
    """Classes and vertices by the size of the class, in doubling steps."""
    sizes = classes.sizes
    step = np.floor(np.log2(sizes)).astype(np.int64)
    steps = np.arange(int(step.max(initial=0)) + 1)
    lower = 2**steps
    in_step = np.bincount(step, minlength=len(steps))
    vertices = np.bincount(step, weights=sizes, minlength=len(steps)).astype(np.int64)

    def points(values: np.ndarray[tuple[int], np.dtype[np.int64]]) -> tuple[tuple[int, int], ...]:
        pairs = zip(lower.tolist(), values.tolist(), strict=True)
        return tuple((x, y) for x, y in pairs if y)

    return Chart(
        title=f"How large the classes of {classes.test} are",
        x_title="size of the class, in doubling steps (1, 2–3, 4–7, ...)",
        y_title="number",
        series=(
            Series("classes of that size", points(in_step), "bars"),
            Series("vertices in them", points(vertices), "line"),
        ),
        log_x=True,
        log_y=True,
        style="count",
    )


def largest_classes_table(classes: WholeClasses) -> Table:
    """The classes with at least two members, the largest first."""
    sizes = classes.sizes
    colliding = int(np.count_nonzero(sizes > 1))
    shown = min(colliding, _MOST_CLASSES)
    rows = tuple(_row(classes, number) for number in range(1, shown + 1))
    several = len(classes.graphs) > 1
    names = ("in the first graph", "in the second graph") if several else ()
    left = colliding - shown
    note = f"{_MOST_MEMBERS} members of each class are named, fewer if there are no more."
    if left:
        note = f"The {shown:,} largest of {colliding:,} classes are listed. {note}"
    return Table(
        title=f"Vertices that {classes.test} cannot tell apart: "
        + counted(colliding, "class", "classes")
        + f" of two or more, {int(sizes[sizes > 1].sum()):,} vertices",
        columns=(
            Column("class", "count"),
            Column("vertices", "count"),
            *(Column(name, "count") for name in names),
            Column("members"),
        ),
        rows=rows,
        note=note,
        searchable=True,
    )


def _row(classes: WholeClasses, number: int) -> tuple[str | int, ...]:
    members = classes.members(number)
    named = [_cut(classes.name(int(item))) for item in members[:_MOST_MEMBERS]]
    more = ", ..." if len(members) > len(named) else ""
    first = classes.graphs[0].num_vertices
    counts = int(np.count_nonzero(members < first))
    split = (counts, len(members) - counts) if len(classes.graphs) > 1 else ()
    return number, len(members), *split, ", ".join(named) + more


def _cut(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[:20]}…{name[-(_LONGEST_NAME - 21) :]}"
