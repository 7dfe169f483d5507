"""What a test does not separate: swapped by a symmetry, or separated by a stronger test.

Vertices that a symmetry maps to each other are alike for every test and every invariant model, and
so are isomorphic graphs. If there is no symmetry, the tests of a ladder are tried, those that are
not proven to see less; tests with very many tuples are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.analysis.compare import Verdict, compare
from wlkg.analysis.explanation.pair import OtherTest, other_tests, stronger_tests
from wlkg.analysis.symmetry.symmetry import symmetry
from wlkg.errors import MissingExtraError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress

#: The seconds for finding symmetries, or an isomorphism.
SECONDS = 10.0


@dataclass(frozen=True)
class Alike:
    """Why a test does not separate two vertices or two graphs."""

    #: Whether a symmetry maps one vertex to the other, or the graphs are isomorphic; None if that
    #: was not decided.
    symmetric: bool | None
    #: What other tests say; empty if nothing can separate them.
    others: tuple[OtherTest, ...] = ()

    @property
    def separated_by(self) -> OtherTest | None:
        """The first of the other tests that separates them."""
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
    """Whether a symmetry maps v to w; if not, which other tests separate them."""
    try:
        symmetries = symmetry(graph, (), seconds=SECONDS, progress=progress)
    except MissingExtraError:
        symmetric = None
    else:
        symmetric = symmetries.maps(v, w) is not None or (None if not symmetries.proven else False)
    if v == w or symmetric:
        return Alike(symmetric=True)
    others = other_tests(graph, v, w, test, max_memory=max_memory, progress=progress)
    return Alike(symmetric=symmetric, others=others)


def why_graphs_are_alike(
    one: RelationalGraph,
    two: RelationalGraph,
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Alike:
    """Whether the graphs are isomorphic; if not, which other tests separate them."""
    tests, skipped = stronger_tests(test, max(one.num_vertices, two.num_vertices))
    comparison = compare(
        one,
        two,
        tests,
        max_memory=max_memory,
        isomorphism_seconds=SECONDS,
        progress=progress,
    )
    if comparison.isomorphic:
        return Alike(symmetric=True)
    others = tuple(map(_other_test, comparison.verdicts)) + skipped
    return Alike(symmetric=comparison.isomorphic, others=others)


def _other_test(verdict: Verdict) -> OtherTest:
    return OtherTest(verdict.test, verdict.round, verdict.skipped)
