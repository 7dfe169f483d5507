"""Input features of vertices: the same for all, one-hot labels, or given in a table.

Features that are the same for all are a basis vector, or a random vector that belongs to the model.

The theorems assume that two vertices have equal features exactly if they have equal labels. Here
the partition of vertices by equal features takes the place of the labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from wlkg.arrays import IntArray
from wlkg.errors import InputError, UsageError
from wlkg.graph.names import canonical_order
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import Partition
from wlkg.readers.tables import Row, assign_vertices, read_table

CONSTANT = "constant"
#: One random vector for all vertices, drawn as Glorot and Bengio propose. It is part of the model
#: (see `wlkg.gnn.models.vertex_model`): drawn with its seed, not learned, and kept in checkpoints.
GLOROT = "glorot"
LABELS = "labels"
TABLE = "table"


@dataclass(frozen=True, eq=False)
class Features:
    """A row for each class of vertices."""

    #: Which vertices have equal features.
    start: Partition
    #: The row of each class.
    rows: npt.NDArray[np.float64]
    #: Where they come from: `CONSTANT`, `GLOROT`, `LABELS` or `TABLE`.
    kind: str
    #: The name of each class, which means the same in every graph.
    names: tuple[str, ...]

    @property
    def width(self) -> int:
        return int(self.rows.shape[1])

    @property
    def labels(self) -> tuple[str, ...]:
        """The label that each column stands for, if the features are one-hot labels."""
        return tuple(canonical_order(self.names)) if self.kind == LABELS else ()

    @property
    def vertex_names(self) -> list[str]:
        """The name of the class of each vertex."""
        return [self.names[place] for place in self.start.colours.tolist()]

    def restricted(self, vertices: IntArray) -> Features:
        """The features of some vertices only, in a given order; columns stay as they are."""
        colours = self.start.colours[vertices]
        distinct, first = np.unique(colours, return_index=True)
        kept = distinct[np.argsort(first)]
        names = tuple(self.names[place] for place in kept.tolist())
        return replace(self, start=Partition.of(colours), rows=self.rows[kept], names=names)

    def of(self, vertices: IntArray) -> Tensor:
        """The features of the given vertices, a row each."""
        return torch.from_numpy(self.rows[self.start.colours[vertices]])


def make_features(
    graph: RelationalGraph, features: str, width: int, *, max_memory: int | None = None
) -> Features:
    """Features of the kind ``constant``, ``glorot`` or ``labels`` (one-hot), or from a TSV.

    One-hot labels that need more than ``max_memory`` bytes are refused.
    """
    if features in (CONSTANT, GLOROT):
        # The model replaces the numbers of `GLOROT`; whoever used them by mistake would notice.
        rows = np.eye(1, width) if features == CONSTANT else np.full((1, width), np.nan)
        start = Partition.trivial(graph.num_vertices)
        return Features(start=start, rows=rows, kind=features, names=("",))
    if features == LABELS:
        if graph.labels is None:
            raise UsageError(
                "the graph has no labels. Give some with --labels, or use constant features"
            )
        start = Partition.of(graph.labels)
        first = np.unique(start.colours, return_index=True)[1]
        names = tuple(graph.label_names[label] for label in graph.labels[first].tolist())
        # Columns follow the order of the label names, not the order of the vertices.
        columns = {name: column for column, name in enumerate(canonical_order(names))}
        rows = one_hot([columns[name] for name in names], len(names), max_memory=max_memory)
        return Features(start=start, rows=rows, kind=LABELS, names=names)
    table = read_features(graph, features)
    distinct, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    start = Partition.of(inverse.reshape(-1))
    order = np.argsort(first)
    rows = distinct[order]
    names = tuple(str(row) for row in rows.tolist())
    return Features(start=start, rows=rows, kind=TABLE, names=names)


def one_hot(
    columns: Sequence[int], width: int, *, max_memory: int | None
) -> npt.NDArray[np.float64]:
    """A row for each of the columns, with a one there; refused if it does not fit into memory."""
    check_fits(
        f"a table of one-hot labels, {width:,} columns wide,",
        f"{len(columns):,} rows",
        8 * len(columns) * width,
        max_memory,
        "use fewer labels or --features constant",
    )
    rows = np.zeros((len(columns), width))
    rows[np.arange(len(columns)), columns] = 1
    return rows


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
