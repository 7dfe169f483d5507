"""The libraries that solve cores, behind one interface; igraph is preferred to dejavu.

igraph is deterministic and knows canonical forms, so that its "no" is a proof. dejavu is a Monte
Carlo algorithm: what it finds is checked and true, what it does not find is only unlikely. It is
used where igraph is not installed, for example because igraph's licence (GPL) does not suit.

Small graphs are solved by igraph in this process. Everything else goes to a worker process, which
can be killed when time is up; dejavu also prints remarks, which the worker keeps away.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from wlkg.analysis.symmetry import bliss, dejavu
from wlkg.analysis.symmetry.coloured_graph import ColouredGraph, PlainGraph
from wlkg.analysis.symmetry.deadline import Deadline
from wlkg.analysis.symmetry.worker import WORKER
from wlkg.arrays import IntArray

#: Graphs with at most this many vertices and edges take igraph a few milliseconds at the worst.
_SMALL = 2_000
_SMALL_VERTICES = 200


@dataclass(frozen=True)
class Library:
    """Solves cores through an adapter, `bliss` or `dejavu`."""

    adapter: ModuleType
    #: What an answer rests on.
    name: str
    #: Whether all symmetries are found for certain, and "not isomorphic" is proven.
    is_exact: bool

    def automorphisms(
        self, core: ColouredGraph, deadline: Deadline
    ) -> tuple[list[IntArray], int | None]:
        """Generators of the automorphism group as images, and its order if that is certain."""
        generators, order = self._call("automorphisms", core.plain, deadline)
        images = [np.asarray(g[: core.num_vertices], dtype=np.int64) for g in generators]
        return images, None if order is None else int(order, 16)

    def _call(self, function: str, graph: PlainGraph, deadline: Deadline) -> Any:
        arguments = [graph.colours.tolist(), graph.edges.tolist()]
        deadline.seconds_left()
        if self.is_exact and graph.num_vertices <= _SMALL_VERTICES and graph.size <= _SMALL:
            return getattr(self.adapter, function)(*arguments)
        module = self.adapter.__name__.rpartition(".")[2]
        return WORKER.call(module, function, arguments, deadline)


@dataclass(frozen=True)
class Bliss(Library):
    """BLISS through igraph."""

    def canonical_form(self, core: ColouredGraph, deadline: Deadline) -> tuple[bytes, IntArray]:
        """What cores of one shape share exactly if they are isomorphic; and the vertices in order.

        The i-th vertices of isomorphic cores correspond.
        """
        order = np.asarray(self._call("canonical_order", core.plain, deadline), dtype=np.int64)
        place = np.argsort(order)
        edges = np.sort(place[core.plain.edges], axis=1)
        edges = edges[np.lexsort(edges.T[::-1])]
        form = np.append(core.plain.colours[order], edges).tobytes()
        return form, order[order < core.num_vertices]


@dataclass(frozen=True)
class Dejavu(Library):
    """dejavu, always in the worker."""

    def isomorphism(
        self, one: ColouredGraph, two: ColouredGraph, deadline: Deadline
    ) -> IntArray | None:
        """A map from the vertices of one core to those of another; None if none was found."""
        both, size = one.plain.joined_with(two.plain), one.plain.num_vertices
        for images in self._call("automorphisms", both, deadline)[0]:
            # Cores are connected: a symmetry that moves a vertex across moves the whole core.
            if images[0] >= size:
                return np.asarray(images[: one.num_vertices], dtype=np.int64) - size
        return None


@cache
def find_library() -> Bliss | Dejavu | None:
    """The best library that is installed."""
    if find_spec("igraph") is not None:
        name = f"canonical forms and symmetries by BLISS (igraph {_version('igraph')})"
        return Bliss(adapter=bliss, name=name, is_exact=True)
    if find_spec("dejavu_gi") is not None:
        error = f"a symmetry is missed with a probability of at most 2^-{dejavu.ERROR_BITS}"
        name = f"dejavu {_version('dejavu-gi')}, where {error}"
        return Dejavu(adapter=dejavu, name=name, is_exact=False)
    return None


def _version(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "of unknown version"
