"""What one test says about two graphs, or about two vertices."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from wlkg.analysis.differences import Differences, differences
from wlkg.analysis.side_by_side import SideBySide
from wlkg.catalogue import find_test
from wlkg.errors import TooLargeError, UsageError
from wlkg.progress import SILENT, Progress
from wlkg.refinement.results import Refinement

LADDER: tuple[str, ...] = ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "3-rlwl")
#: How the reason begins for tests that are not run because that is not necessary.
NOT_RUN = "not run: "


@dataclass(frozen=True)
class Verdict:
    """What a test says about two graphs, or about two vertices."""

    test: str
    #: None if the test was skipped.
    separated: bool | None
    #: The first separating round.
    round: int | None = None
    #: The round at which the colouring of both graphs together is stable, and its classes.
    rounds: int | None = None
    classes: int | None = None
    exact: bool | None = None
    #: Why the test was not run.
    skipped: str | None = None
    #: The separating test because of which this one need not be run.
    implied_by: str | None = None


def judge(
    pair: SideBySide,
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Verdict:
    """What one test says about two graphs."""
    return _judge(pair, test, lambda refinement: refinement.differs_at, max_memory, progress)[0]


def judge_vertices(
    graphs: SideBySide,
    vertices: tuple[int, int],
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Verdict:
    """What one test says about two vertices, given by their ids in the union of the graphs."""

    def separated_at(refinement: Refinement) -> int | None:
        return refinement.vertices.separated_at(*vertices)

    return _judge(graphs, test, separated_at, max_memory, progress)[0]


def judge_pairs(
    graphs: SideBySide,
    pairs: tuple[tuple[int, int], tuple[int, int]],
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Verdict:
    """What one test says about two pairs (u, v), given by their ids in the union of the graphs.

    A test of vertices separates pairs if it separates their first or their second vertices, as for
    an encoder with any decoder.
    """

    def separated_at(refinement: Refinement) -> int | None:
        if refinement.arity == 1:
            rounds = [refinement.history.separated_at(*ends) for ends in zip(*pairs, strict=True)]
            return min((t for t in rounds if t is not None), default=None)
        if refinement.arity > 2:
            raise UsageError(f"{test} colours {refinement.arity}-tuples, not pairs")
        places = [pair_number(graphs.sizes, *pair) for pair in pairs]
        return refinement.history.separated_at(*places)

    return _judge(graphs, test, separated_at, max_memory, progress)[0]


def pair_number(sizes: tuple[int, ...], u: int, v: int) -> int:
    """The place of a pair among the pairs of all graphs, given the ids of its vertices."""
    place = first = 0
    for size in sizes:
        if u < first + size:
            break
        place += size**2
        first += size
    return place + (u - first) * size + v - first


def judge_in_detail(
    pair: SideBySide, test: str, max_memory: int | None, progress: Progress
) -> tuple[Verdict, Differences | None]:
    """What one test says about two graphs, and what differs if it separates them."""
    verdict, refinement = _judge(pair, test, lambda run: run.differs_at, max_memory, progress)
    if refinement is None or not verdict.separated:
        return verdict, None
    return verdict, differences(pair, refinement)


def _judge(
    graphs: SideBySide,
    test: str,
    separated_at: Callable[[Refinement], int | None],
    max_memory: int | None,
    progress: Progress,
) -> tuple[Verdict, Refinement | None]:
    """What one test says, and its run; None if it does not fit into memory."""
    try:
        graphs.check_size(test, max_memory)
    except TooLargeError as error:
        return Verdict(test, separated=None, skipped=str(error)), None
    refinement = graphs.refine(test, progress=progress)
    first = separated_at(refinement)
    verdict = Verdict(
        test,
        separated=first is not None,
        round=first,
        rounds=refinement.rounds,
        classes=refinement.classes,
        exact=refinement.exact,
    )
    return verdict, refinement


def known_tests(tests: Iterable[str] | None) -> tuple[str, ...]:
    """The names of the tests, each once; an unknown one is refused."""
    names = LADDER if tests is None else tests
    return tuple(dict.fromkeys(find_test(name).name for name in names))
