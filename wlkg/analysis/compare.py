"""Run several tests on two graphs: which separate them, at which round, and which is the weakest.

The graphs are refined side by side. A test separates them at the first round at which their colour
histograms differ. Models, if there are any, are asked about the same two graphs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from wlkg.analysis.isomorphism import decide_isomorphism
from wlkg.analysis.model_verdicts import ModelVerdict, PairModel, judge_model
from wlkg.analysis.side_by_side import SideBySide, side_by_side
from wlkg.catalogue import Direction, find_test
from wlkg.errors import TooLargeError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proven_order import weakest
from wlkg.refinement.results import Refinement
from wlkg.text import counted, first_few

LADDER: tuple[str, ...] = ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "3-rlwl")


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


@dataclass(frozen=True)
class Comparison:
    """What several tests say about two graphs."""

    direction: Direction
    verdicts: tuple[Verdict, ...]
    #: The separating tests that have no separating test below them in the proven order.
    weakest_tests: tuple[str, ...]
    #: Whether the graphs are isomorphic; None if this was not decided in time.
    isomorphic: bool | None
    #: Remarks about names that only one of the graphs has.
    notes: tuple[str, ...]
    models: tuple[ModelVerdict, ...] = ()

    @property
    def weakest(self) -> str | None:
        """The first of the weakest separating tests."""
        return self.weakest_tests[0] if self.weakest_tests else None

    @property
    def separated(self) -> bool:
        """Whether some test or model separates the graphs."""
        return bool(self.weakest_tests) or any(model.separated for model in self.models)


def compare(
    one: RelationalGraph,
    two: RelationalGraph,
    tests: Iterable[str] | None = None,
    direction: Direction | None = None,
    *,
    models: Sequence[PairModel] = (),
    max_memory: int | None = None,
    isomorphism_seconds: float = 10.0,
    progress: Progress = SILENT,
) -> Comparison:
    """Run tests, by default the ladder, on two graphs.

    ``models``, made by `wlkg.gnn.api.pair_model`, are asked too, and whether they keep the bound of
    their test.

    >>> import wlkg
    >>> comparison = compare(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    >>> comparison.weakest, comparison.isomorphic
    ('2-rlwl', False)
    """
    names = _known(tests)
    if not (one.num_vertices or two.num_vertices):
        raise UsageError("neither graph has a vertex: there is nothing to compare")
    pair = side_by_side(one, two, direction)
    verdicts = tuple(judge(pair, name, max_memory=max_memory, progress=progress) for name in names)
    separating = [verdict.test for verdict in verdicts if verdict.separated]
    known = {verdict.test: verdict.round for verdict in verdicts if verdict.skipped is None}
    return Comparison(
        direction=pair.graphs[0].direction,
        verdicts=verdicts,
        weakest_tests=tuple(weakest(separating)),
        isomorphic=(False if separating else decide_isomorphism(pair, seconds=isomorphism_seconds)),
        notes=_notes(one, two),
        models=tuple(
            judge_model(pair, model, known, max_memory=max_memory, progress=progress)
            for model in models
        ),
    )


def compare_vertices(
    one: RelationalGraph,
    v: str,
    two: RelationalGraph,
    w: str,
    tests: Iterable[str] | None = None,
    direction: Direction | None = None,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> tuple[Verdict, ...]:
    """Run tests, by default the ladder, on vertex ``v`` of one graph and ``w`` of another.

    The graphs are refined side by side. Only tests that see more than what surrounds a vertex tell
    how large its graph is:

    >>> import wlkg
    >>> cycles = wlkg.read("example:cycle,n=3"), wlkg.read("example:cycle,n=4")
    >>> verdicts = compare_vertices(cycles[0], "0", cycles[1], "0", ["1-wl", "1-wl-all"])
    >>> [(verdict.test, verdict.round) for verdict in verdicts]
    [('1-wl', None), ('1-wl-all', 1)]
    """
    pair = side_by_side(one, two, direction)
    ids = (pair.graphs[0].vertex(v), one.num_vertices + pair.graphs[1].vertex(w))
    return tuple(
        judge_vertices(pair, ids, name, max_memory=max_memory, progress=progress)
        for name in _known(tests)
    )


def judge(
    pair: SideBySide,
    test: str,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Verdict:
    """What one test says about two graphs."""
    return _judge(pair, test, lambda refinement: refinement.differs_at, max_memory, progress)


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

    return _judge(graphs, test, separated_at, max_memory, progress)


def _judge(
    graphs: SideBySide,
    test: str,
    separated_at: Callable[[Refinement], int | None],
    max_memory: int | None,
    progress: Progress,
) -> Verdict:
    try:
        graphs.check_size(test, max_memory)
    except TooLargeError as error:
        return Verdict(test, separated=None, skipped=str(error))
    refinement = graphs.refine(test, progress=progress)
    first = separated_at(refinement)
    return Verdict(
        test,
        separated=first is not None,
        round=first,
        rounds=refinement.rounds,
        classes=refinement.classes,
        exact=refinement.exact,
    )


def _known(tests: Iterable[str] | None) -> tuple[str, ...]:
    """The names of the tests, each once; an unknown one is refused."""
    names = tuple(dict.fromkeys(LADDER if tests is None else tests))
    for name in names:
        find_test(name)
    return names


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
        notes.append(f"the {which} graph has no labels: its vertices get the empty label")
    return tuple(notes)
