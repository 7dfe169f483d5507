"""Whole graphs as models see them: a vector for each graph after every layer, and which differ.

Features become vectors by a random readout of the kind ``mlp`` (`wlkg.gnn.models.graph_readout`),
or by the readout that a model has learned. As for vertices, a second run in another arrangement
measures the rounding, and two graphs count as separated only if their vectors differ by much more
than that. Close vectors are no evidence that they are equal: two graphs count as alike only if the
test that bounds the model does not separate them either, or if their vectors have equal bits.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray
from wlkg.gnn.against_wl.clusters import BLURRED, CLEAR, deviation, is_fine
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.against_wl.rounding import check_finite, least_noise
from wlkg.gnn.against_wl.runs import Arrangement, tuple_run, vertex_run
from wlkg.gnn.against_wl.setting import MOST_LAYERS, Setting, make_setting
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.config import ModelChoice, ModelConfig, require_classifier
from wlkg.gnn.models.graph_readout import GraphReadout, GraphRows
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.tuple_input import TupleInput
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.progress import SILENT, Progress
from wlkg.refinement.histograms import with_equal_histograms
from wlkg.refinement.refine import refine

#: For each layer a row for each graph, from two runs in different arrangements.
Vectors = list[tuple[FloatArray, FloatArray]]
#: From the features after every layer, and the graphs they belong to (None: one graph), to vectors
#: of the graphs.
Reading = Callable[[list[Tensor], GraphRows | None], list[Tensor]]

_READOUT_SEED = 2**40


@dataclass(frozen=True, eq=False)
class Blocks:
    """Graphs side by side: a setting of their disjoint union, and their numbers of vertices."""

    setting: Setting
    sizes: tuple[int, ...]

    @classmethod
    def of(
        cls,
        graphs: Sequence[RelationalGraph],
        *,
        features: str | None = None,
        width: int,
        device: str = "cpu",
        dtype: str = "float64",
        max_memory: int | None = None,
    ) -> Blocks:
        """Relations and labels are matched by name."""
        sizes = tuple(graph.num_vertices for graph in graphs)
        setting = make_setting(
            disjoint_union(*graphs),
            features=features,
            width=width,
            device=device,
            dtype=dtype,
            max_memory=max_memory,
        )
        return cls(setting, sizes)

    def difference(self, vectors: Vectors, one: int, two: int, alike: Partition) -> Difference:
        """Whether two of the graphs differ after some layer; see `alike` for the last argument."""
        is_bounded = alike.colours[one] == alike.colours[two]
        least = least_noise(self.setting.dtype)
        return difference(vectors, one, two, least, may_be_equal=bool(is_bounded))

    def alike(self, bound: Bound, layers: int | None) -> Partition:
        """The graphs that the bounding test does not separate by the round of the last layer.

        Without a number of layers, by any round.
        """
        graph = self.setting.coloured.with_direction(bound.direction)
        rounds = None if layers is None else layers + bound.later
        limit = self.setting.max_memory
        run = refine(graph, bound.test, rounds=rounds, blocks=self.sizes, max_memory=limit)
        return with_equal_histograms(run.items_per_block, run.partition.colours)

    def completed(self, choice: ModelChoice) -> ModelConfig:
        """The choice with what the graphs decide; by default a layer for each round of the test."""
        require_classifier(choice.model)
        config = self.setting.completed(replace(choice, layers=choice.layers or MOST_LAYERS))
        if choice.layers is not None:
            return config
        bound = bound_of(config, self.setting.graph.direction)
        graph = self.setting.coloured.with_direction(bound.direction)
        run = refine(graph, bound.test, blocks=self.sizes, max_memory=self.setting.max_memory)
        return replace(config, layers=min(max(run.rounds - bound.later, 1), MOST_LAYERS))


@dataclass(frozen=True)
class Difference:
    """Whether vectors of two graphs differ, None if rounding hides it, and at which layer first."""

    separated: bool | None
    layer: int | None = None


def separated_by_model(
    graphs: Sequence[RelationalGraph],
    pairs: Sequence[tuple[int, int]],
    choice: ModelChoice,
    *,
    draws: int = 3,
    seed: int = 0,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> list[bool | None]:
    """For each pair, whether the model separates the graphs with some draw of its weights.

    None means that the numbers are too close to rounding to decide.
    """
    blocks = Blocks.of(graphs, width=choice.width, max_memory=max_memory)
    config = blocks.completed(choice)
    check_model_fits(blocks.setting, config, blocks.sizes)
    alike = blocks.alike(bound_of(config, blocks.setting.graph.direction), config.layers)
    progress.start(f"running {config.model}", draws, "draws")
    verdicts: list[list[bool | None]] = []
    try:
        for number in range(draws):
            vectors = random_vectors(blocks, config, seed + number)
            verdicts.append([blocks.difference(vectors, *pair, alike).separated for pair in pairs])
            progress.done(number + 1)
    finally:
        progress.finish()
    return [any_separates(of_pair) for of_pair in zip(*verdicts, strict=True)] if pairs else []


def any_separates(verdicts: Sequence[bool | None]) -> bool | None:
    """True if one of the verdicts is, else None if one is undecided."""
    return True if True in verdicts else None if None in verdicts else False


def random_vectors(blocks: Blocks, config: ModelConfig, seed: int) -> Vectors:
    """Graphs as a model with random weights sees them, with a random readout."""
    setting = blocks.setting
    if config.model == "k-rn":
        inputs = setting.tuples_of_blocks(config.k, blocks.sizes)
        types = max((int(each.types.max()) for each in inputs if each.types.numel()), default=0) + 1
        model: VertexModel | TupleModel = seeded(seed, TupleModel, config, types)
    else:
        inputs, model = None, seeded(seed, VertexModel, config)
    return model_vectors(blocks, model, random_reading(config.widths[-1], seed), seed, inputs)


def random_reading(width: int, seed: int) -> Reading:
    """A random readout of features that have the same width after every layer."""
    # With the seed of the model, the weights would resemble those of its first layer.
    readout = seeded(seed + _READOUT_SEED, GraphReadout, "mlp", width, 1)
    readout.to(torch.float64)
    return lambda layers, rows: [readout.pooled(features, rows) for features in layers]


def model_vectors(
    blocks: Blocks,
    model: VertexModel | TupleModel,
    reading: Reading,
    seed: int,
    inputs: Sequence[TupleInput] | None = None,
) -> Vectors:
    """Graphs as a given model sees them; a k-RN needs the ``inputs`` of all graphs."""
    model.to(blocks.setting.device, blocks.setting.dtype)
    if isinstance(model, TupleModel):
        assert inputs is not None
        vectors = _tuple_vectors(blocks, model, reading, seed, inputs)
    else:
        vectors = _vertex_vectors(blocks, model, reading, seed)
    for layers in zip(*vectors, strict=True):
        check_finite(layers)
    return vectors


def _vertex_vectors(blocks: Blocks, model: VertexModel, reading: Reading, seed: int) -> Vectors:
    run, arcs = vertex_run(model, blocks.setting), blocks.setting.arcs
    graph_of = np.repeat(np.arange(len(blocks.sizes)), blocks.sizes)

    def vectors(arrangement: Arrangement) -> list[FloatArray]:
        # Rows are added in the sequence of the run, because these sums are rounded too.
        shuffled = np.argsort(arrangement.vertices)
        rows = GraphRows.of(
            graph_of[shuffled], np.arange(len(shuffled)), len(blocks.sizes), len(shuffled)
        )
        return read([layer[shuffled] for layer in run(arrangement)], reading, rows)

    arrangements = (Arrangement.as_given(arcs), Arrangement.random(arcs, seed))
    return list(zip(*map(vectors, arrangements), strict=True))


def _tuple_vectors(
    blocks: Blocks, model: TupleModel, reading: Reading, seed: int, inputs: Sequence[TupleInput]
) -> Vectors:
    random = np.random.default_rng(seed)
    # For both arrangements, each graph, and each layer: the vector as one row.
    vectors: list[list[list[FloatArray]]] = [[], []]
    for graph, size in zip(inputs, blocks.sizes, strict=True):
        run = tuple_run(model, graph, blocks.setting.device)
        arcs, tuples = len(graph.source), graph.types.numel()
        arrangements = (
            Arrangement(np.arange(size), np.arange(arcs)),
            Arrangement(random.permutation(size), random.permutation(arcs)),
        )
        for which, arrangement in enumerate(arrangements):
            shuffled = random.permutation(tuples) if which else np.arange(tuples)
            layers = [layer[shuffled] for layer in run(arrangement)]
            vectors[which].append(read(layers, reading, None))
    by_layer = [[np.concatenate(rows) for rows in zip(*each, strict=True)] for each in vectors]
    return list(zip(*by_layer, strict=True))


def read(layers: list[FloatArray], reading: Reading, rows: GraphRows | None) -> list[FloatArray]:
    """The vectors of the graphs that rows of features make up, as arrays."""
    with torch.no_grad():
        vectors = reading([torch.from_numpy(layer) for layer in layers], rows)
    return [vector.numpy() for vector in vectors]


def difference(
    vectors: Vectors, one: int, two: int, least: float, *, may_be_equal: bool
) -> Difference:
    """Whether two graphs differ after some layer; ``least`` is the rounding known beforehand.

    ``may_be_equal`` says that close vectors count as equal, because the model cannot see more.
    """
    verdicts: list[bool | None] = []
    for first, second in vectors:
        noise = max(deviation(first, second), least)
        distance = deviation(first[one][None], first[two][None])
        close = may_be_equal and distance <= BLURRED * noise and is_fine(noise)
        if distance > CLEAR * noise:
            verdicts.append(True)
        else:
            verdicts.append(False if close or _equal_bits((first, second), one, two) else None)
    layer = verdicts.index(True) + 1 if True in verdicts else None
    return Difference(any_separates(verdicts), layer)


def _equal_bits(runs: tuple[FloatArray, FloatArray], one: int, two: int) -> bool:
    """Whether two graphs have the same vector in each of both arrangements."""
    return all(np.array_equal(vectors[one], vectors[two]) for vectors in runs)
