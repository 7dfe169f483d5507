"""How much fitted scores of pairs may cost, and what is left out if all would cost more.

Work is counted in *steps*: an arc or a vertex that is looked at once. In every round, each training
triple takes two queries that are coloured twice, and each source of test queries is coloured once;
then every candidate of its queries is looked up.

If all is too much, rounds go first: the colours of a small sample hardly recur in late rounds. The
rest of the budget is spent on random samples of triples and of sources.
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import LinkQueries

#: The most steps of a fit, about 15 s of processor time.
MOST_STEPS = 3 * 10**9
#: The least number of triples, and of sources, in a sample: later rounds are left out first.
LEAST = 1_000
_PASSES = 4
#: The steps that looking up a candidate takes.
_STEPS_PER_LOOKUP = 5


@dataclass(frozen=True)
class Sample:
    """The number of rounds, training triples and sources that a fit can afford."""

    rounds: int
    triples: int
    sources: int


def affordable(
    queries: LinkQueries, training: RelationalGraph, rounds: int, triples: int
) -> Sample:
    """All rounds, triples and sources, or what fits into the budget."""
    sources = len(queries.arrays.sources)
    per_triple = _PASSES * _steps(training)
    lookups = queries.num_queries * queries.graph.num_vertices // max(sources, 1)
    per_source = _steps(queries.graph) + _STEPS_PER_LOOKUP * lookups
    if rounds * (triples * per_triple + sources * per_source) <= MOST_STEPS:
        return Sample(rounds, triples, sources)
    least = min(triples, LEAST) * per_triple + min(sources, LEAST) * per_source
    rounds = min(rounds, max(MOST_STEPS // max(least, 1), 1))
    allowed = MOST_STEPS // rounds
    for_triples = min(triples, max(allowed // 2 // per_triple, 1))
    left = allowed - for_triples * per_triple
    return Sample(rounds, for_triples, min(sources, max(left // per_source, 1)))


def _steps(graph: RelationalGraph) -> int:
    """What it costs to colour all vertices once."""
    return max(len(graph.arcs()) + graph.num_vertices, 1)
