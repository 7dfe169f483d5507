"""What selects the class of a vertex: a formula that is true of its members and of nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.explanation.asked import vertex_id, vertex_test
from wlkg.analysis.explanation.class_formula import ClassFormulas
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.separation import Separator
from wlkg.arrays import Int64Array, IntArray
from wlkg.catalogue import DEFAULT_TEST, Direction
from wlkg.display import Displayed
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History
from wlkg.progress import SILENT, Progress, phase
from wlkg.refinement.refine import refine

#: The number of nearest classes that are reported unless told otherwise.
NEAREST = 5
_NEVER = np.iinfo(np.int64).max


@dataclass(frozen=True)
class NearClass:
    """Another class, and what tells it from the class in question."""

    #: The round at which the two were separated.
    round: int
    class_size: int
    #: Its first member, by id and by name.
    vertex: int
    name: str
    #: True of the class in question and false of this one; its depth is the round.
    formula: Formula


@dataclass(frozen=True, eq=False)
class ClassExplanation(Displayed):
    """The class of a vertex at a round."""

    graph: RelationalGraph
    test: str
    direction: Direction
    vertex: int
    name: str
    #: The round that was asked for, by default the one at which the colours are stable.
    round: int
    #: The number of classes at this round.
    classes: int
    #: True of the members and of no other vertex; at most as deep as the round.
    formula: Formula
    #: The members, by id.
    members: IntArray
    #: The classes that were separated from this one last.
    nearest: tuple[NearClass, ...]

    @property
    def class_size(self) -> int:
        return len(self.members)

    @property
    def depth(self) -> int:
        return self.formula.depth

    @property
    def size(self) -> int:
        return self.formula.size


def explain_class(
    graph: RelationalGraph,
    v: str | int,
    test: str = DEFAULT_TEST,
    round: int | None = None,  # noqa: A002
    direction: Direction | None = None,
    *,
    nearest: int = NEAREST,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> ClassExplanation:
    """A formula that selects exactly the class of a vertex at a round, and the nearest classes.

    >>> import wlkg
    >>> explanation = explain_class(wlkg.read("example:decalin"), "0", "1-wl")
    >>> explanation.round, explanation.members.tolist(), explanation.depth
    (2, [0, 5], 1)
    """
    graph = graph.with_direction(direction)
    vertex, seen = vertex_id(graph, v), vertex_test(test)
    refinement = refine(graph, seen.name, rounds=round, max_memory=max_memory, progress=progress)
    history = refinement.history
    t = history.rounds if round is None else round
    vertices = Vertices.seen_by(seen, graph)
    separator = Separator(vertices, history)
    with phase(progress, "looking for a formula"):
        selection = ClassFormulas(vertices, history, separator).select(vertex, t)
        near = tuple(_nearest(vertices, history, separator, vertex, nearest))
    return ClassExplanation(
        graph=graph,
        test=test,
        direction=graph.direction,
        vertex=vertex,
        name=graph.vertex_names[vertex],
        round=t,
        classes=refinement.classes,
        formula=selection.formula,
        members=selection.members,
        nearest=near,
    )


def _nearest(
    vertices: Vertices, history: History, separator: Separator, vertex: int, limit: int
) -> Iterator[NearClass]:
    """The other classes: those separated last first; of these, those with the most alike arcs."""
    partition = history.partition()
    first = np.unique(partition.colours, return_index=True)[1]
    rounds = separated_from(history, vertex)[history.class_of[first]]
    order = np.lexsort([first, partition.sizes, _distances(vertices, vertex)[first], -rounds])
    for colour in order[: limit + 1].tolist():
        other = int(first[colour])
        formula = separator.formula(vertex, other)
        if formula is not None:
            yield NearClass(
                round=int(rounds[colour]),
                class_size=int(partition.sizes[colour]),
                vertex=other,
                name=vertices.graph.vertex_names[other],
                formula=formula,
            )


def _distances(vertices: Vertices, vertex: int) -> Int64Array:
    """For each vertex, how many arcs, counted by relation, it has more or fewer than the given."""
    begin, end = vertices.arcs.offsets[vertex : vertex + 2]
    ours = np.unique(vertices.arcs.relation[begin:end], return_counts=True)
    distances = np.diff(vertices.arcs.offsets)
    for relation, count in zip(*map(np.ndarray.tolist, ours), strict=True):
        theirs = vertices.degrees(vertices.relations[relation])
        distances = distances - theirs + np.abs(theirs - count)
    return distances


def separated_from(history: History, item: int) -> Int64Array:
    """For each class of the last round, the round at which it was separated from that of an item.

    The class of the item itself has the largest number. A class that comes from one in which the
    item once was, was separated when either of them left it. The others differ from round 0 on.
    """
    left_at = np.full(len(history.parent), -1, dtype=np.int64)  # -1: the item was never in it
    c, leaving = int(history.class_of[item]), _NEVER
    while left_at[c] < 0:
        left_at[c] = leaving
        leaving, c = int(history.birth[c]), int(history.parent[c])
    ancestor = np.arange(len(history.parent))
    left = np.full(len(ancestor), _NEVER)
    while (climbing := (left_at[ancestor] < 0) & (history.birth[ancestor] > 0)).any():
        left[climbing] = history.birth[ancestor[climbing]]
        ancestor[climbing] = history.parent[ancestor[climbing]]
    return np.where(left_at[ancestor] < 0, 0, np.minimum(left, left_at[ancestor]))
