"""Checks "isomorphic" and the symmetries of "complete": maps of vertices that keep all triples.

A map is a list of pairs of names [v, image of v]. It is one to one, keeps labels, and takes every
triple to a triple. An isomorphism names every vertex of both graphs; both have equally many
triples, so every triple is hit. A symmetry names only the vertices that it moves, and takes them to
each other; triples among the others stay where they are.

Cost: a pass over the triples for an isomorphism, over those at the moved vertices for a symmetry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from wlkg.errors import InputError
from wlkg.verification.fields import as_list, as_text, shown
from wlkg.verification.plain_graph import PlainGraph

Names = dict[str, int]
Triples = set[tuple[str, int, int]]


def numbers_of(graph: PlainGraph) -> Names:
    """The number of each vertex, by name."""
    return {name: v for v, name in enumerate(graph.names)}


def read_map(value: Any, where: str, one: Names, two: Names) -> dict[int, int]:
    """A map from vertices of one graph to vertices of another, one to one."""
    image: dict[int, int] = {}
    for i, pair in enumerate(as_list(value, where)):
        ends = as_list(pair, f"{where}, entry {i:,}", 2)
        names = [as_text(name, f"{where}, entry {i:,}") for name in ends]
        for name, graph, which in zip(names, (one, two), ("first", "second"), strict=True):
            if name not in graph:
                text = f"{shown(name)} is no vertex" + (
                    "" if one is two else f" of the {which} graph"
                )
                raise InputError(f"{where}, entry {i:,}: {text}")
        if one[names[0]] in image:
            raise InputError(f"{where}: {shown(names[0])} is mapped twice")
        image[one[names[0]]] = two[names[1]]
    return image


def triples_of(graph: PlainGraph) -> Triples:
    """All triples; an undirected one is there with its ends in both orders."""
    triples = {(name, h, t) for name, pairs in graph.pairs.items() for h, t in pairs}
    if graph.direction == "undirected":
        triples |= {(name, t, h) for name, h, t in triples}
    return triples


def isomorphism_failures(image: dict[int, int], one: PlainGraph, two: PlainGraph) -> Iterator[str]:
    """Why a map is no isomorphism."""
    for v, name in enumerate(one.names):
        if v not in image:
            yield f"vertex {shown(name)} of the first graph has no image"
    missed = set(range(len(two.names))) - set(image.values())
    for w in sorted(missed):
        yield f"vertex {shown(two.names[w])} of the second graph is the image of no vertex"
    if len(image) != len(one.names) or missed or len(one.names) != len(two.names):
        return
    for v, w in image.items():
        yield from _label_failure(v, w, one, two)
    if one.num_triples != two.num_triples:
        yield f"the graphs have {one.num_triples:,} and {two.num_triples:,} triples"
    there = triples_of(two)
    for name, pairs in one.pairs.items():
        for h, t in pairs:
            if (name, image[h], image[t]) not in there:
                yield _missing(one, (h, name, t), two, (image[h], image[t]))


def symmetry_failures(
    moved: dict[int, int], graph: PlainGraph, at: list[list[tuple[str, int, int]]], there: Triples
) -> Iterator[str]:
    """Why a map is no symmetry; ``at`` has the triples at each vertex, ``there`` all of them."""
    for w in set(moved.values()) - set(moved):
        yield f"a vertex is moved to {shown(graph.names[w])}, which is not moved itself"
    for v in set(moved) - set(moved.values()):
        yield f"no vertex is moved to {shown(graph.names[v])}, which is moved itself"
    for v, w in moved.items():
        if v == w:
            yield f"vertex {shown(graph.names[v])} is listed as moved, but stays"
        yield from _label_failure(v, w, graph, graph)
        for name, h, t in at[v]:
            ends = moved.get(h, h), moved.get(t, t)
            if (name, *ends) not in there:
                yield _missing(graph, (h, name, t), graph, ends)


def triples_at(graph: PlainGraph) -> list[list[tuple[str, int, int]]]:
    """The triples at each vertex; a loop is there twice."""
    at: list[list[tuple[str, int, int]]] = [[] for _ in graph.names]
    for name, pairs in graph.pairs.items():
        for h, t in pairs:
            at[h].append((name, h, t))
            at[t].append((name, h, t))
    return at


def orbits(maps: list[dict[int, int]], size: int) -> list[int]:
    """For each vertex the least vertex that the maps, done repeatedly, connect it to."""
    least = list(range(size))

    def root(v: int) -> int:
        while least[v] != v:
            least[v] = least[least[v]]
            v = least[v]
        return v

    for moved in maps:
        for v, w in moved.items():
            one, two = root(v), root(w)
            least[max(one, two)] = min(one, two)
    return [root(v) for v in range(size)]


def _label_failure(v: int, w: int, one: PlainGraph, two: PlainGraph) -> Iterator[str]:
    if one.labels[v] != two.labels[w]:
        yield (
            f"vertex {shown(one.names[v])} with the label {shown(one.labels[v])} is taken to"
            f" {shown(two.names[w])} with the label {shown(two.labels[w])}"
        )


def _missing(
    one: PlainGraph, triple: tuple[int, str, int], two: PlainGraph, ends: tuple[int, int]
) -> str:
    h, name, t = triple
    return (
        f"the triple ({shown(one.names[h])}, {shown(name)}, {shown(one.names[t])}) is taken to"
        f" ({shown(two.names[ends[0]])}, {shown(name)}, {shown(two.names[ends[1]])}), which is none"
    )
