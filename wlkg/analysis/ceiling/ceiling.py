"""The best scores that any model bounded by a WL test can reach on given labels.

After t layers, the features of such a model are constant on the classes of round t, so it predicts
one label per class. For each round t and each split of the targets:

===========  ====================================================================================
ceiling      the best score of any choice of one label per class (`scores`, `macro_f1`), as if the
             labels of the split were known: no model with t layers scores higher
fitted       the most frequent training label of each class, scored on the test targets; a class
             without training targets takes the label of its class one round earlier, and so on
             down to the most frequent label of all
collisions   the targets that share their last class with a target of another label
===========  ====================================================================================

Ties go to the first label in canonical order. Only rounds that split a class of targets are
computed, fewer than there are targets; each costs a sort of the targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from wlkg.analysis.ceiling.collisions import Collisions, find_collisions
from wlkg.analysis.ceiling.graphs import graph_history
from wlkg.analysis.ceiling.rounds import (
    LabelledItems,
    RoundCeiling,
    Score,
    Step,
    best_scores,
    every_round,
    fitted_scores,
    steps,
)
from wlkg.catalogue import DEFAULT_TEST, Direction
from wlkg.display import Brief, Displayed
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.errors import UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import Targets
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement

SPLITS = ("train", "test")
#: The most colliding classes that are listed by default.
LIMIT = 20


@dataclass(frozen=True)
class SplitCeiling(Brief):
    """The ceilings of a split at rounds 0, 1, ..."""

    split: str
    rounds: tuple[RoundCeiling, ...]
    #: Targets that the graph does not have.
    missing: tuple[str, ...]

    @property
    def last(self) -> RoundCeiling:
        return self.rounds[-1]


@dataclass(frozen=True)
class Ceiling(Displayed):
    """What no model bounded by a test can exceed."""

    test: str
    direction: Direction
    #: Whether more rounds would change nothing, and whether this was proved without hashing.
    stable: bool
    exact: bool
    #: The labels in canonical order.
    labels: tuple[str, ...]
    #: Train, and test if there are held-out targets.
    splits: tuple[SplitCeiling, ...]
    #: For each round, the score of the training labels on test; None without held-out targets.
    fitted: tuple[Score, ...] | None
    #: The number of targets that are in both splits.
    in_both: int
    collisions: Collisions
    #: Whether the targets are whole graphs, not vertices.
    of_graphs: bool

    @property
    def rounds(self) -> int:
        """The last round."""
        return len(self.splits[0].rounds) - 1


@dataclass(frozen=True, eq=False)
class _Colouring:
    """A run of a test, seen as partitions of the items that may have labels."""

    refinement: Refinement
    #: The partitions of the items: the vertices of a graph, or graphs.
    history: History
    names: Sequence[str]
    of_graphs: bool


def ceiling(
    graph: RelationalGraph | GraphCollection | Sequence[RelationalGraph],
    targets: Targets | Mapping[str, str],
    holdout: Targets | Mapping[str, str] | None = None,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    rounds: int | None = None,
    *,
    limit: int | None = LIMIT,
    max_memory: int | None = None,
    engine: EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> Ceiling:
    """The ceilings of labels of the vertices of a graph, or of whole graphs.

    Targets are given by name, or by the numbers of vertices (or graphs); graphs without names are
    called #1, #2, ... ``limit`` is the most colliding classes to list.

    >>> import wlkg
    >>> c6 = wlkg.read("example:c6")
    >>> ceiling(c6, {"0": "red", "1": "red", "2": "blue"}).splits[0].last.correct
    2
    """
    subject: RelationalGraph | GraphCollection
    if isinstance(graph, RelationalGraph | GraphCollection):
        subject = graph
    else:
        is_list = isinstance(graph, Sequence) and not isinstance(graph, str)
        require_graphs(*(graph if is_list else (graph,)))
        subject = GraphCollection.numbered(graph)
    parts = [
        part if isinstance(part, Targets) else Targets.of(subject, part)
        for part in (targets, holdout)
        if part is not None
    ]
    run = partial(
        refine,
        test=test,
        rounds=rounds,
        max_memory=max_memory,
        engine=engine,
        progress=progress,
    )
    if isinstance(subject, RelationalGraph):
        refinement = run(subject.with_direction(direction))
        colouring = _Colouring(
            refinement, refinement.vertices, subject.vertex_names, of_graphs=False
        )
    else:
        sizes = [each.num_vertices for each in subject.graphs]
        refinement = run(subject.union.with_direction(direction), blocks=sizes)
        colouring = _Colouring(
            refinement,
            graph_history(refinement, max_memory=max_memory),
            subject.names,
            of_graphs=True,
        )
    return _ceiling(colouring, parts, limit, progress)


def _ceiling(
    colouring: _Colouring, parts: Sequence[Targets], limit: int | None, progress: Progress
) -> Ceiling:
    for split, part in zip(SPLITS, parts, strict=False):
        if not len(part):
            raise UsageError(f"there is no target to {split} on")
    refinement, history = colouring.refinement, colouring.history
    labelled = LabelledItems.of(parts)
    all_steps = list(steps(history, labelled.items, refinement.rounds))
    splits = []
    for split, part, place in zip(SPLITS, parts, labelled.places, strict=False):
        progress.start(f"{split} ceilings of {refinement.test}", len(all_steps), "rounds")
        scores = _scores(all_steps, labelled, place, progress)
        progress.finish()
        splits.append(
            SplitCeiling(
                split=split,
                rounds=tuple(every_round(scores, refinement.rounds)),
                missing=part.missing,
            )
        )
    fitted = None
    if len(parts) > 1:
        fitted_steps = list(fitted_scores(all_steps, labelled))
        fitted = tuple(every_round(fitted_steps, refinement.rounds))
    last_classes = history.partition(refinement.rounds).colours[labelled.items]
    return Ceiling(
        test=refinement.test,
        direction=refinement.direction,
        stable=refinement.stable,
        exact=refinement.exact,
        labels=labelled.names,
        splits=tuple(splits),
        fitted=fitted,
        in_both=len(labelled.items) - len(np.unique(labelled.items)),
        collisions=find_collisions(
            last_classes, labelled, names=colouring.names, splits=SPLITS, limit=limit
        ),
        of_graphs=colouring.of_graphs,
    )


def _scores(
    all_steps: Sequence[Step], labelled: LabelledItems, place: slice, progress: Progress
) -> list[RoundCeiling]:
    scores = []
    for done, step in enumerate(all_steps, 1):
        scores.append(best_scores(step, labelled, place))
        progress.done(done)
    return scores
