"""Check permutations arc by arc: nothing that a library says is believed without this.

A permutation g is an automorphism if it preserves labels and maps the arcs of every vertex v that
it moves onto those of g(v), relation by relation. In modes ``both`` and ``undirected`` every arc is
seen from both ends, so this covers all arcs of moved vertices; the other arcs stay in place.

Cost: a sort of the arcs of all moved vertices. For a map from one graph to another (`maps_arcs`)
it is a sort of the arcs of the first.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from wlkg.analysis.symmetry.generators import Generators
from wlkg.analysis.symmetry.remainder import undirected_or_both
from wlkg.arrays import BoolArray, IntArray, sorted_distinct
from wlkg.graph.arcs import Arcs
from wlkg.graph.relational_graph import RelationalGraph

#: About this many arcs are compared at a time, which takes some hundred megabytes.
_MOST_ARCS = 4_000_000


def are_automorphisms(graph: RelationalGraph, generators: Generators) -> BoolArray:
    """For each permutation whether it preserves labels and arcs."""
    holds = np.ones(len(generators), dtype=bool)
    number, points, images = generators.number, generators.points, generators.images
    back = images[np.lexsort([images, number])]
    holds[number[back != points]] = False  # not a permutation
    if graph.labels is not None:
        holds[number[graph.labels[points] != graph.labels[images]]] = False
    arcs = undirected_or_both(graph).arcs()
    degree = np.diff(arcs.offsets)
    holds[number[degree[points] != degree[images]]] = False
    for batch in _batches(generators, degree):
        rows = batch[holds[number[batch]]]
        moved = _arcs_of(arcs, points[rows])
        expected = _arcs_of(arcs, images[rows])
        neighbour = _images(generators, number[rows][moved.row], moved.neighbour)
        order = np.lexsort([neighbour, moved.relation, moved.row])
        differs = moved.relation[order] != expected.relation
        differs |= neighbour[order] != expected.neighbour
        holds[number[rows][moved.row[differs]]] = False
    return holds


def is_isomorphism(union: RelationalGraph, image: IntArray) -> bool:
    """Whether ``image`` maps the first of two graphs side by side to the second.

    It must be a bijection that preserves labels and arcs; the vertices of each graph are numbered
    from 0.
    """
    half = len(image)
    if not np.array_equal(np.sort(image), np.arange(union.num_vertices - half)):
        return False
    labels = union.labels
    if labels is not None and not np.array_equal(labels[:half], labels[half:][image]):
        return False
    return maps_arcs(undirected_or_both(union).arcs(), image)


def maps_arcs(arcs: Arcs, image: IntArray) -> bool:
    """Whether a bijection maps the arcs of the first half of the vertices to those of the second.

    No arc leads from one half to the other. Vertices of both are numbered from 0 in ``image``.
    """
    half = len(image)
    cut = int(arcs.offsets[half])
    columns = (image[arcs.source[:cut]], arcs.relation[:cut], image[arcs.neighbour[:cut]])
    mapped = sorted_distinct(columns, (half, arcs.num_relations, half))
    expected = (arcs.source[cut:] - half, arcs.relation[cut:], arcs.neighbour[cut:] - half)
    return all(map(np.array_equal, mapped, expected))


class _ArcsOf:
    """The arcs of some vertices, one vertex after the other."""

    def __init__(self, row: IntArray, relation: IntArray, neighbour: IntArray) -> None:
        self.row = row
        self.relation = relation
        self.neighbour = neighbour


def _arcs_of(arcs: Arcs, vertices: IntArray) -> _ArcsOf:
    lengths = arcs.offsets[vertices + 1] - arcs.offsets[vertices]
    row = np.repeat(np.arange(len(vertices)), lengths)
    ends = np.cumsum(lengths)
    place = np.arange(len(row)) + (arcs.offsets[vertices] - ends + lengths)[row]
    return _ArcsOf(row, arcs.relation[place], arcs.neighbour[place].astype(np.int64))


def _images(generators: Generators, number: IntArray, vertices: IntArray) -> IntArray:
    """The image of each vertex under the permutation with that number."""
    size = generators.num_vertices
    keys = generators.number * size + generators.points
    wanted = number * size + vertices
    place = np.searchsorted(keys, wanted)
    place[place == len(keys)] = 0
    is_moved = keys[place] == wanted if len(keys) else np.zeros(len(wanted), dtype=bool)
    result: IntArray = np.where(is_moved, generators.images[place], vertices)
    return result


def _batches(generators: Generators, degree: IntArray) -> Iterator[IntArray]:
    """All rows, in pieces whose arcs fit into memory."""
    before = np.cumsum(degree[generators.points]) // _MOST_ARCS
    starts = np.flatnonzero(np.diff(before, prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(before)]):
        yield np.arange(start, end)
