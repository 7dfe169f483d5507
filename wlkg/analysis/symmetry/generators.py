"""Generators of a group of symmetries: permutations that say only what they move."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from wlkg.analysis.symmetry.connected import connected_components
from wlkg.arrays import BoolArray, IntArray, frozen
from wlkg.partition import Partition


@dataclass(frozen=True, eq=False, repr=False)
class Generators:
    """Permutation g maps ``points[j]`` to ``images[j]`` for ``offsets[g] <= j < offsets[g + 1]``.

    The points of a permutation ascend, and all others stay where they are.
    """

    num_vertices: int
    offsets: IntArray
    points: IntArray
    images: IntArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"Generators({len(self):,} of {self.num_vertices:,} vertices)"

    def __iter__(self) -> Iterator[dict[int, int]]:
        """Each permutation as a map of the vertices that it moves."""
        for number in range(len(self)):
            yield self.moves(number)

    def moves(self, number: int) -> dict[int, int]:
        """The vertices that a permutation moves, with their images."""
        rows = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return dict(zip(self.points[rows].tolist(), self.images[rows].tolist(), strict=True))

    @cached_property
    def number(self) -> IntArray:
        """The permutation that each row belongs to."""
        return frozen(np.repeat(np.arange(len(self)), np.diff(self.offsets)))

    @cached_property
    def orbits(self) -> Partition:
        """Which vertices the generated group maps to each other."""
        return Partition.of(connected_components(self.num_vertices, self.points, self.images))

    def chosen(self, numbers: BoolArray) -> Generators:
        """Only some of the permutations."""
        rows = numbers[self.number]
        lengths = np.diff(self.offsets)[numbers]
        return Generators(
            num_vertices=self.num_vertices,
            offsets=np.concatenate([[0], np.cumsum(lengths)]),
            points=self.points[rows],
            images=self.images[rows],
        )

    def maps(self, v: int, w: int) -> dict[int, int] | None:
        """A product of generators that maps v to w, if there is one: what it moves.

        A shortest product is taken. If all but its last factor leave w alone, they are undone
        afterwards, which usually gives a symmetry that swaps the two.
        """
        if self.orbits.colours[v] != self.orbits.colours[w]:
            return None
        path = self._path(v, w)
        product: dict[int, int] = {}
        for number in path[:-1]:
            product = _composed(product, self.moves(number))
        if not path or w in product:
            return _composed(product, self.moves(path[-1])) if path else product
        inverse = {image: point for point, image in product.items()}
        return _composed(_composed(product, self.moves(path[-1])), inverse)

    @cached_property
    def _rows_of_points(self) -> tuple[IntArray, IntArray]:
        order = np.argsort(self.points, kind="stable")
        counts = np.bincount(self.points, minlength=self.num_vertices)
        return order, np.concatenate([[0], np.cumsum(counts)])

    def _path(self, v: int, w: int) -> list[int]:
        """The permutations that lead from v to w, as few as possible."""
        order, starts = self._rows_of_points
        came_by: dict[int, tuple[int, int]] = {v: (v, -1)}
        waiting = deque([v])
        while w not in came_by:
            here = waiting.popleft()
            for row in order[starts[here] : starts[here + 1]].tolist():
                there = int(self.images[row])
                if there not in came_by:
                    came_by[there] = (here, int(self.number[row]))
                    waiting.append(there)
        path = []
        while w != v:
            w, number = came_by[w]
            path.append(number)
        return path[::-1]


def _composed(first: dict[int, int], second: dict[int, int]) -> dict[int, int]:
    """The permutation that does one after the other."""
    result = {point: second.get(image, image) for point, image in first.items()}
    for point, image in second.items():
        result.setdefault(point, image)
    return {point: image for point, image in result.items() if point != image}


class GeneratorList:
    """Collects permutations."""

    def __init__(self) -> None:
        self._lengths: list[IntArray] = []
        self._points: list[IntArray] = []
        self._images: list[IntArray] = []

    def add(self, points: IntArray, images: IntArray) -> None:
        """One permutation."""
        moved = points != images
        self._append(np.array([np.count_nonzero(moved)]), points[moved], images[moved])

    def add_swap(self, one: IntArray, two: IntArray) -> None:
        """The permutation that swaps the i-th vertices of both arrays, for all i."""
        self.add(np.concatenate([one, two]), np.concatenate([two, one]))

    def add_transpositions(self, one: IntArray, two: IntArray) -> None:
        """For each i the permutation that swaps the i-th vertices of both arrays, and no others."""
        points = np.stack([one, two], axis=1).reshape(-1)
        images = np.stack([two, one], axis=1).reshape(-1)
        self._append(np.full(len(one), 2), points, images)

    def _append(self, lengths: IntArray, points: IntArray, images: IntArray) -> None:
        self._lengths.append(lengths)
        self._points.append(points)
        self._images.append(images)

    def frozen(self, num_vertices: int) -> Generators:
        """The permutations as one value."""
        none = np.zeros(0, dtype=np.int64)
        lengths, points, images = (
            np.concatenate([none, *parts]) for parts in (self._lengths, self._points, self._images)
        )
        number = np.repeat(np.arange(len(lengths)), lengths)
        order = np.lexsort([points, number])
        return Generators(
            num_vertices=num_vertices,
            offsets=frozen(np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)),
            points=frozen(points[order]),
            images=frozen(images[order]),
        )
