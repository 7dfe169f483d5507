"""Names of atomic types."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.strategies import relational_graphs
from wlkg.gnn.models.tuple_input import tuple_inputs, type_names


@given(data=st.data(), k=st.sampled_from([2, 3]))
@settings(max_examples=60)
def test_atomic_types_have_names_that_do_not_depend_on_the_order_of_the_graph(
    data: st.DataObject, k: int
) -> None:
    graph = data.draw(relational_graphs(max_vertices=5).filter(lambda g: g.num_vertices > 0))
    order = data.draw(st.permutations(range(graph.num_vertices)))
    names = []
    for copied in (graph, graph.permuted(order)):
        (block,) = tuple_inputs(copied, k)
        starts = [
            "" if copied.labels is None else copied.label_names[copied.labels[v]]
            for v in range(copied.num_vertices)
        ]
        by_type = type_names(block, starts, copied.arcs().relation_names)
        assert len(set(by_type)) == len(by_type) == int(block.types.max()) + 1
        by_tuple = np.array(by_type)[block.types.numpy()]
        tuples = itertools.product(range(copied.num_vertices), repeat=k)
        names.append({tuple(copied.vertex_names[v] for v in t): by_tuple[t] for t in tuples})
    assert names[0] == names[1]
