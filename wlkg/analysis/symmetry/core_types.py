"""Which cores are isomorphic: by canonical forms, or by looking for a map, pair by pair."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np

from wlkg.analysis.symmetry.coloured_graph import ColouredGraph, Shape
from wlkg.analysis.symmetry.deadline import Deadline, OutOfTimeError
from wlkg.analysis.symmetry.libraries import Bliss, Dejavu
from wlkg.analysis.symmetry.own_search import search_isomorphism
from wlkg.analysis.symmetry.worker import WorkerError
from wlkg.arrays import IntArray

#: A map from the vertices of one core to those of another, or None if there is none.
Search: TypeAlias = Callable[[ColouredGraph, ColouredGraph, Deadline], IntArray | None]


class CoreTypes(ABC):
    """Numbers the isomorphism types of cores as they come."""

    #: How many cores were compared with others by more than their shapes.
    compared = 0

    @abstractmethod
    def find(self, core: ColouredGraph) -> tuple[Hashable, IntArray]:
        """The type of a core, and its vertices in an order that cores of this type share."""


class GivingUp(CoreTypes):
    """As other types, but a core for which there is no time gets a type of its own."""

    def __init__(self, types: CoreTypes) -> None:
        self._types = types
        self.given_up = 0

    def find(self, core: ColouredGraph) -> tuple[Hashable, IntArray]:
        try:
            return self._types.find(core)
        except (OutOfTimeError, WorkerError):
            self.given_up += 1
            return self.given_up, np.arange(core.num_vertices)


@dataclass
class CanonicalTypes(CoreTypes):
    """Types by canonical forms."""

    library: Bliss
    deadline: Deadline
    compared: int = 0

    def find(self, core: ColouredGraph) -> tuple[Hashable, IntArray]:
        self.compared += 1
        form, order = self.library.canonical_form(core, self.deadline)
        return (core.shape, form), order


@dataclass
class PairwiseTypes(CoreTypes):
    """Types by a search for a map from the first core of each type."""

    search: Search
    deadline: Deadline
    compared: int = 0
    _firsts: dict[Shape, list[ColouredGraph]] = field(default_factory=dict)

    def find(self, core: ColouredGraph) -> tuple[Hashable, IntArray]:
        firsts = self._firsts.setdefault(core.shape, [])
        for number, first in enumerate(firsts):
            self.compared += 1
            image = self.search(first, core, self.deadline)
            if image is not None:
                return (core.shape, number), image
        firsts.append(core)
        return (core.shape, len(firsts) - 1), np.arange(core.num_vertices)


def types_by(library: Bliss | Dejavu | None, deadline: Deadline) -> CoreTypes:
    """The types of cores as a library tells them, or an own search if there is none."""
    if isinstance(library, Bliss):
        return CanonicalTypes(library, deadline)
    search = search_isomorphism if library is None else library.isomorphism
    return PairwiseTypes(search, deadline)
