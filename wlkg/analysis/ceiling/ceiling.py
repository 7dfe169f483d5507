"""The best that any model bounded by a WL test can do on given labels.

A model bounded by a test has features that are constant on the classes of round t after t layers,
so it predicts one label per class. For each round t and each split of the targets:

===========  ====================================================================================
ceiling      the best score of any choice of one label per class (`scores`, `macro_f1`), as if the
             labels of the split were known: no model of t layers is better
fitted       the most frequent training label of each class, scored on the test targets; a class
             without training targets takes the label of its class one round earlier, and so on
             down to the most frequent label of all
collisions   the targets that share their last class with one of another label
===========  ====================================================================================

Ties go to the first label in canonical order. Only rounds that split a class of targets are
computed, at most one less than there are targets; each costs a sort of the targets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from wlkg.analysis.ceiling.collisions import Collisions, find_collisions
from wlkg.analysis.ceiling.graphs import graph_history
from wlkg.analysis.ceiling.rounds import (
    Labelled,
    RoundCeiling,
    Score,
    best_scores,
    every_round,
    fitted_scores,
    steps,
)
from wlkg.catalogue import DEFAULT_TEST, Direction
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import Targets
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement

SPLITS = ("train", "test")
#: So many colliding classes are listed where nothing else is asked for.
LIMIT = 20


@dataclass(frozen=True)
class SplitCeiling:
    """The ceilings of a split at rounds 0, 1, ..."""

    split: str
    rounds: tuple[RoundCeiling, ...]
    #: Targets that the graph does not have.
    missing: tuple[str, ...]

    @property
    def last(self) -> RoundCeiling:
        return self.rounds[-1]


@dataclass(frozen=True)
class Ceiling:
    """What no model bounded by a test can exceed."""

    test: str
    direction: Direction
    #: Whether more rounds would change nothing, and whether that was proved without hashing.
    stable: bool
    exact: bool
    #: The labels in canonical order.
    labels: tuple[str, ...]
    #: Train, and test if there are held-out targets.
    splits: tuple[SplitCeiling, ...]
    #: For each round, what the labels of train give on test; None without held-out targets.
    fitted: tuple[Score, ...] | None
    #: How many targets are in both splits.
    in_both: int
    collisions: Collisions

    @property
    def rounds(self) -> int:
        """The last round."""
        return len(self.splits[0].rounds) - 1


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
    progress: Progress = SILENT,
) -> Ceiling:
    """The ceilings of labels of the vertices of a graph, or of whole graphs.

    Targets are given by name, or as the places of vertices (or graphs); graphs without names are
    called #1, #2, ... ``limit`` is about the colliding classes that are listed.

    >>> import wlkg
    >>> c6 = wlkg.read("example:c6")
    >>> ceiling(c6, {"0": "red", "1": "red", "2": "blue"}).splits[0].last.correct
    2
    """
    subject: RelationalGraph | GraphCollection
    if isinstance(graph, RelationalGraph | GraphCollection):
        subject = graph
    else:
        subject = GraphCollection.numbered(graph)
    parts = [
        part if isinstance(part, Targets) else Targets.of(subject, part)
        for part in (targets, holdout)
        if part is not None
    ]
    options: dict[str, Any] = {"max_memory": max_memory, "progress": progress}
    if isinstance(subject, RelationalGraph):
        found = refine(subject, test, direction, rounds, **options)
        return _ceiling(found, found.vertices, parts, subject.vertex_names, limit, progress)
    blocks = [each.num_vertices for each in subject.graphs]
    found = refine(subject.union, test, direction, rounds, blocks=blocks, **options)
    return _ceiling(found, graph_history(found), parts, subject.names, limit, progress)


def _ceiling(
    found: Refinement,
    history: History,
    parts: Sequence[Targets],
    names: Sequence[str],
    limit: int | None,
    progress: Progress,
) -> Ceiling:
    for split, part in zip(SPLITS, parts, strict=False):
        if not len(part):
            raise UsageError(f"there is no target to {split} on")
    labelled = Labelled.of(parts)
    changes = list(steps(history, labelled.items, found.rounds))
    splits = []
    for split, part, place in zip(SPLITS, parts, labelled.places, strict=False):
        progress.start(f"{split} ceilings of {found.test}", len(changes), "rounds")
        scores = []
        for done, step in enumerate(changes, 1):
            scores.append(best_scores(step, labelled, place))
            progress.done(done)
        progress.finish()
        splits.append(SplitCeiling(split, tuple(every_round(scores, found.rounds)), part.missing))
    fitted = None
    if len(parts) > 1:
        fitted = tuple(every_round([*fitted_scores(changes, labelled)], found.rounds))
    last = history.partition(found.rounds).colours[labelled.items]
    return Ceiling(
        found.test,
        found.direction,
        found.stable,
        found.exact,
        labelled.names,
        tuple(splits),
        fitted,
        len(labelled.items) - len(np.unique(labelled.items)),
        find_collisions(last, labelled, names, SPLITS, limit),
    )
