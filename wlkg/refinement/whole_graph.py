"""Tests whose vertices also see the colours of all vertices of their graph: 1-wl-all, 1-rwl-all.

Let T be a test without that view, C^t its colours at round t, and S^t(G) the histogram of these
colours in a graph G. Write D^t for the colours of T-all: D^0 = C^0, and D^(t+1)(v) is made of what
T sees of D^t and of the histogram of D^t in the graph of v. Then for t > 0, v in G and w in H:

    D^t(v) = D^t(w)  if and only if  C^t(v) = C^t(w) and S^(t-1)(G) = S^(t-1)(H).

*Proof by induction on t.* D^t refines C^t, and D^t(v) determines the histogram of D^(t-1) in the
graph of v, hence S^(t-1): this is "only if". For "if", let C^(t+1)(v) = C^(t+1)(w) and S^t(G) =
S^t(H). Then S^(t-1)(G) = S^(t-1)(H) too, because C^t determines C^(t-1). So by induction, or for
t = 0 by definition, D^t and C^t are the same partition of the vertices of G and H together. Hence
v and w, which see the same of C^t, see the same of D^t, and so do their graphs as a whole:
D^(t+1)(v) = D^(t+1)(w).

So a run of T, and from it the classes of graphs with equal histograms at each round, are all that
is needed; no complement of the arcs is ever built. It follows further:

- Within one graph T-all separates the vertices that T separates, at the same rounds.
- T-all separates two *graphs* exactly if T does, at the same round.
- T-all separates *vertices of different graphs* as soon as the histograms of the graphs differ. T
  may never do so: every vertex of a cycle looks like every vertex of a longer one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wlkg.errors import GraphError
from wlkg.graph.arcs import Arcs
from wlkg.partition import History
from wlkg.refinement.histograms import rounds_that_split, with_equal_histograms
from wlkg.refinement.vertices.vertex_tests import VertexRun


def seeing_whole_graphs(
    run: VertexRun, arcs: Arcs, sizes: Sequence[int], last_round: int | None
) -> VertexRun:
    """The run of T-all, given that of T, on graphs with these numbers of vertices."""
    if len(sizes) < 2:
        return run
    block_of = np.repeat(np.arange(len(sizes)), sizes)
    if (block_of[arcs.source] != block_of[arcs.neighbour]).any():
        raise GraphError("an arc leads from one block of vertices to another")
    # Vertices see the histograms one round later, and nothing after the last round.
    seen = run.history.rounds if last_round is None else min(run.history.rounds, last_round - 1)
    history = run.history
    if seen >= 0:
        history = history.meet(_histograms_seen(history, sizes, seen).of_members(block_of))
    stable = run.stable if last_round is None else history.rounds < last_round
    return replace(run, history=history, stable=stable)


def _histograms_seen(history: History, sizes: Sequence[int], seen: int) -> History:
    """The history of the blocks: what vertices know of the histograms of rounds up to ``seen``."""
    everything = np.arange(history.num_items)
    by_round = rounds_that_split(
        lambda t: with_equal_histograms(sizes, history.class_at(everything, t)), seen
    )
    nothing_yet = np.zeros(len(sizes), dtype=np.int64)
    blocks = History.from_rounds([nothing_yet, *(p.colours for p in by_round.values())])
    birth = np.array([0, *(t + 1 for t in by_round)])[blocks.birth]
    return replace(blocks, birth=birth, rounds=int(birth.max()))
