"""From the names in a file to vertices: `wlkg.graph.lookup` for many names at once.

Exact names and prefixed names are found in dictionaries. Only for what is left, all names of the
graph are passed over, once, however many names are looked up.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wlkg.graph.lookup import expanded, quoted
from wlkg.graph.prefixes import all_prefixes
from wlkg.graph.relational_graph import RelationalGraph

_marks = re.compile("[#/:]").finditer
#: The text of a literal in quotes, and its language or datatype.
_literal = re.compile(r'("(?:[^"\\]|\\.)*")(?:@[A-Za-z0-9-]+|\^\^<[^<>]*>)?', re.DOTALL).match

Matches = dict[str, list[int]]


@dataclass(frozen=True)
class FoundVertices:
    """The vertices that names mean, and the names that mean none or several."""

    vertices: dict[str, int]
    #: Names that fit several vertices, with those vertices.
    ambiguous: dict[str, list[int]]
    unknown: list[str]


def find_vertices(
    graph: RelationalGraph, texts: Iterable[str], prefixes: Mapping[str, str] | None = None
) -> FoundVertices:
    """What `wlkg.graph.lookup.find_vertex` finds for each text, without its errors."""
    known = all_prefixes(graph, prefixes)
    vertices: dict[str, int] = {}
    left = []
    for text in dict.fromkeys(texts):
        vertex = find_named(graph, text, known)
        if vertex is None:
            left.append(text)
        else:
            vertices[text] = vertex
    matches = _matches(graph, left)
    vertices |= {text: fits[0] for text, fits in matches.items() if len(fits) == 1}
    return FoundVertices(
        vertices=vertices,
        ambiguous={text: fits for text, fits in matches.items() if len(fits) > 1},
        unknown=[text for text in left if text not in matches],
    )


def find_named(graph: RelationalGraph, text: str, prefixes: Mapping[str, str]) -> int | None:
    """The vertex with this name, in full or with a prefix; None if there is none."""
    vertex = graph.find_vertex(text)
    return graph.find_vertex(expanded(text, prefixes)) if vertex is None else vertex


def _matches(graph: RelationalGraph, texts: list[str]) -> dict[str, list[int]]:
    """The vertices whose names end in each text, or the literals with this text, if any."""
    endings = {text: text.removeprefix(":") for text in texts if text not in ("", ":")}
    local, after_colon, literals = _ends(graph, set(endings.values())) if endings else ({}, {}, {})
    matches = {}
    for text, ending in endings.items():
        fits = local.get(ending) or after_colon.get(ending) or literals.get(quoted(ending))
        if fits:
            matches[text] = fits
    return matches


def _ends(graph: RelationalGraph, wanted: set[str]) -> tuple[Matches, Matches, Matches]:
    """The vertices by the ends of their names after # or /, after a colon, and by literal."""
    local: Matches = {}
    after_colon: Matches = {}
    literals: Matches = {}
    wanted_literals = set(map(quoted, wanted))
    # With the mark before it. Longer ends of names need not be looked at.
    longest = max(map(len, wanted)) + 1
    for v, name in enumerate(graph.vertex_names):
        if name.startswith('"'):
            match = _literal(name)
            for text in {match[0], match[1]} & wanted_literals if match else ():
                literals.setdefault(text, []).append(v)
            continue
        end = name[-longest:]
        for mark in _marks(end):
            ending = end[mark.end() :]
            if ending in wanted:
                found = after_colon if mark[0] == ":" else local
                found.setdefault(ending, []).append(v)
    return local, after_colon, literals
