"""What to do about the usual reasons for which a user's model fails on a graph.

| it fails with | the hint |
|---|---|
| matrices that do not fit the width of ``x`` | the input width is fixed: ``--dim`` |
| an index out of range | embeddings need ``num_nodes`` or ``num_relations`` |
| an unknown key | the types of ``HeteroData`` |
| anything, with inputs passed by position | the signatures that are accepted |
| rows that are not the vertices, pooled perhaps | return features of vertices |
"""

from __future__ import annotations

import re

from wlkg.errors import InputError
from wlkg.gnn.own_models.graph_inputs import GraphInput, edge_types
from wlkg.gnn.own_models.signatures import ACCEPTED, Way

_MATRICES = re.compile(r"mat1 and mat2 shapes cannot be multiplied \(\d+x(\d+) and (\d+)x\d+\)")
_SIZES = re.compile(r"size|shape|dimension", re.IGNORECASE)
_OUT_OF_RANGE = re.compile(r"out of (range|bounds)")
_MOST_TYPES = 5


def with_hint(error: InputError, way: Way, graph: GraphInput) -> InputError:
    """The same error with what to do about it, if that is known."""
    cause = error.__cause__
    if cause is None:
        return error
    hint = _hint(cause, way, graph)
    if not hint:
        return error
    hinted = InputError("\n  ".join([str(error), *hint]))
    hinted.__cause__ = cause
    return hinted


def _hint(cause: BaseException, way: Way, graph: GraphInput) -> list[str]:
    text = _text(cause)
    width = graph.x.shape[1]
    matrices = _MATRICES.search(text)
    if matrices and int(matrices[1]) == width:
        return [
            f"The model expects {matrices[2]} input features, and each vertex has {width}.",
            f"Use --dim {matrices[2]} with --features constant, or ask for in_channels",
        ]
    if isinstance(cause, IndexError | RuntimeError) and _OUT_OF_RANGE.search(text):
        return [
            f"There are {len(graph.x):,} vertices and {len(graph.relation_names):,} relations.",
            "Ask for num_nodes or num_relations where the model is made",
        ]
    if isinstance(cause, KeyError) and "x_dict" in way.by_name.values():
        return _types(graph)
    if isinstance(cause, RuntimeError | ValueError) and _SIZES.search(text) and str(width) in text:
        return [f"Each vertex has {width} input features: --dim sets that (--features constant)"]
    if way.by_position:
        passed = ", ".join(way.by_position)
        return [
            f"The inputs were passed by position: {passed}. By name, these are accepted:",
            *(f"  {line}" for line in ACCEPTED),
        ]
    return []


def _types(graph: GraphInput) -> list[str]:
    """The types of vertices and edges that a model of HeteroData gets."""
    types = edge_types(graph.relation_names)
    shown = ", ".join(map(str, types[:_MOST_TYPES]))
    more = f" and {len(types) - _MOST_TYPES:,} more" if len(types) > _MOST_TYPES else ""
    return [
        f"All vertices are of the type 'node', and the types of edges are {shown}{more}.",
        "Ask for metadata where the model is made",
    ]


def _text(cause: BaseException) -> str:
    try:
        return str(cause)
    except Exception:  # noqa: BLE001 - the class may be the user's own
        return ""
