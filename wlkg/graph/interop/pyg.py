"""PyTorch Geometric: ``Data`` with ``edge_index`` and ``edge_type``, and ``HeteroData``.

An edge (u, v) of PyG sends a message from u to v; it is read as the triple (u, i, v). Reading
does not import torch: tensors convert themselves to NumPy arrays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from wlkg.catalogue import Direction
from wlkg.errors import GraphError, MissingExtraError

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph


def pyg_arrays(data: Any) -> dict[str, Any]:
    """The arguments of `RelationalGraph.from_arrays` for this data object."""
    if hasattr(data, "edge_types") and hasattr(data, "node_types"):
        return _hetero_arrays(data)
    index = getattr(data, "edge_index", None)
    head, tail = _ends(index, "edge_index")
    types = getattr(data, "edge_type", None)
    relation = np.zeros(len(head), dtype=np.int64) if types is None else _array(types)
    arrays: dict[str, Any] = {"head": head, "relation": relation, "tail": tail}
    arrays |= {
        key: list(data[key])
        for key in ("vertex_names", "relation_names", "label_names")
        if key in data
    }
    if "vertex_names" not in arrays:
        arrays["num_vertices"] = _count(data, "the data object")
    if "label_names" in arrays:
        arrays["labels"] = _array(data.label)
    if "direction" in data:
        arrays["direction"] = data.direction
    return arrays


def _hetero_arrays(data: Any) -> dict[str, Any]:
    """Vertices are called ``type/number``, labelled by type; relations ``source/name/target``."""
    shift: dict[str, int] = {}
    vertex_names: list[str] = []
    labels: list[int] = []
    for number, node_type in enumerate(data.node_types):
        count = _count(data[node_type], f"node type {node_type!r}")
        shift[node_type] = len(vertex_names)
        vertex_names += [f"{node_type}/{i}" for i in range(count)]
        labels += [number] * count
    heads, relations, tails = [], [], []
    for number, (source, name, target) in enumerate(data.edge_types):
        head, tail = _ends(
            getattr(data[source, name, target], "edge_index", None), f"{source}/{name}/{target}"
        )
        heads.append(head + shift[source])
        tails.append(tail + shift[target])
        relations.append(np.full(len(head), number, dtype=np.int64))
    empty = [np.zeros(0, dtype=np.int64)]
    return {
        "head": np.concatenate(heads or empty),
        "relation": np.concatenate(relations or empty),
        "tail": np.concatenate(tails or empty),
        "vertex_names": vertex_names,
        "relation_names": ["/".join(edge_type) for edge_type in data.edge_types],
        "labels": labels,
        "label_names": list(data.node_types),
    }


def _count(data: Any, what: str) -> int:
    if data.num_nodes is None:
        raise GraphError(f"{what} does not say how many vertices it has. Set num_nodes")
    return int(data.num_nodes)


def _ends(index: Any, what: str) -> tuple[Any, Any]:
    if index is None or index.ndim != 2 or len(index) != 2:
        content = "nothing" if index is None else f"the shape {tuple(index.shape)}"
        raise GraphError(f"{what} must have two rows of vertex numbers, found {content}")
    head, tail = _array(index)
    return head, tail


def _array(tensor: Any) -> Any:
    return tensor.detach().cpu().numpy()


def to_pyg(graph: RelationalGraph, direction: Direction | None) -> Any:
    """A ``Data`` with one edge per triple or, if a direction mode is given, one per arc.

    For an arc (v, i, u), "u is in N_i(v)", the message goes from u to v, so the edge is (u, v).
    """
    try:
        import torch
        from torch_geometric.data import Data
    except ImportError as error:
        raise MissingExtraError("converting to PyTorch Geometric", "gnn") from error
    if direction is None:
        source, relation, target = graph.head, graph.relation, graph.tail
        relation_names = graph.relation_names
    else:
        arcs = graph.arcs(direction)
        source, relation, relation_names = arcs.neighbour, arcs.relation, arcs.relation_names
        target = arcs.source
    data = Data(
        edge_index=torch.from_numpy(np.stack([source, target]).astype(np.int64)),
        edge_type=torch.from_numpy(relation.astype(np.int64)),
        num_nodes=graph.num_vertices,
    )
    data.vertex_names = list(graph.vertex_names)
    data.relation_names = list(relation_names)
    data.direction = graph.direction if direction is None else "in"
    if graph.labels is not None:
        data.label = torch.from_numpy(graph.labels.astype(np.int64))
        data.label_names = list(graph.label_names)
    return data
