"""A model of links: an encoder gives vertices features, and a decoder scores pairs of them."""

from __future__ import annotations

from torch import Tensor, nn

from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.decoders.table import make_decoder
from wlkg.gnn.models.plan import Plan
from wlkg.gnn.models.squashing import squashed
from wlkg.gnn.models.vertex_model import VertexModel


class LinkModel(nn.Module):
    """An encoder, called the body as in other models of two parts, and a decoder."""

    def __init__(self, config: ModelConfig, decoder: str, queries: int) -> None:
        super().__init__()
        self.body = VertexModel(config)
        self.decoder = make_decoder(decoder, config.widths[-1], queries)

    def forward(self, x: Tensor, plan: Plan) -> Tensor:
        """The features of the targets of a plan, to be scored by the decoder."""
        return squashed(self.body(x, plan))
