"""CompGCN.

    h_v' = sigma(h_v W_0 + sum_i sum_{w in N_i(v)} phi(h_w, z_i) W_1)                        plain
    h_v' = sigma(phi(h_v, z_loop) W_loop
                 + sum_{d in {out, in}} sum_i sum_{w in N_i^d(v)} phi(h_w, z_i) / c_{v,w} W_d)  full
    z_i' = z_i W_rel + b_rel                                                        relation update

The paper's experiments use the full layer: three directions with a matrix each, self-loops composed
with their own vector z_loop, messages divided by c_{v,w} = sqrt(|N_i^d(v)| |N_i^d(w)|). Direction,
norm and relation update can each be switched off (the paper's -dir, -norm, -rp). Without direction
the layer is the plain one, whose messages may still be normalised.

Difference from the paper: in place of |N_i^d(w)| the norm counts the vertices that have w as such a
neighbour. That number is never 0, and it equals |N_i^d(w)| if the relation is symmetric. The norm
is part of the weights of the messages (see `plan`).
"""

from __future__ import annotations

from torch import Tensor, nn

from wlkg.gnn.models.parameters import random_matrix
from wlkg.gnn.models.relation_vectors import ComposingLayer
from wlkg.gnn.models.step import Step


class CompGCNLayer(ComposingLayer):
    """One layer without its non-linearity.

    Relations from ``outward`` on are inverse relations; with ``direction`` they have their own
    matrix.
    """

    def __init__(
        self,
        in_width: int,
        out_width: int,
        relations: int,
        *,
        outward: int | None = None,
        composition: str = "mult",
        direction: bool = True,
        bias: bool = False,
        next_relation_width: int | None = None,
        own_vectors: bool = False,
    ) -> None:
        super().__init__(
            in_width,
            out_width,
            composition=composition,
            bias=bias,
            next_relation_width=next_relation_width,
            own_vectors=relations if own_vectors else None,
        )
        split = direction and outward is not None and outward < relations
        self._outward = outward if split and outward is not None else relations
        composed = self.compose.out_width
        self.root = random_matrix(composed if direction else in_width, out_width)
        self.weight = nn.ParameterList(
            [random_matrix(composed, out_width) for _ in range(2 if split else 1)]
        )
        self.loop = random_matrix(1, self.compose.relation_width) if direction else None

    def direction_of(self, relation: int) -> int:
        """The number of the matrix that a relation uses."""
        return 1 if relation >= self._outward else 0

    def forward(
        self, x: Tensor, z: Tensor | None, edge_index: Tensor, edge_type: Tensor
    ) -> tuple[Tensor, Tensor | None]:
        """New features of all vertices, and the next relation vectors; edges in PyG's format."""
        return self.step(x, z, Step.whole(edge_index, edge_type, len(x)))

    def step(self, x: Tensor, z: Tensor | None, step: Step) -> tuple[Tensor, Tensor | None]:
        """New features of the targets of a step, and the next relation vectors."""
        own = x.index_select(0, step.own)
        out = (own if self.loop is None else self.compose(own, self.loop)) @ self.root
        pairs = step.source_pairs
        vectors = self.relations(z).index_select(0, pairs.relation)
        composed = self.compose(x.index_select(0, pairs.row), vectors)
        sums = step.sum_source_pairs(composed, self._outward, len(self.weight))
        for number, weight in enumerate(self.weight):
            out = out + sums[number * step.num_targets :][: step.num_targets] @ weight
        if self.bias is not None:
            out = out + self.bias
        return out, self.following(z)
