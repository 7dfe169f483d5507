"""How fast C-MPNN trains, compared with a message for each edge in the same run.

Run it as ``python -m benchmarks.conditional [--data DIR] [--batches N]``. Both sides have the same
weights, batches and losses, on the training graph of WN18RR_v1: forward and backward for queries
(u, r, ?) with a cross entropy over all vertices. The peer computes as NBFNet does in PyG: the
features of all neighbours are gathered, composed and added up, with the sources of a batch as
outer axis. Times are processor time, of batches that take turns.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import wlkg
from benchmarks.reading import report
from wlkg.gnn.config import PNA, ModelConfig
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.message_statistics import scaled_statistics
from wlkg.gnn.models.parameters import seeded
from wlkg.graph.relational_graph import RelationalGraph

LAYERS, WIDTH, BATCH = 6, 32, 16
#: The switches of each comparison, with the least ratio.
CASES: dict[str, tuple[dict[str, object], str]] = {
    "mult": ({}, "at least 2"),
    "mult, bias": ({"bias": True}, "at least 2"),
    "mult, query in the message": ({"query_message": True}, "at least 2"),
    "add": ({"composition": "add"}, "at least 2"),
    "rotate": ({"composition": "rotate"}, "at least 2"),
    "mlp": ({"composition": "mlp"}, "at least 2"),
    "mult, pna": ({"aggregation": PNA}, "at least 2"),
}
#: Sources, queries and answers.
Batch = tuple[Tensor, Tensor, Tensor]


def direct(model: ConditionalModel, graph: ConditionalGraph, batch: Batch) -> Tensor:
    """Features of all pairs, with a message for each edge; the axes are source, vertex, entry."""
    sources, queries, _ = batch
    z = model.queries(queries)
    h = z.new_zeros(len(z), graph.num_vertices, z.shape[1])
    h = h.index_put((torch.arange(len(z)), sources), z)
    if model.common is not None:
        h = h + model.common
    for number, layer in enumerate(model.layers, 1):
        assert isinstance(layer, ConditionalLayer)
        h = direct_layer(layer, model.config, h, z, graph)
        if number < len(model.layers) or model.config.last_activation:
            h = h.relu()
    return h


def direct_layer(
    layer: ConditionalLayer, config: ModelConfig, h: Tensor, z: Tensor, graph: ConditionalGraph
) -> Tensor:
    """A layer of `direct`."""
    vectors = layer.relations(z).transpose(0, 1)
    messages = layer.compose(h[:, graph.neighbour], vectors[:, graph.relation])
    if config.aggregation == PNA:
        sums = scaled_statistics(messages.transpose(0, 1), graph).transpose(0, 1)
    else:
        zeros = messages.new_zeros(len(h), graph.num_vertices, messages.shape[-1])
        sums = zeros.index_add(1, graph.vertex, messages)
    out = h @ layer.root + sums @ layer.weight
    return out if layer.bias is None else out + layer.bias


def loss_of(features: Tensor, head: Tensor, batch: Batch) -> Tensor:
    """The cross entropy of the answers, with scores that are linear in the features."""
    return cross_entropy(features @ head, batch[2])


def train_step(model: nn.Module, loss: Callable[[], Tensor]) -> tuple[float, float]:
    """The loss of a batch, and the seconds of processor time for it and its gradients."""
    model.zero_grad()
    started = time.process_time()
    value = loss()
    torch.autograd.backward(value)
    return value.item(), time.process_time() - started


def batches(graph: RelationalGraph, count: int) -> list[Batch]:
    """Random training triples as queries for their tails."""
    chosen = np.random.default_rng(0).permutation(graph.num_triples)[: count * BATCH]
    columns = [
        torch.from_numpy(column[chosen].astype(np.int64)).split(BATCH)
        for column in (graph.head, graph.relation, graph.tail)
    ]
    return list(zip(*columns, strict=True))


def compare(graph: RelationalGraph, name: str, count: int) -> None:
    """One comparison."""
    switches, target = CASES[name]
    arcs = graph.arcs()
    config = ModelConfig(
        "c-mpnn",
        in_width=WIDTH,
        width=WIDTH,
        out_width=WIDTH,
        relations=arcs.num_relations,
        inverses=True,
        layers=LAYERS,
        **switches,  # type: ignore[arg-type]
    )
    model, seen = seeded(0, ConditionalModel, config), ConditionalGraph.of(arcs)
    head = torch.randn(WIDTH, generator=torch.Generator().manual_seed(0))
    ours, theirs, largest = 0.0, 0.0, 0.0
    for number, batch in enumerate(batches(graph, count + 1)):
        one, our_seconds = train_step(
            model,
            lambda: loss_of(model(seen, *batch[:2]), head, batch),  # noqa: B023
        )
        two, their_seconds = train_step(
            model,
            lambda: loss_of(direct(model, seen, batch), head, batch),  # noqa: B023
        )
        largest = max(largest, abs(one - two) / abs(one))
        if number:  # the first batch warms up
            ours, theirs = ours + our_seconds, theirs + their_seconds
    queries = 2 * graph.num_triples / (count * BATCH)
    report(f"{name}: seconds per epoch", f"{ours * queries:.0f}", f"{theirs * queries:.0f} direct")
    report("  a message per edge / wlkg", f"{theirs / ours:.2f}", target)
    report("  largest relative difference of losses", f"{largest:.1e}", "1e-5")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("WLKG_DATA"))
    parser.add_argument("--batches", type=int, default=6)
    parser.add_argument("--only", choices=CASES)
    options = parser.parse_args()
    if options.data is None:
        parser.error("name the folder of public data sets by --data or WLKG_DATA")
    torch.set_num_threads(1)
    graph = wlkg.read(Path(options.data) / "kg/grail/WN18RR_v1", splits="train")
    print(f"{LAYERS} layers of width {WIDTH}, batches of {BATCH} sources")
    for name in CASES if options.only is None else [options.only]:
        compare(graph, name, options.batches)


if __name__ == "__main__":
    main()
