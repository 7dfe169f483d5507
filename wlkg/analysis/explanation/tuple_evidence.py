"""Why a tuple test separates two vertices or two graphs: a class of tuples, and a formula.

Two collections of tuples are compared at the first round at which they have different numbers of
some class: the tuples that begin with one vertex and with the other, or those of two graphs. For
K-rlwl and delta-K-lwl a formula about K vertices says the same; K-wl and K-fwl have none here.

The history of all tuples takes 48 bytes per tuple and 4 for each round; more than the allowed
memory is refused before it is computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.separation import Separator
from wlkg.analysis.explanation.tuples import Tuples
from wlkg.arrays import Int64Array
from wlkg.catalogue import TupleTest
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits
from wlkg.partition import History
from wlkg.refinement.results import Refinement

_BYTES_PER_TUPLE = 48


@dataclass(frozen=True)
class TupleClass:
    """A class of tuples that two collections have different numbers of."""

    #: The vertices of the first tuple of the class in a collection that has more of it, by id.
    representative: tuple[int, ...]
    counts: tuple[int, int]


@dataclass(frozen=True)
class TupleEvidence:
    """A class of tuples, and perhaps a formula, that tell two collections apart."""

    tuple_class: TupleClass
    #: True of (v, ..., v) and false of (w, ..., w), or true of as many tuples as ``counts`` says.
    formula: Formula | None
    counts: tuple[int, int] | None


class TupleRun:
    """The run of a tuple test, with the history of its tuples."""

    def __init__(
        self,
        graph: RelationalGraph,
        test: TupleTest,
        refinement: Refinement,
        max_memory: int | None = None,
    ) -> None:
        needed = refinement.num_items * (_BYTES_PER_TUPLE + 4 * (refinement.rounds + 1))
        check_fits(
            f"the history of {test.name}",
            f"{refinement.num_items:,} tuples",
            needed,
            max_memory,
            "use a smaller K or graph",
        )
        self._tuples = Tuples(graph, test, refinement.blocks)
        self._refinement = refinement
        self._separator = None
        # Formulas about tuples may name relations between their vertices, as atomic types do.
        if test.looks == "local" and test.starts_with_relations:
            self._separator = Separator(self._tuples, refinement.history)

    def between_vertices(self, v: int, w: int) -> TupleEvidence | None:
        """Why two vertices are separated; None if they are not."""
        t = self._refinement.vertices.separated_at(v, w)
        if t is None:
            return None
        pair = self._tuples.diagonal(v), self._tuples.diagonal(w)
        if self._history.separated_at(*pair) == t:
            # Only tuples (x, ..., x) are in this class: v begins one of them, w none.
            formula = None if self._separator is None else self._separator.formula(*pair)
            tuple_class = TupleClass(self._tuples.vertices(pair[0]), (1, 0))
            return TupleEvidence(tuple_class, formula, None)
        collections = self._tuples.beginning_with(v), self._tuples.beginning_with(w)
        return self._between(*collections, t)

    def between_graphs(self) -> TupleEvidence | None:
        """Why the two graphs of the run are separated; None if they are not."""
        t = self._refinement.differs_at
        if t is None:
            return None
        return self._between(self._tuples.of_block(0), self._tuples.of_block(1), t)

    @property
    def _history(self) -> History:
        return self._refinement.history

    def _between(self, ours: Int64Array, theirs: Int64Array, t: int) -> TupleEvidence:
        classes = [self._history.class_at(items, t) for items in (ours, theirs)]
        size = 1 + max(int(side.max(initial=0)) for side in classes)
        one, two = (np.bincount(side, minlength=size) for side in classes)
        most = int(np.argmax(np.abs(one - two)))
        side = 0 if one[most] > two[most] else 1
        first = int((ours, theirs)[side][np.argmax(classes[side] == most)])
        tuple_class = TupleClass(self._tuples.vertices(first), (int(one[most]), int(two[most])))
        if self._separator is None:
            return TupleEvidence(tuple_class, None, None)
        formula = self._separator.counting(ours, theirs, t)
        counts = (self._separator.count(formula, ours), self._separator.count(formula, theirs))
        return TupleEvidence(tuple_class, formula, counts)
