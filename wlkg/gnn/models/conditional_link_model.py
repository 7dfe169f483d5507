"""A conditional model of links: C-MPNN, and a decoder of the features of pairs."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.decoders.pairs import PairDecoder
from wlkg.gnn.models.squashing import squashed


class ConditionalLinkModel(nn.Module):
    """Scores of candidates for a batch of sources and queries."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.body = ConditionalModel(config)
        self.decoder = PairDecoder(config.widths[-1], config.widths[0])

    def forward(
        self,
        graph: ConditionalGraph,
        sources: Tensor,
        queries: Tensor,
        x: Tensor | None = None,
        candidates: Tensor | None = None,
    ) -> Tensor:
        """A row of scores for each source: of all vertices, or of the candidates of its row."""
        pairs: Tensor = self.body(graph, sources, queries, x)
        if candidates is not None:
            pairs = pairs[torch.arange(len(sources), device=pairs.device)[:, None], candidates]
        vectors: Any = self.body.queries(queries)
        scores: Tensor = self.decoder(squashed(pairs), vectors)
        return scores
