"""What pyoxigraph makes of a document: quads, rows of names, and errors with their place.

Nothing is ever fetched: pyoxigraph has no network code, and remote JSON-LD contexts and external
XML entities are errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import IO, cast

import pyoxigraph as ox

from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import literal_tail
from wlkg.graph.triple_table import TripleTable
from wlkg.readers.complaints import complaints
from wlkg.readers.options import ReadOptions
from wlkg.readers.rdf_names import GraphChoice, TermNames
from wlkg.readers.rdf_stream import RecordingStream
from wlkg.readers.source import Source

FORMATS = {
    "turtle": ox.RdfFormat.TURTLE,
    "trig": ox.RdfFormat.TRIG,
    "n3": ox.RdfFormat.N3,
    "rdfxml": ox.RdfFormat.RDF_XML,
    "jsonld": ox.RdfFormat.JSON_LD,
    "ntriples": ox.RdfFormat.N_TRIPLES,
    "nquads": ox.RdfFormat.N_QUADS,
}

_LOCATION = re.compile(
    r"Parser error (?:at line (\d+) (?:column (\d+)|between columns (\d+) and \d+)"
    r"|between line (\d+) column (\d+) and line \d+ column \d+): (.*?)(?: \(line \d+\))?",
    re.DOTALL,
)
#: Longer messages of the parser are cut.
_LONGEST_ERROR = 2000


def syntax_error(
    error: SyntaxError | ValueError,
    path: str,
    line: int | None = None,
    *,
    place: Callable[[int, int], tuple[int, int]] = lambda line, column: (line, column),
) -> InputError:
    """Pyoxigraph's error with its position; ``line`` overrides the line in the message.

    Where only part of a document was parsed, ``place`` says where in the document a line and a
    column of that part are.
    """
    text = str(error)  # it may quote a token of megabytes
    text = text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}..."
    match = _LOCATION.fullmatch(text)
    if match is None:
        return InputError(text, path=path, line=line, remedy=_remedy(text))
    found, column = place(int(match[1] or match[4]), int(match[2] or match[3] or match[5]))
    line = found if line is None else line
    return InputError(match[6], path=path, line=line, column=column, remedy=_remedy(match[6]))


def _remedy(message: str) -> str | None:
    if "No scheme found" in message:
        return "Relative IRIs need a base: pass --base http://example.org/"
    if "LoadDocumentCallback" in message:
        return "Remote contexts are never fetched: put the context into the file"
    return None


def parsed_quads(
    document: bytes | RecordingStream,
    format_: ox.RdfFormat,
    path: str,
    base: str | None = None,
    prefixes: dict[str, str] | None = None,
) -> Iterator[ox.Quad | ox.Triple]:
    """The quads of a document; syntax errors are left to the caller.

    After the last quad, ``prefixes`` also holds those that the document declares.
    """
    with complaints("cannot be parsed", path, handled=(SyntaxError, ValueError)):
        parser = ox.parse(cast("bytes | IO[bytes]", document), format_, base_iri=base)
        try:
            yield from parser
        except MemoryError as error:
            if "buffer maximal size" not in str(error):
                raise
            raise ValueError("a name, a literal or a comment is longer than 16 MiB") from error
        if prefixes is not None:
            prefixes.update(parser.prefixes)


def parsed_rows(
    quads: Iterator[ox.Quad | ox.Triple], names: TermNames, choice: GraphChoice, policy: str
) -> Iterator[tuple[str, str, str]]:
    """Triples of names under a literal policy, from pyoxigraph's quads."""
    for quad in quads:
        if choice.wanted is not None:
            graph = getattr(quad, "graph_name", None)
            if not choice.admits(
                None if graph is None or isinstance(graph, ox.DefaultGraph) else names(graph)
            ):
                continue
        head, relation = names(quad.subject), names(quad.predicate)
        tail: str | None = names(quad.object)
        if tail is not None and isinstance(quad.object, ox.Literal):
            tail = literal_tail(tail, head, relation, policy)
        if tail is not None:
            yield head, relation, tail


def finished(
    table: TripleTable,
    source: Source,
    options: ReadOptions,
    prefixes: Mapping[str, str] | None = None,
) -> RelationalGraph:
    """The graph of a table, which must not be empty."""
    if not len(table):
        raise InputError("the file holds no triple", path=source.path)
    return RelationalGraph.from_arrays(
        **table.arrays(), prefixes=prefixes, literals=options.literals
    )
