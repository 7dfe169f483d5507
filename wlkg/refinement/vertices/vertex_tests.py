"""The vertex tests: 1-WL, weak 1-RWL, 1-RWL and variants; and the local tuple tests for K = 1.

A vertex starts with its label. In every round the next colour of v is made of its own colour C(v)
and of

=========  =========================================================================================
1-wl       {{ C(u) : u in N(v) }}
weak-rwl   {{ C(u) : i in [r], u in N_i(v) }} and the degrees |N_1(v)|, ..., |N_r(v)|
1-rwl      {{ (i, C(u)) : i in [r], u in N_i(v) }}
mean-rwl   for each relation i and colour c, the share |{ u in N_i(v) : C(u) = c }| / |N_i(v)|
1-wl-all   as 1-wl, and {{ C(w) : w in V, w not in N(v) }}
1-rwl-all  as 1-rwl, and for each relation i {{ C(w) : w in V, w not in N_i(v) }}
=========  =========================================================================================

where {{ }} is a multiset, V the vertices of v's own graph, N_i(v) the set of neighbours of v under
relation i, and N(v) the union of all N_i(v): 1-wl counts a neighbour once, however many relations
lead to it. A vertex without a loop is one of its own non-neighbours. The tuple tests 1-rlwl
and delta-1-lwl do as 1-rwl and 1-wl, but a vertex starts with its atomic type: its label, and the
relations in which it has a loop.

===========================  =======================================================================
in the paper                 here
===========================  =======================================================================
l(v), C^(0)                  ``VertexProblem.start``
N_i(v)                       the arcs of v with relation i (`wlkg.graph.arcs`)
C^(t), C_R^(t), C_WR^(t)     class numbers; ``History.partition(t)`` afterwards
RELABEL                      the largest part of a split class keeps its number
{{ }}                        a sum modulo 2^64 (`worklist`), a sorted list (`textbook`), or
                             counts (`equitable_check`)
|N_1(v)|, ..., |N_r(v)|      added in round 1 only, since degrees never change (`add_degrees`)
C^infinity                   ``Refinement.partition``
===========================  =======================================================================

Cost, with n vertices and m arcs: all rounds together take O((n + m) log n) time in `worklist`, the
engine ``local``, and at most about 40 bytes per arc and 100 per vertex. `textbook` sorts in every
round, and there may be up to n - 1 rounds. `wlkg.engines` lists the other engines.

Differences from the paper:

- Its relations are symmetric. That is direction mode ``undirected``; the other modes read the arcs
  of a triple one way only, or both ways under two different relations.
- It stops as soon as two graphs differ. Here a run goes on until the colours are stable, and the
  first round in which the graphs differ is part of the result.
- It calls 1-RWL strictly stronger than 1-WL. That holds only if no two relations join the same two
  vertices (see `wlkg.refinement.proven_order`).
- A footnote of it tells colour refinement, our 1-wl, from a 1-WL that sees non-neighbours too, our
  1-wl-all, and grants the latter more power to distinguish vertices "in a given graph". By the
  definition it has more power only between vertices of *different* graphs: neighbours and
  non-neighbours together are all vertices of a graph, so all that a vertex learns beyond 1-wl is
  the histogram of its graph, and vertices of one graph share it. `wlkg.refinement.whole_graph` has
  the proof, and turns a run of 1-wl or 1-rwl into one of 1-wl-all or 1-rwl-all.
- mean-rwl is not in the paper. It sees what remains of 1-rwl if a model aggregates by the mean. A
  relation without neighbours has no shares, so a vertex still sees whether it has any.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.partition import History
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND, SORTED
from wlkg.refinement.vertices.equitable_check import missed_no_split
from wlkg.refinement.vertices.textbook import refine_textbook
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.worklist import Worklist


@dataclass(frozen=True, eq=False)
class VertexRun:
    """The outcome of a run of a vertex test."""

    history: History
    stable: bool
    exact: bool
    proof: str


def run_vertices(
    problem: VertexProblem, last_round: int | None = None, *, progress: Progress = SILENT
) -> VertexRun:
    """Refine in memory until nothing changes or the last round is reached."""
    return run_worklist(problem, last_round_of(problem, last_round), progress)


def last_round_of(problem: VertexProblem, last_round: int | None) -> int:
    """The last round, or one that is never reached: every round splits a class."""
    return problem.num_vertices + 1 if last_round is None else last_round


def run_worklist(problem: VertexProblem, last_round: int, progress: Progress) -> VertexRun:
    """Quasi-linear refinement, checked afterwards; a failed check repeats it with new randomness.

    If no attempt passes the check, the textbook engine decides.
    """
    for seed in range(ATTEMPTS):
        worklist = Worklist(problem, seed)
        stable = worklist.run(last_round, progress)
        history, vertices_by_class = worklist.history(), worklist.vertices_by_class
        del worklist  # its sums and its scratch make room for the check
        if missed_no_split(problem, history, vertices_by_class, stable=stable):
            return VertexRun(history=history, stable=stable, exact=True, proof=EVERY_ROUND)
    return run_textbook(problem, last_round, progress)


def run_textbook(problem: VertexProblem, last_round: int, progress: Progress) -> VertexRun:
    """Sort what every vertex sees, round by round."""
    history, stable = refine_textbook(problem, last_round, progress)
    return VertexRun(history=history, stable=stable, exact=True, proof=SORTED)
