"""The ceiling above a training: the best that the test which bounds the model allows.

It is taken over exactly the targets that were scored. Each seed trains on its own share of the
targets, so the highest of their ceilings is a bound for all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wlkg.catalogue import VertexTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets

if TYPE_CHECKING:
    from wlkg.gnn.bounds import Bound
    from wlkg.gnn.training.results import Training
    from wlkg.gnn.training.target_sets import TargetSets

#: Larger tasks would be refined for too long for a dashed line.
_MOST_TRIPLES = 3_000_000
#: Features of which a test sees as much as the model.
_SEEN_BY_TESTS = ("constant", "glorot", "labels")


def training_ceiling(graph: RelationalGraph, training: Training) -> dict[str, Any]:
    """``{"ceiling": ...}`` with the highest accuracies, or nothing if it is not known or cheap."""
    from wlkg.gnn.api import bound_of

    task, seeds = training.task, [result.seed for result in training.results]
    bound = bound_of(task.config, task.about.direction)
    is_cheap = graph.num_triples * len(seeds) <= _MOST_TRIPLES
    is_known = task.about.features in _SEEN_BY_TESTS and not task.left_out.relations
    if not (is_cheap and is_known and isinstance(find_test(bound.test), VertexTest)):
        return {}
    rounds = task.config.layers + bound.later
    found: dict[str, dict[str, Any]] = {}
    for seed in seeds:
        for split, score in _best(graph, task.sets, seed, bound, rounds).items():
            if split not in found or score["accuracy"] > found[split]["accuracy"]:
                found[split] = score
    return {"ceiling": {"test": bound.test, "round": rounds, "splits": found}}


def _best(
    graph: RelationalGraph, sets: TargetSets, seed: int, bound: Bound, rounds: int
) -> dict[str, dict[str, Any]]:
    """The best scores on the targets that one seed trains and tests on."""
    from wlkg.analysis.ceiling.ceiling import ceiling

    places = sets.split(seed).train.tolist()
    trained = Targets(
        sets.training.vertices[places], tuple(sets.training.labels[i] for i in places)
    )
    best = ceiling(graph, trained, sets.holdout, bound.test, bound.direction, rounds, limit=0)
    return {
        split.split: {
            "correct": split.last.correct,
            "total": split.last.total,
            "accuracy": split.last.accuracy,
        }
        for split in best.splits
    }
