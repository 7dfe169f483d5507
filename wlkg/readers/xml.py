"""What an XML document may declare before its root, how it may grow, and how deep it may be.

Entities can expand a small file to gigabytes, or include other files. Documents for networkx may
not declare any. RDF/XML may declare short entities that do not refer to each other, as ontologies
do for their namespaces; what they expand to counts as input. Parsers of RDF/XML need time for every
open element at each new one, so the number of open elements is limited.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import NamedTuple
from xml.parsers import expat

from wlkg.errors import InputError
from wlkg.readers.complaints import complaints
from wlkg.readers.source import Readable, Source

_LONGEST_ENTITY = 1000
_DEEPEST = 2000
_NOT_XML = "not an XML document"

_references = re.compile(rb"&([^\s&;<#]{1,200});").findall


class _RootReached(Exception):  # noqa: N818  nothing went wrong
    pass


class Prolog(NamedTuple):
    """What the declarations at the start of a document say."""

    #: The number of bytes of each entity.
    entities: dict[bytes, int]
    #: The namespaces that the root element declares, by prefix.
    prefixes: dict[str, str]


def check_prolog(start: bytes, path: str, *, allow_entities: bool) -> Prolog:
    """Raise an input error if the declarations at the start of the document are dangerous."""
    parser = expat.ParserCreate()
    checked = 0
    sizes: dict[bytes, int] = {}
    prefixes: dict[str, str] = {}

    def on_entity(name: str, is_parameter: int, value: str | None, *_: str | None) -> None:
        nonlocal checked
        checked += 1
        harmless = value is not None and "&" not in value and len(value) <= _LONGEST_ENTITY
        if not (allow_entities and harmless and not is_parameter):
            raise refused(f"the document declares the XML entity {name!r}")
        # Parsers disagree on which of two declarations counts.
        sizes[name.encode()] = max(sizes.get(name.encode(), 0), len((value or "").encode()))

    def on_root(_name: str, attributes: dict[str, str]) -> None:
        # Expat skips comments, and all declarations after a %reference; other parsers may not.
        if start.count(b"<!ENTITY", 0, parser.CurrentByteIndex) > checked:
            raise refused("the document hides declarations of XML entities")
        for attribute, value in attributes.items():
            if attribute == "xmlns" or attribute.startswith("xmlns:"):
                prefixes[attribute.removeprefix("xmlns").removeprefix(":")] = value
        raise _RootReached

    def refused(message: str) -> InputError:
        return InputError(
            message,
            path=path,
            line=parser.CurrentLineNumber,
            remedy="Expand entities before loading; they can hide gigabytes or other files",
        )

    parser.EntityDeclHandler = on_entity
    parser.StartElementHandler = on_root
    with suppress(_RootReached):
        with complaints(_NOT_XML, path, handled=(_RootReached,)):
            parser.Parse(start, False)
        raise InputError("no XML element at the start of the document", path=path)
    return Prolog(sizes, prefixes)


class CheckedXml:
    """The rest of an RDF/XML document after ``start``, checked on its way to the parser."""

    def __init__(self, start: bytes, rest: Readable, source: Source) -> None:
        self._rest = rest
        self._source = source
        self._entities, self.prefixes = check_prolog(start, source.path, allow_entities=True)
        self._parser = expat.ParserCreate()
        self._parser.ordered_attributes = True
        self._parser.StartElementHandler = self._opened
        self._parser.EndElementHandler = self._closed
        self._open = 0
        self._check(start)

    def read(self, size: int = -1) -> bytes:
        data = self._rest.read(size)
        self._check(data)
        return data

    def _check(self, data: bytes) -> None:
        if self._entities:
            # A reference across two pieces is missed: at most one in each.
            sizes = self._entities
            grown = sum(sizes.get(name, 0) for name in _references(data))
            self._source.budget.spend(grown, "with its XML entities expanded")
        with complaints(_NOT_XML, self._source.path):
            self._parser.Parse(data, False)

    def _opened(self, *_: object) -> None:
        self._open += 1
        if self._open > _DEEPEST:
            raise InputError(
                f"elements are nested more than {_DEEPEST:,} deep",
                path=self._source.path,
                line=self._parser.CurrentLineNumber,
                remedy="Convert the file to Turtle or N-Triples with another tool",
            )

    def _closed(self, _: object) -> None:
        self._open -= 1
