"""An existing model with a new linear map from its features to scores of classes."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from wlkg.gnn.models.krn import vertex_features, vertex_width
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel


class ReadoutModel(nn.Module):
    """An existing model, the body, and a linear map from its features to scores.

    Signs have no gradient, so a body with signs stays fixed and only the map is learned. Its
    features are then computed once, because a task always gives it the same inputs.
    """

    def __init__(self, body: VertexModel | TupleModel, classes: int) -> None:
        super().__init__()
        self._is_fixed = body.config.activation == "sign"
        self._fixed_features: Tensor | None = None
        self.body = body.requires_grad_(not self._is_fixed)
        width = body.config.widths[-1]
        if isinstance(body, TupleModel):
            width = vertex_width(width, body.config.k)
        self.head = nn.Linear(width, classes)

    def forward(self, *inputs: Any) -> Tensor:
        """Scores for each target of a plan, or for each vertex of a k-RN's graph."""
        features = self._fixed_features
        if features is None:
            features = self._features(*inputs)
            self._fixed_features = features if self._is_fixed else None
        scores: Tensor = self.head(features)
        return scores

    def _features(self, *inputs: Any) -> Tensor:
        if isinstance(self.body, TupleModel):
            return vertex_features(self.body.features(*inputs)[-1])
        features: Tensor = self.body(*inputs)
        return features
