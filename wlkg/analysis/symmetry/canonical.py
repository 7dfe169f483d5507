"""Types of blocks: two blocks have the same type exactly if they are isomorphic.

Bottom-up, the type of a block is the colours of its loose vertices together with the types of its
children; the type of a core comes from a library. With the type comes an order of the vertices: the
i-th vertices of two blocks of one type correspond. So the orders of two equal blocks give the
symmetry that swaps them, and those of two graphs give an isomorphism.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from wlkg.analysis.symmetry.coloured_graph import ColouredGraph
from wlkg.analysis.symmetry.core_types import CoreTypes
from wlkg.analysis.symmetry.decomposition import Decomposition
from wlkg.arrays import IntArray


@dataclass(frozen=True, eq=False)
class BlockTypes:
    """The type of every block, and its vertices in an order that blocks of one type share."""

    tree: Decomposition
    types: list[int] = field(default_factory=list)
    orders: list[IntArray] = field(default_factory=list)

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of each block, by type and number."""
        children: list[list[int]] = [[] for _ in range(self.tree.num_blocks)]
        for block, parent in enumerate(self.tree.parent.tolist()):
            if parent >= 0:
                children[parent].append(block)
        return children


def core_graph(tree: Decomposition, core: int) -> ColouredGraph:
    """A core by itself; its vertex i is the i-th of ``tree.own_vertices(core)``."""
    vertices = tree.own_vertices(core)
    source, neighbour, kind = tree.core_arcs(core)
    ascending = np.argsort(vertices)
    by_number = vertices[ascending]
    return ColouredGraph(
        colours=tree.colours[vertices],
        source=ascending[np.searchsorted(by_number, source)],
        neighbour=ascending[np.searchsorted(by_number, neighbour)],
        kind=kind,
    )


def block_types(tree: Decomposition, cores: CoreTypes) -> BlockTypes:
    """The types of all blocks, from the smallest blocks up."""
    numbers: dict[Hashable, int] = {}
    count = tree.num_blocks
    empty = np.zeros(0, dtype=np.int64)
    result = BlockTypes(tree, types=[0] * count, orders=[empty] * count)
    types, orders, children = result.types, result.orders, result.children
    for block in reversed(range(count)):
        vertices = tree.own_vertices(block)
        if tree.is_core[block]:
            core_type, order = cores.find(core_graph(tree, block))
            key: Hashable = core_type
            orders[block] = vertices[order]
        else:
            below = children[block]
            below.sort(key=lambda child: (types[child], child))
            key = (tree.colours[vertices].tobytes(), tuple(types[child] for child in below))
            parts = [orders[child] for child in below]
            orders[block] = np.concatenate([vertices, *parts]) if parts else vertices
        types[block] = numbers.setdefault(key, len(numbers))
    return result
