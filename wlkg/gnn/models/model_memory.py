"""How much memory a model takes, checked before anything is allocated.

A forward pass needs its weights, the features of all layers, and the messages of one layer at a
time. Training also keeps, for the gradients, what each layer has computed from its messages, and
three more numbers for each weight: its gradient and the two moments of Adam. The factors are upper
bounds: measured peaks lie between a third of them and all of them, not counting the program itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import PNA, ModelConfig
from wlkg.gnn.models.message_statistics import NUM_STATISTICS
from wlkg.gnn.models.plan import Plan
from wlkg.memory import check_fits

#: For each message, how many rows of its width training keeps beside its composition.
_KEPT = {"corr": 6, "mlp": 4, "mlp2": 5}
_KEPT_USUALLY = 2
#: The compositions that have matrices of their own.
_WITH_MLP = ("mlp", "mlp2")
#: Bytes for each message: the sparse matrices of a layer, while they are built.
PER_MESSAGE = 160
#: The most numbers of a product of all rows with all matrices of an R-GCN.
_DENSE = 8_000_000
_REMEDY = "use a smaller --dim, fewer --layers or a smaller graph"


@dataclass(frozen=True)
class LayerRows:
    """How many rows a layer reads and writes, and how many messages it composes and adds up."""

    sources: int
    targets: int
    composed: int
    messages: int = 0


def rows_of_plan(plan: Plan, config: ModelConfig) -> list[LayerRows]:
    """What each layer of a model of vertices computes."""
    return [
        LayerRows(
            sources=step.num_sources,
            targets=step.num_targets,
            composed=len(step.source_pairs if config.model == "compgcn" else step.equal_sums),
            messages=len(step.source),
        )
        for step in plan.steps
    ]


def rows_of_tuples(config: ModelConfig, vertices: int, arcs: int) -> list[LayerRows]:
    """What each layer of a k-RN computes: vertices and arcs for all other k - 1 positions."""
    copies = vertices ** (config.k - 1)
    layer = LayerRows(copies * vertices, copies * vertices, copies * arcs)
    return [layer] * config.layers


def num_weights(config: ModelConfig) -> int:
    """The most weights that a model may have: the matrices of its layers, biases and vectors.

    The vectors of a k-RN's atomic types are fewer than the tuples, whose features are counted.
    """
    pairs = list(itertools.pairwise(config.widths))
    vectors = 8 * sum(config.widths)
    if config.model in ("gnn", "rgcn", "rgcn-mlp"):
        mlps = 3 * sum(b * b for _, b in pairs) if config.model == "rgcn-mlp" else 0
        return (config.relations + 1) * sum(a * b for a, b in pairs) + mlps + vectors
    composed = find_composition(config.composition).out_width
    if config.conditional:
        return vectors + _conditional_weights(config, pairs)
    mlp = 4 if config.composition in _WITH_MLP else 0
    update = 0 if config.model != "k-rn" else 2 if config.update == "mlp" else 1
    # One matrix for each direction of CompGCN or position of a k-RN, one for the vertex itself, and
    # the update of the relations; before every layer a vector for each relation.
    return vectors + sum(
        (config.k + 1) * composed(a) * b
        + a * b
        + (mlp + 1) * a * max(a, b)
        + update * b * b
        + (config.relations + 2) * a
        for a, b in pairs
    )


def _conditional_weights(config: ModelConfig, pairs: list[tuple[int, int]]) -> int:
    """Those of a C-MPNN: the vectors of queries, maps of features, and the layers."""
    first, composed = config.widths[0], find_composition(config.composition).out_width
    copies = NUM_STATISTICS if config.aggregation == PNA else 1
    per_vector = first + 1 if config.query_message else 1
    mlp = 4 if config.composition in _WITH_MLP else 0
    start = config.num_queries * first + (2 * config.in_width + 1) * first
    return start + sum(
        (copies * composed(a) + 2 * a + 1) * b + mlp * a * a + config.relations * per_vector * a
        for a, b in pairs
    )


def check_run_fits(
    config: ModelConfig,
    vertices: int,
    *,
    features: int,
    messages: int,
    bytes_of_number: int = 8,
    more: int = 0,
    max_memory: int | None,
    remedy: str = _REMEDY,
) -> None:
    """Refuse a forward pass whose weights, features and messages do not fit into memory.

    Weights are held as drawn (float32) and as used. Features are those of two runs, and one more
    copy while a layer is computed; messages have temporary copies during composition.
    """
    size, weights = bytes_of_number, num_weights(config)
    needed = (4 + size) * weights + 3 * size * features + 5 * size * messages + more
    _check(config, vertices, weights, features, messages, needed, max_memory, remedy)


def check_task_fits(
    config: ModelConfig,
    vertices: int,
    layers: Sequence[LayerRows],
    *,
    training: bool,
    bytes_of_number: int,
    max_memory: int | None,
) -> None:
    """Refuse training, or a forward pass of a model of a task, that does not fit into memory."""
    size, pairs = bytes_of_number, list(itertools.pairwise(config.widths))
    positions = config.k if config.model == "k-rn" else 1
    composed = find_composition(config.composition).out_width
    kept_rows, kept, passing, more = layers[0].sources * config.widths[0], 0, 0, 0
    for layer, (d, e) in zip(layers, pairs, strict=True):
        c = composed(d) if config.model in ("compgcn", "k-rn") else e
        kept_rows += layer.targets * (d + 2 * e + 2 * positions * c)
        kept += positions * layer.composed * _kept_per_message(config, d, c)
        passing = max(passing, layer.composed * max(d, c))
        more += PER_MESSAGE * layer.messages
        if config.model in ("gnn", "rgcn"):
            all_pairs = layer.sources * config.relations
            copies = min(all_pairs * e, layer.composed * d * e, _DENSE)
            more += 3 * size * copies + 16 * min(all_pairs, layer.composed * d)
    # Vertices: features as given in float64. Tuples: the numbers of their atomic types.
    more += 8 * layers[0].sources * (3 if config.model == "k-rn" else config.widths[0])
    if not training:
        check_run_fits(
            config,
            vertices,
            features=_features(layers, pairs),
            messages=passing,
            bytes_of_number=size,
            more=more,
            max_memory=max_memory,
        )
        return
    weights, widest = num_weights(config), max(max(pair) for pair in pairs)
    rows = kept_rows + 4 * max(layer.targets for layer in layers) * widest
    messages = kept + 5 * passing
    # Weights: themselves, gradients and moments; then copies within a layer, or of a checkpoint.
    needed = (4 + 10 * size) * weights + size * (rows + messages) + more
    _check(config, vertices, weights, rows, messages, needed, max_memory)


def _kept_per_message(config: ModelConfig, d: int, c: int) -> int:
    """How many numbers training keeps for a message from a row of width d."""
    if config.model in ("gnn", "rgcn", "rgcn-mlp"):
        return d + (5 if config.model == "rgcn-mlp" else 2) * c
    means = c if config.aggregation == "mean" else 0
    return _KEPT.get(config.composition, _KEPT_USUALLY) * d + c + means


def _features(layers: Sequence[LayerRows], pairs: Iterable[tuple[int, int]]) -> int:
    """How many numbers the features of all layers are, the input included."""
    (first, *_), outputs = layers, zip(layers, pairs, strict=True)
    parts = [(layer.targets * e, d) for layer, (d, e) in outputs]
    return first.sources * parts[0][1] + sum(rows for rows, _ in parts)


def _check(
    config: ModelConfig,
    vertices: int,
    weights: int,
    features: int,
    messages: int,
    needed: int,
    max_memory: int | None,
    remedy: str = _REMEDY,
) -> None:
    check_fits(
        f"{config.model} with {config.layers} layers on {vertices:,} vertices",
        f"about {weights:,} weights, features of {features:,} numbers and messages of {messages:,}",
        needed,
        max_memory,
        remedy,
    )
