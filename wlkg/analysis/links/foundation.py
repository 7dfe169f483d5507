"""Ranks by what a foundation model sees: rawl2 whose arcs carry colours of relations, not names.

For a query of relation q, the first stage colours the relations given q
(`wlkg.analysis.relations.stage`); a query for heads has the inverse of the relation. The second
stage starts pairs (u, v) with [u = v] and refines as rawl2 does, but every arc has the colour of
its relation. Arcs stay apart: two relations of one colour between the same vertices count twice.

The first stage is taken when its colours are stable, which no number of layers exceeds. So the
ceiling of t rounds holds for models with any first stage and t layers in the second.

Queries are put together if their relations leave the same relations alike, as far as these have
arcs; if all differ, the second stage is rawl2 itself. Each group needs one run of 1-rwl, from which
`wlkg.analysis.links.mark_kernels` goes on source by source.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from wlkg.analysis.links.ranks import Ranks, rank_candidates
from wlkg.analysis.relations.stage import RelationStage, motifs_of, relation_stage
from wlkg.arrays import BoolArray, IntArray
from wlkg.catalogue import TESTS
from wlkg.compiled.compilation import compiling_is_said
from wlkg.graph.arcs import Arcs
from wlkg.links.queries import LinkQueries, QueryArrays
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proof import EVERY_ROUND, UNCHECKED_VERTICES
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem
from wlkg.refinement.vertices.vertex_tests import run_vertices


def rank_foundation(
    queries: LinkQueries,
    model: str,
    rounds: int,
    *,
    most_states: int,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> tuple[Ranks, bool, str]:
    """The ranks at rounds 1 to ``rounds`` and when stable, and the proof of the colours, if any."""
    stage = relation_stage(
        queries.graph, motifs_of(model), max_memory=max_memory, progress=progress
    )
    problem = vertex_problem(queries.graph, TESTS["1-rwl"])
    groups = list(_groups(queries, stage, problem.arcs))
    rivals = np.zeros(queries.num_answers, dtype=np.int64)
    parts: list[tuple[Ranks, int]] = []
    exact, proof = True, EVERY_ROUND
    progress.start(f"ranking by {model}", len(groups), "sets of relations")
    try:
        for number, (mask, colours) in enumerate(groups):
            chosen, answers = chosen_queries(queries, mask)
            coloured = _coloured(problem, colours, stage.edges.inverse)
            with compiling_is_said(progress):
                run = run_vertices(coloured)
            everyone = np.arange(queries.graph.num_vertices)
            rows = [run.history.class_at(everyone, t) for t in range(rounds + 1)]
            ranks = rank_candidates(
                chosen,
                np.array([*rows, run.history.class_of]),
                marks_source=True,
                most_states=most_states,
                problem=coloured,
            )
            rivals[answers] = ranks.rivals
            parts.append((ranks, len(answers)))
            if not (run.exact and ranks.proved):
                exact, proof = False, UNCHECKED_VERTICES
            progress.done(number + 1)
    finally:
        progress.finish()
    return _together(parts, rivals), exact, proof


def query_relations(queries: LinkQueries, stage: RelationStage) -> IntArray:
    """The relation, or inverse relation, that each query asks for; -1 if the graph has none."""
    relation = queries.relation.astype(np.int64)
    inverse = stage.edges.inverse
    known = relation < queries.graph.num_relations
    asked = np.full(len(relation), -1)
    asked[known] = relation[known]
    heads = known & ~queries.asks_tail
    asked[heads] = inverse[relation[heads]]
    return asked


def _groups(
    queries: LinkQueries, stage: RelationStage, arcs: Arcs
) -> Iterator[tuple[BoolArray, IntArray]]:
    """Sets of queries, with the colours that arc relations have for them."""
    asked = query_relations(queries, stage)
    carried = stage.edges.inverse
    used = np.zeros(arcs.num_relations, dtype=np.bool_)
    used[arcs.relation] = True
    members: dict[bytes, list[int]] = {}
    colours_of: dict[bytes, IntArray] = {}
    for query in np.unique(asked).tolist():
        colours = stage.given(None if query < 0 else query)[carried]
        colours = np.where(used, colours, -1)
        first, number = np.unique(colours, return_index=True, return_inverse=True)[1:]
        canonical = np.argsort(np.argsort(first, kind="stable"), kind="stable")[number]
        key = canonical.astype(np.int64).tobytes()
        members.setdefault(key, []).append(query)
        colours_of[key] = canonical.astype(arcs.relation.dtype)
    for key, group in members.items():
        yield np.isin(asked, group), colours_of[key]


def _coloured(problem: VertexProblem, colours: IntArray, inverse: IntArray) -> VertexProblem:
    """The same problem with colours in place of relations.

    Reversed arcs have the colours of the arcs that they reverse. In mode ``both`` these belong to
    the inverse relations, and relations may be alike whose inverses are not.
    """
    return replace(
        problem,
        arcs=_with_colours(problem.arcs, colours),
        reversed_arcs=_with_colours(problem.reversed_arcs, colours[inverse]),
    )


def _with_colours(arcs: Arcs, colours: IntArray) -> Arcs:
    """All arcs, sorted by colour and neighbour at each vertex; equal ones stay apart."""
    colour = colours[arcs.relation]
    order = np.lexsort((arcs.neighbour, colour, arcs.source))
    names = tuple(str(number) for number in range(int(colours.max(initial=0)) + 1))
    return Arcs(arcs.offsets, colour[order], arcs.neighbour[order], names)


def chosen_queries(queries: LinkQueries, mask: BoolArray) -> tuple[LinkQueries, IntArray]:
    """Some of the queries, and the places of their answers among those of all."""
    arrays = queries.arrays
    chosen = np.flatnonzero(mask)
    answers, answer_start = _segments(arrays.answer_start, chosen)
    known, known_start = _segments(arrays.known_start, chosen)
    sources, query_start = np.unique(queries.source[chosen], return_index=True)
    return replace(
        queries,
        arrays=QueryArrays(
            sources=sources.astype(np.int64),
            query_start=np.append(query_start, len(chosen)),
            answer_start=answer_start,
            answers=arrays.answers[answers],
            known_start=known_start,
            known=arrays.known[known],
        ),
        source=queries.source[chosen],
        relation=queries.relation[chosen],
        asks_tail=queries.asks_tail[chosen],
    ), answers


def _segments(start: IntArray, chosen: IntArray) -> tuple[IntArray, IntArray]:
    """The places in some of the segments of an array, and where each of them starts then."""
    length = start[chosen + 1] - start[chosen]
    new_start = np.concatenate([[0], np.cumsum(length)]).astype(np.int64)
    places = np.arange(new_start[-1]) + np.repeat(start[chosen] - new_start[:-1], length)
    return places, new_start


def _together(parts: list[tuple[Ranks, int]], rivals: IntArray) -> Ranks:
    """The ranks of all queries from those of sets of them, each with its number of answers."""
    if len(parts) == 1:
        return replace(parts[0][0], rivals=rivals)
    ranks = [each for each, _ in parts]
    shares = [count / len(rivals) for _, count in parts]
    return Ranks(
        means=np.add.reduce([s * each.means for each, s in zip(ranks, shares, strict=True)]),
        bound=np.add.reduce([s * each.bound for each, s in zip(ranks, shares, strict=True)]),
        bounded=np.add.reduce([each.bounded for each in ranks]),
        rivals=rivals,
    )
