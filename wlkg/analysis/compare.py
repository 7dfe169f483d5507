"""Run several tests on two graphs: which separate them, at which round, and which is the weakest.

The graphs are refined side by side. A test separates them at the first round at which their colour
histograms differ. Models, if there are any, are asked about the same two graphs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache

from wlkg.analysis.comparison_notes import names_matter, notes_about
from wlkg.analysis.differences import Differences
from wlkg.analysis.isomorphism import IsomorphismVerdict, decide_isomorphism
from wlkg.analysis.ladder import climb, needless_if_known, never
from wlkg.analysis.model_verdicts import ModelVerdict, PairModel, judge_model
from wlkg.analysis.side_by_side import side_by_side
from wlkg.analysis.verdicts import Verdict, known_tests
from wlkg.catalogue import Direction
from wlkg.display import Displayed
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.errors import UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.name_labels import labelled_by_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress, phase
from wlkg.refinement.engines.running import engine_kept_open
from wlkg.refinement.proven_order import weakest


@dataclass(frozen=True)
class Comparison(Displayed):
    """What several tests say about two graphs."""

    direction: Direction
    verdicts: tuple[Verdict, ...]
    #: The separating tests that have no separating test below them in the proven order.
    weakest_tests: tuple[str, ...]
    #: Whether the graphs are isomorphic, or None if this was not decided; and what it rests on.
    isomorphic: bool | None
    isomorphism_rests_on: str
    #: Remarks about names that only one of the graphs has.
    notes: tuple[str, ...]
    models: tuple[ModelVerdict, ...] = ()
    #: For each of the weakest tests, the colours that differ in number.
    differences: tuple[Differences, ...] = ()
    #: Whether names of vertices were compared.
    names: bool = False
    #: Whether the vertices have names that were not compared, and that could make a difference.
    names_ignored: bool = False
    #: The graphs, without names as labels.
    graphs: tuple[RelationalGraph, ...] = field(default=(), repr=False, compare=False)

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
    names: bool = False,
    all_tests: bool = False,
    models: Sequence[PairModel] = (),
    max_memory: int | None = None,
    engine: EngineChoice = DEFAULT_ENGINE,
    isomorphism_seconds: float = 10.0,
    progress: Progress = SILENT,
) -> Comparison:
    """Run tests, by default the ladder, on two graphs.

    Of the ladder, tests are left out that are known to separate the graphs because a test below
    them does, unless ``all_tests``; given tests are all run. With ``names``, the names of vertices
    are labels; of RDF graphs, only blank nodes are anonymous then. ``models``, made by
    `wlkg.gnn.api.pair_model`, are asked too, and whether they keep the bound of their test.

    >>> import wlkg
    >>> comparison = compare(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    >>> comparison.weakest, comparison.isomorphic
    ('2-rlwl', False)
    """
    require_graphs(one, two)
    ladder = known_tests(tests)
    if not (one.num_vertices or two.num_vertices):
        raise UsageError("neither graph has a vertex: there is nothing to compare")
    graphs = one.with_direction(direction), two.with_direction(direction)
    notes = notes_about(one, two, names=names)
    ignored = not names and names_matter(one, two)
    if names:
        with_labels = one.labels is not None or two.labels is not None
        one, two = (labelled_by_name(graph, with_labels=with_labels) for graph in (one, two))
    pair = side_by_side(one, two, direction, engine)

    @cache
    def decide() -> IsomorphismVerdict:
        with phase(progress, "looking for an isomorphism"):
            return decide_isomorphism(pair, seconds=isomorphism_seconds)

    needless = needless_if_known(pair, decide) if tests is None and not all_tests else never
    with engine_kept_open(engine):
        verdicts, found = climb(pair, ladder, needless, max_memory, progress)
    separating = [verdict.test for verdict in verdicts if verdict.separated]
    if separating:
        isomorphism = IsomorphismVerdict(False, f"{separating[0]} separates the graphs")
    else:
        isomorphism = decide()
    known = {verdict.test: verdict.round for verdict in verdicts if verdict.skipped is None}
    weakest_tests = tuple(weakest(separating))
    return Comparison(
        direction=pair.graphs[0].direction,
        verdicts=verdicts,
        weakest_tests=weakest_tests,
        isomorphic=isomorphism.isomorphic,
        isomorphism_rests_on=isomorphism.rests_on,
        notes=notes,
        models=tuple(
            judge_model(pair, model, known, max_memory=max_memory, progress=progress)
            for model in models
        ),
        differences=tuple(found[test] for test in weakest_tests),
        names=names,
        names_ignored=ignored and isomorphism.isomorphic is not False,
        graphs=graphs,
    )
