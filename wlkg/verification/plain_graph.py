"""A graph as dictionaries and lists, and its digest.

Vertices are numbered in the order of their names by code point, so that a number means the same
whatever file the graph was read from. N_R(v) depends on the direction mode:

===========  =======================================================================
mode         R = (name, inverse) and N_R(v), for the triples (h, name, t)
===========  =======================================================================
out          (name, False): the tails t with head v
in           (name, True): the heads h with tail v
both         both of them
undirected   (name, False): the other ends of all triples at v, each once
===========  =======================================================================
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from itertools import chain

from wlkg.graph.relational_graph import RelationalGraph

#: The name of a relation, and whether it is followed against its direction. The name None stands
#: for all relations at once.
Relation = tuple[str | None, bool]
EVERY_RELATION: Relation = (None, False)

#: The neighbours of the vertices that have some.
Neighbours = dict[int, list[int]]


@dataclass(frozen=True)
class PlainGraph:
    """The names and labels of all vertices, and for each relation its pairs (head, tail).

    The ends of an undirected pair are in order, and the pair is there once.
    """

    names: list[str]
    #: A graph without labels has the empty label everywhere.
    labels: list[str]
    pairs: dict[str, list[tuple[int, int]]]
    direction: str

    @classmethod
    def of(cls, graph: RelationalGraph) -> PlainGraph:
        names = sorted(graph.vertex_names)
        number = {name: v for v, name in enumerate(names)}
        pairs: dict[str, list[tuple[int, int]]] = {}
        for head, relation, tail in graph.named_triples():
            pairs.setdefault(relation, []).append((number[head], number[tail]))
        if graph.direction == "undirected":
            pairs = {relation: _without_direction(some) for relation, some in pairs.items()}
        labels = [""] * len(names)
        if graph.labels is not None:
            for name, label in zip(graph.vertex_names, graph.labels.tolist(), strict=True):
                labels[number[name]] = graph.label_names[label]
        return cls(names, labels, pairs, graph.direction)

    @property
    def num_triples(self) -> int:
        return sum(map(len, self.pairs.values()))

    def relations(self) -> list[Relation]:
        """The relations that have arcs, in a fixed order."""
        ways = {"both": (False, True), "in": (True,)}.get(self.direction, (False,))
        return [(name, inverse) for name in sorted(self.pairs) for inverse in ways]

    def neighbours(self, relation: Relation) -> Neighbours:
        """N_R(v) for the vertices v where it is not empty. R = (None, False): see `all_arcs`."""
        name, inverse = relation
        if name is None:
            return self.all_arcs()
        found: Neighbours = {}
        pairs = self.pairs.get(name, [])
        for head, tail in pairs:
            v, u = (tail, head) if inverse else (head, tail)
            found.setdefault(v, []).append(u)
            if self.direction == "undirected" and u != v:
                found.setdefault(u, []).append(v)
        return found

    def all_arcs(self) -> Neighbours:
        """For each vertex v all pairs of R and u in N_R(v), without R: u may occur repeatedly."""
        found: Neighbours = {}
        for relation in self.relations():
            for v, some in self.neighbours(relation).items():
                found.setdefault(v, []).extend(some)
        return found

    def distinct_neighbours(self) -> Neighbours:
        """For each vertex all its neighbours under any relation, each once."""
        return {v: sorted(set(some)) for v, some in self.all_arcs().items()}

    def sha256(self) -> str:
        """The digest: SHA-256 of one line for the mode, each vertex and each triple.

        Lines are JSON arrays in ASCII, vertices in order, and triples sorted as text. A triple of
        an undirected graph names the end with the lesser name first, and is written once.
        """
        names = list(map(json.dumps, self.names))
        lines = [f'["direction",{json.dumps(self.direction)}]']
        for name, label in zip(names, self.labels, strict=True):
            lines.append(f'["vertex",{name},{json.dumps(label)}]')
        triples = [
            f'["triple",{names[head]},{json.dumps(relation)},{names[tail]}]'
            for relation, pairs in self.pairs.items()
            for head, tail in pairs
        ]
        digest = hashlib.sha256()
        for line in chain(lines, sorted(triples)):
            digest.update(f"{line}\n".encode())
        return digest.hexdigest()


def _without_direction(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return sorted({(min(pair), max(pair)) for pair in pairs})
