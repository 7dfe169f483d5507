"""The WL tests: one table, one function.

``refine(graph, test="1-rwl")`` runs a test of the table `TESTS` to its stable colouring and tells
the partition of every round.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wlkg.arcs import Direction, check_direction
from wlkg.errors import UsageError, unknown_name
from wlkg.graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines import ENGINES
from wlkg.refinement.problem import vertex_problem


@dataclass(frozen=True)
class Test:
    """A vertex test: what a vertex sees of its arcs."""

    summary: str
    #: What it bounds, in the paper's terms.
    bounds: str
    sees_relations: bool
    sees_degrees: bool

    __test__ = False  # not a pytest class


TESTS: dict[str, Test] = {
    "1-wl": Test(
        "own colour, multiset of colours of the set of neighbours; relations forgotten",
        "plain GNNs",
        sees_relations=False,
        sees_degrees=False,
    ),
    "weak-rwl": Test(
        "own colour, multiset of neighbour colours over all arcs, number of arcs in each relation",
        "CompGCN with addition, subtraction or concatenation",
        sees_relations=False,
        sees_degrees=True,
    ),
    "1-rwl": Test(
        "own colour, multiset of (relation, neighbour colour)",
        "R-GCN; CompGCN with multiplication or circular correlation",
        sees_relations=True,
        sees_degrees=False,
    ),
}

DEFAULT_TEST = "1-rwl"


@dataclass(frozen=True, eq=False, repr=False)
class Refinement:
    """The result of running a test on a graph."""

    test: str
    direction: Direction
    #: The smallest t such that rounds t and t + 1 have the same partition, or the round it was
    #: stopped at.
    rounds: int
    #: Whether the last partition is known to be stable.
    stable: bool
    #: Whether it was proved, without hashing, that no split was missed.
    exact: bool
    #: What the proof covers: every round, or the stable partition only (see
    #: `wlkg.refinement.checking`).
    proof: str
    history: History

    @cached_property
    def partition(self) -> Partition:
        """The last partition."""
        return self.history.partition()

    @property
    def classes(self) -> int:
        return self.partition.num_classes

    @property
    def classes_per_round(self) -> list[int]:
        """The number of classes at rounds 0 .. ``rounds``."""
        return [int(count) for count in self.history.classes_per_round]

    def __repr__(self) -> str:
        state = "stable" if self.stable else "stopped"
        return (
            f"Refinement({self.test}, {self.classes:,} classes, {state} at round {self.rounds:,})"
        )


def find_test(name: str) -> Test:
    """The test of that name, or an error that lists the tests."""
    found = TESTS.get(name)
    if found is None:
        raise unknown_name("test", name, TESTS)
    return found


def refine(
    graph: RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    engine: str = "worklist",
    progress: Progress = SILENT,
) -> Refinement:
    """Run a test to its stable colouring, or for some rounds.

    >>> import wlkg
    >>> refine(wlkg.read("example:c6")).classes_per_round
    [1]
    """
    chosen = find_test(test)
    if rounds is not None and rounds < 0:
        raise UsageError(f"the number of rounds must not be negative, found {rounds}")
    if engine not in ENGINES:
        raise unknown_name("engine", engine, ENGINES)
    mode = check_direction(graph.direction if direction is None else direction)
    problem = vertex_problem(
        graph, mode, sees_relations=chosen.sees_relations, sees_degrees=chosen.sees_degrees
    )
    progress.start(f"refining by {test}", rounds, "rounds")
    try:
        last_round = graph.num_vertices + 1 if rounds is None else rounds
        run = ENGINES[engine](problem, last_round, progress)
    finally:
        progress.finish()
    return Refinement(test, mode, run.history.rounds, run.stable, run.exact, run.proof, run.history)
