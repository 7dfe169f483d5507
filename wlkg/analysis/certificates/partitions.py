"""Evidence for "same" under a vertex test: the stable partition of both graphs, and its quotient.

The classes of a stable partition see the same, so one vertex of each class says what all of them
see. Classes are numbered by their first vertex in the order of certificates.
"""

from __future__ import annotations

from math import gcd
from typing import Any

import numpy as np

from wlkg.analysis.certificates.certificate import name_order
from wlkg.analysis.explanation.evaluation import relations_of
from wlkg.analysis.explanation.formulas import ANY
from wlkg.analysis.side_by_side import SideBySide
from wlkg.arrays import Int64Array, IntArray
from wlkg.catalogue import VertexTest
from wlkg.errors import UsageError
from wlkg.partition import Partition
from wlkg.refinement.vertices.vertex_problem import vertex_problem


def common_partition(
    pair: SideBySide, test: VertexTest, stable: Partition, *, fractional: bool
) -> dict[str, Any]:
    """The classes of all vertices, and for each class its size, label and view."""
    union, size = pair.union, pair.sizes[0]
    order = np.array(
        [*name_order(pair.graphs[0]), *(size + v for v in name_order(pair.graphs[1]))],
        dtype=np.int64,
    )
    partition = Partition.of(stable.colours[order])
    class_of = np.empty(len(order), dtype=np.int64)
    class_of[order] = partition.colours
    chosen = order[np.unique(partition.colours, return_index=True)[1]]
    sizes = [int(count) // 2 for count in partition.sizes]
    labels = [""] * len(sizes)
    if union.labels is not None:
        labels = [union.label_names[label] for label in union.labels[chosen].tolist()]
    quotient = _Quotient(pair, test, class_of, chosen)
    classes: list[dict[str, Any]] = [
        {"size": size, "label": label, "arcs": arcs}
        for size, label, arcs in zip(sizes, labels, quotient.arcs(), strict=True)
    ]
    for key, rows in quotient.besides().items():
        for entry, row in zip(classes, rows, strict=True):
            entry[key] = row
    evidence: dict[str, Any] = {
        "relations": quotient.relations,
        "classes": classes,
        "colours": [partition.colours[:size].tolist(), partition.colours[size:].tolist()],
    }
    if fractional:
        check_fractional(pair, test)
        evidence["fractional"] = [f"1/{size}" for size in sizes]
    return evidence


def check_fractional(pair: SideBySide, test: VertexTest) -> None:
    """Refuse a fractional isomorphism where the partition gives none.

    A X = X B needs that vertices of a class are also *seen* equally often. Tests see to that only
    where every arc has an inverse arc, and where they see numbers.
    """
    direction = pair.union.direction
    if test.sees_shares or direction not in ("both", "undirected"):
        raise UsageError(
            f"{test.name} in direction mode {direction} gives no fractional isomorphism. Use 1-rwl,"
            " weak-rwl or 1-wl, and --direction both or undirected"
        )


class _Quotient:
    """What one vertex of each class sees."""

    def __init__(
        self, pair: SideBySide, test: VertexTest, class_of: Int64Array, chosen: IntArray
    ) -> None:
        arcs = vertex_problem(pair.union, test).arcs
        is_chosen = np.zeros(len(class_of), dtype=bool)
        is_chosen[chosen] = True
        kept = is_chosen[arcs.source]
        self._test, self._num_classes = test, len(chosen)
        #: For each arc its class, the number of its relation, the class seen, and if it is a loop.
        self._source = class_of[arcs.source[kept]]
        self._seen = class_of[arcs.neighbour[kept]]
        self._is_loop = arcs.source[kept] == arcs.neighbour[kept]
        used, self._relation = np.unique(arcs.relation[kept], return_inverse=True)
        named = relations_of(pair.union)
        #: All relations as one come first, for tests that see them so.
        self.relations = [] if test.sees_relations or not kept.any() else [list(ANY)]
        if test.sees_relations or test.sees_degrees:
            self.relations += [list(named[i]) for i in used.tolist()]

    def arcs(self) -> list[list[list[Any]]]:
        """For each class the rows [relation, class, number or share]."""
        relation = self._relation if self._test.sees_relations else np.zeros_like(self._relation)
        source, relation, seen, count = self._counted(relation, self._seen)
        amounts: list[Any] = count.tolist()
        if self._test.sees_shares:
            _, group = np.unique(source * len(self.relations) + relation, return_inverse=True)
            total = np.bincount(group, weights=count)[group].astype(np.int64).tolist()
            amounts = [_share(n, of) for n, of in zip(amounts, total, strict=True)]
        rows = zip(relation.tolist(), seen.tolist(), amounts, strict=True)
        return self._by_class(source, [list(row) for row in rows])

    def besides(self) -> dict[str, list[list[Any]]]:
        """For each class its degrees [relation, number] and loops, if the test sees them."""
        found = {}
        if self._test.sees_degrees:
            everything = np.zeros_like(self._seen)
            source, relation, _, count = self._counted(1 + self._relation, everything)
            rows = [list(row) for row in zip(relation.tolist(), count.tolist(), strict=True)]
            found["degrees"] = self._by_class(source, rows)
        if self._test.starts_with_loops:
            relations = self._relation[self._is_loop].tolist()
            found["loops"] = self._by_class(self._source[self._is_loop], relations)
        return found

    def _counted(
        self, relation: IntArray, seen: Int64Array
    ) -> tuple[Int64Array, Int64Array, Int64Array, Int64Array]:
        """The distinct rows (class, relation, class seen), sorted, and how often each occurs."""
        width = max(len(self.relations), 1)
        key = (self._source * width + relation) * self._num_classes + seen
        distinct, count = np.unique(key, return_counts=True)
        front, last = np.divmod(distinct, max(self._num_classes, 1))
        return *np.divmod(front, width), last, count

    def _by_class(self, source: Int64Array, rows: list[Any]) -> list[list[Any]]:
        found: list[list[Any]] = [[] for _ in range(self._num_classes)]
        for number, row in zip(source.tolist(), rows, strict=True):
            found[number].append(row)
        return found


def _share(count: int, total: int) -> str:
    common = gcd(count, total)
    return f"{count // common}/{total // common}"
