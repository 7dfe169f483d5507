"""Several tests over two graphs: which separate them, at which round, and which is the weakest.

The graphs are refined together: relations and labels are matched by name, and tuples of one graph
never mix with tuples of the other. A test separates them at the first round at which their colour
histograms differ.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from wlkg.analysis.isomorphism import isomorphic
from wlkg.catalogue import Direction, check_direction, find_test
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proven_order import weakest
from wlkg.refinement.refine import check_size, refine
from wlkg.text import counted, first_few

LADDER: tuple[str, ...] = ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "3-rlwl")


@dataclass(frozen=True)
class Verdict:
    """What a test says about two graphs."""

    test: str
    #: None if the test was skipped.
    separated: bool | None
    #: The first separating round.
    round: int | None = None
    #: The round at which the colours of both graphs together are stable, and how many there are.
    rounds: int | None = None
    classes: int | None = None
    exact: bool | None = None
    #: Why the test was not run.
    skipped: str | None = None


@dataclass(frozen=True)
class Comparison:
    """What several tests say about two graphs."""

    direction: Direction
    verdicts: tuple[Verdict, ...]
    #: The separating tests that have no separating test below them in the proven order.
    weakest_tests: tuple[str, ...]
    #: Whether the graphs are isomorphic; None if it was not decided in time.
    isomorphic: bool | None
    #: What there is to say about names that only one of the graphs has.
    notes: tuple[str, ...]

    @property
    def weakest(self) -> str | None:
        """The first of the weakest separating tests."""
        return self.weakest_tests[0] if self.weakest_tests else None

    @property
    def separated(self) -> bool:
        """Whether some test separates the graphs."""
        return bool(self.weakest_tests)


def compare(
    one: RelationalGraph,
    two: RelationalGraph,
    tests: Iterable[str] | None = None,
    direction: Direction | None = None,
    *,
    max_memory: int | None = None,
    isomorphism_seconds: float = 10.0,
    progress: Progress = SILENT,
) -> Comparison:
    """Run tests, by default the ladder, on two graphs.

    >>> import wlkg
    >>> found = compare(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    >>> found.weakest, found.isomorphic
    ('2-rlwl', False)
    """
    names = tuple(dict.fromkeys(LADDER if tests is None else tests))
    for name in names:
        find_test(name)
    if not (one.num_vertices or two.num_vertices):
        raise UsageError("both graphs have no vertices: there is nothing to compare")
    mode = _common_direction(one, two, direction)
    one, two = one.with_direction(mode), two.with_direction(mode)
    verdicts = tuple(
        judge(one, two, name, max_memory=max_memory, progress=progress) for name in names
    )
    separating = [verdict.test for verdict in verdicts if verdict.separated]
    same = False if separating else isomorphic(one, two, seconds=isomorphism_seconds)
    return Comparison(mode, verdicts, tuple(weakest(separating)), same, _notes(one, two))


def judge(
    one: RelationalGraph,
    two: RelationalGraph,
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Verdict:
    """What one test says about two graphs of one direction mode."""
    sizes = (one.num_vertices, two.num_vertices)
    try:
        check_size(test, sizes, max_memory)
    except TooLargeError as error:
        return Verdict(test, None, skipped=str(error))
    union = disjoint_union(one, two)
    found = refine(union, test, blocks=sizes, max_memory=max_memory, progress=progress)
    separated = found.differs_at is not None
    return Verdict(test, separated, found.differs_at, found.rounds, found.classes, found.exact)


def _common_direction(
    one: RelationalGraph, two: RelationalGraph, direction: Direction | None
) -> Direction:
    if direction is not None:
        return check_direction(direction)
    if one.direction != two.direction:
        raise UsageError(
            f"one graph is read with direction {one.direction}, the other with {two.direction}."
            " Say which to take with --direction"
        )
    return one.direction


def _notes(one: RelationalGraph, two: RelationalGraph) -> tuple[str, ...]:
    """Relations and labels that only one graph has: the graphs are compared by name."""
    notes = []
    for what, first, second in (
        ("relation", one.relation_names, two.relation_names),
        ("label", one.label_names, two.label_names),
    ):
        for which, here, there in (("first", first, second), ("second", second, first)):
            missing = sorted(set(here) - set(there))
            if missing:
                names = counted(len(missing), what, f"{what}s")
                notes.append(f"{names} only in the {which} graph: {first_few(missing)}")
    if (one.labels is None) != (two.labels is None):
        which = "first" if one.labels is None else "second"
        notes.append(f"the {which} graph has no labels: its vertices have the empty one")
    return tuple(notes)
