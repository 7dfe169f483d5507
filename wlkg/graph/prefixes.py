"""Prefixes: IRIs in short, and short names back to IRIs.

A name is shortened in the first of these ways that applies, and `wlkg.graph.lookup` reads all of
them back:

=========  ==================================================  ====================================
name       as a relation                                       as a vertex
=========  ==================================================  ====================================
IRI        the part after the last ``#`` or ``/``, if no       ``prefix:local``; the part after the
           other relation ends in it; ``prefix:local``; the    last ``#`` or ``/``, or the one
           part after the second last ``#`` or ``/``           or two before, if no other vertex
                                                               ends in it
literal                                                        its datatype as ``prefix:local``
others     as they are                                         as they are
=========  ==================================================  ====================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property

from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph

#: Prefixes that need not be declared.
COMMON_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "dcterms": "http://purl.org/dc/terms/",
    "schema": "http://schema.org/",
    "prov": "http://www.w3.org/ns/prov#",
    "crm": "http://www.cidoc-crm.org/cidoc-crm/",
}

_is_prefix = re.compile(r"(?:[A-Za-z](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?)?").fullmatch
_is_local = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?").fullmatch
#: An absolute IRI without any character that could end it early where it is written in brackets.
_is_iri = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>\"{}|^`\\]*").fullmatch
_datatype = re.compile(r'(".*"\^\^)<([^<>]*)>', re.DOTALL).fullmatch
#: A literal that belongs to one triple, and the head and relation of that triple.
_occurrence = re.compile(r'(".*) \[(\S+) (\S+)\]', re.DOTALL).fullmatch


def parse_prefixes(settings: Iterable[str]) -> dict[str, str]:
    """Prefixes from texts such as ``ex=http://example.org/``.

    >>> parse_prefixes(["ex=http://example.org/"])
    {'ex': 'http://example.org/'}
    """
    prefixes = {}
    for setting in settings:
        prefix, equals, iri = setting.partition("=")
        prefix, iri = prefix.removesuffix(":"), iri.removeprefix("<").removesuffix(">")
        if not (equals and _is_prefix(prefix) and _is_iri(iri)):
            raise UsageError(
                f"--prefix {setting!r}: expected PREFIX=IRI, such as ex=http://example.org/"
            )
        prefixes[prefix] = iri
    return prefixes


def all_prefixes(
    graph: RelationalGraph, prefixes: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The given prefixes, those of the graph's file, and the common ones, in this precedence."""
    return {**COMMON_PREFIXES, **graph.prefixes, **(prefixes or {})}


def local_name(name: str) -> str:
    """The part of a name after the last ``#`` or ``/``."""
    return name[max(name.rfind("#"), name.rfind("/")) + 1 :]


def _ending(name: str, parts: int) -> str:
    """The last parts of a name, as ``#`` and ``/`` divide it."""
    place = len(name)
    for _ in range(parts):
        place = max(name.rfind("#", 0, place), name.rfind("/", 0, place))
        if place < 0:
            break
    return name[place + 1 :]


def _occurrences(names: str, ending: str) -> int:
    """How many names, one on each line, are this text or end in it after a ``#`` or ``/``."""
    return sum(names.count(f"{mark}{ending}\n") for mark in "#/\n")


def is_iri(name: str) -> bool:
    """Whether a name looks like an absolute IRI that can be written between angle brackets."""
    return _is_iri(name) is not None


class ShortNames:
    """The names of a graph in short."""

    def __init__(
        self,
        graph: RelationalGraph,
        prefixes: Mapping[str, str] | None = None,
        *,
        full: bool = False,
    ) -> None:
        """With ``full``, names stay as they are."""
        self._graph = graph
        self._full = full
        usable = {
            prefix: iri
            for prefix, iri in all_prefixes(graph, prefixes).items()
            if _is_prefix(prefix) and _is_iri(iri)
        }
        self.prefixes = usable
        #: Longest first, so that the most specific prefix is used; then by name.
        self._namespaces = sorted(
            ((iri, prefix) for prefix, iri in usable.items()), key=lambda p: (-len(p[0]), p)
        )

    @cached_property
    def _vertices(self) -> str:
        """All names in one text: searching it is far faster than a table of all endings."""
        return "\n".join(["", *self._graph.vertex_names, ""])

    @cached_property
    def _relations(self) -> str:
        return "\n".join(["", *self._graph.relation_names, ""])

    def prefixed(self, iri: str) -> tuple[str, str] | None:
        """The prefix and the local name of an IRI, if a prefix fits."""
        if self._full:
            return None
        for namespace, prefix in self._namespaces:
            if iri.startswith(namespace) and _is_local(iri[len(namespace) :]):
                return prefix, iri[len(namespace) :]
        return None

    def _with_prefix(self, iri: str) -> str | None:
        pieces = self.prefixed(iri)
        return None if pieces is None else ":".join(pieces)

    def relation(self, name: str) -> str:
        """A relation in short; unambiguous among the relations of the graph."""
        if self._full or not is_iri(name):
            return name
        local, longer = _ending(name, 1), _ending(name, 2)
        if local and _occurrences(self._relations, local) <= 1:
            return local
        alone = _occurrences(self._relations, longer) <= 1
        return self._with_prefix(name) or (longer if alone else name)

    def with_prefixes(self, name: str) -> str:
        """The name of a vertex with prefixes where they fit, unless another vertex is called so."""
        typed = _datatype(name)
        if typed is not None:
            short = self._with_prefix(typed[2])
            return name if short is None else f"{typed[1]}{short}"
        place = _occurrence(name)
        if place is not None:
            return f"{place[1]} [{self.with_prefixes(place[2])} {self.prefixed_relation(place[3])}]"
        short = self._with_prefix(name) if is_iri(name) else None
        return name if short is None or self._graph.find_vertex(short) is not None else short

    def prefixed_relation(self, name: str) -> str:
        """A relation as ``prefix:local``, or in short if no prefix fits."""
        short = self._with_prefix(name) if is_iri(name) else None
        known = short is not None and short in self._graph.relation_names
        return self.relation(name) if short is None or known else short

    def vertex(self, vertex: int) -> str:
        """A vertex in short; `wlkg.graph.lookup.find_vertex` finds it by this name."""
        name = self._graph.vertex_names[vertex]
        short = self.with_prefixes(name)
        if self._full or short != name or not is_iri(name):
            return short
        for parts in (1, 2, 3):
            ending = _ending(name, parts)
            plain = all(map(_is_local, ending.replace("#", "/").split("/")))
            if plain and _occurrences(self._vertices, ending) == 1:
                return ending
        return name
