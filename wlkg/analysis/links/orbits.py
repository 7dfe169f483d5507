"""The absolute limit: candidates that a symmetry maps to each other have the same score.

Whatever a model computes from the graph alone, it gives (u, v) and (p(u), p(v)) the same score for
every symmetry p of the graph. For a query with source u this leaves the symmetries that fix u, its
*stabiliser*: candidates in one orbit of the stabiliser tie for every model, conditional or not. (An
encoder sees u and v apart from each other, so for encoders even the orbits of all symmetries tie.)

The stabiliser consists of the symmetries of the graph in which u is marked. If u is alone in its
orbit, these are all symmetries; otherwise they are looked for anew, source by source.
"""

from __future__ import annotations

import numpy as np

from wlkg.analysis.links.pair_rows import rank_rows
from wlkg.analysis.links.ranks import Ranks
from wlkg.analysis.symmetry.symmetry import Symmetry, symmetry
from wlkg.arrays import IntArray
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import LinkQueries
from wlkg.progress import SILENT, Progress

#: How orbits are proved; the texts of `wlkg.analysis.links.ceiling.LinksOfTest.proof`.
PROVEN_ORBITS = "symmetries were checked arc by arc, and none is missing"
UNPROVEN_ORBITS = "symmetries were checked arc by arc, but some may be missing"


def rank_orbits(
    queries: LinkQueries, *, most_states: int, progress: Progress = SILENT
) -> tuple[Ranks, bool]:
    """The ranks by orbits of stabilisers, and whether all orbits are proven.

    If a symmetry might have been missed, classes are too small, and the values are upper bounds.
    """
    graph = queries.graph
    everything = symmetry(graph, tests=())
    sizes, proven = everything.orbits.sizes, [_is_proven(everything)]
    progress.start("symmetries of the sources", len(queries.arrays.sources), "sources")
    done = 0

    def orbits(source: int) -> IntArray:
        nonlocal done
        done += 1
        progress.done(done)
        if sizes[everything.orbits.colours[source]] == 1:
            return everything.orbits.colours
        fixed = symmetry(_marked(graph, source), tests=())
        proven.append(_is_proven(fixed))
        return fixed.orbits.colours

    try:
        ranks = rank_rows(queries, orbits, most_states=most_states)
    finally:
        progress.finish()
    return ranks, all(proven)


def _is_proven(found: Symmetry) -> bool:
    return found.group_order is not None


def _marked(graph: RelationalGraph, source: int) -> RelationalGraph:
    """The graph with a label of its own at the source."""
    old = np.zeros(graph.num_vertices) if graph.labels is None else graph.labels
    labels = old.astype(np.int64)
    labels[source] = int(labels.max(initial=0)) + 1
    return graph.with_label_ids(labels)
