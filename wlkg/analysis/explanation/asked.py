"""What a user asks about: vertices by name or id, and a test with the run that answers."""

from __future__ import annotations

from wlkg.catalogue import VertexTest, find_test
from wlkg.errors import GraphError, UsageError
from wlkg.graph.relational_graph import RelationalGraph


def vertex_id(graph: RelationalGraph, vertex: str | int) -> int:
    """The id of a vertex that is given by its name or its id."""
    if isinstance(vertex, str):
        return graph.vertex(vertex)
    if not 0 <= vertex < graph.num_vertices:
        raise GraphError(f"no vertex has the id {vertex}: ids are 0 .. {graph.num_vertices - 1}")
    return int(vertex)


def without_whole_graph(test: VertexTest) -> VertexTest:
    """The test that separates the same, in one graph or two, and has formulas.

    1-wl-all sees in a graph what 1-wl sees (`wlkg.refinement.whole_graph`), 1-rwl-all what 1-rwl
    sees. Formulas about neighbours say all of it.
    """
    if not test.sees_all:
        return test
    base = find_test(test.name.removesuffix("-all"))
    assert isinstance(base, VertexTest)
    return base


def vertex_test(name: str) -> VertexTest:
    """The vertex test of that name that has formulas; an error for tests of tuples."""
    test = find_test(name)
    if not isinstance(test, VertexTest):
        raise UsageError(
            f"{name} colours tuples: a class of vertices is described for vertex tests only,"
            " such as 1-rwl"
        )
    return without_whole_graph(test)
