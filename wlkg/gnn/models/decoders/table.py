"""The decoders that turn features of vertices into scores, by the names of `wlkg.gnn.config`."""

from __future__ import annotations

from wlkg.errors import unknown_name
from wlkg.gnn.models.decoders.decoder import Decoder
from wlkg.gnn.models.decoders.distmult import DistMult
from wlkg.gnn.models.decoders.mlp import MLPDecoder
from wlkg.gnn.models.decoders.rotate import RotatE
from wlkg.gnn.models.decoders.transe import TransE

DECODER_CLASSES: dict[str, type[Decoder]] = {
    "distmult": DistMult,
    "transe": TransE,
    "rotate": RotatE,
    "mlp": MLPDecoder,
}


def make_decoder(name: str, width: int, queries: int) -> Decoder:
    """A decoder with random vectors for a number of queries."""
    if name not in DECODER_CLASSES:
        raise unknown_name("decoder", name, DECODER_CLASSES)
    return DECODER_CLASSES[name](width, queries)
