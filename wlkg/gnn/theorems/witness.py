"""Weights that provably simulate a WL test: the lower-bound theorems of the paper as a program.

`witness_numbers` draws the numbers with which a layer separates the classes of round t, and
`witness_weights` makes them the weights of a model. Layers have the sizes of the paper's remark:
the numbers of classes before and after the round. Both activations, sign and ReLU, are constructed.

====================================  ========  ===================================================
model                                 test      why it can
====================================  ========  ===================================================
plain GNN                             1-wl      the paper's lemma with a single relation
R-GCN, R-GCN + MLP                    1-rwl     Theorem 2; where sums are not negative, an MLP can
                                                be the identity
CompGCN with scale, mult, corr,       1-rwl     Theorem 2; a rotation by a real number scales
rotate
CompGCN with mlp, mlp2                1-rwl     a ReLU can select by class, so each relation and
                                                class has a number of its own
CompGCN with add, sub, concat         weak-rwl  Theorem 4
k-RN with scale, mult, corr, rotate,  K-rlwl    the same on tuples, with a matrix for each position
mlp, mlp2; UPD linear or an MLP
C-MPNN with scale, mult, corr,        rawl2     for one source it is 1-rwl with that vertex marked;
rotate, mlp, mlp2                               the start needs its vector for all pairs
====================================  ========  ===================================================

There is no construction

- for k-RN and C-MPNN with add, sub or concat, which do not reach their tests. For k-RN, let v and w
  be the vertices of the paper's example for weak-rwl, and x a vertex without neighbours. Round 1 of
  K-rlwl separates the tuples (x, ..., x, v) and (x, ..., x, w), as their neighbours of one colour
  come through different relations. Their sums of phi are equal: they have the same colours and the
  same relations.
- for C-MPNN with a global readout, whose test is rawl2-all.
- for means and for normalised messages. They are not the layers of the theorems, and shares are not
  whole numbers, so that their sums are not exact.

The paper needs two layers for circular correlation (one reverses the features) and for addition
(one makes room for the vectors of relations). Here a single layer is enough: the reversal goes into
the matrix, and a_i e_1 · u needs no room.

Floating-point arithmetic is exact except for circular correlation, which uses Fourier transforms.
There signs absorb the error. A ReLU would pass it on, so the layer adds a large number to the
features of a vertex before the messages and subtracts it after them; the sum between the two has no
room for the error. The result is checked by running the model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import numpy as np
import torch

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
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.plan import seen_arcs
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.switches import applying
from wlkg.gnn.theorems.encodings import ENCODINGS, Encoding, OneHot, Parts
from wlkg.gnn.theorems.witness_numbers import (
    CHOOSING,
    COMPOSING,
    COUNTING,
    SCALING,
    Seen,
    draw_numbers,
    who_sees_whom,
)
from wlkg.gnn.theorems.witness_pairs import (
    check_start,
    pairs_see_whom,
    set_start,
    start_encoding,
    start_width,
)
from wlkg.gnn.theorems.witness_weights import set_weights
from wlkg.memory import check_fits
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress

#: For each kind of model, the compositions with a construction; None if it has no composition.
CONSTRUCTED: dict[str, tuple[str, ...] | None] = {
    "gnn": None,
    "rgcn": None,
    "rgcn-mlp": None,
    "compgcn": SCALING + CHOOSING + COUNTING,
    "k-rn": SCALING + CHOOSING,
    "c-mpnn": SCALING + CHOOSING,
}
#: Bytes for each neighbour: four numbers, and four more while they are made and used.
_SEEN_BYTES = 64


@dataclass(frozen=True, eq=False)
class Witness:
    """A model whose layers see exactly what the rounds of a test see."""

    model: VertexModel | TupleModel | ConditionalModel
    bound: Bound
    classes_per_round: tuple[int, ...]
    #: No sum on the way is larger than this; sums below 2^51 are exact.
    largest: int
    setting: Setting = field(repr=False)

    def __repr__(self) -> str:
        config = self.model.config
        return (
            f"Witness({config.model} with {config.layers} layers equals {self.bound.test},"
            f" {self.classes_per_round[-1]:,} classes, {self.num_weights:,} weights)"
        )

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
    first = _input_encoding(setting, config, rounds[0])
    model = _empty_model(config, sizes[0])
    progress.start("constructing weights", config.layers, "layers")
    try:
        seen = _seen(setting, config)
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


def constant_width(choice: ModelChoice) -> int:
    """The width of constant features: one class, but ``rotate`` needs an even width."""
    return 2 if choice.model == "compgcn" and choice.composition == "rotate" else 1


def _check_possible(choice: ModelChoice, setting: Setting) -> None:
    if choice.model not in CONSTRUCTED:
        raise UsageError(
            f"there is no construction for {choice.model}. Known: {', '.join(CONSTRUCTED)}"
        )
    compositions = CONSTRUCTED[choice.model]
    if compositions is not None and choice.composition not in compositions:
        raise UsageError(
            f"there is no construction for {choice.model} with {choice.composition}. Known:"
            f" {', '.join(compositions)}"
        )
    if choice.aggregation != "sum":
        raise UsageError(
            f"there is no construction for models that aggregate by {choice.aggregation}. Use"
            " --aggregation sum"
        )
    if choice.global_readout:
        raise UsageError(
            "there is no construction for c-mpnn with a global readout. Use --no-global-readout"
        )
    if choice.model != "k-rn":
        _check_features(choice, setting.features.rows)


def _check_features(choice: ModelChoice, rows: FloatArray) -> None:
    """Refuse features of vertices that are not a unit vector for each class."""
    width = rows.shape[1]
    places = np.argmax(rows, axis=1)
    ones = rows[np.arange(len(rows)), places]
    is_one_hot = (ones == 1).all() and np.count_nonzero(rows) == len(rows)
    if not is_one_hot or len(set(places.tolist())) < len(places):
        raise UsageError(
            "a witness needs one-hot features, one for each class: use --features labels or"
            " constant features"
        )
    if width % constant_width(choice):
        raise UsageError(
            f"rotate needs features of an even width, and these have {width} columns: give them as"
            " a table (--features FILE.tsv) with a column of zeros more, or use mult"
        )


def _with_widths(config: ModelConfig, sizes: list[int]) -> ModelConfig:
    """Widths are numbers of classes, and every layer has its own vectors of relations."""
    unit = 2 if config.model in COMPOSING and config.composition == "rotate" else 1
    even = [size + -size % unit for size in sizes[:-1]]
    on_tuples = config.model == "k-rn"
    if config.conditional:
        check_start(config)
        even[0] = start_width(config)
    return replace(
        config,
        in_width=even[0] if on_tuples else config.in_width,
        width=sizes[-1],
        out_width=1 if on_tuples else sizes[-1],
        layers=len(sizes) - 1,
        hidden_widths=(*even, sizes[-1]) if on_tuples or config.conditional else tuple(even[1:]),
        relation_update=False,
        own_vectors=config.model in ("compgcn", "k-rn"),
    )


def _check_size(config: ModelConfig, sizes: list[int], setting: Setting) -> None:
    with torch.device("meta"):
        weights = count_parameters(_new_model(config, sizes[0]))
    seen = len(setting.arcs)
    if config.model == "k-rn":
        seen *= config.k * setting.graph.num_vertices ** (config.k - 1)
    if config.conditional:
        seen *= len(setting.source_ids)
    classes = ", ".join(f"{size:,}" for size in sizes)
    check_fits(
        f"a witness for {classes} classes",
        f"{weights:,} weights, sums over {seen:,} neighbours,",
        16 * weights + _SEEN_BYTES * seen,
        setting.max_memory,
        "use fewer --layers, a smaller graph, or compgcn with scale",
    )


def _seen(setting: Setting, config: ModelConfig) -> Seen:
    arcs = seen_arcs(setting.arcs, config)
    if config.conditional:
        return pairs_see_whom(arcs, len(setting.source_ids))
    return who_sees_whom(arcs, config.k if config.model == "k-rn" else 1)


def _new_model(config: ModelConfig, types: int) -> VertexModel | TupleModel | ConditionalModel:
    if config.conditional:
        return ConditionalModel(config)
    return TupleModel(config, types) if config.model == "k-rn" else VertexModel(config)


def _empty_model(config: ModelConfig, types: int) -> VertexModel | TupleModel | ConditionalModel:
    model = _new_model(config, types).double()
    for parameter in model.parameters():
        parameter.requires_grad_(False).zero_()
    if isinstance(model, TupleModel):
        model.types.weight[:, :types].copy_(torch.eye(types))
    if isinstance(model, ConditionalModel):
        set_start(model)
    return model


def _input_encoding(setting: Setting, config: ModelConfig, classes: Partition) -> OneHot | Parts:
    """The features before the first layer, of each class of round 0."""
    if config.conditional:
        return start_encoding(setting, config, classes)
    if config.model != "k-rn":
        return OneHot(setting.features.rows)
    return OneHot(np.eye(int(setting.tuples(config.k).types.max()) + 1))


def _fill(
    model: VertexModel | TupleModel | ConditionalModel,
    first: Encoding,
    rounds: list[Partition],
    seen: Seen,
    *,
    seed: int,
    progress: Progress,
) -> float:
    """Set the weights of all layers, and return the largest number that occurs."""
    random = np.random.default_rng(seed)
    encoding: Encoding = first
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
        after = ENCODINGS[model.config.activation](numbers.sums)
        assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer | ConditionalLayer)
        set_weights(layer, model.config, numbers, encoding, after)
        encoding = after
        largest = max(largest, numbers.largest)
        progress.done(t)
    return largest


def _verify(
    setting: Setting, model: VertexModel | TupleModel | ConditionalModel, history: History
) -> None:
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
