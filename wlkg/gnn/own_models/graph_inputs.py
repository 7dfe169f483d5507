"""The inputs that a model may ask for, made from one graph.

| parameter | what it gets |
|---|---|
| ``x`` | the features of the vertices, a row each |
| ``edge_index`` | the arcs in PyG's format: row 0 sends, row 1 receives |
| ``edge_type`` | the number of the relation of each arc |
| ``edge_attr`` | the same one-hot: a column for each relation |
| ``edge_weight`` | ones |
| ``batch``, ``node_type`` | zeros: one graph, one type of vertices |
| ``node_ids`` | 0, 1, 2, ...: for embeddings of vertices |
| ``num_nodes`` | the number of vertices |
| ``source``, ``query`` | models of pairs: a vertex and the number of a query, of length 1 |
| ``x_dict``, ``edge_index_dict`` | as in ``HeteroData``: all vertices have the type ``node``, |
| | and each relation is an edge type ``("node", relation, "node")`` |
| ``data`` | a ``torch_geometric.data.Data`` with all of it, or a ``HeteroData`` |

Names of relations in edge types are identifiers made from the relations' own names, because PyG
turns them into names of submodules: ``http://example.org/knows`` becomes ``knows``, and its inverse
``rev_knows``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from wlkg.errors import UsageError
from wlkg.memory import check_fits

#: The only type of vertices: labels are features.
NODE = "node"
_INVERSE = "^-1"
EdgeType = tuple[str, str, str]


def edge_types(relation_names: Sequence[str]) -> list[EdgeType]:
    """The edge type of each relation; names that become equal get numbers."""
    taken: set[str] = set()
    types = []
    for name in relation_names:
        short = _identifier(name)
        chosen, number = short, 1
        while chosen in taken:
            number += 1
            chosen = f"{short}_{number}"
        taken.add(chosen)
        types.append((NODE, chosen, NODE))
    return types


def _identifier(name: str) -> str:
    forward = name.removesuffix(_INVERSE)
    local = re.split(r"[/#:]", forward.strip("<>").rstrip("/#:"))[-1]
    plain = re.sub(r"\W+", "_", local, flags=re.ASCII).strip("_") or "relation"
    return plain if forward == name else f"rev_{plain}"


@dataclass(frozen=True, eq=False)
class GraphInput:
    """A graph as tensors, and everything that is made from them."""

    x: Tensor
    edge_index: Tensor
    edge_type: Tensor
    relation_names: tuple[str, ...]
    max_memory: int | None = None
    #: For models of pairs: the sources, and their queries.
    source: Tensor | None = None
    query: Tensor | None = None

    def cloned(self) -> GraphInput:
        """A copy, which protects the tensors from models that work in place."""
        x, edge_index, edge_type = self.x.clone(), self.edge_index.clone(), self.edge_type.clone()
        return replace(self, x=x, edge_index=edge_index, edge_type=edge_type)

    @cached_property
    def edge_attr(self) -> Tensor:
        arcs, relations = len(self.edge_type), len(self.relation_names)
        check_fits(
            "edge_attr, one-hot relations,",
            f"{arcs:,} rows and {relations:,} columns",
            arcs * relations * (8 + self.x.element_size()),
            self.max_memory,
            "let the model take edge_type",
        )
        return torch.nn.functional.one_hot(self.edge_type, relations).to(self.x.dtype)

    @cached_property
    def edge_index_dict(self) -> dict[EdgeType, Tensor]:
        types = edge_types(self.relation_names)
        return {
            name: self.edge_index[:, self.edge_type == number] for number, name in enumerate(types)
        }

    @property
    def x_dict(self) -> dict[str, Tensor]:
        return {NODE: self.x}

    @property
    def zeros(self) -> Tensor:
        return torch.zeros(len(self.x), dtype=torch.long, device=self.x.device)

    def data(self, *, with_attr: bool) -> Any:
        """A ``Data``; one-hot relations are large, and only made on demand."""
        from torch_geometric.data import Data

        made = Data(x=self.x, edge_index=self.edge_index, edge_type=self.edge_type)
        made.num_nodes = len(self.x)
        if with_attr:
            made.edge_attr = self.edge_attr
        return made

    def hetero_data(self) -> Any:
        from torch_geometric.data import HeteroData

        made = HeteroData()
        made[NODE].x = self.x
        for name, arcs in self.edge_index_dict.items():
            made[name].edge_index = arcs
        return made


def _of_pairs(given: Tensor | None) -> Tensor:
    """A source or its query, in a tensor of its own."""
    if given is None:
        raise UsageError(
            "the model asks for a source or a query: it gives features to pairs of a source and a"
            " vertex, and not to vertices. wlkg versus --module takes such a model if its forward"
            " has both (edge_index, edge_type, source, query)"
        )
    return given.clone()


#: For each kind of input, how it is made.
MAKE: dict[str, Callable[[GraphInput], Any]] = {
    "x": lambda graph: graph.x,
    "edge_index": lambda graph: graph.edge_index,
    "edge_type": lambda graph: graph.edge_type,
    "edge_attr": lambda graph: graph.edge_attr,
    "source": lambda graph: _of_pairs(graph.source),
    "query": lambda graph: _of_pairs(graph.query),
    "edge_weight": lambda graph: graph.x.new_ones(len(graph.edge_type)),
    "batch": lambda graph: graph.zeros,
    "node_type": lambda graph: graph.zeros,
    "node_ids": lambda graph: torch.arange(len(graph.x), device=graph.x.device),
    "num_nodes": lambda graph: len(graph.x),
    "x_dict": lambda graph: graph.x_dict,
    "edge_index_dict": lambda graph: graph.edge_index_dict,
    "data": lambda graph: graph.data(with_attr=False),
    "data with edge_attr": lambda graph: graph.data(with_attr=True),
    "hetero data": lambda graph: graph.hetero_data(),
}


def in_one_table(features: Any) -> Any:
    """What a model of ``HeteroData`` returns for its one type of vertices; anything else as is.

    A type that receives no messages may be left out, or be None: then nothing is known about it.
    """
    return features[NODE] if isinstance(features, dict) and NODE in features else features
