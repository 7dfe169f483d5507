"""Climb a ladder of tests on two graphs, and leave out what is known already.

A test is not run if a test that is proven to be below it separates the graphs. So tests that are
left out separate the graphs too, and none of them could be a weakest one. Tests that are not above
each other, such as 1-wl and 1-rwl, are both run. Nor are tests of very many tuples run on graphs
that turn out to be isomorphic: no test separates these.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from wlkg.analysis.differences import Differences
from wlkg.analysis.isomorphism import IsomorphismVerdict
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.verdicts import NOT_RUN, Verdict, judge_in_detail
from wlkg.catalogue import TupleTest, find_test
from wlkg.progress import Progress
from wlkg.refinement.proven_order import is_below

#: Tests of fewer tuples are over before an isomorphism is found.
_MANY_TUPLES = 1_000_000

#: The verdict on a test that need not be run, given the separating tests; None if it must be.
Needless = Callable[[str, Collection[str]], Verdict | None]


def climb(
    pair: SideBySide,
    tests: Iterable[str],
    needless: Needless,
    max_memory: int | None,
    progress: Progress,
) -> tuple[tuple[Verdict, ...], dict[str, Differences]]:
    """The verdicts of all tests, and what differs for those that separate the graphs."""
    verdicts: list[Verdict] = []
    found: dict[str, Differences] = {}
    for test in tests:
        verdict, differing = needless(test, found), None
        if verdict is None:
            verdict, differing = judge_in_detail(pair, test, max_memory, progress)
        verdicts.append(verdict)
        if differing is not None:
            found[test] = differing
    return tuple(verdicts), found


def never(test: str, separating: Collection[str]) -> None:
    """No test is needless."""


def needless_if_known(pair: SideBySide, isomorphism: Callable[[], IsomorphismVerdict]) -> Needless:
    """What decides whether a test need not be run, given the tests that separate the graphs."""

    def verdict_without_run(test: str, separating: Collection[str]) -> Verdict | None:
        below = next((lower for lower in separating if is_below(lower, test)), None)
        if below is not None:
            why = f"{NOT_RUN}{below} separates the graphs, so {test} does too; --all runs it"
            return Verdict(test, separated=None, skipped=why, implied_by=below)
        chosen = find_test(test)
        many = isinstance(chosen, TupleTest) and max(pair.sizes) ** chosen.arity > _MANY_TUPLES
        if many and not separating and isomorphism().isomorphic:
            why = f"{NOT_RUN}the graphs are isomorphic, so no test separates them; --all runs it"
            return Verdict(test, separated=None, skipped=why)
        return None

    return verdict_without_run
