"""Graphs that are hard to tell apart, and a model for them that needs no PyTorch."""

from __future__ import annotations

from collections.abc import Sequence

import wlkg
from wlkg.graph.relational_graph import RelationalGraph


def examples(*names: str) -> tuple[RelationalGraph, ...]:
    """The built-in graphs with these names."""
    return tuple(wlkg.read(f"example:{name}") for name in names)


#: Four regular graphs with 6 vertices, and two with 16.
REGULAR = examples("c6", "2xc3", "k33", "triangular-prism", "rook", "shrikhande")


def by_size(
    graphs: Sequence[RelationalGraph], pairs: Sequence[tuple[int, int]]
) -> list[bool | None]:
    """A model that sees only the number of vertices, and is undecided about pairs of size 16."""
    sizes = [graph.num_vertices for graph in graphs]
    return [None if {sizes[i], sizes[j]} == {16} else sizes[i] != sizes[j] for i, j in pairs]
