"""BLISS through igraph: deterministic, so a canonical form proves "not isomorphic" as well.

T. Junttila, P. Kaski: Engineering an efficient canonical labeling tool for large and sparse graphs
(2007).
"""

from __future__ import annotations

from collections.abc import Sequence

NAME = "BLISS"
DISTRIBUTION = "igraph"


def canonical_labelling(colours: Sequence[int], edges: Sequence[Sequence[int]]) -> list[int]:
    """The place of each vertex in the canonical form of a simple coloured graph."""
    from igraph import Graph

    labelling: list[int] = Graph(len(colours), edges).canonical_permutation(color=colours)
    return labelling


def automorphisms(
    colours: Sequence[int], edges: Sequence[Sequence[int]]
) -> tuple[list[list[int]], str]:
    """Generators of the automorphism group, and its order in hexadecimal, of any length."""
    from igraph import Graph

    graph = Graph(len(colours), edges)
    generators: list[list[int]] = graph.automorphism_group(color=colours)
    return generators, f"{graph.count_automorphisms(color=colours):x}"
