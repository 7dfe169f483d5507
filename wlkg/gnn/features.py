"""Input features of vertices: the same for all, one-hot of labels, or given in a table.

The theorems speak of features that are equal exactly where labels are; what decides here is which
vertices have equal features.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from wlkg.arrays import IntArray
from wlkg.errors import InputError, UsageError
from wlkg.graph.names import canonical_order
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.readers.tables import Row, assign_vertices, read_table

CONSTANT = "constant"
LABELS = "labels"
TABLE = "table"


@dataclass(frozen=True, eq=False)
class Features:
    """Rows for classes of vertices."""

    #: Which vertices have equal features.
    start: Partition
    #: The row of each class.
    rows: npt.NDArray[np.float64]
    #: How they were made: `CONSTANT`, `LABELS` or `TABLE`.
    kind: str
    #: What each class is called, by which it is the same in another graph.
    names: tuple[str, ...]

    @property
    def width(self) -> int:
        return int(self.rows.shape[1])

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of the columns, if they are labels."""
        return tuple(canonical_order(self.names)) if self.kind == LABELS else ()

    @property
    def vertex_names(self) -> list[str]:
        """What each vertex starts with, by name."""
        return [self.names[place] for place in self.start.colours.tolist()]

    def of(self, vertices: IntArray) -> Tensor:
        """The features of some vertices."""
        return torch.from_numpy(self.rows[self.start.colours[vertices]])


def make_features(graph: RelationalGraph, features: str, width: int) -> Features:
    """``constant``: the first basis vector for all; ``labels``: one-hot; else the path of a TSV."""
    if features == CONSTANT:
        alike = Partition.trivial(graph.num_vertices)
        return Features(alike, np.eye(1, width), CONSTANT, ("",))
    if features == LABELS:
        if graph.labels is None:
            raise UsageError(
                "the graph has no labels. Give some with --labels, or take constant features"
            )
        start = Partition.of(graph.labels)
        first = np.unique(start.colours, return_index=True)[1]
        names = tuple(graph.label_names[label] for label in graph.labels[first].tolist())
        # A column is a label by its name, whichever vertex has it first.
        columns = canonical_order(names)
        places = [columns.index(name) for name in names]
        return Features(start, np.eye(len(columns))[places], LABELS, names)
    table = read_features(graph, features)
    different, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    start = Partition.of(inverse.reshape(-1))
    order = np.argsort(first)
    rows = different[order]
    return Features(start, rows, TABLE, tuple(str(row) for row in rows.tolist()))


def read_features(graph: RelationalGraph, path: str) -> npt.NDArray[np.float64]:
    """A TSV with a vertex and its numbers in each line; every vertex needs one."""

    def numbers(row: Row) -> list[float]:
        try:
            values = [float(cell) for cell in row.cells[1:]]
        except ValueError as error:
            raise InputError(f"expected numbers: {error}", path=path, line=row.line) from error
        if not values or not np.isfinite(values).all():
            raise InputError("expected at least one finite number", path=path, line=row.line)
        return values

    table = read_table(path, layout="as in the first line")
    vectors = assign_vertices(graph, table, numbers, noun="feature vector")
    return np.array([vectors[v] for v in range(graph.num_vertices)], dtype=np.float64)
