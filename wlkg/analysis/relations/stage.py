"""The first stage of a foundation model: colours of relations, for every relation of a query.

For ULTRA, z(q, r) is bounded by the colour that rawl2 gives to the pair (q, r) on the relation
graph, and the colours without a query by 1-rwl there: the engines of those tests do the work. MOTIF
adds hyperedges, and has an engine of its own; see `wlkg.analysis.relations.hypergraph`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.relations.edges import RelationEdges, relation_edges
from wlkg.analysis.relations.hypergraph import Hypergraph, refine_hypergraph
from wlkg.analysis.relations.motifs import path_tables, star_tables
from wlkg.analysis.relations.relation_graph import (
    check_relations_fit,
    graph_of_tables,
    pair_tables,
)
from wlkg.arrays import IntArray
from wlkg.catalogue import find_foundation_model
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine
from wlkg.refinement.results import TupleRefinement

ULTRA = "ultra"
#: Without stars; paths of three edges are those of the trained MOTIF.
NO_STARS = 0
PATH_LENGTHS = (2, 3)


@dataclass(frozen=True)
class Motifs:
    """The motifs of a model besides ULTRA's."""

    paths: bool = False
    #: The most relations of a star, or `NO_STARS`.
    stars: int = NO_STARS


@dataclass(frozen=True, eq=False)
class RelationStage:
    """The colours of the relations at rounds 0, 1, ..., the last of them stable."""

    edges: RelationEdges
    #: How many hyperedges there are of each motif.
    motifs: Mapping[str, int]
    #: Without a query: all relations start alike.
    unconditional: list[IntArray]
    #: Row q has the colours given the query relation q.
    conditional: list[IntArray]

    def given(self, query: int | None, last_round: int | None = None) -> IntArray:
        """The colours at a round, or the stable ones; None is a relation without any triple."""
        rounds = self.unconditional if query is None else self.conditional
        last = len(rounds) - 1
        chosen = rounds[last if last_round is None else min(last_round, last)]
        return chosen if query is None else chosen[query]


def motifs_of(model: str, paths: int | None = None, stars: int | None = None) -> Motifs:
    """The motifs that options ask for; None stands for the model's own."""
    name = find_foundation_model(model).name
    if name == ULTRA:
        if paths not in (None, 2) or stars not in (None, NO_STARS, 2):
            raise UsageError(
                "ultra sees pairs of relations only. Longer paths and stars belong to the model"
                " motif"
            )
        return Motifs()
    if paths not in (None, *PATH_LENGTHS):
        raise UsageError(f"the paths of motif have 2 or 3 edges, found {paths}")
    if stars is not None and stars != NO_STARS and stars < 2:
        raise UsageError(f"a star has at least 2 edges, found {stars}")
    return Motifs(paths=paths in (None, 3), stars=stars or NO_STARS)


def relation_stage(
    graph: RelationalGraph,
    motifs: Motifs,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> RelationStage:
    """The colours of all relations, without a query and given each relation."""
    edges = relation_edges(graph)
    check_relations_fit(edges, max_memory)
    tables = pair_tables(edges)
    counts = {kind: int(table.sum()) for kind, table in tables.items()}
    of_ultra = graph_of_tables(edges, tables)
    n = edges.num_relations
    unconditional = _vertex_rounds(of_ultra, progress)
    conditional = _pair_rounds(of_ultra, max_memory, progress) if n else [np.zeros((0, 0), int)]
    if motifs == Motifs() or not n:
        return RelationStage(edges, counts, unconditional, conditional)
    paths = path_tables(edges, max_memory) if motifs.paths else {}
    stars = star_tables(edges, motifs.stars, max_memory)
    hypergraph = Hypergraph(n, tables, paths, stars)
    counts |= {kind: table.count for kind, table in paths.items()}
    counts |= {
        f"{kind} of {size}": len(rows)
        for kind, by_size in stars.items()
        for size, rows in by_size.items()
    }
    free = refine_hypergraph(hypergraph, np.zeros(n, dtype=np.int64), [unconditional])
    progress.start("colouring relations by motif", n, "query relations")
    by_query = []
    try:
        for query in range(n):
            start = np.arange(n) == query
            guides = [[row[query] for row in conditional], free]
            by_query.append(refine_hypergraph(hypergraph, start.astype(np.int64), guides))
            progress.done(query + 1)
    finally:
        progress.finish()
    longest = max(len(rounds) for rounds in by_query)
    given = [
        np.array([rounds[min(t, len(rounds) - 1)] for rounds in by_query]) for t in range(longest)
    ]
    return RelationStage(edges, counts, free, given)


def _vertex_rounds(graph: RelationalGraph, progress: Progress) -> list[IntArray]:
    refinement = refine(graph, "1-rwl", progress=progress)
    everyone = np.arange(graph.num_vertices)
    return [refinement.history.class_at(everyone, t) for t in range(refinement.rounds + 1)]


def _pair_rounds(
    graph: RelationalGraph, max_memory: int | None, progress: Progress
) -> list[IntArray]:
    refinement = refine(graph, "rawl2", max_memory=max_memory, progress=progress)
    assert isinstance(refinement, TupleRefinement)
    n = graph.num_vertices
    return [
        np.array([np.unique(row, return_inverse=True)[1] for row in codes.reshape(n, n)])
        for codes in refinement.codes_per_round()
    ]
