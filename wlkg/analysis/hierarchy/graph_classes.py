"""Classes of graphs with equal colour histograms, for all rounds of one refinement.

All graphs are refined together, side by side. The colour of a vertex or tuple after t rounds
depends only on its own graph. So two graphs have equal histograms here exactly if they have equal
histograms when only the two of them are refined together, at every round.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.analysis.side_by_side import SideBySide
from wlkg.partition import Partition
from wlkg.refinement.histograms import rounds_that_split, with_equal_histograms
from wlkg.refinement.results import VertexRefinement

#: Up to this many tuples, the colours of all rounds are kept (at most some 50 MB). Beyond it, the
#: colours of a round are recomputed when needed, which is also faster.
_MAX_TUPLES_KEPT = 200_000


@dataclass(frozen=True, eq=False)
class GraphClasses:
    """The partitions of graphs by their colour histograms."""

    #: Round 0, and every round that splits a class.
    by_round: dict[int, Partition]
    #: Whether it was proved, without hashing, that no colours were confused.
    exact: bool

    @property
    def last(self) -> Partition:
        return self.by_round[max(self.by_round)]


def classes_of_graphs(graphs: SideBySide, test: str) -> GraphClasses:
    """The classes of graphs that a test does not separate; the graphs must fit into memory."""
    refinement = graphs.refine(test)
    keeps_all = isinstance(refinement, VertexRefinement) or refinement.num_items <= _MAX_TUPLES_KEPT

    def classes_at(t: int) -> Partition:
        if t == refinement.rounds:
            partition = refinement.partition
        elif keeps_all:
            partition = refinement.history.partition(t)
        else:
            partition = graphs.refine(test, rounds=t).partition
        return with_equal_histograms(refinement.items_per_block, partition.colours)

    by_round = rounds_that_split(classes_at, refinement.rounds)
    return GraphClasses(by_round=by_round, exact=refinement.exact)
