"""What a test does not separate: swapped by a symmetry, or separated by another test.

Vertices that a symmetry maps to each other are alike for every test and every invariant model, and
so are isomorphic graphs. If no symmetry does, other tests are tried: those of a ladder that are not
proven to separate less.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wlkg.analysis.isomorphism import decide_isomorphism
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.symmetry.symmetry import symmetry
from wlkg.catalogue import TupleTest, find_test
from wlkg.errors import MissingExtraError, TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proven_order import is_below
from wlkg.refinement.refine import check_size, run_test

#: The tests that are tried.
LADDER = ("1-wl", "weak-rwl", "1-rwl", "1-rlwl", "2-rlwl", "3-rlwl")
#: Tests with more tuples than this take long; they are left out.
_MOST_TUPLES = 10_000_000
#: The seconds for finding symmetries, or an isomorphism.
_SECONDS = 10.0


@dataclass(frozen=True)
class OtherTest:
    """What another test says about two vertices or two graphs."""

    test: str
    #: The first separating round; None if it does not separate them or was not run.
    round: int | None
    #: Why it was not run.
    skipped: str | None = None


@dataclass(frozen=True)
class Alike:
    """Why a test does not separate two vertices or two graphs."""

    #: Whether a symmetry maps one vertex to the other, or the graphs are isomorphic; None if that
    #: was not decided.
    symmetric: bool | None
    #: What other tests say, up to the first that separates; empty if nothing can.
    others: tuple[OtherTest, ...] = ()

    @property
    def separated_by(self) -> OtherTest | None:
        """The other test that separates them, if one was found."""
        return next((other for other in self.others if other.round is not None), None)


def why_vertices_are_alike(
    graph: RelationalGraph,
    v: int,
    w: int,
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Alike:
    """Whether a symmetry maps v to w; if not, which other test separates them.

    >>> import wlkg
    >>> why_vertices_are_alike(wlkg.read("example:c6"), 0, 3, "1-rwl").symmetric
    True
    """
    symmetric = v == w or _is_symmetric(graph, v, w, progress)
    if symmetric:
        return Alike(symmetric=True)

    def separated_at(name: str) -> int | None:
        return run_test(graph, name, progress=progress).vertices.separated_at(v, w)

    others = _other_tests(test, [graph.num_vertices], separated_at, max_memory)
    return Alike(symmetric=symmetric, others=others)


def _is_symmetric(graph: RelationalGraph, v: int, w: int, progress: Progress) -> bool | None:
    try:
        symmetries = symmetry(graph, (), seconds=_SECONDS, progress=progress)
    except MissingExtraError:
        return None
    if symmetries.maps(v, w) is not None:
        return True
    return False if symmetries.proven else None


def why_graphs_are_alike(
    pair: SideBySide, test: str, *, max_memory: int | None = None, progress: Progress = SILENT
) -> Alike:
    """Whether two graphs are isomorphic; if not, which other test separates them."""
    isomorphic = decide_isomorphism(pair, seconds=_SECONDS).isomorphic
    if isomorphic:
        return Alike(symmetric=True)

    def differs_at(name: str) -> int | None:
        return pair.refine(name, progress=progress).differs_at

    others = _other_tests(test, pair.sizes, differs_at, max_memory)
    return Alike(symmetric=isomorphic, others=others)


def _other_tests(
    test: str,
    sizes: Sequence[int],
    separated_at: Callable[[str], int | None],
    max_memory: int | None,
) -> tuple[OtherTest, ...]:
    """The tests that are not proven to separate at most what ``test`` does, until one separates."""
    others = []
    for name in LADDER:
        if name == test or is_below(name, test):
            continue
        skipped = _reason_to_skip(name, sizes, max_memory)
        first = separated_at(name) if skipped is None else None
        others.append(OtherTest(name, first, skipped))
        if first is not None:
            break
    return tuple(others)


def _reason_to_skip(name: str, sizes: Sequence[int], max_memory: int | None) -> str | None:
    chosen = find_test(name)
    tuples = sum(n**chosen.arity for n in sizes) if isinstance(chosen, TupleTest) else 0
    if tuples > _MOST_TUPLES:
        return f"{name} has {tuples:,} tuples, more than the {_MOST_TUPLES:,} that are tried here"
    try:
        check_size(name, sizes, max_memory)
    except TooLargeError as error:
        return str(error)
    return None
