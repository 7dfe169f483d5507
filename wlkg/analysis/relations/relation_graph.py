"""The relation graph of ULTRA: its vertices are the relations and their inverses.

=====  ===========================================
edge   between relations r and s if some vertex is
=====  ===========================================
h2h    a head of both
t2t    a tail of both
h2t    a head of r and a tail of s
t2h    a tail of r and a head of s
=====  ===========================================

These are sets: how many vertices there are does not matter. A relation with a triple has h2h and
t2t edges to itself. (Galkin, Yuan, Mostafa, Tang and Zhu, "Towards Foundation Models for Knowledge
Graph Reasoning", 2024. Their program gives these edges weights, but no layer uses them.)

The first stage of ULTRA gives relation r the state z(q, r), which starts as [r = q] for the
relation q of the query and is updated over these edges: conditional message passing, bounded by
rawl2 on the relation graph. Every edge has its reverse (h2t and t2h are each other's), so the
direction of arcs makes no difference.

Cost: n^2 bytes for each kind of edge and n relations, and the work of a product of the
vertex-by-relation matrices.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from wlkg.analysis.relations.edges import RelationEdges, relation_edges
from wlkg.arrays import BoolArray, FloatArray, IntArray, sorted_distinct
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits

H2H, T2T, H2T, T2H = "h2h", "t2t", "h2t", "t2h"
#: Bytes per pair of relations, including the ends of the edges as arrays.
_BYTES_PER_PAIR = 64
#: Vertices that are multiplied at a time.
_BLOCK = 4096


def pair_tables(edges: RelationEdges) -> Mapping[str, BoolArray]:
    """For each kind of edge, whether relations r (row) and s (column) have it."""
    heads, tails = incidence(edges, edges.head), incidence(edges, edges.tail)
    n = edges.num_relations
    counts = {kind: np.zeros((n, n), dtype=np.float32) for kind in (H2H, T2T, H2T)}
    for low in range(0, edges.num_vertices, _BLOCK):
        head, tail = (_block(columns, low, n) for columns in (heads, tails))
        counts[H2H] += head.T @ head
        counts[T2T] += tail.T @ tail
        counts[H2T] += head.T @ tail
    tables = {kind: table > 0 for kind, table in counts.items()}
    return {**tables, T2H: tables[H2T].T}


def incidence(edges: RelationEdges, ends: IntArray) -> tuple[IntArray, IntArray]:
    """The distinct pairs of a vertex and a relation that has it as an end, sorted by vertex."""
    vertex, relation = sorted_distinct(
        (ends, edges.relation), (edges.num_vertices, edges.num_relations)
    )
    return vertex, relation


def _block(columns: tuple[IntArray, IntArray], low: int, relations: int) -> FloatArray:
    """The vertex-by-relation matrix of the vertices from ``low`` on."""
    vertex, relation = columns
    first, last = np.searchsorted(vertex, [low, low + _BLOCK])
    matrix: FloatArray = np.zeros((_BLOCK, relations), dtype=np.float32)
    matrix[vertex[first:last] - low, relation[first:last]] = 1
    return matrix


def check_relations_fit(edges: RelationEdges, max_memory: int | None) -> None:
    """Refuse a graph with too many relations, with the numbers."""
    n = edges.num_relations
    check_fits(
        f"the relation graph of {n:,} relations",
        f"{n * n:,} pairs of relations",
        _BYTES_PER_PAIR * n * n,
        max_memory,
        "leave out relations",
    )


def relation_graph(graph: RelationalGraph, *, max_memory: int | None = None) -> RelationalGraph:
    """The relation graph of ULTRA, in mode ``out``; its vertices are named after the relations.

    >>> import wlkg
    >>> graph = wlkg.RelationalGraph.from_triples([("ann", "knows", "bob")])
    >>> [t for t in relation_graph(graph).named_triples() if t[0] == "knows"]
    ... # doctest: +NORMALIZE_WHITESPACE
    [('knows', 'h2h', 'knows'), ('knows', 'h2t', 'knows^-1'), ('knows', 't2h', 'knows^-1'),
     ('knows', 't2t', 'knows')]
    """
    edges = relation_edges(graph)
    check_relations_fit(edges, max_memory)
    return graph_of_tables(edges, pair_tables(edges))


def graph_of_tables(edges: RelationEdges, tables: Mapping[str, BoolArray]) -> RelationalGraph:
    """The relation graph with these edges."""
    kinds = sorted(tables)
    ends = [np.nonzero(tables[kind]) for kind in kinds]
    return RelationalGraph.from_arrays(
        np.concatenate([one for one, _ in ends]),
        np.repeat(np.arange(len(kinds)), [len(one) for one, _ in ends]),
        np.concatenate([two for _, two in ends]),
        vertex_names=edges.names,
        relation_names=kinds,
        direction="out",
    )
