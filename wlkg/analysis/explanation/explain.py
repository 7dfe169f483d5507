"""``explain``: why two vertices or two graphs are separated, or what selects a vertex."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wlkg.analysis.explanation.graphs import GraphsExplanation, explain_graphs
from wlkg.analysis.explanation.pair import PairExplanation, explain_pair
from wlkg.analysis.explanation.vertex_class import ClassExplanation, explain_class
from wlkg.catalogue import DEFAULT_TEST, Direction, find_test
from wlkg.errors import UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.lookup import find_vertex
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress

Explanation = PairExplanation | GraphsExplanation | ClassExplanation


def explain(
    graph: RelationalGraph,
    *about: str | int | RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    round: int | None = None,  # noqa: A002
    prefixes: Mapping[str, str] | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Explanation:
    """Explain two vertices, two graphs, or the class of one vertex at a round.

    Vertices are given by id, or as users write them: in full, with a prefix of the graph's file or
    of ``prefixes``, or by an end of the name that no other vertex has.

    >>> import wlkg
    >>> family = wlkg.read("examples/graphs/family.ttl")
    >>> explain(family, ":dana", ":finn").round
    1
    >>> explain(wlkg.read("example:c6"), wlkg.read("example:2xc3"), test="2-rlwl").counts
    (12, 0)
    """
    require_graphs(graph)
    test = find_test(test).name
    how: dict[str, Any] = {"direction": direction, "max_memory": max_memory, "progress": progress}
    match about:
        case (RelationalGraph() as other,):
            return explain_graphs(graph, other, test, **how)
        case (str() | int() as v,):
            return explain_class(graph, _vertex(graph, v, prefixes), test, round, **how)
        case (str() | int() as v, str() | int() as w):
            one, two = (_vertex(graph, name, prefixes) for name in (v, w))
            return explain_pair(graph, one, two, test, **how)
    raise UsageError(
        "explain takes a graph and one vertex, two vertices or another graph, found"
        f" {len(about)} further arguments"
    )


def _vertex(graph: RelationalGraph, vertex: str | int, prefixes: Mapping[str, str] | None) -> int:
    return find_vertex(graph, vertex, prefixes) if isinstance(vertex, str) else vertex
