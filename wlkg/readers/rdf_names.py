"""The names of pyoxigraph's terms, and the choice of a named graph.

Blank nodes without a label get the names ``_:anon1``, ``_:anon2``, ... in the order in which the
parser reports them.
"""

from __future__ import annotations

import re
from typing import Protocol

import pyoxigraph as ox

from wlkg.errors import InputError
from wlkg.graph.terms import DEEPEST_TRIPLE_TERM, decode_name
from wlkg.text import first_few

_HEX_LABEL = re.compile("[0-9a-f]{24,32}")
_RESERVED_LABEL = re.compile("anon[0-9]+_*")
#: Names ``_:LABEL`` that may have to be changed.
RENAMED = f"^_:(?:{_HEX_LABEL.pattern}|{_RESERVED_LABEL.pattern})$"

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


class Text(Protocol):
    """What was read of a document."""

    def has(self, label: str) -> bool:
        """Whether a long hexadecimal label occurs in it."""


class GraphChoice:
    """Which named graphs to read: all of them merged, or one. Remembers the graphs it has seen."""

    def __init__(self, wanted: str | None) -> None:
        self.wanted = None if wanted is None else wanted.removeprefix("<").removesuffix(">")
        self.seen: set[str] = set()

    def admits(self, name: str | None) -> bool:
        """Whether to read triples of this graph; None is the default graph."""
        if self.wanted is None:
            return True
        if name is not None:
            self.seen.add(name)
        return name == self.wanted

    def check(self, path: str) -> None:
        """Raise an input error if the wanted graph did not occur."""
        if self.wanted is None or self.wanted in self.seen:
            return
        remedy = (
            f"The graphs are: {first_few(sorted(self.seen))}"
            if self.seen
            else "It has no named graph"
        )
        raise InputError(f"there is no graph <{self.wanted}>", path=path, remedy=remedy)


class TermNames:
    """Names of pyoxigraph terms, each computed once."""

    def __init__(self, text: Text | None = None) -> None:
        self._names: dict[Term, str] = {}
        self._text = text
        self._anonymous = 0

    def __call__(self, term: Term) -> str:
        name = self._names.get(term)
        if name is None:
            name = self._names[term] = self._name(term)
        return name

    def _name(self, term: Term) -> str:
        if isinstance(term, ox.NamedNode):
            return decode_name(term.value)
        if isinstance(term, ox.BlankNode):
            return self._blank_name(term.value)
        if isinstance(term, ox.Triple):
            _check_depth(term)
            parts = (
                self._inside_triple(part) for part in (term.subject, term.predicate, term.object)
            )
            return f"<<( {' '.join(parts)} )>>"
        return str(term)

    def _inside_triple(self, term: Term) -> str:
        return str(term) if isinstance(term, ox.NamedNode) else self(term)

    def _blank_name(self, label: str) -> str:
        if self._text is None:
            return f"_:{label}"
        if _HEX_LABEL.fullmatch(label) and not self._text.has(label):
            self._anonymous += 1
            return f"_:anon{self._anonymous}"
        # A label like those that we assign gets one more underscore, so that it cannot clash.
        return f"_:{label}_" if _RESERVED_LABEL.fullmatch(label) else f"_:{label}"


def _check_depth(term: Term) -> None:
    inner, depth = term, 0
    while isinstance(inner, ox.Triple):
        inner, depth = inner.object, depth + 1
        if depth > DEEPEST_TRIPLE_TERM:
            raise too_deep()


def too_deep() -> ValueError:
    """The error for triple terms that are nested too deeply."""
    return ValueError(f"triple terms are nested more than {DEEPEST_TRIPLE_TERM} deep")
