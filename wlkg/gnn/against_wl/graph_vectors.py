"""Whole graphs seen by models with random weights, and which pairs they tell apart.

The vector of a graph after a layer is the sum of ReLU(h A) over its vertices (or tuples), with
their features h and a random matrix A: sums of the features themselves agree more often where
those differ. As for vertices, rounding is measured by a second run in another order, and a pair is
told apart only if its vectors differ by far more than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
import torch

from wlkg.arrays import FloatArray
from wlkg.gnn.against_wl.clusters import BLURRED, CLEAR, deviation, is_fine
from wlkg.gnn.against_wl.judging import check_finite, least_noise
from wlkg.gnn.against_wl.runs import Order, tuple_run, vertex_run
from wlkg.gnn.against_wl.setting import Setting, make_setting
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.tuple_input import tuple_inputs
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.progress import SILENT, Progress

#: For each layer a row for each graph; twice, in two orders.
Vectors = list[tuple[FloatArray, FloatArray]]


def separated_by_model(
    graphs: Sequence[RelationalGraph],
    pairs: Sequence[tuple[int, int]],
    config_name: str,
    *,
    draws: int = 3,
    seed: int = 0,
    k: int = 2,
    dim: int = 32,
    layers: int = 6,
    progress: Progress = SILENT,
) -> list[bool | None]:
    """For each pair whether some draw of a model's weights tells the graphs apart.

    None means that the numbers are too close to rounding to say.
    """
    sizes = tuple(graph.num_vertices for graph in graphs)
    setting = make_setting(disjoint_union(*graphs), width=dim, device="cpu")
    plain = ModelConfig(config_name, dim, dim, dim, 1, layers, direction=False, norm=False, k=k)
    config = setting.completed(plain)
    vectors_of = _tuple_vectors if config_name == "k-rn" else _vertex_vectors
    progress.start(f"running {config_name}", draws, "draws")
    told: list[list[bool | None]] = []
    try:
        for number in range(draws):
            vectors = vectors_of(setting, config, sizes, seed + number)
            for layers_in_one_order in zip(*vectors, strict=True):
                check_finite(layers_in_one_order)
            told.append([_different(vectors, one, two) for one, two in pairs])
            progress.done(number + 1)
    finally:
        progress.finish()
    return [_any(verdicts) for verdicts in zip(*told, strict=True)] if pairs else []


def _any(verdicts: Sequence[bool | None]) -> bool | None:
    return True if True in verdicts else None if None in verdicts else False


def _vertex_vectors(
    setting: Setting, config: ModelConfig, sizes: tuple[int, ...], seed: int
) -> Vectors:
    model = seeded(seed, VertexModel, config).to(setting.device, setting.dtype)
    run = vertex_run(model, setting.arcs, setting.given, setting.device, setting.dtype)
    block = np.repeat(np.arange(len(sizes)), sizes)

    def sums(order: Order) -> list[FloatArray]:
        # Rows are added in the run's own order too: also these sums are rounded.
        shuffled = np.argsort(order.vertices)
        return [
            _sums(_bent(rows[shuffled], seed), block[shuffled], len(sizes)) for rows in run(order)
        ]

    return _twice(sums, setting, seed)


def _bent(rows: FloatArray, seed: int) -> FloatArray:
    """A random linear map into twice the width, and a ReLU."""
    width = rows.shape[1]
    matrix = np.random.default_rng(seed).normal(size=(width, 2 * width))
    bent: FloatArray = np.maximum(rows @ matrix, 0.0)
    return bent


def _sums(
    rows: FloatArray, block: np.ndarray[tuple[int], np.dtype[np.int64]], count: int
) -> FloatArray:
    total = np.zeros((count, rows.shape[1]))
    np.add.at(total, block, rows)
    return total


def _twice(sums: Callable[[Order], list[FloatArray]], setting: Setting, seed: int) -> Vectors:
    orders = (Order.given(setting.arcs), Order.random(setting.arcs, seed))
    return list(zip(*(sums(order) for order in orders), strict=True))


def _tuple_vectors(
    setting: Setting, config: ModelConfig, sizes: tuple[int, ...], seed: int
) -> Vectors:
    coloured = setting.coloured.with_direction(setting.direction)
    inputs = tuple_inputs(coloured, config.k, blocks=sizes)
    types = max((int(graph.types.max()) for graph in inputs if graph.types.numel()), default=0) + 1
    model = seeded(seed, TupleModel, config, types).to(setting.device, setting.dtype)
    random = np.random.default_rng(seed)
    found: list[list[list[FloatArray]]] = [[], []]
    for graph, size in zip(inputs, sizes, strict=True):
        run = tuple_run(model, graph, setting.device)
        arcs = len(graph.source)
        orders = (
            Order(np.arange(size), np.arange(arcs)),
            Order(random.permutation(size), random.permutation(arcs)),
        )
        for which, order in enumerate(orders):
            shuffled = random.permutation(size**config.k) if which else slice(None)
            found[which].append([_bent(rows[shuffled], seed).sum(axis=0) for rows in run(order)])
    by_layer = [[np.stack(rows) for rows in zip(*graphs, strict=True)] for graphs in found]
    return list(zip(*by_layer, strict=True))


def _different(vectors: Vectors, one: int, two: int) -> bool | None:
    """Whether two graphs differ after some layer."""
    found: list[bool | None] = []
    for rows, again in vectors:
        noise = max(deviation(rows, again), least_noise(torch.float64))
        distance = deviation(rows[one][None], rows[two][None])
        if distance > CLEAR * noise:
            found.append(True)
        else:
            found.append(False if distance <= BLURRED * noise and is_fine(noise) else None)
    return _any(found)
