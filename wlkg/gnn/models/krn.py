"""k-RN: the paper's local k-order relational network.

    h_t' = sigma(h_t W_0 + sum_j (sum_i sum_{w in N_i(v_j)} phi(h_{t[j := w]}, z_i)) W_j)

for k-tuples t = (v_1, ..., v_k), where t[j := w] has w in place of v_j. AGG is a sum and a matrix
W_j for each position, UPD the non-linearity over their sum. Features start with a vector for each
atomic type. Features of all tuples are one tensor with k axes of n vertices and one of features,
so a position is aggregated by adding slices of that tensor along its axis: O(k m n^(k-1))
additions.

======================  ===================================================================
in the paper            here
======================  ===================================================================
RO, graph level         the sum over all tuples, through an MLP (`GraphReadout`)
vertex level            the sum over the tuples that begin with v, and (v, ..., v)
======================  ===================================================================
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from wlkg.catalogue import Direction
from wlkg.errors import UsageError
from wlkg.gnn.models.relation_vectors import ComposingLayer, random_matrix
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine


@dataclass(frozen=True, eq=False)
class TupleInput:
    """A graph as a k-RN sees it: atomic types of its tuples, and its arcs."""

    #: The number of the atomic type of each tuple, k axes of n vertices.
    types: Tensor
    source: Tensor
    neighbour: Tensor
    relation: Tensor

    def to(self, device: torch.device) -> TupleInput:
        """The same on a device."""
        tensors = (self.types, self.source, self.neighbour, self.relation)
        return TupleInput(*(t.to(device) for t in tensors))


def tuple_inputs(
    graph: RelationalGraph,
    k: int,
    *,
    blocks: tuple[int, ...] | None = None,
    direction: Direction | None = None,
    max_memory: int | None = None,
) -> list[TupleInput]:
    """The inputs of the graphs that make up this one, with one numbering of types for all."""
    if k < 2:
        raise UsageError(f"k-RN needs tuples of at least 2 vertices, found k = {k}")
    mode = graph.direction if direction is None else direction
    sizes = (graph.num_vertices,) if blocks is None else blocks
    start = refine(graph, f"{k}-rlwl", mode, rounds=0, blocks=sizes, max_memory=max_memory)
    arcs = graph.arcs(mode)
    source = arcs.source
    inputs, first, low = [], 0, 0
    for n in sizes:
        types = start.partition.colours[first : first + n**k].reshape((n,) * k)
        here = (source >= low) & (source < low + n)
        ends = (source[here] - low, arcs.neighbour[here].astype(np.int64) - low)
        columns = (types.astype(np.int64), *ends, arcs.relation[here].astype(np.int64))
        inputs.append(TupleInput(*(torch.from_numpy(column) for column in columns)))
        first += n**k
        low += n
    return inputs


def type_names(tuples: TupleInput, starts: Sequence[str], relations: Sequence[str]) -> list[str]:
    """The atomic types in words that mean the same in every graph.

    ``starts`` names what each vertex starts with, ``relations`` the relations of the arcs.
    """
    k, n = tuples.types.dim(), tuples.types.shape[0]
    _, first = np.unique(tuples.types.numpy(), return_index=True)
    members = np.stack(np.unravel_index(first, (n,) * k), axis=1)
    between = np.unique(members[:, :, None] * n + members[:, None, :])
    keys = (tuples.source * n + tuples.neighbour).numpy()
    wanted = np.isin(keys, between)
    seen: dict[int, list[str]] = {}
    for key, relation in zip(keys[wanted].tolist(), tuples.relation[wanted].tolist(), strict=True):
        seen.setdefault(key, []).append(relations[relation])
    names = []
    for vertices in members.tolist():
        joined = [
            [a, b, sorted(seen[v * n + w])]
            for a, v in enumerate(vertices)
            for b, w in enumerate(vertices)
            if v * n + w in seen
        ]
        equal = [vertices.index(v) for v in vertices]
        names.append(json.dumps([[starts[v] for v in vertices], equal, joined]))
    return names


class KRNLayer(ComposingLayer):
    """One layer without its non-linearity; ``k`` matrices, one for each position."""

    def __init__(
        self,
        in_width: int,
        out_width: int,
        k: int,
        *,
        composition: str = "mult",
        bias: bool = False,
        next_relation_width: int | None = None,
        own_vectors: int | None = None,
    ) -> None:
        super().__init__(
            in_width,
            out_width,
            composition=composition,
            bias=bias,
            next_relation_width=next_relation_width,
            own_vectors=own_vectors,
        )
        self.root = random_matrix(in_width, out_width)
        self.weight = nn.ParameterList(
            [random_matrix(self.compose.out_width, out_width) for _ in range(k)]
        )

    def forward(
        self, h: Tensor, z: Tensor | None, graph: TupleInput
    ) -> tuple[Tensor, Tensor | None]:
        """New features of all tuples and of the relations."""
        out = h @ self.root
        vectors = self.relations(z).index_select(0, graph.relation)
        for j, weight in enumerate(self.weight):
            neighbours = h.index_select(j, graph.neighbour)
            shape = [1] * h.dim()
            shape[j], shape[-1] = vectors.shape
            messages = self.compose(neighbours, vectors.reshape(shape))
            sums = messages.new_zeros((*h.shape[:-1], messages.shape[-1]))
            out = out + sums.index_add(j, graph.source, messages) @ weight
        if self.bias is not None:
            out = out + self.bias
        return out, self.following(z)


def vertex_features(h: Tensor) -> Tensor:
    """For each vertex, (v, ..., v) beside the sum over the tuples that begin with v."""
    k = h.dim() - 1
    index = torch.arange(h.shape[0], device=h.device)
    return torch.cat([h[(index,) * k], h.sum(dim=tuple(range(1, k)))], dim=1)


class GraphReadout(nn.Module):
    """A vector for a graph: an MLP over the sum of the features of all tuples."""

    def __init__(self, width: int, out_width: int) -> None:
        super().__init__()
        self.mlp = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, out_width))

    def forward(self, h: Tensor) -> Tensor:
        """The vector of the graph whose tuples have these features."""
        out: Tensor = self.mlp(h.reshape(-1, h.shape[-1]).sum(dim=0))
        return out
