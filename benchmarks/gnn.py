"""How fast models train, against the layers of PyG and a message-per-edge version, in one run.

Run it as ``python -m benchmarks.gnn [--data DIR]``. Models start with the same weights; a timing is
the mean over the epochs of a run, and targets stand beside the ratios.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

import wlkg
from benchmarks.reading import report
from benchmarks.refinement import resident
from benchmarks.tuples import random_graph
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import tuple_inputs
from wlkg.gnn.models.networks import TupleModel, VertexModel, seeded
from wlkg.gnn.models.plan import Step, make_plan, message_weights
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.training.loop import TrainConfig, train
from wlkg.gnn.training.task import Task, make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets, read_targets

EPOCHS = 50


def epochs(
    model: nn.Module, scores: Callable[[], Tensor], labels: Tensor
) -> tuple[list[float], float]:
    """The losses of some epochs of Adam, and the seconds per epoch."""
    optimiser = torch.optim.Adam(model.parameters(), lr=0.001, weight_decay=0.0005)
    losses = []
    scores()
    started = time.perf_counter()
    for _ in range(EPOCHS):
        optimiser.zero_grad()
        loss = cross_entropy(scores(), labels)
        torch.autograd.backward(loss)
        optimiser.step()
        losses.append(float(loss))
    return losses, (time.perf_counter() - started) / EPOCHS


def spread(one: list[float], two: list[float]) -> float:
    """The largest relative difference of losses."""
    return max(abs(a - b) / abs(a) for a, b in zip(one, two, strict=True))


def ours(task: Task, labels: Tensor) -> tuple[list[float], float]:
    """The model of a task as wlkg computes it."""
    model = task.make(0)
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    found = epochs(model, lambda: task.scores(model), labels)
    torch.set_num_threads(threads)
    return found


def pyg_rgcn(graph: RelationalGraph, task: Task, vertices: Tensor, layer: Any) -> Any:
    """The same R-GCN of PyG layers with the same weights."""
    model = task.make(0)
    assert isinstance(model, VertexModel)
    relations = graph.arcs().num_relations
    layers = []
    for own in model.layers:
        assert isinstance(own, RGCNLayer)
        width = own.root.shape
        conv = layer(width[0], width[1], relations, aggr="add", bias=False)
        conv.weight.data.copy_(own.weight.data)
        conv.root.data.copy_(own.root.data)
        layers.append(conv)
    stack = nn.ModuleList(layers)
    edge_index, edge_type = edges(graph)
    x = torch.zeros((graph.num_vertices, 4))
    x[:, 0] = 1

    def scores() -> Tensor:
        h = layers[0](x, edge_index, edge_type).relu()
        out: Tensor = layers[1](h, edge_index, edge_type)
        return out[vertices]

    return epochs(stack, scores, task.labels)


def edges(graph: RelationalGraph) -> tuple[Tensor, Tensor]:
    """The arcs as PyG has them, from neighbour to vertex."""
    arcs = graph.arcs()
    target = np.repeat(np.arange(arcs.num_vertices), np.diff(arcs.offsets))
    ends = np.stack([arcs.neighbour.astype(np.int64), target])
    return torch.from_numpy(ends), torch.from_numpy(arcs.relation.astype(np.int64))


def direct_compgcn(graph: RelationalGraph, task: Task, vertices: Tensor) -> Any:
    """CompGCN with one composed message per edge, and every vertex in every layer."""
    model = task.make(0)
    assert isinstance(model, VertexModel)
    edge_index, edge_type = edges(graph)
    weight = torch.from_numpy(message_weights(graph.arcs(), task.config)).float()
    own = torch.arange(graph.num_vertices)
    step = Step(len(own), len(own), own, edge_index[0], edge_index[1], edge_type, weight)
    x = torch.zeros((graph.num_vertices, 4))
    x[:, 0] = 1
    half = graph.arcs().num_relations // 2

    def layer(number: int, h: Tensor, z: Tensor) -> tuple[Tensor, Tensor]:
        part = model.layers[number]
        assert isinstance(part, CompGCNLayer)
        assert part.loop is not None
        assert part.relation_map is not None
        out = part.compose(h, part.loop) @ part.root
        messages = part.compose(h[step.source], z[step.relation]) * step.weight[:, None]
        for place, here in enumerate((step.relation < half, step.relation >= half)):
            sums = torch.zeros((len(own), messages.shape[1]))
            sums = sums.index_add(0, step.target[here], messages[here])
            out = out + sums @ part.weight[place]
        return out, part.relation_map(z)

    def scores() -> Tensor:
        assert model.relation_vectors is not None
        h, z = layer(0, x, model.relation_vectors)
        return layer(1, h.relu(), z)[0][vertices]

    return epochs(model, scores, task.labels)


def aifb(data: Path) -> None:
    """One epoch of the paper's models on its small data set."""
    from torch_geometric.nn import FastRGCNConv, RGCNConv

    graph = wlkg.read(data / "aifb" / "aifb_stripped.nt.gz")
    targets = read_targets(graph, str(data / "aifb" / "trainingSet.tsv"))
    vertices = torch.from_numpy(targets.vertices)
    task = make_task(graph, targets, None, ModelConfig("rgcn", 4, 4, 4, 90))
    losses, seconds = ours(task, task.labels)
    report("AIFB, R-GCN: milliseconds per epoch", f"{1000 * seconds:.2f}", task.size)
    found = {}
    for name, layer, target in (
        ("FastRGCNConv", FastRGCNConv, "at least 8"),
        ("RGCNConv", RGCNConv, "at least 25"),
    ):
        found[name], their_seconds = pyg_rgcn(graph, task, vertices, layer)
        report(f"AIFB, R-GCN: PyG {name} / wlkg", f"{their_seconds / seconds:.1f}", target)
        difference = spread(losses, found[name])
        report("  largest relative difference of losses", f"{difference:.1e}", "1e-5")
    between = spread(found["RGCNConv"], found["FastRGCNConv"])
    report("  and between PyG's two layers", f"{between:.1e}", "")
    task = make_task(graph, targets, None, ModelConfig("compgcn", 4, 4, 4, 90))
    losses, seconds = ours(task, task.labels)
    theirs, their_seconds = direct_compgcn(graph, task, vertices)
    ratio = f"{their_seconds / seconds:.1f}"
    report("AIFB, CompGCN: a message per edge / wlkg", ratio, "at least 5")
    report("  largest relative difference of losses", f"{spread(losses, theirs):.1e}", "1e-5")


def accuracy(data: Path) -> None:
    """Test accuracy of R-GCN on AIFB over five seeds."""
    graph = wlkg.read(data / "aifb" / "aifb_stripped.nt.gz")
    learned, held_out = (
        read_targets(graph, str(data / "aifb" / f"{name}Set.tsv")) for name in ("training", "test")
    )
    task = make_task(graph, learned, held_out, ModelConfig("rgcn", 4, 4, 4, 90))
    results = [train(task, TrainConfig(8000, 0.001, 0.0005, seed)) for seed in range(5)]
    for what, found in (
        ("last epoch", [r.last.test_accuracy or 0 for r in results]),
        ("by validation", [r.chosen.test_accuracy or 0 for r in results if r.chosen]),
    ):
        shown = f"{100 * np.mean(found):.1f} ± {100 * np.std(found, ddof=1):.1f}"
        report(f"AIFB, R-GCN, 8,000 epochs, test accuracy, {what}", shown, "ceiling 100")


def museum(data: Path) -> None:
    """An epoch of R-GCN on a museum's knowledge graph with 1,000 random targets in 10 classes."""
    graph = wlkg.read(data / "aac" / "aac_npg.nt.xz")
    draw = np.random.default_rng(0)
    chosen = draw.choice(graph.num_vertices, 1000, replace=False)
    labels = tuple(f"class {i}" for i in draw.integers(0, 10, 1000))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # forget the peak so far
    started = time.perf_counter()
    task = make_task(graph, Targets(chosen, labels), None, ModelConfig("rgcn", 4, 4, 10, 60))
    report("museum: seconds to compress", f"{time.perf_counter() - started:.1f}", task.size)
    _, seconds = ours(task, task.labels)
    report("museum, R-GCN: seconds per epoch", f"{seconds:.4f}", "under 1")
    report("museum, R-GCN: peak memory, GB", f"{resident('VmHWM') / 1e9:.2f}", "under 3")
    plan = make_plan(graph, task.config, chosen, compress=False)
    report("museum: messages without compression", f"{plan.num_messages:,}", "")


def tuple_network() -> None:
    """A 2-RN, forward and backward."""
    graph = random_graph(200, 1000)
    (tuples,) = tuple_inputs(graph, 2)
    config = ModelConfig("k-rn", 16, 16, 4, 1, k=2)
    model = seeded(0, TupleModel, config, int(tuples.types.max()) + 1)
    for _ in range(2):
        started = time.perf_counter()
        torch.autograd.backward(model(tuples).sum())
        seconds = time.perf_counter() - started
    report("2-RN on 200 vertices, width 16: seconds", f"{seconds:.2f}", "under 1")


def main() -> None:
    """Measure and print."""
    warnings.simplefilter("ignore")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WLKG_DATA"), help="folder with real data sets"
    )
    parser.add_argument("--accuracy", action="store_true", help="train five seeds to the end")
    options = parser.parse_args()
    tuple_network()
    if options.data is None:
        print("real graphs skipped: neither --data nor WLKG_DATA is given")
        return
    aifb(Path(options.data))
    museum(Path(options.data))
    if options.accuracy:
        accuracy(Path(options.data))


if __name__ == "__main__":
    main()
