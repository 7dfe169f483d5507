"""The layers of witnesses in exact arithmetic, written as their formulas."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any

from torch import Tensor, nn

from tests.oracles import Colours, neighbours
from wlkg.catalogue import Direction
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.graph.relational_graph import RelationalGraph

Number = int | Fraction
Row = list[Number]
LinearMap = tuple[list[Row], Row]
#: For each vertex or tuple, the position, the relation and the number of each neighbour.
Seen = list[list[tuple[int, int, int]]]


def exact(values: Tensor) -> Any:
    """The same numbers as integers or fractions, which are never rounded."""

    def convert(value: Any) -> Any:
        if isinstance(value, list):
            return [convert(part) for part in value]
        return int(value) if value.is_integer() else Fraction(value)

    return convert(values.tolist())


def relation_names(graph: RelationalGraph, direction: Direction) -> list[str]:
    names = list(graph.relation_names)
    return names + [f"{name}^-1" for name in names] if direction == "both" else names


def seen_by_vertices(graph: RelationalGraph, direction: Direction, model: str = "rgcn") -> Seen:
    number = {name: i for i, name in enumerate(relation_names(graph, direction))}
    arcs = neighbours(graph, direction)
    around = [[(number[name], w) for name, w in sorted(arcs[v])] for v in range(len(arcs))]
    if model == "gnn":
        around = [sorted({(0, w) for _, w in row}) for row in around]
    return [[(0, i, w) for i, w in row] for row in around]


def seen_by_tuples(graph: RelationalGraph, direction: Direction, k: int) -> Seen:
    around = seen_by_vertices(graph, direction)
    items = list(itertools.product(range(graph.num_vertices), repeat=k))
    place = {item: number for number, item in enumerate(items)}
    return [
        [
            (j, i, place[(*item[:j], w, *item[j + 1 :])])
            for j, v in enumerate(item)
            for _, i, w in around[v]
        ]
        for item in items
    ]


def phi(name: str, h: Row, z: Row) -> Row:
    d = len(h)
    m = d // 2
    formulas: dict[str, Callable[[], Row]] = {
        "add": lambda: [a + b for a, b in zip(h, z, strict=True)],
        "sub": lambda: [a - b for a, b in zip(h, z, strict=True)],
        "mult": lambda: [a * b for a, b in zip(h, z, strict=True)],
        "concat": lambda: h + z,
        "corr": lambda: [sum(h[j] * z[(j + k) % d] for j in range(d)) for k in range(d)],
        "scale": lambda: [a * z[0] for a in h],
        "rotate": lambda: [
            *(h[j] * z[j] - h[m + j] * z[m + j] for j in range(m)),
            *(h[j] * z[m + j] + h[m + j] * z[j] for j in range(m)),
        ],
    }
    return formulas[name]()


class Largest:
    """The largest partial sum that can occur, in any order, among the sums that it takes."""

    def __init__(self) -> None:
        self.value: Number = 0

    def sum(self, parts: list[Number]) -> Number:
        self.value = max(self.value, sum(max(part, -part) for part in parts))
        return sum(parts)

    def maps(self, row: Row, maps: list[LinearMap], last_relu: bool = False) -> Row:
        """Linear maps with a ReLU between them, and after the last if so asked."""
        for number, (matrix, bias) in enumerate(maps, 1):
            row = [
                self.sum([offset, *(a * b for a, b in zip(row, weights, strict=True) if a and b)])
                for weights, offset in zip(matrix, bias, strict=True)
            ]
            if number < len(maps) or last_relu:
                row = [max(value, 0) for value in row]
        return row


def exact_maps(learned: nn.Module) -> list[LinearMap]:
    """The linear maps of an MLP: the weights of each output, and the biases."""
    return [
        (exact(part.weight), exact(part.bias))
        for part in learned.modules()
        if isinstance(part, nn.Linear)
    ]


def messages_of(
    layer: nn.Module, composition: str, largest: Largest
) -> Callable[[int, int, Row], tuple[Row, list[Row]]]:
    """From position, relation and features of a neighbour: its message and the matrix for it."""
    if isinstance(layer, RGCNLayer):
        by_relation = exact(layer.weight)
        return lambda _, i, h: (h, by_relation[i])
    assert isinstance(layer, CompGCNLayer | KRNLayer)
    assert layer.vectors is not None
    z, by_position = exact(layer.vectors), [exact(weight) for weight in layer.weight]
    if layer.compose.map is None:
        return lambda j, i, h: (phi(composition, h, z[i]), by_position[j])
    maps, one_map = exact_maps(layer.compose.map), composition == "mlp"
    return lambda j, i, h: (largest.maps(h + z[i], maps, last_relu=one_map), by_position[j])


ACTIVATION: dict[str, Callable[[Number], Number]] = {
    "relu": lambda x: max(x, 0),
    "sign": lambda x: (x > 0) - (x < 0),
}


def product(terms: list[tuple[Row, list[Row]]], width: int, largest: Largest) -> Row:
    """The sum of rows times matrices."""
    return [
        largest.sum([h * w[k] for row, matrix in terms for h, w in zip(row, matrix, strict=True)])
        for k in range(width)
    ]


def exact_layer(
    layer: nn.Module, config: ModelConfig, x: list[Row], seen: Seen
) -> tuple[list[Row], Number]:
    """The layer's output, and a bound on all partial sums in any order."""
    assert isinstance(layer, RGCNLayer | CompGCNLayer | KRNLayer)
    assert layer.bias is not None
    root, bias = exact(layer.root), exact(layer.bias)
    largest, act, rows = Largest(), ACTIVATION[config.activation], []
    message = messages_of(layer, config.composition, largest)
    mlp = getattr(layer, "mlp", None)
    maps = None if mlp is None else exact_maps(mlp)
    for own, others in zip(x, seen, strict=True):
        terms = [(i, *message(j, i, x[w])) for j, i, w in others]
        if maps is not None and config.model == "rgcn-mlp":
            row = row_with_mlp((own, root), terms, maps, config.relations, largest)
        else:
            row = product([(own, root), *((h, w) for _, h, w in terms)], len(bias), largest)
        row = [value + offset for value, offset in zip(row, bias, strict=True)]
        if maps is not None and config.model == "k-rn":
            row = Largest().maps(row, maps)  # thresholds are not counted elsewhere either
        rows.append([act(value) for value in row])
    return rows, largest.value


def row_with_mlp(
    own: tuple[Row, list[Row]],
    terms: list[tuple[int, Row, list[Row]]],
    maps: list[LinearMap],
    relations: int,
    largest: Largest,
) -> Row:
    """h_v W_0 + sum_i MLP(sum_w h_w W_i), over all relations i."""
    width = len(own[1][0])
    parts = [product([own], width, largest)]
    for i in range(relations):
        inner = product([(h, w) for relation, h, w in terms if relation == i], width, largest)
        parts.append(largest.maps(inner, maps))
    return [largest.sum(list(column)) for column in zip(*parts, strict=True)]


def unit_vectors(colours: Colours) -> list[Row]:
    count = len(set(colours))
    return [[int(c == place) for place in range(count)] for c in colours]


def numbered(keys: Sequence[Hashable]) -> list[int]:
    """Equal numbers for equal keys, in the order of first occurrence."""
    number: dict[Hashable, int] = {}
    return [number.setdefault(key, len(number)) for key in keys]


def classes_of(rows: Sequence[Sequence[Any]]) -> list[int]:
    return numbered([tuple(row) for row in rows])


def is_regular(rows: Sequence[Row]) -> bool:
    """Whether the rows are linearly independent, by elimination without rounding."""
    left = [[Fraction(value) for value in row] for row in rows]
    for column in range(len(left)):
        pivot = next((row for row in left[column:] if row[column]), None)
        if pivot is None:
            return False
        left.remove(pivot)
        left.insert(column, pivot)
        for row in left[column + 1 :]:
            factor = row[column] / pivot[column]
            row[:] = [a - factor * b for a, b in zip(row, pivot, strict=True)]
    return True
