"""An existing model with a new linear map from its features to scores of classes."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from wlkg.gnn.models.krn import vertex_features, vertex_width
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel


class ReadoutModel(nn.Module):
    """An existing model, the body, and a linear map from its features to scores.

    A frozen body stays fixed and only the map is learned. So does a body with signs, which have no
    gradient. The features of a fixed body are computed once for the same inputs.
    """

    def __init__(
        self, body: VertexModel | TupleModel, classes: int, *, freeze: bool = False
    ) -> None:
        super().__init__()
        self._is_fixed = freeze or body.config.activation == "sign"
        self._fixed_features: tuple[tuple[Any, ...], Tensor] | None = None
        self.body = body.requires_grad_(not self._is_fixed)
        width = body.config.widths[-1]
        if isinstance(body, TupleModel):
            width = vertex_width(width, body.config.k)
            body.vertex_head.requires_grad_(False)  # the map below takes its place
        self.head = nn.Linear(width, classes)

    def forward(self, *inputs: Any) -> Tensor:
        """Scores for each target of a plan, or for each vertex of a k-RN's graph."""
        scores: Tensor = self.head(self._features(*inputs))
        return scores

    def _features(self, *inputs: Any) -> Tensor:
        if not self._is_fixed:
            return self._computed_features(*inputs)
        known = self._fixed_features
        if known is None or any(a is not b for a, b in zip(known[0], inputs, strict=True)):
            known = inputs, self._computed_features(*inputs)
            self._fixed_features = known
        return known[1]

    def _computed_features(self, *inputs: Any) -> Tensor:
        if isinstance(self.body, TupleModel):
            return vertex_features(self.body.features(*inputs)[-1])
        features: Tensor = self.body(*inputs)
        return features
