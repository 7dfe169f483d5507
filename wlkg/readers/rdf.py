"""RDF through pyoxigraph: Turtle, TriG, N3, RDF/XML and JSON-LD, and the careful lane of N-Triples.

Nothing is ever fetched: pyoxigraph has no network code, and remote JSON-LD contexts and external
XML entities are errors. Blank nodes without a label get the names ``_:anon1``, ``_:anon2``, ... in
the order in which the parser reports them.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import IO, cast

import pyoxigraph as ox

from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import DEEPEST_TRIPLE_TERM, decode_name, literal_tail
from wlkg.graph.triple_table import TripleTable
from wlkg.readers.complaints import complaints
from wlkg.readers.json_nesting import CheckedJson
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Readable, Source
from wlkg.readers.xml import CheckedXml
from wlkg.text import first_few

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
_HEX_LABEL = re.compile(r"[0-9a-f]{24,32}")
_HEX_IN_TEXT = re.compile(rb"[0-9a-f]{24,}")
_RESERVED_LABEL = re.compile(r"anon[0-9]+_*")

#: The most triple terms that may be open at once; tens of thousands overflow pyoxigraph's stack.
_MOST_OPEN_TERMS = 1000
#: The most brackets that a text of moderate size leaves open, and the bytes of text for each more.
_MOST_OPEN_BRACKETS = 100_000
_BYTES_PER_OPEN_BRACKET = 64
#: At each new piece pyoxigraph starts again with an unfinished token. It asks for as much as it
#: already has, so that long tokens take linear time: small pieces would make that quadratic.
_LONGEST_READ = 1 << 20
#: The most bytes of a name outside quotes and angle brackets: pyoxigraph takes a hundred times as
#: long for each of its characters as for one of a literal.
_LONGEST_WORD = 4 << 20
_DELIMITER = re.compile(rb"[\s\"'<>]")

#: Longer messages of the parser are cut.
_LONGEST_ERROR = 2000

Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple


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

    def __init__(self, text: _RecordingStream | None = None) -> None:
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


def check_open_terms(count: int) -> None:
    """Refuse too many open triple terms before pyoxigraph sees them."""
    if count > _MOST_OPEN_TERMS:
        raise too_deep()


def _check_open_brackets(count: int, size: int) -> None:
    """Refuse brackets that nest deeper than any author's; each costs the parser 230 bytes.

    Brackets in literals count too, so more may stay open in a large text.
    """
    allowed = max(_MOST_OPEN_BRACKETS, size // _BYTES_PER_OPEN_BRACKET)
    if count > allowed:
        raise ValueError(f"more than {allowed:,} brackets are open at once")


class _WordLength:
    """Limits how much text may come without a delimiter, unless it is a literal or an IRI."""

    def __init__(self) -> None:
        self._before = b""
        self._length = 0

    def add(self, data: bytes) -> None:
        """Count a piece of text; words shorter than a piece or two need no attention."""
        if _DELIMITER.search(data):
            self._before, self._length = data, 0
            return
        self._length += len(data)
        if self._length > _LONGEST_WORD and not self._is_quoted():
            raise ValueError(f"a name is longer than {_LONGEST_WORD >> 20} MiB")

    def _is_quoted(self) -> bool:
        """Whether the last delimiter was a quotation mark or an angle bracket."""
        last = max((self._before.rfind(mark), mark) for mark in b" \t\r\n\"'<>")[1]
        return bool(self._before) and last in b"\"'<>"


class _RecordingStream:
    """A stream that remembers the long hexadecimal words that were read from it.

    pyoxigraph names an unlabelled blank node with a random hexadecimal number; a hexadecimal label
    that occurs in the text is the author's. The stream also limits the nesting of triple terms and
    of brackets, and the length of words.
    """

    def __init__(self, stream: Readable, start: bytes) -> None:
        self._stream = stream
        self._start = io.BytesIO(start)
        self._tail = b""
        self._words: set[bytes] = set()
        self._open_terms = 0
        self._open_brackets = 0
        self._size = 0
        self._word = _WordLength()

    def read(self, size: int = -1) -> bytes:
        # pyoxigraph aborts the process if it gets more bytes than it asked for.
        wanted = min(size, _LONGEST_READ) if size >= 0 else _LONGEST_READ
        data = self._start.read(wanted) or self._stream.read(wanted)
        window = self._tail + data
        self._words.update(_HEX_IN_TEXT.findall(window))
        brackets = self._tail[-2:] + data
        self._open_terms += brackets.count(b"<<(") - brackets.count(b")>>")
        check_open_terms(self._open_terms)
        self._size += len(data)
        opened, closed = (sum(map(data.count, pair)) for pair in ((b"[", b"("), (b"]", b")")))
        self._open_brackets += opened - closed
        _check_open_brackets(self._open_brackets, self._size)
        self._word.add(data)
        self._tail = window[-64:]
        return data

    def has(self, label: str) -> bool:
        return label.encode() in self._words


def syntax_error(error: SyntaxError | ValueError, path: str, line: int | None = None) -> InputError:
    """Pyoxigraph's error with its position; ``line`` overrides the line in the message."""
    text = str(error)  # it may quote a token of megabytes
    text = text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}..."
    match = _LOCATION.fullmatch(text)
    if match is None:
        return InputError(text, path=path, line=line, remedy=_remedy(text))
    if line is None:
        line = int(match[1] or match[4])
    column = int(match[2] or match[3] or match[5])
    return InputError(match[6], path=path, line=line, column=column, remedy=_remedy(match[6]))


def _remedy(message: str) -> str | None:
    if "No scheme found" in message:
        return "Relative IRIs need a base: pass --base http://example.org/"
    if "LoadDocumentCallback" in message:
        return "Remote contexts are never fetched: put the context into the file"
    return None


def parsed_quads(
    document: bytes | _RecordingStream,
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


def read_rdf(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read a document in any of `FORMATS`."""
    table = TripleTable(source.progress)
    choice = GraphChoice(options.named_graph)
    with source.open() as stream:
        start = stream.read(1 << 20)
        xml = CheckedXml(start, stream, source) if format_name == "rdfxml" else None
        json = CheckedJson(start, stream, source.path) if format_name == "jsonld" else None
        text = _RecordingStream(xml or json or stream, start)
        names = TermNames(text)
        prefixes = {} if xml is None else dict(xml.prefixes)
        try:
            quads = parsed_quads(text, FORMATS[format_name], source.path, options.base, prefixes)
            table.add_rows(parsed_rows(quads, names, choice, options.literals))
        except (SyntaxError, ValueError) as error:
            raise syntax_error(error, source.path) from error
    choice.check(source.path)
    return finished(table, source, options, prefixes)


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
