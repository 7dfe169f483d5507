"""What the layers of CompGCN and k-RN have in common: a composition with relation vectors.

The vectors z_i come from the previous layer, which transforms them linearly (z_i' = z_i W_rel +
b_rel), or belong to the layer itself, as in the paper's formulas.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.composition_maps import Compose, check_width
from wlkg.gnn.models.parameters import random_matrix


class ComposingLayer(nn.Module):
    """The composition of a layer, its bias, and its relation vectors or their update."""

    def __init__(
        self,
        in_width: int,
        out_width: int,
        *,
        composition: str = "mult",
        bias: bool = False,
        next_relation_width: int | None = None,
        own_vectors: int | None = None,
    ) -> None:
        """``own_vectors`` is the number of relations if the layer has its own vectors for them.

        ``next_relation_width`` is the width of the vectors for the next layer; None passes them on
        unchanged.
        """
        super().__init__()
        self.compose = Compose(composition, in_width)
        width = self.compose.relation_width
        self.vectors = None if own_vectors is None else random_matrix(own_vectors, width)
        self.bias = nn.Parameter(torch.zeros(out_width)) if bias else None
        self.relation_map: nn.Linear | None = None
        if next_relation_width is not None:
            self.relation_map = nn.Linear(width, next_relation_width)

    def relations(self, z: Tensor | None) -> Tensor:
        """The vectors that this layer composes with: its own, or those of the previous layer."""
        vectors = z if self.vectors is None else self.vectors
        assert vectors is not None
        return vectors

    def following(self, z: Tensor | None) -> Tensor | None:
        """The vectors for the next layer."""
        return z if self.relation_map is None else self.relation_map(z)


def relation_parameters(config: ModelConfig) -> tuple[nn.Parameter | None, list[int | None]]:
    """The relation vectors of the first layer, and the width to which each layer maps them.

    The last layer maps them as well, to their own width, although nothing uses the result: this
    gives the paper's number of parameters. There are neither vectors nor maps if each layer has its
    own vectors.
    """
    _check_widths(config)
    if config.own_vectors:
        return None, [None] * config.layers
    composition = find_composition(config.composition)
    widths = [composition.relation_width(width) for width in config.widths[:-1]]
    next_widths: list[int | None] = [*widths[1:], widths[-1]]
    if not config.relation_update:
        # Vectors are mapped only where the width changes.
        next_widths = [b if a != b else None for a, b in zip(widths, next_widths, strict=True)]
    return random_matrix(config.relations, widths[0]), next_widths


def _check_widths(config: ModelConfig) -> None:
    """Refuse widths that the composition cannot take, and say where they come from."""
    for place, width in enumerate(config.widths[:-1]):
        remedy = "Use another --dim, or another --composition"
        if place == 0 and config.model != "k-rn" and config.in_width != config.width:
            remedy = (
                "That is the number of labels, or of columns of the table of features: use other"
                " --features, or another --composition"
            )
        check_width(config.composition, width, remedy)
