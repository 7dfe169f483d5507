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

from wlkg.errors import GraphError, InputError, UsageError
from wlkg.graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.readers.lines import text_lines
from wlkg.readers.source import Source
from wlkg.triples import IntArray
from wlkg.wording import first_few

CONSTANT = "constant"
LABELS = "labels"


@dataclass(frozen=True, eq=False)
class Features:
    """Rows for classes of vertices."""

    #: Which vertices have equal features.
    start: Partition
    #: The row of each class.
    rows: npt.NDArray[np.float64]

    @property
    def width(self) -> int:
        return int(self.rows.shape[1])

    def of(self, vertices: IntArray) -> Tensor:
        """The features of some vertices."""
        return torch.from_numpy(self.rows[self.start.colours[vertices]])


def make_features(graph: RelationalGraph, features: str, width: int) -> Features:
    """``constant``: the first basis vector for all; ``labels``: one-hot; else the path of a TSV."""
    if features == CONSTANT:
        return Features(Partition.trivial(graph.num_vertices), np.eye(1, width))
    if features == LABELS:
        if graph.labels is None:
            raise UsageError(
                "the graph has no labels. Give some with --labels, or take constant features"
            )
        start = Partition.of(graph.labels)
        return Features(start, np.eye(start.num_classes))
    table = read_features(graph, features)
    different, first, inverse = np.unique(table, axis=0, return_index=True, return_inverse=True)
    start = Partition.of(inverse.reshape(-1))
    order = np.argsort(first)
    return Features(start, different[order])


def read_features(graph: RelationalGraph, path: str) -> npt.NDArray[np.float64]:
    """A TSV with a vertex and its numbers in each line; every vertex needs one."""
    rows: dict[int, list[float]] = {}
    for number, line in text_lines(Source(path).read_document(), path):
        name, *cells = line.split("\t")
        try:
            vertex, values = graph.vertex(name), [float(cell) for cell in cells]
        except GraphError as error:
            raise InputError(str(error), path=path, line=number) from error
        except ValueError as error:
            raise InputError(f"expected numbers: {error}", path=path, line=number) from error
        if not values or not np.isfinite(values).all():
            raise InputError("expected at least one finite number", path=path, line=number)
        if rows and len(values) != len(next(iter(rows.values()))):
            raise InputError(
                f"expected {len(next(iter(rows.values())))} numbers as before, found {len(values)}",
                path=path,
                line=number,
            )
        if rows.setdefault(vertex, values) != values:
            raise InputError(f"other features for {name!r} than before", path=path, line=number)
    missing = [name for v, name in enumerate(graph.vertex_names) if v not in rows]
    if missing:
        raise InputError(
            f"{len(missing):,} vertices have no features: {first_few(missing)}", path=path
        )
    return np.array([rows[v] for v in range(graph.num_vertices)], dtype=np.float64)
