"""The ceiling above a model of links: the best that the test which bounds it allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wlkg.analysis.links.ceiling import RoundLinks, link_ceiling
from wlkg.progress import Progress

if TYPE_CHECKING:
    from wlkg.gnn.api import LinkTraining

#: Larger problems would be ranked for too long.
_MOST_TRIPLES = 3_000_000


def links_training_ceiling(
    training: LinkTraining, progress: Progress
) -> tuple[str, RoundLinks] | None:
    """The test, and its best scores after the layers of the model; None without test triples."""
    from wlkg.gnn.api import bound_of

    task = training.task
    if task.test is None or task.test.graph.num_triples > _MOST_TRIPLES:
        return None
    bound = bound_of(task.config, task.about.direction)
    rounds = task.config.layers + bound.later
    given = task.test.given
    result = link_ceiling(
        task.test.graph,
        given.ranked,
        given.known,
        [bound.test],
        bound.direction,
        rounds,
        limit=0,
        progress=progress,
    )
    (only,) = result.tests
    return bound.test, only.rounds[rounds - 1]
