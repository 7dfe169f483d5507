"""What questions have in common: vertices by name or id, tests that have formulas, the answer."""

from __future__ import annotations

from wlkg.analysis.explanation.formulas import Formula
from wlkg.catalogue import VertexTest, find_test
from wlkg.display import Displayed
from wlkg.errors import GraphError, UsageError
from wlkg.graph.relational_graph import RelationalGraph


class Answer(Displayed):
    """An answer that may have a formula."""

    formula: Formula | None

    @property
    def depth(self) -> int | None:
        """The depth of the formula."""
        return None if self.formula is None else self.formula.depth

    @property
    def size(self) -> int | None:
        """The number of nodes of the formula, written out as a tree."""
        return None if self.formula is None else self.formula.size


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
            f"{name} colours tuples, and classes of vertices are described by formulas about single"
            " vertices. Choose a vertex test, such as --test 1-rwl"
        )
    return without_whole_graph(test)
