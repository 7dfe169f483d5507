"""The layers of our own models in exact arithmetic, written straight from their formulas.

A formula that is not known here is an `UnknownFormulaError`. A layer that has the parts of a known
one but computes something else is not noticed here: the caller compares the result with the model's
own features before it believes it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from torch import Tensor, nn

from wlkg.arrays import IntArray
from wlkg.gnn.against_wl.exact_table import (
    Budget,
    Integers,
    RootWeights,
    Table,
    side_by_side,
    stacked,
)
from wlkg.gnn.against_wl.pair_runs import relation_vectors
from wlkg.gnn.against_wl.unfolding import Messages, Unfolding
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.composition_maps import Compose, OneMap
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel


class UnknownFormulaError(Exception):
    """A model has a part that has no exact counterpart here."""


def exact_layers(
    model: VertexModel | TupleModel | ConditionalModel,
    start: Tensor,
    unfolding: Unfolding,
    budget: Budget,
) -> list[Table]:
    """The features after every layer of an unfolding; ``start`` has a row for each input item."""
    config = model.config
    h = table_of(start, budget)
    vectors = None if isinstance(model, ConditionalModel) else model.relation_vectors
    z = None if vectors is None else table_of(vectors, budget)
    layers = []
    for number, messages in enumerate(unfolding.steps, 1):
        layer = model.layers[number - 1]
        if isinstance(layer, RGCNLayer):
            h = _rgcn(layer, h, messages, config)
        elif isinstance(model, ConditionalModel):
            assert isinstance(layer, ConditionalLayer)
            made = table_of(relation_vectors(model, number - 1), budget)
            h = _conditional(layer, h, made, messages, config)
        else:
            assert isinstance(layer, CompGCNLayer | KRNLayer)
            own_z = z if layer.vectors is None else table_of(layer.vectors, budget)
            assert own_z is not None
            h = _composing(layer, h, own_z, messages, config)
            if layer.relation_map is not None and number < len(unfolding.steps):
                z = _mapped(layer.relation_map, own_z)
        if isinstance(model, TupleModel) or number < config.layers or config.last_activation:
            h = h.relu() if config.activation == "relu" else h.sign()
        layers.append(h)
    return layers


def table_of(numbers: Tensor, budget: Budget) -> Table:
    """The exact values of a tensor of two axes."""
    return Table.of(numbers.detach().double().cpu().numpy(), budget)


def _mapped(module: nn.Module, rows: Table) -> Table:
    """Linear maps and ReLUs, one after the other."""
    if isinstance(module, nn.Sequential):
        for part in module:
            rows = _mapped(part, rows)
        return rows
    if isinstance(module, nn.ReLU):
        return rows.relu()
    if not isinstance(module, nn.Linear):
        raise UnknownFormulaError
    product = rows.times(table_of(module.weight.T, rows.budget))
    out = product.plus(_row(module.bias, rows.budget))
    return out.relu() if isinstance(module, OneMap) else out


def _row(vector: Tensor, budget: Budget) -> Table:
    return table_of(vector[None], budget)


def message_weights(messages: Messages, config: ModelConfig) -> RootWeights:
    """The weights that the messages of a layer have: counts, divided by the mean or the norm."""
    count = messages.count.astype(object)
    ones, alone = np.ones_like(count), np.ones(len(count), dtype=np.int64)
    if config.normalised:
        # 1 / sqrt(s^2 q) = sqrt(q) / (s q)
        split = [square_part(n) for n in (messages.degree * messages.seen).tolist()]
        divisor = np.array([s * q for s, q in split], dtype=object)
        return RootWeights(count, divisor, np.array([q for _, q in split], dtype=np.int64))
    if config.aggregation == "mean":
        return RootWeights(count, messages.degree.astype(object), alone)
    return RootWeights(count, ones, alone)


@lru_cache(maxsize=100_000)
def square_part(number: int) -> tuple[int, int]:
    """Numbers s and q with ``number = s^2 q`` and q square-free."""
    square, rest, factor = 1, number, 2
    while factor * factor <= rest:
        if rest % (factor * factor):
            factor += 1
        else:
            square, rest = square * factor, rest // (factor * factor)
    return square, rest


def _rgcn(layer: RGCNLayer, h: Table, messages: Messages, config: ModelConfig) -> Table:
    budget = h.budget
    out = h.rows(messages.own).times(table_of(layer.root, budget))
    count = len(messages.own)
    # The features of neighbours are first summed for each target and relation.
    keys, pair = np.unique(messages.target * len(layer.weight) + messages.slot, return_inverse=True)
    target, relation = keys // len(layer.weight), keys % len(layer.weight)
    if len(keys):
        weights = message_weights(messages, config)
        sums = h.weighted_sums(messages.source, weights, pair.reshape(-1), len(keys))
        order = np.argsort(relation, kind="stable")
        products = [
            sums.rows(order[relation[order] == i]).times(table_of(layer.weight[i], budget))
            for i in np.unique(relation).tolist()
        ]
        rows = stacked(products)
        if layer.mlp is not None:
            rows = _mapped(layer.mlp, rows)
        out = out.plus(_summed(rows, target[order], count))
    if layer.mlp is not None:
        # Relations without neighbours go through the MLP too.
        nothing = table_of(layer.root.new_zeros((1, layer.root.shape[1])), budget)
        absent = len(layer.weight) - np.bincount(target, minlength=count)
        zeros = np.zeros(count, dtype=np.int64)
        out = out.plus(
            _mapped(layer.mlp, nothing).weighted_sums(
                zeros, _counts(absent), np.arange(count), count
            )
        )
    return out if layer.bias is None else out.plus(_row(layer.bias, budget))


def _conditional(
    layer: ConditionalLayer, h: Table, z: Table, messages: Messages, config: ModelConfig
) -> Table:
    budget, count = h.budget, len(messages.own)
    out = h.rows(messages.own).times(table_of(layer.root, budget))
    if len(messages.target):
        composed, pair = _composed_messages(config.composition, layer.compose, h, z, messages)
        weights = _counts(messages.count)
        if config.aggregation == "mean":
            # Over the messages of all relations.
            of_target = np.bincount(messages.target, weights=messages.count, minlength=count)
            degree = of_target[messages.target].astype(np.int64).astype(object)
            weights = RootWeights(weights.count, degree, weights.root)
        sums = composed.weighted_sums(pair, weights, messages.target, count)
        out = out.plus(sums.times(table_of(layer.weight, budget)))
    return out if layer.bias is None else out.plus(_row(layer.bias, budget))


def _composed_messages(
    name: str, compose: Compose, h: Table, z: Table, messages: Messages
) -> tuple[Table, IntArray]:
    """The compositions of distinct pairs of a sender and a relation, and that of each message."""
    relations = len(z)
    keys, pair = np.unique(
        messages.source * relations + messages.slot % relations, return_inverse=True
    )
    composed = _composed(name, compose, h.rows(keys // relations), z.rows(keys % relations))
    return composed, pair.reshape(-1)


def _counts(numbers: IntArray) -> RootWeights:
    return RootWeights(
        numbers.astype(object), np.full(len(numbers), 1, dtype=object), np.ones(len(numbers), int)
    )


def _summed(rows: Table, target: IntArray, count: int) -> Table:
    ones = _counts(np.ones(len(target), dtype=np.int64))
    return rows.weighted_sums(np.arange(len(target)), ones, target, count)


def _composing(
    layer: CompGCNLayer | KRNLayer, h: Table, z: Table, messages: Messages, config: ModelConfig
) -> Table:
    budget, relations, count = h.budget, len(z), len(messages.own)
    own = h.rows(messages.own)
    loop = layer.loop if isinstance(layer, CompGCNLayer) else None
    if loop is not None:
        vectors = table_of(loop, budget).rows(np.zeros(count, dtype=np.int64))
        own = _composed(config.composition, layer.compose, own, vectors)
    out = own.times(table_of(layer.root, budget))
    if len(messages.target):
        relation = messages.slot % relations
        if isinstance(layer, CompGCNLayer):
            matrix = (relation >= layer._outward).astype(np.int64)
        else:
            matrix = messages.slot // relations
        composed, pair = _composed_messages(config.composition, layer.compose, h, z, messages)
        weights = message_weights(messages, config)
        for number, weight in enumerate(layer.weight):
            chosen = np.flatnonzero(matrix == number)
            sums = composed.weighted_sums(
                pair[chosen], weights.chosen(chosen), messages.target[chosen], count
            )
            out = out.plus(sums.times(table_of(weight, budget)))
    if layer.bias is not None:
        out = out.plus(_row(layer.bias, budget))
    update = getattr(layer, "mlp", None)
    return out if update is None else _mapped(update, out)


# -- compositions ---------------------------------------------------------------------------------


def _composed(name: str, compose: Compose, h: Table, z: Table) -> Table:
    """phi(h, z), row by row."""
    if name in ("add", "sub"):
        return h.plus(z, 1 if name == "add" else -1)
    if compose.map is not None:
        return _mapped(compose.map, side_by_side(h, z))
    if name == "concat":
        return side_by_side(h, z)
    if name not in _PRODUCTS:
        raise UnknownFormulaError
    vectors = z.parts[1]
    h.budget.spend(len(h) * h.width * (h.width if name == "corr" else 2) * len(h.parts), h.bits)
    return h.mapped(lambda part: _PRODUCTS[name](part, vectors), z.shift)


def _rotated(h: Integers, z: Integers) -> Integers:
    a, b = np.split(h, 2, axis=1)
    c, d = np.split(z, 2, axis=1)
    return np.concatenate([a * c - b * d, a * d + b * c], axis=1)


def _correlated(h: Integers, z: Integers) -> Integers:
    columns = [(h * np.roll(z, -k, axis=1)).sum(axis=1) for k in range(h.shape[1])]
    return np.stack(columns, axis=1)


#: Compositions that multiply entries of h by entries of z.
_PRODUCTS: dict[str, Callable[[Integers, Integers], Integers]] = {
    "mult": lambda h, z: h * z,
    "scale": lambda h, z: h * z,
    "rotate": _rotated,
    "corr": _correlated,
}
