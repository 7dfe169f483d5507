"""RDF terms in queries: IRIs with prefixes, and vertices, escaped so that nothing else gets in."""

from __future__ import annotations

import re
from functools import cached_property

from wlkg.analysis.explanation.languages.wording import Setting
from wlkg.arrays import BoolArray
from wlkg.graph.prefixes import is_iri
from wlkg.graph.terms import kind, relation_iri, vertex_term

_escape = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
#: Prefixes and local names that all engines read alike.
_is_plain = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*").fullmatch
_is_plain_prefix = re.compile(r"(?:[A-Za-z][A-Za-z0-9_-]*)?").fullmatch


class NotInSparqlError(Exception):
    """What a query cannot say."""


class Terms:
    """The terms of one query, and the prefixes that they use."""

    def __init__(self, setting: Setting) -> None:
        self._names = setting.names
        self._graph = setting.graph
        self._used: set[str] = set()

    def declarations(self) -> list[str]:
        """The prefix declarations that the query needs."""
        return [f"PREFIX {p}: <{self._names.prefixes[p]}>" for p in sorted(self._used)]

    def relation(self, name: str) -> str:
        """A relation name as a predicate."""
        return self._iri(relation_iri(name)[1:-1])

    def _iri(self, iri: str) -> str:
        if not is_iri(iri):
            raise NotInSparqlError(f"{iri!r} cannot be written as an IRI in a query")
        pieces = self._names.prefixed(iri)
        if pieces is not None and _is_plain_prefix(pieces[0]) and _is_plain(pieces[1]):
            self._used.add(pieces[0])
            return ":".join(pieces)
        return f"<{iri}>"

    @cached_property
    def _is_head(self) -> BoolArray:
        import numpy as np

        heads: BoolArray = np.zeros(self._graph.num_vertices, dtype=bool)
        heads[self._graph.head] = True
        return heads

    def vertex(self, vertex: int) -> str:
        """A vertex as a term; blank nodes have no name that a query could use."""
        name = self._graph.vertex_names[vertex]
        term = vertex_term(name, is_head=bool(self._is_head[vertex]))
        if term.startswith("<<"):
            raise NotInSparqlError(f"SPARQL 1.1 has no triple terms, such as {name}")
        if term.startswith("<"):
            return self._iri(term[1:-1])
        if kind(term) == "blank":
            raise NotInSparqlError(f"a query cannot name the blank node {name}")
        return self._literal(term)

    def _literal(self, term: str) -> str:
        r"""A literal of canonical N-Triples. Engines expand ``\u`` before anything else."""
        text, quote, rest = term[1:].rpartition('"')
        if rest.startswith("^^"):
            rest = f"^^{self._iri(rest[3:-1])}"
        written = _escape.sub(_raw, text)
        if re.search(r"\\[uU]", written):
            raise NotInSparqlError(f"engines disagree on the text of the literal {term}")
        return f'"{written}{quote}{rest}'


def _raw(match: re.Match[str]) -> str:
    """Control characters as they are; other escapes are the same in SPARQL."""
    code = match[1] or match[2]
    return match[0] if code is None else chr(int(code, 16))
