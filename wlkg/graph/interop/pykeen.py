"""PyKEEN's ``TriplesFactory``: rows of ids with the names of entities and relations.

Reading neither imports PyKEEN nor torch: a factory is whatever has ``mapped_triples`` and, for the
names, ``entity_to_id`` and ``relation_to_id``. A factory that creates inverse triples does so
when it is asked for instances; ``mapped_triples`` has none, and direction mode ``both`` adds them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from wlkg.errors import GraphError, MissingExtraError

if TYPE_CHECKING:
    from wlkg.arrays import IntArray
    from wlkg.graph.relational_graph import RelationalGraph


def pykeen_arrays(factory: Any) -> dict[str, Any]:
    """The arguments of `RelationalGraph.from_arrays` for this factory."""
    rows = _rows(factory)
    entities = getattr(factory, "entity_to_id", None)
    relations = getattr(factory, "relation_to_id", None)
    arrays: dict[str, Any] = {"head": rows[:, 0], "relation": rows[:, 1], "tail": rows[:, 2]}
    if entities is None:
        arrays["num_vertices"] = getattr(factory, "num_entities", None)
    else:
        arrays["vertex_names"] = _names(entities, "entity_to_id")
    if relations is not None:
        arrays["relation_names"] = _names(relations, "relation_to_id")
    return arrays


def _rows(factory: Any) -> IntArray:
    mapped = getattr(factory, "mapped_triples", None)
    if mapped is None:
        raise GraphError(
            f"expected a PyKEEN factory with mapped_triples, found {type(factory).__name__}"
        )
    rows = np.asarray(mapped.detach().cpu() if hasattr(mapped, "detach") else mapped)
    if rows.ndim != 2 or rows.shape[1] != 3:
        raise GraphError(f"mapped_triples must have three columns, found the shape {rows.shape}")
    return rows


def _names(ids: Mapping[Any, int], what: str) -> list[str]:
    """The names in the order of their ids, which must be 0, 1, 2, ..."""
    names = [str(name) for name, _ in sorted(ids.items(), key=lambda item: item[1])]
    if sorted(ids.values()) != list(range(len(ids))):
        raise GraphError(f"{what} must number its names 0, 1, 2, ... without gaps")
    return names


def to_pykeen(graph: RelationalGraph) -> Any:
    """A ``TriplesFactory`` with the same ids; undirected edges become triples in both directions.

    Labels are left out: PyKEEN has none.
    """
    try:
        import torch
        from pykeen.triples import TriplesFactory
    except ImportError as error:
        raise MissingExtraError("converting to PyKEEN", package="pykeen") from error
    source = graph.both_ways() if graph.direction == "undirected" else graph
    rows = np.stack([source.head, source.relation, source.tail], axis=1).astype(np.int64)
    return TriplesFactory(
        mapped_triples=torch.from_numpy(rows),
        entity_to_id={name: i for i, name in enumerate(source.vertex_names)},
        relation_to_id={name: i for i, name in enumerate(source.relation_names)},
    )
