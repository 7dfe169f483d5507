"""BLISS through igraph: deterministic, so a canonical form proves "not isomorphic" as well.

T. Junttila, P. Kaski: Engineering an efficient canonical labeling tool for large and sparse graphs
(2007).
"""

from __future__ import annotations

from collections.abc import Sequence


def canonical_order(colours: Sequence[int], edges: Sequence[Sequence[int]]) -> list[int]:
    """The vertices of a simple coloured graph in the order of its canonical form.

    Versions of igraph disagree on whether a labelling or its inverse is returned, but each applies
    its own. So the labelled graph is asked where its vertices came from.
    """
    from igraph import Graph

    graph = Graph(len(colours), edges, vertex_attrs={"origin": list(range(len(colours)))})
    canonical = graph.permute_vertices(graph.canonical_permutation(color=colours))
    order: list[int] = canonical.vs["origin"]
    return order


def automorphisms(
    colours: Sequence[int], edges: Sequence[Sequence[int]]
) -> tuple[list[list[int]], str]:
    """Generators of the automorphism group, and its order in hexadecimal, of any length."""
    from igraph import Graph

    graph = Graph(len(colours), edges)
    generators: list[list[int]] = graph.automorphism_group(color=colours)
    return generators, f"{graph.count_automorphisms(color=colours):x}"
