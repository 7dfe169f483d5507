"""What differs where a test separates two graphs: colours, their counts, and vertices of each.

For tests of tuples these are the colours of vertices too: a vertex has the colours of the tuples
that begin with it. If tuples have different histograms, so have vertices, at the same round: the
colours of vertices determine those of all tuples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.analysis.side_by_side import SideBySide
from wlkg.arrays import IntArray
from wlkg.refinement.results import Refinement

#: The most colours that are described, and the most vertices of each graph.
_COLOURS = 3
_EXAMPLES = 3


@dataclass(frozen=True)
class ColourDifference:
    """A colour that is not equally frequent in two graphs."""

    #: How many vertices of the first and of the second graph have it.
    counts: tuple[int, int]
    #: The first of them in each graph, by name.
    vertices: tuple[tuple[str, ...], tuple[str, ...]]


@dataclass(frozen=True)
class Differences:
    """The colours that are not equally frequent at the round that separates two graphs."""

    test: str
    round: int
    #: The number of such colours.
    colours: int
    #: Those that differ most; of these, those with the fewest vertices first.
    largest: tuple[ColourDifference, ...]


def differences(pair: SideBySide, refinement: Refinement) -> Differences:
    """What differs at the first round at which a test separates two graphs."""
    at_round, size = refinement.differs_at, pair.sizes[0]
    assert at_round is not None, "the test does not separate the graphs"
    partition = refinement.vertices.partition(at_round)
    counts = [
        np.bincount(part, minlength=partition.num_classes)
        for part in (partition.colours[:size], partition.colours[size:])
    ]
    differing = np.flatnonzero(counts[0] != counts[1])
    order = np.lexsort(
        [
            differing,
            (counts[0] + counts[1])[differing],
            -np.abs(counts[0] - counts[1])[differing],
        ]
    )
    return Differences(
        test=refinement.test,
        round=at_round,
        colours=len(differing),
        largest=tuple(
            ColourDifference(
                counts=(int(counts[0][colour]), int(counts[1][colour])),
                vertices=_examples(pair, partition.members(colour)),
            )
            for colour in differing[order[:_COLOURS]].tolist()
        ),
    )


def _examples(pair: SideBySide, members: IntArray) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The first members of a class in each of two graphs."""
    one, two = pair.graphs
    size = one.num_vertices
    first = members[members < size][:_EXAMPLES]
    second = members[members >= size][:_EXAMPLES] - size
    return (
        tuple(one.vertex_names[v] for v in first.tolist()),
        tuple(two.vertex_names[v] for v in second.tolist()),
    )
