"""Small tasks of links."""

from __future__ import annotations

from typing import Any

from tests.analysis.links.dictionaries import Triple
from wlkg.gnn.config import DECODERS, ModelChoice
from wlkg.gnn.links.link_results import LinkTraining
from wlkg.gnn.links.train_links import train_links
from wlkg.graph.relational_graph import RelationalGraph

#: Encoders with each decoder, and conditional models.
MODELS_OF_LINKS: list[tuple[ModelChoice, str | None]] = [
    *((ModelChoice("rgcn", width=4, layers=2), decoder) for decoder in DECODERS),
    (ModelChoice("gnn", width=4, layers=1), "distmult"),
    (ModelChoice("rgcn-mlp", width=4, layers=1), "mlp"),
    (ModelChoice("rgcn", width=4, layers=2, aggregation="mean"), "transe"),
    (ModelChoice("compgcn", width=4, layers=2), "rotate"),
    (
        ModelChoice("compgcn", width=4, layers=2, composition="add", direction=False, norm=False),
        "mlp",
    ),
    (ModelChoice("c-mpnn", width=4, layers=2), None),
    (ModelChoice("c-mpnn", width=4, layers=1, aggregation="pna"), None),
    (ModelChoice("c-mpnn", width=4, layers=2, global_readout=True), None),
]


def name_of(model: tuple[ModelChoice, str | None]) -> str:
    choice, decoder = model
    switches = (choice.aggregation, choice.composition, "readout" if choice.global_readout else "")
    return "-".join(word for word in (choice.model, decoder, *switches) if word)


#: Who knows whom, and where some of them live.
TRAIN: list[Triple] = [
    *((f"p{i}", "knows", f"p{(i + 1) % 6}") for i in range(6)),
    *((f"p{i}", "lives", f"town{i // 2}") for i in (0, 2, 4)),
    ("town0", "near", "town1"),
    ("town1", "near", "town2"),
]
VALID: list[Triple] = [("p1", "lives", "town0")]
TEST: list[Triple] = [("p3", "lives", "town1"), ("p5", "lives", "town2")]


def train_small(
    model: tuple[ModelChoice, str | None] = MODELS_OF_LINKS[0], **options: Any
) -> LinkTraining:
    """Train on the small town, with few epochs unless others are given."""
    choice, decoder = model
    given = {"epochs": 4, "dtype": "float64", "batch": 4, "decoder": decoder, **options}
    graph = RelationalGraph.from_triples(TRAIN)
    return train_links(graph, TEST, given.pop("validation", VALID), choice, **given)
