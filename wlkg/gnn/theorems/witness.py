"""Weights that provably simulate a WL test: the lower-bound theorems of the paper as a program.

`wlkg.gnn.theorems.witness_numbers` draws the numbers with which a layer separates the classes of
round t; here they become the weights of a model.

Matrices have rank one: all columns compute b, and biases are thresholds. Their sizes are those of
the paper's remark: the numbers of classes before and after the round.

The paper needs two layers for circular correlation (one reverses the features) and for addition
(one makes room for the vectors of relations). Here a single layer is enough: the reversal goes into
the matrix, and a_i e_1 · u needs no room.

Floating-point arithmetic is exact except for circular correlation, which uses Fourier transforms:
there signs absorb the error. The result is checked by running the model.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field, replace

import numpy as np
import torch
from torch import Tensor

from wlkg.arrays import FloatArray
from wlkg.errors import TooLargeError, UsageError
from wlkg.gnn.against_wl.clusters import distinct_rows
from wlkg.gnn.against_wl.judging import model_run
from wlkg.gnn.against_wl.model_memory import check_model_fits
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import ModelChoice, ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.switches import applying
from wlkg.gnn.theorems.encodings import ENCODINGS, OneHot, Ramps, Signs
from wlkg.gnn.theorems.witness_numbers import COUNTING, Numbers, Seen, draw_numbers, who_sees_whom
from wlkg.memory import check_fits
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress

#: Compositions that can scale.
SCALING = ("mult", "scale", "corr")
#: Bytes for each neighbour: four numbers, and four more while they are made and used.
_SEEN_BYTES = 64


@dataclass(frozen=True, eq=False)
class Witness:
    """A model whose layers see exactly what the rounds of a test see."""

    model: VertexModel | TupleModel
    bound: Bound
    classes_per_round: tuple[int, ...]
    #: No sum on the way is larger than this; sums below 2^51 are exact.
    largest: int
    setting: Setting = field(repr=False)

    @property
    def num_weights(self) -> int:
        """The number of weights of the layers."""
        return count_parameters(self.model.layers)

    @property
    def saved(self) -> SavedModel:
        """The model as a checkpoint."""
        config = self.model.config
        return SavedModel(config, self.setting.about(config), self.model.state_dict())


def build_witness(
    setting: Setting, choice: ModelChoice, *, seed: int = 0, progress: Progress = SILENT
) -> Witness:
    """Construct weights with which every layer t equals round t on this graph."""
    _check_possible(choice, setting)
    switches = applying(choice.model, norm=False, direction=False, bias=True)
    plain = replace(setting.completed(replace(choice, **switches)), norm=False, direction=False)
    bound = bound_of(plain, setting.graph.direction)
    history = setting.refined(bound.test, bound.direction, plain.layers).history
    rounds = [history.partition(t) for t in range(plain.layers + 1)]
    sizes = [classes.num_classes for classes in rounds]
    config = _with_widths(plain, sizes)
    _check_size(config, sizes, setting)
    first = _input_encoding(setting, config)
    model = _empty_model(config, sizes[0])
    progress.start("constructing weights", config.layers, "layers")
    try:
        seen = who_sees_whom(setting.arcs, config.k if config.model == "k-rn" else 1)
        largest = _fill(model, first, rounds, seen, seed=seed, progress=progress)
    finally:
        progress.finish()
    _verify(setting, model, history)
    return Witness(
        model=model,
        bound=bound,
        classes_per_round=tuple(sizes),
        largest=math.ceil(largest),
        setting=setting,
    )


def _check_possible(choice: ModelChoice, setting: Setting) -> None:
    allowed = {"rgcn": None, "compgcn": SCALING + COUNTING, "k-rn": SCALING}
    if choice.model not in allowed:
        raise UsageError(
            f"there is no construction for {choice.model}. Known: {', '.join(allowed)}"
        )
    compositions = allowed[choice.model]
    if compositions is not None and choice.composition not in compositions:
        raise UsageError(
            f"there is no construction for {choice.model} with {choice.composition}. Known:"
            f" {', '.join(compositions)}"
        )
    if choice.composition == "corr" and choice.activation == "relu" and compositions is not None:
        raise UsageError(
            "circular correlation is computed through Fourier transforms, whose rounding a ReLU"
            " would pass on. Use --activation sign"
        )
    if choice.aggregation != "sum":
        raise UsageError(
            f"there is no construction for models that aggregate by {choice.aggregation}. Use"
            " --aggregation sum"
        )
    if choice.model == "k-rn" and choice.update != "linear":
        raise UsageError(
            "there is no construction for k-RN whose sums go through an MLP. Use --update linear"
        )
    if choice.model != "k-rn" and not _is_one_hot(setting.features.rows):
        raise UsageError(
            "a witness needs one-hot features, one for each class: use --features labels, or"
            " constant features of width 1"
        )


def _is_one_hot(rows: FloatArray) -> bool:
    """Whether every class has a unit vector, and every column a class."""
    places = np.argmax(rows, axis=1)
    return np.array_equal(rows, np.eye(rows.shape[1])[places]) and np.array_equal(
        np.sort(places), np.arange(rows.shape[1])
    )


def _with_widths(config: ModelConfig, sizes: list[int]) -> ModelConfig:
    """Widths are numbers of classes, and every layer has its own vectors of relations."""
    inner = tuple(sizes) if config.model == "k-rn" else tuple(sizes[1:-1])
    return replace(
        config,
        in_width=sizes[0],
        width=sizes[-1],
        out_width=1 if config.model == "k-rn" else sizes[-1],
        layers=len(sizes) - 1,
        hidden_widths=inner,
        relation_update=False,
        own_vectors=config.model != "rgcn",
    )


def _check_size(config: ModelConfig, sizes: list[int], setting: Setting) -> None:
    matrices = {"rgcn": config.relations + 1, "compgcn": 3, "k-rn": config.k + 1}[config.model]
    weights = sum(matrices * a * b for a, b in itertools.pairwise(sizes))
    seen = len(setting.arcs)
    if config.model == "k-rn":
        seen *= config.k * setting.graph.num_vertices ** (config.k - 1)
    classes = ", ".join(f"{size:,}" for size in sizes)
    check_fits(
        f"a witness for {classes} classes",
        f"{weights:,} weights, sums over {seen:,} neighbours,",
        16 * weights + _SEEN_BYTES * seen,
        setting.max_memory,
        "use fewer --layers, a smaller graph, or compgcn with scale",
    )


def _empty_model(config: ModelConfig, types: int) -> VertexModel | TupleModel:
    model: VertexModel | TupleModel
    model = TupleModel(config, types) if config.model == "k-rn" else VertexModel(config)
    for parameter in model.double().parameters():
        parameter.requires_grad_(False).zero_()
    if isinstance(model, TupleModel):
        model.types.weight.copy_(torch.eye(types))
    return model


def _input_encoding(setting: Setting, config: ModelConfig) -> OneHot:
    """The features before the first layer."""
    if config.model != "k-rn":
        return OneHot(setting.features.rows)
    return OneHot(np.eye(int(setting.tuples(config.k).types.max()) + 1))


def _fill(
    model: VertexModel | TupleModel,
    first: OneHot,
    rounds: list[Partition],
    seen: Seen,
    *,
    seed: int,
    progress: Progress,
) -> float:
    """Set the weights of all layers, and return the largest number that occurs."""
    random = np.random.default_rng(seed)
    encoding: OneHot | Signs | Ramps = first
    largest = 0.0
    for t, layer in enumerate(model.layers, 1):
        numbers = draw_numbers(
            model.config,
            encoding,
            before=rounds[t - 1],
            after=rounds[t],
            seen=seen,
            random=random,
        )
        encoding = ENCODINGS[model.config.activation](numbers.sums)
        assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer)
        _set_weights(layer, model.config, numbers, torch.from_numpy(encoding.thresholds))
        largest = max(largest, numbers.largest)
        progress.done(t)
    return largest


def _set_weights(
    layer: RGCNLayer | CompGCNLayer | KRNLayer,
    config: ModelConfig,
    numbers: Numbers,
    thresholds: Tensor,
) -> None:
    """Write the numbers into a layer."""
    relations = torch.from_numpy(numbers.relations)
    reader = torch.from_numpy(numbers.code.reader)
    ones = torch.ones_like(thresholds)
    layer.root.copy_(torch.outer(reader, ones))
    assert layer.bias is not None
    layer.bias.copy_(-thresholds)
    if isinstance(layer, RGCNLayer):
        layer.weight.copy_(
            relations[:, None, None] * numbers.positions[0] * torch.outer(reader, ones)
        )
        return
    assert layer.vectors is not None
    layer.vectors.copy_(_vectors(config.composition, relations, layer.vectors.shape[1]))
    for factor, weight in zip(numbers.positions.tolist(), layer.weight, strict=False):
        weight.copy_(factor * torch.outer(_composed_reader(config.composition, reader), ones))


def _vectors(composition: str, relations: Tensor, width: int) -> Tensor:
    """The vectors of relations, with their numbers in all entries or in the first only."""
    if composition in ("mult", "scale"):
        return relations[:, None].expand(-1, width)
    vectors = relations.new_zeros((len(relations), width))
    vectors[:, 0] = -relations if composition == "sub" else relations
    return vectors


def _composed_reader(composition: str, reader: Tensor) -> Tensor:
    """The vector that reads from phi(h, z) what ``reader`` reads from h."""
    if composition == "concat":
        beside = torch.zeros_like(reader)
        beside[0] = 1
        return torch.cat([reader, beside])
    if composition == "corr":
        # Entry k of the correlation with a e_1 is a times entry -k of h.
        return torch.roll(reader.flip(0), 1)
    return reader


def _verify(setting: Setting, model: VertexModel | TupleModel, history: History) -> None:
    """Run the model, and compare every layer with its round bit by bit."""
    check_model_fits(setting, model.config)
    tuples = setting.tuples(model.config.k) if isinstance(model, TupleModel) else None
    run = model_run(replace(setting, dtype=torch.float64), model, tuples)
    arrangements = (Arrangement.as_given(setting.arcs), Arrangement.random(setting.arcs, 1))
    for arrangement in arrangements:
        for layer, rows in enumerate(run(arrangement), 1):
            if Partition.of(distinct_rows(rows)[1]) != history.partition(layer):
                raise TooLargeError(
                    f"layer {layer} of the constructed weights does not equal round {layer}:"
                    " the numbers are too large for exact arithmetic"
                )
