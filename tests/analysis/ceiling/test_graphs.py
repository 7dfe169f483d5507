"""The history of whole graphs equals one made of all rounds, also where there are many."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import relational_graphs
from wlkg.analysis.ceiling.graphs import graph_history
from wlkg.errors import TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.refine import refine
from wlkg.refinement.results import Refinement


def refined(graphs: list[RelationalGraph], test: str) -> Refinement:
    sizes = [graph.num_vertices for graph in graphs]
    return refine(disjoint_union(*graphs), test, blocks=sizes)


def alike_slowly(refinement: Refinement, number: int) -> Partition:
    """The graphs with equal sorted colours after a round."""
    colours = refinement.history.partition(number).colours.tolist()
    sizes = refinement.items_per_block
    starts = [sum(sizes[:place]) for place in range(len(sizes) + 1)]
    keys = [tuple(sorted(colours[a:b])) for a, b in pairwise(starts)]
    return Partition.of([keys.index(key) for key in keys])


def assert_every_round(refinement: Refinement) -> None:
    history = graph_history(refinement)
    for number in range(refinement.rounds + 2):
        assert history.partition(number) == alike_slowly(refinement, number)


@given(
    graphs=st.lists(
        relational_graphs(max_vertices=5, directions=("both",)), min_size=1, max_size=5
    ),
    test=st.sampled_from(["1-wl", "1-rwl", "2-rlwl"]),
)
def test_every_round_has_the_graphs_with_equal_histograms(
    graphs: list[RelationalGraph], test: str
) -> None:
    assert_every_round(refined(graphs, test))


def path(length: int, marked: int) -> RelationalGraph:
    """A path with a label at one place."""
    places = np.arange(length)
    graph = RelationalGraph.from_arrays(
        places[:-1], np.zeros(length - 1, dtype=np.int64), places[1:], num_vertices=length
    )
    return graph.with_label_ids(np.where(places == marked, 1, 0))


def test_graphs_that_are_separated_late_are() -> None:
    assert_every_round(refined([path(60, place) for place in (0, 5, 9, 29, 30)], "1-wl"))


def test_a_history_that_does_not_fit_is_refused() -> None:
    refinement = refined([path(9, place) for place in range(5)], "1-wl")
    with pytest.raises(TooLargeError, match="a history of 5 graphs has up to 5 rounds"):
        graph_history(refinement, max_memory=100)
