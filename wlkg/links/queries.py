"""The queries that test triples ask: (h, r, ?) and (?, r, t), with their answers and known answers.

The *source* of a query is the vertex that it names. Every vertex of the graph and of the test
triples is a candidate; those that only the test triples have are isolated vertices. An answer is
ranked among the candidates that are not known to be true (the filtered protocol), so every query
keeps the known answers: of the graph, of the test triples, and of further triples.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from wlkg.arrays import BoolArray, Int64Array, IntArray, sorted_distinct
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph

#: Triples as names, or as a graph that has them.
Triples = RelationalGraph | Iterable[tuple[str, str, str]]


class QueryArrays(NamedTuple):
    """Queries sorted by source; query q has ``answers[answer_start[q]:answer_start[q + 1]]``."""

    #: The distinct sources; source s has the queries ``query_start[s]:query_start[s + 1]``.
    sources: Int64Array
    query_start: Int64Array
    answer_start: Int64Array
    answers: Int64Array
    #: All that is known to be true, the answers included.
    known_start: Int64Array
    known: Int64Array


@dataclass(frozen=True, eq=False)
class LinkQueries:
    """The queries of test triples on a graph."""

    #: The graph, with the vertices that only the test triples have.
    graph: RelationalGraph
    arrays: QueryArrays
    #: For each query: its source, its relation, and whether it asks for the tail.
    source: IntArray
    relation: IntArray
    asks_tail: BoolArray
    relation_names: tuple[str, ...]
    num_triples: int
    #: What the test triples name and the graph does not have.
    new_vertices: tuple[str, ...]
    new_relations: tuple[str, ...]

    @property
    def num_answers(self) -> int:
        return len(self.arrays.answers)

    @property
    def num_queries(self) -> int:
        return len(self.source)


def link_queries(graph: RelationalGraph, test: Triples, known: Triples = ()) -> LinkQueries:
    """The queries of test triples; ``known`` are true triples besides those of graph and test."""
    asked = as_graph(test)
    if not asked.num_triples:
        raise UsageError("there is no test triple to rank")
    used = np.unique(np.concatenate([asked.head, asked.tail]))
    new_vertices = tuple(
        name
        for name in (asked.vertex_names[v] for v in used.tolist())
        if graph.find_vertex(name) is None
    )
    new_relations = tuple(name for name in asked.relation_names if name not in graph.relation_names)
    graph = _with_vertices(graph, new_vertices)
    relations = (*graph.relation_names, *new_relations)
    sizes = (graph.num_vertices, len(relations), 2, graph.num_vertices)
    test_rows = _rows(graph, relations, asked)
    others = [_rows(graph, relations, each) for each in (graph, as_graph(known))]
    all_rows = [np.concatenate(columns) for columns in zip(test_rows, *others, strict=True)]
    source, relation, side, answers = sorted_distinct(test_rows, sizes)
    key = (source.astype(np.int64) * sizes[1] + relation) * 2 + side
    queries, first = np.unique(key, return_index=True)
    *known_columns, known_vertices = sorted_distinct(all_rows, sizes)
    known_key = (known_columns[0].astype(np.int64) * sizes[1] + known_columns[1]) * 2
    known_key += known_columns[2]
    is_asked = np.isin(known_key, queries, kind="sort")
    sources, query_start = np.unique(source[first], return_index=True)
    return LinkQueries(
        graph=graph,
        arrays=QueryArrays(
            sources=sources.astype(np.int64),
            query_start=np.append(query_start, len(queries)),
            answer_start=np.append(first, len(key)),
            answers=answers.astype(np.int64),
            known_start=np.searchsorted(known_key[is_asked], np.append(queries, queries[-1] + 1)),
            known=known_vertices[is_asked].astype(np.int64),
        ),
        source=source[first],
        relation=relation[first],
        asks_tail=side[first] == 0,
        relation_names=relations,
        num_triples=asked.num_triples,
        new_vertices=new_vertices,
        new_relations=new_relations,
    )


def as_graph(triples: Triples) -> RelationalGraph:
    """Triples as a graph."""
    if isinstance(triples, RelationalGraph):
        return triples
    return RelationalGraph.from_triples(triples)


def named_triples(triples: Triples) -> Iterable[tuple[str, str, str]]:
    """Triples as names."""
    return triples.named_triples() if isinstance(triples, RelationalGraph) else triples


def _with_vertices(graph: RelationalGraph, names: Sequence[str]) -> RelationalGraph:
    """The graph with further isolated vertices; if there are labels, theirs is one of its own."""
    if not names:
        return graph
    labelling: dict[str, Any] = {}
    if graph.labels is not None:
        fresh = np.full(len(names), len(graph.label_names))
        labelling = {
            "labels": np.concatenate([graph.labels, fresh]),
            "label_names": (*graph.label_names, "(not in the graph)"),
        }
    return RelationalGraph.from_arrays(
        graph.head,
        graph.relation,
        graph.tail,
        vertex_names=[*graph.vertex_names, *names],
        relation_names=graph.relation_names,
        direction=graph.direction,
        **labelling,
    )


def _rows(
    graph: RelationalGraph, relations: Sequence[str], triples: RelationalGraph
) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Columns source, relation, side, answer: two rows per triple whose names are known here.

    Side 0 asks for the tail, side 1 for the head.
    """
    number = {name: i for i, name in enumerate(relations)}
    if triples is graph:
        head, tail = graph.head.astype(np.int64), graph.tail.astype(np.int64)
    else:
        found = [graph.find_vertex(name) for name in triples.vertex_names]
        place = np.array([-1 if v is None else v for v in found], dtype=np.int64)
        head, tail = place[triples.head], place[triples.tail]
    of_relation = [number.get(name, -1) for name in triples.relation_names]
    relation = np.array(of_relation, dtype=np.int64)[triples.relation]
    usable = (head >= 0) & (tail >= 0) & (relation >= 0)
    head, relation, tail = head[usable], relation[usable], tail[usable]
    side = np.repeat([0, 1], len(head))
    return (
        np.concatenate([head, tail]),
        np.concatenate([relation, relation]),
        side,
        np.concatenate([tail, head]),
    )
