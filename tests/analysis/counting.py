"""Counts the graphs and the sets of arcs that an analysis builds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pytest

from wlkg.graph.arcs import Arcs, build_arcs
from wlkg.graph.relational_graph import RelationalGraph


@dataclass
class Built:
    """What was built; a union counts as a graph."""

    graphs: int = 0
    arcs: int = 0


@contextmanager
def counting() -> Iterator[Built]:
    """Count what is built inside the ``with`` block."""
    built = Built()
    from_arrays = RelationalGraph.from_arrays

    def counted_graph(*arguments: Any, **options: Any) -> RelationalGraph:
        built.graphs += 1
        return from_arrays(*arguments, **options)

    def counted_arcs(*arguments: Any, **options: Any) -> Arcs:
        built.arcs += 1
        return build_arcs(*arguments, **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(RelationalGraph, "from_arrays", counted_graph)
        patch.setattr("wlkg.graph.relational_graph.build_arcs", counted_arcs)
        yield built
