"""Models in exact arithmetic, one vertex and one neighbour after the other: the truth about them.

Written from the formulas of the layers. Nothing is shared with the exact arithmetic of `versus` but
the weights. Numbers are fractions; with square roots (norm) decimals of `DIGITS` digits, which
count as equal if they agree in half of them.
"""

from __future__ import annotations

import decimal
import itertools
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
from torch import Tensor, nn

from tests.oracles import neighbours, refine_slowly, refine_tuples_slowly
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel

DIGITS = 300
#: Fractions or decimals.
Number = Any
Row = tuple[Number, ...]
#: For each vertex and each relation the neighbours.
Near = list[list[list[int]]]
K = TypeVar("K")


def true_relations(
    setting: Setting, model: VertexModel | TupleModel | ConditionalModel
) -> list[str]:
    """How each layer relates to its round, in exact arithmetic."""
    bound = bound_of(model.config, setting.graph.direction)
    if not isinstance(model, VertexModel):
        rounds = refine_tuples_slowly([setting.coloured], bound.test, bound.direction)
    else:
        rounds = refine_slowly(setting.coloured, bound.test, bound.direction)
    relations = []
    for layer, features in enumerate(exact_features(setting, model), 1):
        colours = rounds[min(layer + bound.later, len(rounds) - 1)]
        relations.append(_relation(_classes(features), list(colours)))
    return relations


def _relation(classes: Sequence[int], colours: Sequence[object]) -> str:
    both = len(set(zip(classes, colours, strict=True)))
    splits, merges = both > len(set(colours)), both > len(set(classes))
    if splits:
        return "incomparable" if merges else "finer"
    return "coarser" if merges else "equal"


def _classes(features: Sequence[Row]) -> list[int]:
    """Each row in the class of the first row that equals it."""
    if not isinstance(features[0][0], Decimal):
        return [features.index(row) for row in features]
    return [next(j for j, two in enumerate(features) if _alike(row, two)) for row in features]


def _alike(one: Row, two: Row) -> bool:
    size = max(map(abs, (*one, *two)))
    return all(
        abs(a - b) <= size * Decimal(10) ** (-DIGITS // 2) for a, b in zip(one, two, strict=True)
    )


def exact_features(
    setting: Setting, model: VertexModel | TupleModel | ConditionalModel
) -> list[list[Row]]:
    """The features of all vertices, tuples or pairs after every layer."""
    config = model.config
    number = _decimal if config.normalised else Fraction
    with decimal.localcontext(prec=DIGITS):
        if isinstance(model, TupleModel):
            return _Tuples(setting, model, number).layers()
        if isinstance(model, ConditionalModel):
            return _Pairs(setting, model, number).layers()
        return _Vertices(setting, model, number).layers()


def _decimal(value: float | int) -> Decimal:
    return Decimal(value)


class _Formulas:
    """What vertices, tuples and pairs have in common."""

    def __init__(self, setting: Setting, model: Any, number: Callable[..., Number]) -> None:
        self.setting, self.model, self.config, self.number = setting, model, model.config, number
        self.near = _near(setting, model.config)
        self.zero = number(0)

    def matrix(self, weights: Tensor) -> list[Row]:
        rows = weights.detach().double().tolist()
        return [tuple(self.number(entry) for entry in row) for row in rows]

    def times(self, row: Row, matrix: Sequence[Row]) -> Row:
        width = len(matrix[0])
        return tuple(
            sum((a * line[c] for a, line in zip(row, matrix, strict=True) if a), self.zero)
            for c in range(width)
        )

    def add(self, rows: Iterable[Row], width: int) -> Row:
        total = [self.zero] * width
        for row in rows:
            total = [a + b for a, b in zip(total, row, strict=True)]
        return tuple(total)

    def relu(self, row: Row) -> Row:
        return tuple(max(entry, self.zero) for entry in row)

    def linear(self, module: nn.Module, row: Row) -> Row:
        weight, bias = self.matrix(module.weight), self.matrix(module.bias[None])[0]  # type: ignore[index, arg-type]
        return tuple(
            sum((a * b for a, b in zip(line, row, strict=True)), c)
            for line, c in zip(weight, bias, strict=True)
        )

    def two_maps(self, module: Any, row: Row) -> Row:
        return self.linear(module[2], self.relu(self.linear(module[0], row)))

    def phi(self, layer: Any, h: Row, z: Row) -> Row:  # noqa: PLR0911
        name, d = self.config.composition, len(h)
        if name == "add":
            return tuple(a + b for a, b in zip(h, z, strict=True))
        if name == "sub":
            return tuple(a - b for a, b in zip(h, z, strict=True))
        if name == "mult":
            return tuple(a * b for a, b in zip(h, z, strict=True))
        if name == "scale":
            return tuple(a * z[0] for a in h)
        if name == "concat":
            return (*h, *z)
        if name == "rotate":
            half = range(d // 2)
            re = [h[i] * z[i] - h[i + d // 2] * z[i + d // 2] for i in half]
            return (*re, *(h[i] * z[i + d // 2] + h[i + d // 2] * z[i] for i in half))
        if name == "corr":
            return tuple(sum(h[j] * z[(j + c) % d] for j in range(d)) for c in range(d))
        if name == "mlp":
            return self.relu(self.linear(layer.compose.map, (*h, *z)))
        assert name == "mlp2"
        return self.two_maps(layer.compose.map, (*h, *z))

    def weight(self, v: int, i: int, w: int) -> Number:
        degree = self.number(len(self.near[v][i]))
        if self.config.normalised:
            seers = sum(w in by_relation[i] for by_relation in self.near)
            return 1 / (degree * self.number(seers)).sqrt()
        return 1 / degree if self.config.aggregation == "mean" else self.number(1)

    def active(self, row: Row) -> Row:
        if self.config.activation == "sign":
            return tuple(self.number((entry > 0) - (entry < 0)) for entry in row)
        return self.relu(row)

    def vectors(self) -> list[list[Row]]:
        """The relation vectors that each layer composes with."""
        first = self.model.relation_vectors
        z: Any = None if first is None else self.matrix(first)
        result: list[list[Row]] = []
        for layer in self.model.layers:
            result.append(z if layer.vectors is None else self.matrix(layer.vectors))
            if layer.relation_map is not None:
                assert z is not None
                z = [self.linear(layer.relation_map, row) for row in z]
        return result


class _Vertices(_Formulas):
    def layers(self) -> list[list[Row]]:
        h = self.matrix(self.setting.features.of(np.arange(self.setting.graph.num_vertices)))
        vectors = self.vectors() if self.config.model == "compgcn" else []
        features = []
        for number, layer in enumerate(self.model.layers):
            rows = []
            for v in range(len(h)):
                row = (
                    self.compgcn(layer, h, vectors[number], v)
                    if vectors
                    else self.rgcn(layer, h, v)
                )
                if layer.bias is not None:
                    row = self.add([row, *self.matrix(layer.bias[None])], len(row))
                last = number == len(self.model.layers) - 1
                rows.append(row if last and not self.config.last_activation else self.active(row))
            h = rows
            features.append(h)
        return features

    def rgcn(self, layer: Any, h: list[Row], v: int) -> Row:
        width = layer.root.shape[1]
        parts = [self.times(h[v], self.matrix(layer.root))]
        for i, around in enumerate(self.near[v]):
            scaled = [tuple(self.weight(v, i, w) * a for a in h[w]) for w in around]
            message = self.times(self.add(scaled, len(h[v])), self.matrix(layer.weight[i]))
            parts.append(message if layer.mlp is None else self.two_maps(layer.mlp, message))
        return self.add(parts, width)

    def compgcn(self, layer: Any, h: list[Row], z: list[Row], v: int) -> Row:
        own = h[v] if layer.loop is None else self.phi(layer, h[v], self.matrix(layer.loop)[0])
        parts = [self.times(own, self.matrix(layer.root))]
        for i, around in enumerate(self.near[v]):
            inverse = self.config.direction and i >= self.config.outward
            for w in around:
                weight = self.weight(v, i, w)
                message = tuple(weight * a for a in self.phi(layer, h[w], z[i]))
                parts.append(self.times(message, self.matrix(layer.weight[1 if inverse else 0])))
        return self.add(parts, layer.root.shape[1])


class _Tuples(_Formulas):
    def layers(self) -> list[list[Row]]:
        n, k = self.setting.graph.num_vertices, self.config.k
        types = self.setting.tuples(k).types
        tuples = list(itertools.product(range(n), repeat=k))
        embedding = self.matrix(self.model.types.weight)
        h = {v: embedding[int(types[v])] for v in tuples}
        features = []
        for layer, z in zip(self.model.layers, self.vectors(), strict=True):
            h = {v: self.active(self.krn(layer, h, z, v)) for v in tuples}
            features.append([h[v] for v in tuples])
        return features

    def krn(
        self, layer: Any, h: dict[tuple[int, ...], Row], z: list[Row], v: tuple[int, ...]
    ) -> Row:
        width = layer.root.shape[1]
        parts = [self.times(h[v], self.matrix(layer.root))]
        for j, matrix in enumerate(layer.weight):
            for i, around in enumerate(self.near[v[j]]):
                for w in around:
                    weight = self.weight(v[j], i, w)
                    composed = self.phi(layer, h[(*v[:j], w, *v[j + 1 :])], z[i])
                    message = tuple(weight * a for a in composed)
                    parts.append(self.times(message, self.matrix(matrix)))
        if layer.bias is not None:
            parts.append(self.matrix(layer.bias[None])[0])
        total = self.add(parts, width)
        return total if layer.mlp is None else self.two_maps(layer.mlp, total)


class _Pairs(_Formulas):
    """Pairs of a source and a vertex, for the first query."""

    def layers(self) -> list[list[Row]]:
        n, model = self.setting.graph.num_vertices, self.model
        query = self.matrix(model.queries.weight[:1])[0]
        pairs = [(u, v) for u in range(n) for v in range(n)]
        h = {(u, v): self.start(query, u, v) for u, v in pairs}
        features = []
        for number, layer in enumerate(model.layers):
            # Vectors made from the query are floating-point numbers, too.
            z = self.matrix(layer.relations(model.queries.weight[:1])[:, 0])
            h = {pair: self.conditional(layer, h, z, pair) for pair in pairs}
            if number < len(model.layers) - 1 or self.config.last_activation:
                h = {pair: self.active(row) for pair, row in h.items()}
            features.append([h[pair] for pair in pairs])
        return features

    def start(self, query: Row, u: int, v: int) -> Row:
        width, model = len(query), self.model
        parts = [query] if u == v else []
        if model.common is not None:
            parts += self.matrix(model.common)
        if model.of_source is not None:
            x = self.matrix(self.setting.features.of(np.array([u, v])))
            parts += [
                self.times(row, self.matrix(weight))
                for row, weight in zip(x, (model.of_source, model.of_vertex), strict=True)
            ]
        return self.add(parts, width)

    def conditional(
        self, layer: Any, h: dict[tuple[int, int], Row], z: list[Row], pair: tuple[int, int]
    ) -> Row:
        u, v = pair
        messages = [
            self.phi(layer, h[u, w], z[i]) for i, around in enumerate(self.near[v]) for w in around
        ]
        parts = [self.times(h[pair], self.matrix(layer.root))]
        if messages:
            total = self.add(messages, len(messages[0]))
            if self.config.aggregation == "mean":
                total = tuple(entry / len(messages) for entry in total)
            parts.append(self.times(total, self.matrix(layer.weight)))
        if layer.bias is not None:
            parts += self.matrix(layer.bias[None])
        return self.add(parts, layer.root.shape[1])


def _near(setting: Setting, config: ModelConfig) -> Near:
    graph = setting.graph
    pairs = neighbours(graph, graph.direction)
    if not config.sees_relations:
        return [[sorted({u for _, u in pairs[v]})] for v in range(graph.num_vertices)]
    names = list(graph.relation_names)
    if graph.direction == "both":
        names += [name + "^-1" for name in names]
    names += ["unused"] * (config.relations - len(names))
    return [
        [sorted(u for other, u in pairs[v] if other == name) for name in names]
        for v in range(graph.num_vertices)
    ]
