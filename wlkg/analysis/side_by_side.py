"""Graphs refined together, so that a colour means the same in all of them.

Relations and labels are matched by name, and tuples of one graph never mix with tuples of another.
The disjoint union and its arcs are built once, on first use, and serve every test.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from wlkg.catalogue import Direction, VertexTest, find_test
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import check_size, run_test
from wlkg.refinement.results import Refinement


@dataclass(frozen=True, eq=False)
class SideBySide:
    """Graphs of one direction mode as the blocks of their disjoint union."""

    graphs: tuple[RelationalGraph, ...]
    #: What runs the vertex tests.
    engine: EngineChoice = DEFAULT_ENGINE

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of vertices of each graph."""
        return tuple(graph.num_vertices for graph in self.graphs)

    @cached_property
    def union(self) -> RelationalGraph:
        return disjoint_union(*self.graphs)

    def check_size(self, test: str, max_memory: int | None = None) -> None:
        """Refuse a test that would not fit into memory, before anything is built."""
        check_size(test, self.sizes, max_memory)

    def refine(
        self, test: str, rounds: int | None = None, *, progress: Progress = SILENT
    ) -> Refinement:
        """Run a test on all graphs together; call `check_size` first."""
        is_vertex_test = isinstance(find_test(test), VertexTest)
        engine = self.engine if is_vertex_test else DEFAULT_ENGINE
        return run_test(
            self.union, test, rounds, blocks=self.sizes, engine=engine, progress=progress
        )


def side_by_side(
    one: RelationalGraph,
    two: RelationalGraph,
    direction: Direction | None = None,
    engine: EngineChoice = DEFAULT_ENGINE,
) -> SideBySide:
    """Two graphs, read with the same direction mode."""
    one, two = one.with_direction(direction), two.with_direction(direction)
    if one.direction != two.direction:
        raise UsageError(
            f"one graph is read with direction {one.direction}, the other with {two.direction}."
            " Choose one with --direction"
        )
    return SideBySide((one, two), engine)
