"""The input of a k-RN: the atomic types of the k-tuples of a graph, and its arcs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine


@dataclass(frozen=True, eq=False)
class TupleInput:
    """A graph as a k-RN sees it: the atomic types of its tuples, and its arcs."""

    #: The number of the atomic type of each tuple, k axes of n vertices.
    types: Tensor
    source: Tensor
    neighbour: Tensor
    relation: Tensor

    @cached_property
    def degrees(self) -> Tensor:
        """For each arc of v with relation i, |N_i(v)|: what a mean divides by."""
        count = int(self.relation.max()) + 1 if len(self.relation) else 1
        _, position, sizes = torch.unique(
            self.source * count + self.relation, return_inverse=True, return_counts=True
        )
        degrees: Tensor = sizes[position]
        return degrees

    def to(self, device: torch.device) -> TupleInput:
        """The same input on a device."""
        return TupleInput(
            types=self.types.to(device),
            source=self.source.to(device),
            neighbour=self.neighbour.to(device),
            relation=self.relation.to(device),
        )


def tuple_inputs(
    graph: RelationalGraph,
    k: int,
    *,
    blocks: tuple[int, ...] | None = None,
    max_memory: int | None = None,
) -> list[TupleInput]:
    """The inputs of the graphs whose union this is; all share one numbering of types.

    ``blocks`` are the numbers of vertices of these graphs. By default there is one.
    """
    if k < 1:
        raise UsageError(f"k-RN needs tuples of at least 1 vertex, found k = {k}")
    sizes = (graph.num_vertices,) if blocks is None else blocks
    start = refine(graph, f"{k}-rlwl", rounds=0, blocks=sizes, max_memory=max_memory)
    arcs = graph.arcs()
    source = arcs.source
    inputs, first_tuple, first_vertex = [], 0, 0
    for n in sizes:
        types = start.partition.colours[first_tuple : first_tuple + n**k].reshape((n,) * k)
        here = (source >= first_vertex) & (source < first_vertex + n)
        neighbour = arcs.neighbour[here].astype(np.int64)
        inputs.append(
            TupleInput(
                types=torch.from_numpy(types.astype(np.int64)),
                source=torch.from_numpy(source[here] - first_vertex),
                neighbour=torch.from_numpy(neighbour - first_vertex),
                relation=torch.from_numpy(arcs.relation[here].astype(np.int64)),
            )
        )
        first_tuple += n**k
        first_vertex += n
    return inputs


def type_names(tuples: TupleInput, starts: Sequence[str], relations: Sequence[str]) -> list[str]:
    """A name for each atomic type that means the same in every graph.

    It lists the initial classes of the vertices, which of them are equal, and the relations between
    them. ``starts`` names the initial class of each vertex, ``relations`` the arcs' relations.
    """
    k, n = tuples.types.dim(), tuples.types.shape[0]
    _, first = np.unique(tuples.types.numpy(), return_index=True)
    members = np.stack(np.unravel_index(first, (n,) * k), axis=1)
    between = np.unique(members[:, :, None] * n + members[:, None, :])
    keys = (tuples.source * n + tuples.neighbour).numpy()
    wanted = np.isin(keys, between)
    relations_of: dict[int, list[str]] = {}
    for key, relation in zip(keys[wanted].tolist(), tuples.relation[wanted].tolist(), strict=True):
        relations_of.setdefault(key, []).append(relations[relation])
    names = []
    for vertices in members.tolist():
        joined = [
            [a, b, sorted(relations_of[v * n + w])]
            for a, v in enumerate(vertices)
            for b, w in enumerate(vertices)
            if v * n + w in relations_of
        ]
        equal = [vertices.index(v) for v in vertices]
        names.append(json.dumps([[starts[v] for v in vertices], equal, joined]))
    return names
