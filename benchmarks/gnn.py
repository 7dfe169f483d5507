"""How fast models train, compared with PyG's layers and a message-per-edge version in the same run.

Run it as ``python -m benchmarks.gnn [--data DIR]``. Models start with the same weights. A timing is
the mean over the epochs of a run; the fastest of several runs counts, with one thread or with all,
whichever is better for each side. The target is printed beside each ratio.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
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
from wlkg.gnn.config import WEIGHT_DECAY, ModelChoice, ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.plan import make_plan, message_weights
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.step import Step
from wlkg.gnn.models.tuple_input import tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.seeds import train_seeds
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import Task, make_task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets, read_targets
from wlkg.text import counted

EPOCHS = 50
LEARNING_RATE = 0.001
RGCN = ModelChoice("rgcn", width=4)
#: Runs of which the fastest counts.
REPEAT = 3

#: The losses of all epochs, and the seconds per epoch.
Timed = tuple[list[float], float]


def epochs(model: nn.Module, scores: Callable[[], Tensor], labels: Tensor) -> Timed:
    """The losses of `EPOCHS` epochs of Adam, fused as in training, and the seconds per epoch."""
    optimiser = torch.optim.Adam(
        model.parameters(), lr=LEARNING_RATE, weight_decay=WEIGHT_DECAY, fused=True
    )
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


def fastest(run: Callable[[], Timed]) -> tuple[list[float], float, str]:
    """The losses of a run, its seconds per epoch with the better number of threads, and both."""
    usual = torch.get_num_threads()
    seconds: dict[int, float] = {}
    losses: list[float] = []
    for threads in sorted({1, usual}):
        torch.set_num_threads(threads)
        timed = [run() for _ in range(REPEAT)]
        losses, seconds[threads] = timed[0][0], min(each for _, each in timed)
    torch.set_num_threads(usual)
    shown = ", ".join(
        f"{1000 * each:.2f} ms with {counted(threads, 'thread', 'threads')}"
        for threads, each in seconds.items()
    )
    return losses, min(seconds.values()), shown


def ours(task: Task, labels: Tensor) -> Timed:
    """The model of a task as wlkg computes it."""
    model = task.scorer.make(0)
    return epochs(model, lambda: task.scorer.scores(model), labels)


def pyg_rgcn(graph: RelationalGraph, task: Task, vertices: Tensor, layer: Any) -> Timed:
    """The same R-GCN with layers of PyG and the same weights."""
    model = task.scorer.make(0)
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
    """The arcs in PyG's format, from neighbour to vertex."""
    arcs = graph.arcs()
    target = np.repeat(np.arange(arcs.num_vertices), np.diff(arcs.offsets))
    ends = np.stack([arcs.neighbour.astype(np.int64), target])
    return torch.from_numpy(ends), torch.from_numpy(arcs.relation.astype(np.int64))


def direct_compgcn(graph: RelationalGraph, task: Task, vertices: Tensor) -> Timed:
    """CompGCN with one composed message per edge, and every vertex in every layer."""
    model = task.scorer.make(0)
    assert isinstance(model, VertexModel)
    edge_index, edge_type = edges(graph)
    weight = torch.from_numpy(message_weights(graph.arcs(), task.config)).float()
    own = torch.arange(graph.num_vertices)
    step = Step(
        num_sources=len(own),
        num_targets=len(own),
        own=own,
        source=edge_index[0],
        target=edge_index[1],
        relation=edge_type,
        weight=weight,
    )
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
    task = make_task(graph, TargetSets(targets), RGCN)
    losses, seconds, shown = fastest(lambda: ours(task, task.labels))
    report("AIFB, R-GCN: milliseconds per epoch", f"{1000 * seconds:.2f}", task.scorer.size)
    print(f"  {shown}")
    their_losses = {}
    for name, layer, target in (
        ("FastRGCNConv", FastRGCNConv, "at least 10"),
        ("RGCNConv", RGCNConv, "at least 25"),
    ):
        their_losses[name], their_seconds, shown = fastest(
            partial(pyg_rgcn, graph, task, vertices, layer)
        )
        report(f"AIFB, R-GCN: PyG {name} / wlkg", f"{their_seconds / seconds:.1f}", target)
        print(f"  {shown}")
        difference = spread(losses, their_losses[name])
        report("  largest relative difference of losses", f"{difference:.1e}", "1e-5")
    between = spread(their_losses["RGCNConv"], their_losses["FastRGCNConv"])
    report("  and between PyG's two layers", f"{between:.1e}", "")
    compgcn = make_task(graph, TargetSets(targets), replace(RGCN, model="compgcn"))
    losses, seconds, _ = fastest(lambda: ours(compgcn, compgcn.labels))
    theirs, their_seconds, _ = fastest(lambda: direct_compgcn(graph, compgcn, vertices))
    ratio = f"{their_seconds / seconds:.1f}"
    report("AIFB, CompGCN: a message per edge / wlkg", ratio, "at least 5")
    report("  largest relative difference of losses", f"{spread(losses, theirs):.1e}", "1e-5")


def accuracy(data: Path) -> None:
    """Test accuracy of R-GCN on AIFB over five seeds."""
    graph = wlkg.read(data / "aifb" / "aifb_stripped.nt.gz")
    learned, held_out = (
        read_targets(graph, str(data / "aifb" / f"{name}Set.tsv")) for name in ("training", "test")
    )
    task = make_task(graph, TargetSets(learned, held_out), RGCN)
    config = TrainConfig(epochs=8000, learning_rate=LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    results = train_seeds(task, config, seeds=5).results
    for reported, accuracies in (
        ("last epoch", [r.last.test_accuracy or 0 for r in results]),
        ("by validation", [r.chosen.test_accuracy or 0 for r in results if r.chosen]),
    ):
        shown = f"{100 * np.mean(accuracies):.1f} ± {100 * np.std(accuracies, ddof=1):.1f}"
        report(f"AIFB, R-GCN, 8,000 epochs, test accuracy, {reported}", shown, "ceiling 100")


def museum(data: Path) -> None:
    """An epoch of R-GCN on a museum's knowledge graph with 1,000 random targets in 10 classes."""
    graph = wlkg.read(data / "aac" / "aac_npg.nt.xz")
    draw = np.random.default_rng(0)
    chosen = draw.choice(graph.num_vertices, 1000, replace=False)
    labels = tuple(f"class {i}" for i in draw.integers(0, 10, 1000))
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # reset the peak memory
    started = time.perf_counter()
    task = make_task(graph, TargetSets(Targets(chosen, labels)), RGCN)
    report("museum: seconds to compress", f"{time.perf_counter() - started:.1f}", task.scorer.size)
    _, seconds, _ = fastest(lambda: ours(task, task.labels))
    report("museum, R-GCN: seconds per epoch", f"{seconds:.4f}", "under 1")
    report("museum, R-GCN: peak memory, GB", f"{resident('VmHWM') / 1e9:.2f}", "under 3")
    plan = make_plan(graph, task.config, chosen, compress=False)
    report("museum: messages without compression", f"{plan.num_messages:,}", "")


def tuple_network() -> None:
    """A 2-RN, forward and backward."""
    graph = random_graph(200, 1000)
    (tuples,) = tuple_inputs(graph, 2)
    config = ModelConfig("k-rn", in_width=16, width=16, out_width=4, relations=1, k=2)
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
