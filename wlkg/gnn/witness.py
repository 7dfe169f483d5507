"""Weights that provably simulate a WL test: the lower-bound theorems of the paper as a program.

With classes c of round t - 1 as features (see `wlkg.gnn.encodings`), one layer computes for each
vertex v the number

    b(v) = z(c(v)) + sum_i a_i sum_{w in N_i(v)} z(c(w))                       1-rwl
    b(v) = z(c(v)) + a sum_i sum_{w in N_i(v)} z(c(w)) + sum_i y_i |N_i(v)|    weak-rwl
    b(t) = z(c(t)) + sum_j a_j sum_i a_i sum_{w in N_i(v_j)} z(c(t[j := w]))   K-rlwl

with random whole numbers z, a, y, drawn anew, from larger ranges, until b differs for different
classes of round t. (The proof takes powers of n for the a_i, which overflow with a few relations.)
Matrices have rank one: all columns compute b, biases are thresholds. Their sizes are those of the
paper's remark: the numbers of classes before and after the round.

Where the paper needs two layers for circular correlation (one reverses the features) and for
addition (one makes room for the vectors of relations) a single one does here: the reversal goes
into the matrix, and a_i e_1 · u needs no room.

All sums are of whole, half and quarter numbers below 2^51, so floating-point arithmetic is exact,
but for circular correlation, which goes through Fourier transforms: there signs absorb the error.
The outcome is checked by running the model.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor

from wlkg.errors import TooLargeError, UsageError
from wlkg.gnn.bounds import Bound, bound_of
from wlkg.gnn.clusters import Floats, distinct_rows
from wlkg.gnn.compgcn import CompGCNLayer
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.encodings import ENCODINGS, Code, OneHot, Ramps, Signs
from wlkg.gnn.krn import KRNLayer, TupleInput
from wlkg.gnn.models import TupleModel, VertexModel, count_parameters
from wlkg.gnn.rgcn import RGCNLayer
from wlkg.gnn.runs import Order
from wlkg.gnn.versus import Setting, model_run, usual_layers
from wlkg.memory import check_fits
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.triples import IntArray

#: Compositions that can scale, and those that only count relations.
SCALING = ("mult", "scale", "corr")
COUNTING = ("add", "sub", "concat")
#: Up to here floating-point numbers hold quarters exactly: what lies between two half numbers.
_EXACT = 2.0**51
_DRAWS = 4
#: For each neighbour four numbers, made from as many, and what is computed with them.
_SEEN_BYTES = 64
#: The factor of all messages where relations only count: 1 alone would not always do.
_SHARED = 8


@dataclass(frozen=True, eq=False)
class Witness:
    """A model whose layers see exactly what the rounds of a test see."""

    model: VertexModel | TupleModel
    bound: Bound
    classes_per_round: tuple[int, ...]
    #: No sum on the way is larger than this; below 2^51 all of them are exact.
    largest: int

    @property
    def num_weights(self) -> int:
        """How many numbers the layers have."""
        return count_parameters(self.model.layers)


@dataclass(frozen=True, eq=False)
class _Seen:
    """Who sees whom: item ``owner`` sees item ``other`` through a relation, at a position."""

    owner: IntArray
    other: IntArray
    relation: IntArray
    position: IntArray


@dataclass(frozen=True, eq=False)
class _Numbers:
    """The numbers of one layer: how its input is read, factors, and what comes out per class."""

    code: Code
    relations: Floats
    positions: Floats
    sums: Floats
    largest: float


def build_witness(
    setting: Setting,
    config: ModelConfig,
    *,
    layers: int | None = None,
    seed: int = 0,
    progress: Progress = SILENT,
) -> Witness:
    """Weights with which layer t equals round t on this graph, for every t up to ``layers``."""
    _check_possible(config, setting)
    plain = replace(
        setting.completed(config), aggregation="sum", norm=False, direction=False, bias=True
    )
    bound = bound_of(plain, setting.direction)
    depth = usual_layers(setting, bound) if layers is None else layers
    history = setting.refined(bound.test, bound.direction, depth).history
    rounds = [history.partition(t) for t in range(depth + 1)]
    sizes = [classes.num_classes for classes in rounds]
    chosen = _configured(plain, sizes)
    _check_size(chosen, sizes, setting)
    tuples = setting.tuples(config.k) if config.model == "k-rn" else None
    model = _empty_model(chosen, sizes[0])
    progress.start("constructing weights", depth, "layers")
    try:
        seen = _seen(setting, tuples)
        largest = _fill(model, _first(setting, tuples), rounds, seen, seed, progress)
    finally:
        progress.finish()
    witness = Witness(model, bound, tuple(sizes), math.ceil(largest))
    _verify(setting, witness, history, tuples)
    return witness


def _check_possible(config: ModelConfig, setting: Setting) -> None:
    allowed = {"rgcn": None, "compgcn": SCALING + COUNTING, "k-rn": SCALING}
    if config.model not in allowed:
        raise UsageError(
            f"there is no construction for {config.model}. Known: {', '.join(allowed)}"
        )
    compositions = allowed[config.model]
    if compositions is not None and config.composition not in compositions:
        raise UsageError(
            f"there is no construction for {config.model} with {config.composition}. Known:"
            f" {', '.join(compositions)}"
        )
    if config.composition == "corr" and config.activation == "relu" and compositions is not None:
        raise UsageError(
            "circular correlation is computed through Fourier transforms, whose rounding a ReLU"
            " would pass on. Take --activation sign"
        )
    if config.aggregation != "sum":
        raise UsageError(
            f"there is no construction for models that aggregate by {config.aggregation}. Take"
            " --aggregation sum"
        )
    if config.model != "k-rn" and not _is_one_hot(setting.given.rows):
        raise UsageError(
            "a witness needs one-hot features, as many as there are classes: take --features"
            " labels, or constant ones of width 1"
        )


def _is_one_hot(rows: Floats) -> bool:
    """Whether every class has a unit vector, and every feature a class."""
    places = np.argmax(rows, axis=1)
    return np.array_equal(rows, np.eye(rows.shape[1])[places]) and np.array_equal(
        np.sort(places), np.arange(rows.shape[1])
    )


def _configured(config: ModelConfig, sizes: list[int]) -> ModelConfig:
    """Widths are numbers of classes; vectors of relations are free in every layer."""
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
        "take fewer --layers, a smaller graph, or compgcn with scale",
    )


def _empty_model(config: ModelConfig, types: int) -> VertexModel | TupleModel:
    model: VertexModel | TupleModel
    model = TupleModel(config, types) if config.model == "k-rn" else VertexModel(config)
    for parameter in model.double().parameters():
        parameter.requires_grad_(False).zero_()
    if isinstance(model, TupleModel):
        model.types.weight.copy_(torch.eye(types))
    return model


def _first(setting: Setting, tuples: TupleInput | None) -> OneHot:
    """The features before the first layer."""
    rows = setting.given.rows
    return OneHot(rows if tuples is None else np.eye(int(tuples.types.max()) + 1))


def _seen(setting: Setting, tuples: TupleInput | None) -> _Seen:
    arcs = setting.arcs
    if tuples is None:
        zeros = np.zeros(len(arcs), dtype=np.int64)
        return _Seen(arcs.source, arcs.neighbour, arcs.relation, zeros)
    n, k = setting.graph.num_vertices, tuples.types.dim()
    places = np.arange(n**k).reshape((n,) * k)
    parts = []
    for j in range(k):
        rows = [np.take(places, ends, axis=j) for ends in (arcs.source, arcs.neighbour)]
        shape = [1] * k
        shape[j] = len(arcs)
        relation = np.broadcast_to(arcs.relation.reshape(shape), rows[0].shape)
        columns = (*rows, relation, np.full(rows[0].shape, j))
        parts.append([column.reshape(-1) for column in columns])
    return _Seen(*(np.concatenate(column) for column in zip(*parts, strict=True)))


def _fill(
    model: VertexModel | TupleModel,
    first: OneHot,
    rounds: list[Partition],
    seen: _Seen,
    seed: int,
    progress: Progress,
) -> float:
    """Set the weights of all layers; the largest number that occurs."""
    random = np.random.default_rng(seed)
    encoding: OneHot | Signs | Ramps = first
    largest = 0.0
    for t, layer in enumerate(model.layers, 1):
        numbers = _draw(model.config, encoding, rounds[t - 1], rounds[t], seen, random)
        encoding = ENCODINGS[model.config.activation](numbers.sums)
        assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer)
        _set(layer, model.config, numbers, torch.from_numpy(encoding.thresholds))
        largest = max(largest, numbers.largest)
        progress.done(t)
    return largest


def _draw(
    config: ModelConfig,
    encoding: OneHot | Signs | Ramps,
    before: Partition,
    after: Partition,
    seen: _Seen,
    random: np.random.Generator,
) -> _Numbers:
    """Draw numbers until every class of the next round has a sum of its own."""
    first = np.unique(after.colours, return_index=True)[1]
    most = 2
    while True:
        for _ in range(_DRAWS):
            numbers = _numbers(config, encoding, before, seen, random, most)
            if numbers.largest >= _EXACT:
                raise TooLargeError(
                    f"the witness needs whole numbers up to {numbers.largest:.2g}, more than the"
                    f" {_EXACT:.2g} that floating-point numbers hold exactly. Take fewer --layers"
                    + (" or --activation sign" if config.activation == "relu" else "")
                )
            sums = numbers.sums[first]
            if len(np.unique(sums)) == len(sums):
                return replace(numbers, sums=sums)
        most *= 2


def _numbers(
    config: ModelConfig,
    encoding: OneHot | Signs | Ramps,
    before: Partition,
    seen: _Seen,
    random: np.random.Generator,
    most: int,
) -> _Numbers:
    code = encoding.draw(random, most)
    relations = random.integers(1, most + 1, config.relations).astype(np.float64)
    counts = config.model == "compgcn" and config.composition in COUNTING
    # A factor for each position; where relations scale, the only position needs none.
    few = most if config.model == "k-rn" else _SHARED if counts else 1
    positions = random.integers(1, few + 1, config.k).astype(np.float64)
    value = code.values[before.colours]
    factor, number = positions[seen.position], relations[seen.relation]

    def messages(values: Floats | float) -> Floats:
        plain = values + _worth(config, code) * number if counts else number * values
        return factor * plain

    def added(rows: Floats) -> Floats:
        total = np.bincount(seen.owner, weights=rows, minlength=len(value))
        return total.astype(np.float64, copy=False)

    sums = value + added(messages(value[seen.other]))
    largest = code.reach + added(messages(code.reach)).max()
    return _Numbers(code, relations, positions, sums, float(largest))


def _worth(config: ModelConfig, code: Code) -> float:
    """What a relation's number counts for: it is added to, or stands beside, the first feature."""
    return 1.0 if config.composition == "concat" else float(code.reader[0])


def _set(
    layer: RGCNLayer | CompGCNLayer | KRNLayer,
    config: ModelConfig,
    numbers: _Numbers,
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
    """The vectors of relations: their numbers in all entries, or in the first only."""
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


def _verify(
    setting: Setting, witness: Witness, history: History, tuples: TupleInput | None
) -> None:
    """Run the model and hold every layer against its round, bit by bit."""
    run = model_run(replace(setting, dtype=torch.float64), witness.model, tuples)
    for order in (Order.given(setting.arcs), Order.random(setting.arcs, 1)):
        for layer, rows in enumerate(run(order), 1):
            if Partition.of(distinct_rows(rows)[1]) != history.partition(layer):
                raise TooLargeError(
                    f"layer {layer} of the constructed weights does not equal round {layer}:"
                    " the numbers are too large for exact arithmetic"
                )
