"""Foundation models in dictionaries, straight from the definitions: loops over triples and tuples.

Relations are pairs (name, is inverse). An edge (x, r, y) has head x and tail y.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Any

from wlkg.graph.relational_graph import RelationalGraph

Relation = tuple[str, bool]
Edge = tuple[str, Relation, str]
#: A hyperedge: its motif and its members in order.
Hyperedge = tuple[str, tuple[Relation, ...]]
Colours = Mapping[Any, Hashable]


def name_of(relation: Relation) -> str:
    return relation[0] + ("^-1" if relation[1] else "")


def inverse_of(relation: Relation, direction: str) -> Relation:
    return (relation[0], not relation[1]) if direction == "both" else relation


def relations_of(graph: RelationalGraph) -> list[Relation]:
    sides = (False, True) if graph.direction == "both" else (False,)
    return [(name, side) for side in sides for name in graph.relation_names]


def edges_of(graph: RelationalGraph) -> set[Edge]:
    edges: set[Edge] = set()
    for h, r, t in graph.named_triples():
        edges.add((h, (r, False), t))
        if graph.direction == "both":
            edges.add((t, (r, True), h))
        if graph.direction == "undirected":
            edges.add((t, (r, False), h))
    return edges


def hyperedges_slowly(
    graph: RelationalGraph, paths: bool = False, stars: int = 0
) -> set[Hyperedge]:
    """All occurrences of motifs, as a set."""
    edges, vertices = edges_of(graph), graph.vertex_names
    heads = {v: {r for x, r, _ in edges if x == v} for v in vertices}
    tails = {v: {r for _, r, y in edges if y == v} for v in vertices}
    role = {"h": heads, "t": tails}
    found: set[Hyperedge] = set()
    for v in vertices:
        for one, two in itertools.product("ht", repeat=2):
            pairs = itertools.product(role[one][v], role[two][v])
            found |= {(f"{one}2{two}", pair) for pair in pairs}
        for letter, size in itertools.product("ht", range(2, stars + 1)):
            stars_here = itertools.permutations(role[letter][v], size)
            found |= {(f"{letter}-star-{size}", star) for star in stars_here}
    if paths:
        for x, b, y in edges:
            for one, two in itertools.product("ht", repeat=2):
                ends = itertools.product(role[one][x], role[two][y])
                found |= {(f"{one}f{two}", (a, b, c)) for a, c in ends}
    return found


def relation_rounds_slowly(
    graph: RelationalGraph, query: Relation | None, paths: bool = False, stars: int = 0
) -> list[dict[Relation, Hashable]]:
    """Colours of relations at rounds 0, 1, ... until stable, by the rule for hyperedges."""
    hyperedges = hyperedges_slowly(graph, paths, stars)
    colour: dict[Relation, Hashable] = {r: int(r == query) for r in relations_of(graph)}
    rounds = [colour]
    while True:
        seen: dict[Relation, list[Hashable]] = {r: [] for r in colour}
        for motif, members in hyperedges:
            for i, r in enumerate(members):
                others = tuple((colour[s], j) for j, s in enumerate(members) if j != i)
                seen[r].append((motif, i, others))
        signatures = {r: (colour[r], frozenset(Counter(seen[r]).items())) for r in colour}
        number = {key: i for i, key in enumerate(dict.fromkeys(signatures.values()))}
        following: dict[Relation, Hashable] = {r: number[signatures[r]] for r in colour}
        if len(number) == len(set(colour.values())):
            return rounds
        colour = following
        rounds.append(colour)


def entity_rounds_slowly(
    graph: RelationalGraph, source: str, states: Mapping[Relation, Hashable]
) -> list[dict[str, Hashable]]:
    """The second stage: messages along edges x -> y carry the state of their relation."""
    labels = [0] * graph.num_vertices if graph.labels is None else graph.labels.tolist()
    start = zip(graph.vertex_names, labels, strict=True)
    colour: dict[str, Hashable] = {v: (v == source, label) for v, label in start}
    edges = edges_of(graph)
    if graph.direction == "out":  # without inverses, messages go from N(v) to v
        edges = {(y, r, x) for x, r, y in edges}
    rounds = [colour]
    while True:
        seen: dict[str, list[Hashable]] = {v: [] for v in colour}
        for x, r, y in edges:
            seen[y].append((states[r], colour[x]))
        signatures = {v: (colour[v], frozenset(Counter(seen[v]).items())) for v in colour}
        number = {key: i for i, key in enumerate(dict.fromkeys(signatures.values()))}
        if len(number) == len(set(colour.values())):
            return rounds
        colour = {v: number[signatures[v]] for v in colour}
        rounds.append(colour)


def classes_of(colours: Mapping[Any, Hashable]) -> set[frozenset[Any]]:
    """A partition as a set of sets."""
    classes: dict[Hashable, set[Any]] = {}
    for item, colour in colours.items():
        classes.setdefault(colour, set()).add(item)
    return {frozenset(each) for each in classes.values()}
