"""How many classes models of each width really tell apart, with random weights.

No width changes a bound, but a narrow model may not reach it: its features are few numbers. This is
measured before training, on the whole graph, for experiments with several widths.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from wlkg.gnn.config import LARGE
from wlkg.studies.dataset import Dataset
from wlkg.studies.study import Study


@dataclass(frozen=True)
class ReachedClasses:
    """The classes of a random model after its last layer, beside those of the bound."""

    model: str
    width: int
    classes: int
    #: The classes of the round that bounds the last layer.
    bound: int


def find_reached(study: Study, dataset: Dataset) -> Iterator[ReachedClasses]:
    """Run every model with random weights at every width; large graphs are left out."""
    from wlkg.gnn.api import OwnVersus, versus

    if dataset.graph.num_vertices >= LARGE:
        return
    for experiment in study.experiments:
        if len(experiment.widths) < 2:
            continue
        for model, width in experiment.cells():
            if model.choice.model == "k-rn":  # colours tuples, not vertices
                continue
            result = versus(dataset.graph, replace(model.choice, width=width), draws=1)
            assert not isinstance(result, OwnVersus)
            last = result.layers[-1]
            yield ReachedClasses(model.name, width, last.model_classes, last.wl_classes)
