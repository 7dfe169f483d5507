"""The relations that a foundation model cannot tell apart on a graph.

Two relations are *alike* if they have one colour in the test that bounds the first stage of the
model, see `wlkg.analysis.relations.stage`. Without a query, all relations start alike: relations
that are alike then play the same part in the graph, as far as the model sees. Given the relation q
of a query, q starts with a colour of its own: relations that are alike then have the same state
z(q, r), whatever the weights, so to the second stage their edges are of one kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.relations.stage import (
    NO_STARS,
    ULTRA,
    RelationStage,
    motifs_of,
    relation_stage,
)
from wlkg.arrays import IntArray
from wlkg.catalogue import Direction, find_foundation_model
from wlkg.compiled.compilation import Stopwatch
from wlkg.display import Brief, Displayed
from wlkg.engines import check_rounds
from wlkg.errors import UsageError, unknown_name
from wlkg.graph.checking import require_graphs
from wlkg.graph.names import by_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress


@dataclass(frozen=True)
class QueryRelation(Brief):
    """What the model sees of the relations, given the relation of a query."""

    relation: str
    #: The number of classes of relations.
    classes: int
    #: The round at which they are stable, or the one that was asked for.
    rounds: int
    #: The classes of two relations and more.
    alike: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Relations(Displayed):
    """The relations of a graph in classes that a foundation model cannot tell apart."""

    #: What the graph is called.
    name: str
    model: str
    direction: Direction
    #: The relations, and in mode ``both`` their inverses.
    relations: int
    #: The number of classes without a query, and at every round.
    classes: int
    classes_per_round: tuple[int, ...]
    #: The classes of two relations and more.
    alike: tuple[tuple[str, ...], ...]
    #: The triples whose relation, or its inverse, is alike to another one.
    triples_alike: int
    triples: int
    queries: tuple[QueryRelation, ...]
    #: The number of hyperedges of each motif.
    motifs: Mapping[str, int]
    #: Whether paths of three edges are among the motifs, and the most relations of a star.
    paths: int
    stars: int
    seconds: float


def relations(
    graph: RelationalGraph,
    model: str = ULTRA,
    *,
    query: str | Sequence[str] | None = None,
    paths: int | None = None,
    stars: int | None = None,
    rounds: int | None = None,
    direction: Direction | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Relations:
    """Which relations a foundation model, ``ultra`` or ``motif``, cannot tell apart.

    ``query`` names relations of queries, all by default; the inverse of r is called ``r^-1``, and
    asks for heads. ``paths`` (2 or 3) and ``stars`` (the most relations of a star) choose the
    motifs of the model ``motif``. Colours are stable, or those of ``rounds`` layers.

    >>> import wlkg
    >>> graph = wlkg.RelationalGraph.from_triples([("a", "likes", "b"), ("a", "trusts", "c")])
    >>> relations(graph).alike
    (('likes', 'trusts'), ('likes^-1', 'trusts^-1'))
    >>> [each.alike for each in relations(graph, query="likes").queries]
    [()]
    """
    require_graphs(graph)
    check_rounds(rounds)
    watch = Stopwatch()
    name = find_foundation_model(model).name
    motifs = motifs_of(name, paths, stars)
    graph = graph.with_direction(direction)
    stage = relation_stage(graph, motifs, max_memory=max_memory, progress=progress)
    free = stage.given(None, rounds)
    last = len(stage.unconditional) - 1
    shown = last if rounds is None else min(rounds, last)
    per_round = [_count(row) for row in stage.unconditional[: shown + 1]]
    return Relations(
        name=graph.name,
        model=name,
        direction=graph.direction,
        relations=stage.edges.num_relations,
        classes=_count(free),
        classes_per_round=tuple(per_round),
        alike=_alike(stage, free),
        triples_alike=_triples_alike(graph, stage, free),
        triples=graph.num_triples,
        queries=tuple(_given(stage, q, rounds) for q in _queries(stage, query)),
        motifs=stage.motifs,
        paths=3 if motifs.paths else 2,
        stars=motifs.stars or NO_STARS,
        seconds=watch.seconds,
    )


def _count(colours: IntArray) -> int:
    return len(np.unique(colours))


def _queries(stage: RelationStage, query: str | Sequence[str] | None) -> list[int]:
    names = stage.edges.names
    if query is None:
        return by_name(names, range(len(names)))
    wanted = [query] if isinstance(query, str) else list(dict.fromkeys(query))
    place = {name: i for i, name in enumerate(names)}
    for name in wanted:
        if name not in place:
            raise unknown_name("relation", name, names)
    if not wanted:
        raise UsageError("there is no query relation")
    return [place[name] for name in wanted]


def _given(stage: RelationStage, query: int, rounds: int | None) -> QueryRelation:
    colours = stage.given(query, rounds)
    counts = [_count(row[query]) for row in stage.conditional]
    stable = counts.index(counts[-1])
    return QueryRelation(
        relation=stage.edges.names[query],
        classes=_count(colours),
        rounds=stable if rounds is None else min(rounds, stable),
        alike=_alike(stage, colours),
    )


def _alike(stage: RelationStage, colours: IntArray) -> tuple[tuple[str, ...], ...]:
    """The classes of two and more, by name; large ones first."""
    names = stage.edges.names
    members: dict[int, list[str]] = {}
    for relation in by_name(names, range(len(names))):
        members.setdefault(int(colours[relation]), []).append(names[relation])
    classes = [tuple(each) for each in members.values() if len(each) > 1]
    return tuple(sorted(classes, key=len, reverse=True))


def _triples_alike(graph: RelationalGraph, stage: RelationStage, colours: IntArray) -> int:
    sizes = np.bincount(colours, minlength=1)[colours] > 1
    own = np.arange(graph.num_relations)
    concerned = sizes[own] | sizes[stage.edges.inverse[own]] if len(own) else own > 0
    return int(concerned[graph.relation].sum())
