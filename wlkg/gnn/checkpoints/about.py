"""Which graphs a saved model fits: relations, direction mode, features and atomic types."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.catalogue import Direction
from wlkg.display import Brief
from wlkg.gnn.features import CONSTANT, Features
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True)
class About(Brief):
    """Which graphs a model fits."""

    #: The names of the relations of the arcs, in the order of the model's parameters; none if the
    #: model does not look at relations.
    relations: tuple[str, ...]
    direction: Direction
    #: The kind of features, and the label of each column if they are one-hot labels.
    features: str = CONSTANT
    labels: tuple[str, ...] = ()
    #: k-RN: the names of the atomic types, in the order of their vectors.
    types: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        graph: RelationalGraph,
        features: Features,
        types: Sequence[str] = (),
        *,
        sees_relations: bool = True,
    ) -> About:
        """The description of a model that is made on this graph with these features."""
        return cls(
            relations=graph.arcs().relation_names if sees_relations else (),
            direction=graph.direction,
            features=features.kind,
            labels=features.labels,
            types=tuple(types),
        )
