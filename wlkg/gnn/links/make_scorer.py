"""The scorer of links for a kind of model."""

from __future__ import annotations

from wlkg.gnn.links.conditional_scorer import ConditionalScorer
from wlkg.gnn.links.encoder_scorer import EncoderScorer
from wlkg.gnn.links.link_scorer import LinkScorer, ScorerInput


def make_scorer(given: ScorerInput, *, training: bool) -> LinkScorer:
    """How a model scores the candidates of a graph."""
    if given.config.conditional:
        return ConditionalScorer(given, training=training)
    return EncoderScorer(given, training=training)
