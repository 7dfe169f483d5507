"""Whole graphs seen by models with random weights, and which pairs of graphs differ.

The vector of a graph after a layer is the sum of ReLU(h A) over its vertices (or tuples), with
their features h and a random matrix A: plain sums of features agree more often even though the
features differ. As for vertices, a second run in another arrangement measures the rounding, and two
graphs count as separated only if their vectors differ by much more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from wlkg.arrays import FloatArray, IntArray
from wlkg.gnn.against_wl.clusters import BLURRED, CLEAR, deviation, is_fine
from wlkg.gnn.against_wl.rounding import check_finite, least_noise
from wlkg.gnn.against_wl.runs import Arrangement, tuple_run, vertex_run
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.progress import SILENT, Progress

#: For each layer a row for each graph, from two runs in different arrangements.
Vectors = list[tuple[FloatArray, FloatArray]]


def separated_by_model(
    graphs: Sequence[RelationalGraph],
    pairs: Sequence[tuple[int, int]],
    choice: ModelChoice,
    *,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> list[bool | None]:
    """For each pair, whether the model separates the graphs with some draw of its weights.

    None means that the numbers are too close to rounding to decide.
    """
    sizes = tuple(graph.num_vertices for graph in graphs)
    setting = make_setting(disjoint_union(*graphs), width=choice.width, device="cpu")
    config = setting.completed(choice)
    vectors_of = _tuple_vectors if config.model == "k-rn" else _vertex_vectors
    progress.start(f"running {config.model}", draws, "draws")
    verdicts: list[list[bool | None]] = []
    try:
        for number in range(draws):
            vectors = vectors_of(setting, config, sizes, seed + number)
            for layers in zip(*vectors, strict=True):
                check_finite(layers)
            verdicts.append([_different(vectors, one, two) for one, two in pairs])
            progress.done(number + 1)
    finally:
        progress.finish()
    return [_any(of_pair) for of_pair in zip(*verdicts, strict=True)] if pairs else []


def _any(verdicts: Sequence[bool | None]) -> bool | None:
    return True if True in verdicts else None if None in verdicts else False


def _vertex_vectors(
    setting: Setting, config: ModelConfig, sizes: tuple[int, ...], seed: int
) -> Vectors:
    model = seeded(seed, VertexModel, config).to(setting.device, setting.dtype)
    run = vertex_run(model, setting)
    graph_of = np.repeat(np.arange(len(sizes)), sizes)

    def sums(arrangement: Arrangement) -> list[FloatArray]:
        # Rows are added in the sequence of the run, because these sums are rounded too.
        shuffled = np.argsort(arrangement.vertices)
        return [
            _sums(_randomly_mapped(rows[shuffled], seed), graph_of[shuffled], len(sizes))
            for rows in run(arrangement)
        ]

    return _in_two_arrangements(sums, setting, seed)


def _randomly_mapped(rows: FloatArray, seed: int) -> FloatArray:
    """A random linear map to twice the width, followed by a ReLU."""
    width = rows.shape[1]
    matrix = np.random.default_rng(seed).normal(size=(width, 2 * width))
    mapped: FloatArray = np.maximum(rows @ matrix, 0.0)
    return mapped


def _sums(rows: FloatArray, graph_of: IntArray, count: int) -> FloatArray:
    """The sums of the rows of each graph."""
    total = np.zeros((count, rows.shape[1]))
    np.add.at(total, graph_of, rows)
    return total


def _in_two_arrangements(
    sums: Callable[[Arrangement], list[FloatArray]], setting: Setting, seed: int
) -> Vectors:
    arrangements = (Arrangement.as_given(setting.arcs), Arrangement.random(setting.arcs, seed))
    return list(zip(*(sums(arrangement) for arrangement in arrangements), strict=True))


def _tuple_vectors(
    setting: Setting, config: ModelConfig, sizes: tuple[int, ...], seed: int
) -> Vectors:
    inputs = setting.tuples_of_blocks(config.k, sizes)
    types = max((int(graph.types.max()) for graph in inputs if graph.types.numel()), default=0) + 1
    model = seeded(seed, TupleModel, config, types).to(setting.device, setting.dtype)
    random = np.random.default_rng(seed)
    # For both arrangements, each graph, and each layer: the sum of the rows.
    sums: list[list[list[FloatArray]]] = [[], []]
    for graph, size in zip(inputs, sizes, strict=True):
        run = tuple_run(model, graph, setting.device)
        arcs = len(graph.source)
        arrangements = (
            Arrangement(np.arange(size), np.arange(arcs)),
            Arrangement(random.permutation(size), random.permutation(arcs)),
        )
        for which, arrangement in enumerate(arrangements):
            shuffled = random.permutation(size**config.k) if which else slice(None)
            layers = run(arrangement)
            sums[which].append(
                [_randomly_mapped(rows[shuffled], seed).sum(axis=0) for rows in layers]
            )
    by_layer = [[np.stack(rows) for rows in zip(*graphs, strict=True)] for graphs in sums]
    return list(zip(*by_layer, strict=True))


def _different(vectors: Vectors, one: int, two: int) -> bool | None:
    """Whether two graphs differ after some layer."""
    verdicts: list[bool | None] = []
    for first, second in vectors:
        noise = max(deviation(first, second), least_noise(torch.float64))
        distance = deviation(first[one][None], first[two][None])
        if distance > CLEAR * noise:
            verdicts.append(True)
        else:
            verdicts.append(False if distance <= BLURRED * noise and is_fine(noise) else None)
    return _any(verdicts)
