"""The ceilings of the same labels in several variants, and a trained model beside them.

A variant is a test, a direction mode and a way to read literals. Reading literals differently gives
another graph, so the graph is loaded once for each literal policy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from wlkg.analysis.ceiling.ceiling import LIMIT, Ceiling, ceiling
from wlkg.analysis.ceiling.trained import TrainedComparison, TrainedModel, compare_with_ceiling
from wlkg.catalogue import DEFAULT_TEST, DIRECTIONS, LITERAL_POLICIES, Direction
from wlkg.compiled.compilation import Stopwatch
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import Targets
from wlkg.refinement.engines.running import engine_kept_open


@dataclass(frozen=True, eq=False)
class LabelledGraph:
    """A graph with labels of its vertices, or a collection with labels of its graphs."""

    graph: RelationalGraph | GraphCollection
    targets: Targets
    holdout: Targets | None = None

    @property
    def direction(self) -> Direction:
        graph = self.graph
        return (graph if isinstance(graph, RelationalGraph) else graph.union).direction


#: Loads the graph with a literal policy.
Load = Callable[[str], LabelledGraph]


@dataclass(frozen=True)
class Variant:
    """A ceiling, how the literals were read, and the seconds that it took, if known."""

    ceiling: Ceiling
    literals: str
    seconds: float | None


@dataclass(frozen=True)
class CeilingStudy:
    """The ceilings of all variants, the requested direction and literals first."""

    #: What the labels are about.
    of: Literal["vertices", "graphs"]
    variants: tuple[Variant, ...]
    #: A trained model beside the ceiling of the first variant.
    trained: TrainedComparison | None

    @property
    def first(self) -> Variant:
        return self.variants[0]


def study_ceilings(
    load: Load,
    tests: Sequence[str] = (DEFAULT_TEST,),
    *,
    literals: str = LITERAL_POLICIES[0],
    every_literals: bool = False,
    every_direction: bool = False,
    trained: TrainedModel | None = None,
    rounds: int | None = None,
    limit: int | None = LIMIT,
    max_memory: int | None = None,
    engine: EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> CeilingStudy:
    """The ceilings under each literal policy, test and direction mode.

    The trained model is compared with the first variant. ``rounds`` and ``limit`` are those of
    `wlkg.ceiling`.
    """
    policies = [literals]
    if every_literals:
        policies += [policy for policy in LITERAL_POLICIES if policy != literals]
    variants: list[Variant] = []
    with engine_kept_open(engine):
        for policy in policies:
            labelled = load(policy)
            for test, direction in product(tests, _directions(labelled, every_direction)):
                watch = Stopwatch()
                result = ceiling(
                    labelled.graph,
                    labelled.targets,
                    labelled.holdout,
                    test,
                    direction,
                    rounds,
                    limit=limit,
                    max_memory=max_memory,
                    engine=engine,
                    progress=progress,
                )
                variants.append(Variant(result, policy, watch.seconds))
    comparison = None
    if trained is not None:
        comparison = compare_with_ceiling(trained, variants[0].ceiling)
    is_graph = isinstance(labelled.graph, RelationalGraph)
    return CeilingStudy(
        of="vertices" if is_graph else "graphs", variants=tuple(variants), trained=comparison
    )


def _directions(labelled: LabelledGraph, every_direction: bool) -> Iterator[Direction]:
    """The direction mode of the graph, then the others if they are wanted."""
    yield labelled.direction
    if every_direction:
        yield from (mode for mode in DIRECTIONS if mode != labelled.direction)
