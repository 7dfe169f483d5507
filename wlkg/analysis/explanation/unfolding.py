"""Where the unfolding trees of two vertices part.

The unfolding tree of a vertex to depth t has its neighbours below it, their neighbours below them,
and so on t times. A formula of depth t that is true of v and false of w shows one branch on which
the two trees differ: the part that decides counts neighbours that satisfy some formula a, and one
of the two vertices has more of them. Below, a neighbour that satisfies a is compared with a
neighbour of the other vertex that does not, by what decides there; if there is no such neighbour,
the numbers of neighbours are the difference, and the branch ends. All other branches are counted,
not unfolded.

Cost: one evaluation of the formula on all vertices.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.explanation.deciding import deciding_part
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula, Relation
from wlkg.arrays import BoolArray

#: Levels below the root that are unfolded, and relations that are counted at each vertex.
DEEPEST = 8
_MOST_RELATIONS = 5
#: Bytes for the values of parts of the formula.
_MOST_BYTES = 1 << 28


@dataclass(frozen=True)
class Look:
    """One vertex of one of the trees."""

    vertex: int
    #: Whether it satisfies what is counted one level above; at the root, whether it satisfies the
    #: whole formula.
    satisfies: bool
    #: Whether it satisfies the formula that decides at this level.
    holds: bool
    label: str | None
    #: Neighbours under the relation that decides, and how many of them satisfy what is counted.
    neighbours: int
    satisfying: int
    #: The numbers of neighbours under its other relations; the first few.
    others: tuple[tuple[Relation, int], ...]
    #: How many further relations it has.
    more_relations: int


@dataclass(frozen=True)
class Level:
    """A vertex of each tree, and the formula that tells them apart."""

    #: Neither "and", "or" nor "not"; but if one of the vertices is missing, the whole formula that
    #: is true or false of the other one.
    decides: Formula
    #: The two vertices; below the root one may be missing, where nothing is left to compare.
    sides: tuple[Look | None, Look | None]

    @property
    def counted(self) -> Formula | None:
        """What the counted neighbours satisfy; None if the formula counts nothing."""
        looks = self.decides.relation is not None and self.decides.args
        return self.decides.args[0] if looks else None


@dataclass(frozen=True)
class Unfolding:
    """The branch on which two unfolding trees differ, from the roots down."""

    levels: tuple[Level, ...]
    #: The number of further levels that are left out.
    left_out: int = 0


def unfolding(formula: Formula, vertices: Vertices, v: int, w: int) -> Unfolding:
    """The branch on which the trees of v and w differ; the formula is true of v, false of w."""
    values = _Values(formula, vertices)
    levels: list[Level] = []
    pair: tuple[int | None, int | None] = (v, w)
    holds = True
    while True:
        one, two = pair
        if one is None or two is None:
            alone = _look(one, formula, values, holds) if one is not None else None
            other = _look(two, formula, values, not holds) if two is not None else None
            if alone or other:
                levels.append(Level(formula, (alone, other)))
            return Unfolding(tuple(levels))
        decides, _ = deciding_part(formula, one, two, values.hold, holds=holds)
        first = _look(one, decides, values, holds)
        second = _look(two, decides, values, not holds)
        levels.append(Level(decides, (first, second)))
        if not decides.args or decides.args[0].op == "true":
            return Unfolding(tuple(levels))
        if len(levels) == values.levels:
            return Unfolding(tuple(levels), left_out=max(decides.args[0].depth, 1))
        pair, holds = _compared_below(decides, (first, second), values)
        formula = decides.args[0]


class _Values:
    """The values of those parts of a formula that an unfolding may ask for."""

    def __init__(self, formula: Formula, vertices: Vertices) -> None:
        self.vertices = vertices
        most = _MOST_BYTES // max(vertices.graph.num_vertices, 1)
        parts: dict[Formula, None] = {}
        roots = [formula]
        #: The number of levels that can be looked at.
        self.levels = 0
        while roots and self.levels < DEEPEST and (not parts or len(parts) < most):
            compared = _boolean_parts(roots)
            roots = [arg for part in compared if part.relation is not None for arg in part.args]
            parts.update(dict.fromkeys([*compared, *roots]))
            self.levels += 1
        self._values = dict(zip(parts, vertices.hold(parts), strict=True))

    def hold(self, formulas: Sequence[Formula]) -> list[BoolArray]:
        return [self[formula] for formula in formulas]

    def __getitem__(self, formula: Formula) -> BoolArray:
        return self._values[formula]


def _boolean_parts(roots: Sequence[Formula]) -> list[Formula]:
    """The formulas, and the parts that they are joined from."""
    parts = dict.fromkeys(roots)
    waiting = list(parts)
    while waiting:
        part = waiting.pop()
        if part.op in ("and", "or", "not"):
            fresh = [arg for arg in part.args if arg not in parts]
            parts.update(dict.fromkeys(fresh))
            waiting += fresh
    return list(parts)


def _look(vertex: int, decides: Formula, values: _Values, satisfies: bool) -> Look:
    vertices = values.vertices
    graph = vertices.graph
    relation = decides.relation
    label = None if graph.labels is None else graph.label_names[graph.labels[vertex]]
    around = [(where.relation, len(seen)) for where, seen in vertices.around(vertex)]
    total = satisfying = 0
    if relation is not None:
        total = satisfying = int(vertices.degrees(relation)[vertex])
        if decides.args and total:
            below = vertices.neighbours(vertex, relation)
            satisfying = int(np.count_nonzero(values[decides.args[0]][below]))
    others = [(other, count) for other, count in around if other != relation]
    return Look(
        vertex=vertex,
        satisfies=satisfies,
        holds=bool(values[decides][vertex]),
        label=label,
        neighbours=total,
        satisfying=satisfying,
        others=tuple(others[:_MOST_RELATIONS]),
        more_relations=max(len(others) - _MOST_RELATIONS, 0),
    )


def _compared_below(
    decides: Formula, looks: tuple[Look, Look], values: _Values
) -> tuple[tuple[int | None, int | None], bool]:
    """The neighbours to compare next, and whether the first one is that which satisfies."""
    assert decides.relation is not None
    first, second = looks
    if decides.share is None:
        first_has_more = first.satisfying > second.satisfying
    else:
        first_has_more = (
            first.satisfying * max(second.neighbours, 1)
            > second.satisfying * max(first.neighbours, 1)
        )  # fmt: skip
    wanted = values[decides.args[0]]
    chosen: list[int | None] = []
    for look, satisfies in ((first, first_has_more), (second, not first_has_more)):
        seen = values.vertices.neighbours(look.vertex, decides.relation)
        fitting = seen[wanted[seen] == satisfies]
        chosen.append(int(fitting[0]) if len(fitting) else None)
    return (chosen[0], chosen[1]), first_has_more
