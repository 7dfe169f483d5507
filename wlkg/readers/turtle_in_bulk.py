"""Large documents in Turtle and TriG, in two lanes that always agree.

A compiled loop reads plain statements (`turtle_kernel`). Where it stops, pyoxigraph parses the next
stretch, which begins with a statement in doubt and ends after some later one; then the loop goes
on. If such a stretch is a document by itself, with the prefixes and the base declared so far, then
it means the same there as in its place, for nothing later can change what has been said. Otherwise
pyoxigraph gets everything that is left, and so it reports all errors.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import IO, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyoxigraph as ox

from wlkg.arrays import BoolArray, Int32Array
from wlkg.compiled.kernel import run
from wlkg.graph.triple_table import TripleTable
from wlkg.readers.complaints import complaints
from wlkg.readers.lines import is_utf8
from wlkg.readers.options import ReadOptions
from wlkg.readers.plain_lines import literal_names, plain_literals
from wlkg.readers.quads_in_bulk import QuadsInBulk
from wlkg.readers.rdf_names import TermNames
from wlkg.readers.rdf_parsing import FORMATS, parsed_quads, syntax_error
from wlkg.readers.rdf_stream import RecordingStream
from wlkg.readers.source import Readable
from wlkg.readers.turtle_kernel import TEXTS, read_statements
from wlkg.readers.turtle_tokens import END, FULL, KINDS

#: The formats that have plain statements.
PLAIN_FORMATS = ("turtle", "trig")
#: The size of a piece. A smaller document is read before the compiled loop is even loaded.
LARGE = 16 << 20
#: The shortest and the longest stretch for pyoxigraph; stretches in a row double their lengths.
SHORTEST, LONGEST = 4 << 10, 1 << 20
#: From this many prefixes on, pyoxigraph had better not read them again with every stretch.
_MOST_PREFIXES = 500

#: IRIs that stay valid, and are no encoded names, whatever letters, digits, ``_``, ``-`` and inner
#: dots come after them.
_is_plain_prefix = re.compile(
    r"(?!ur)[A-Za-z][A-Za-z0-9+.\-]*:(?://[A-Za-z0-9.\-]+/[A-Za-z0-9._~/\-]*#?|[A-Za-z0-9]+[:/#]?)"
).fullmatch
_LONGEST_PREFIX = 200


class LargeTurtle:
    """Reads a document whose beginning is known to be large."""

    def __init__(self, format_name: str, path: str, options: ReadOptions) -> None:
        self._format_name = format_name
        self._format = FORMATS[format_name]
        self._path = path
        self._policy = options.literals
        self._base = options.base
        ox.parse(b"", self._format, base_iri=self._base)  # refuses what is not a base
        self.prefixes: dict[str, str] = {}
        self._known = _known_prefixes({})
        self._names = TermNames(self)
        self._parsed = RecordingStream(io.BytesIO(), b"")
        #: The lines before the unread text, and the characters before it in its line.
        self._lines = self._column = 0
        self._stretch = SHORTEST
        self._is_stuck = False
        self._out = np.empty(2 * LARGE, dtype=np.uint8)
        self._ends = np.empty(LARGE // 8 + 16, dtype=np.int64)
        self._triples = np.empty((LARGE // 16 + 16, 3), dtype=np.int32)

    def has(self, label: str) -> bool:
        """Whether a label occurs in the text that pyoxigraph read last."""
        return self._parsed.has(label)

    def add(self, table: TripleTable, start: bytes, stream: Readable) -> None:
        """Add all triples of the document that begins with ``start``."""
        text = start
        while True:
            position = self._add_pieces(table, text)
            self._pass_over(text[:position])
            text = text[position:]
            if self._is_stuck or len(text) > LARGE or not (more := stream.read(LARGE)):
                break
            text += more
        self._add_rest(table, text, stream)

    def _pass_over(self, text: bytes) -> None:
        lines = text.count(b"\n")
        before = 0 if lines else self._column
        self._lines += lines
        self._column = before + len(text[text.rfind(b"\n") + 1 :].decode())

    def _add_pieces(self, table: TripleTable, text: bytes) -> int:
        """Add the statements of some whole lines; where the first that is left begins."""
        end = text.rfind(b"\n") + 1
        lines = text[:end]
        if not is_utf8(lines):
            self._is_stuck = True
            return 0
        data = np.frombuffer(lines, dtype=np.uint8)
        at: int = 0
        while True:
            before = at
            at, names, rows, reason = run(
                read_statements, end - at, data, at, KINDS, *self._known,
                self._out, self._ends, self._triples,
            )  # fmt: skip
            self._add_plain(table, names, rows)
            if reason == END:
                break
            if reason == FULL and at > before:
                continue
            if at - before > 8 * self._stretch:
                self._stretch = SHORTEST
            before, at = at, self._add_stretch(table, lines, at)
            if at == before:
                break
        return at

    def _add_plain(self, table: TripleTable, count: int, rows: int) -> None:
        """Add what the compiled loop has left in its arrays."""
        ends, size = self._ends[: count + 1], int(self._ends[count])
        buffers = [None, pa.py_buffer(ends), pa.py_buffer(self._out[:size])]
        words = pa.Array.from_buffers(pa.large_string(), count, buffers).dictionary_encode()
        codes: Int32Array = words.indices.to_numpy(zero_copy_only=False)[self._triples[:rows]]
        names = plain_literals(words.dictionary)
        is_literal: BoolArray = pc.starts_with(names, '"').to_numpy(zero_copy_only=False)
        is_literal = is_literal[codes[:, 2]]
        if self._policy == "drop":
            codes, is_literal = codes[~is_literal], is_literal[:0]
        if self._policy == "occurrence":
            names, codes = literal_names(names, codes, is_literal)
        distinct = names.dictionary_encode()
        renumbered = distinct.indices.to_numpy(zero_copy_only=False)
        table.add_codes(distinct.dictionary, renumbered[codes])

    def _add_stretch(self, table: TripleTable, text: bytes, at: int) -> int:
        """Add a stretch by pyoxigraph; where it ends, or ``at`` if there is none."""
        while self._stretch <= LONGEST:
            stop = text.find(b".\n", at + self._stretch)
            stop = 2 + (stop if stop >= 0 else text.rfind(b".\n", at))
            self._stretch *= 2
            if stop <= at + 1:
                return at  # more text is needed
            quads = self._quads(text[at:stop])
            if quads is not None:
                QuadsInBulk(self._format_name, self._names, self._policy).add(table, iter(quads))
                return stop
        self._is_stuck = True
        return at

    def _quads(self, stretch: bytes) -> list[ox.Quad | ox.Triple] | None:
        """The quads of a stretch; None if it is no document."""
        if len(self.prefixes) > _MOST_PREFIXES:
            return None
        self._parsed = RecordingStream(io.BytesIO(self._declarations() + stretch), b"")
        try:
            with complaints("cannot be parsed", self._path, handled=(SyntaxError, ValueError)):
                parser = ox.parse(cast("IO[bytes]", self._parsed), self._format)
                quads = list(parser)
        except (SyntaxError, ValueError, MemoryError):
            return None
        self._base = parser.base_iri
        if parser.prefixes != self.prefixes:
            self.prefixes = parser.prefixes
            self._known = _known_prefixes(self.prefixes)
        return quads

    def _declarations(self) -> bytes:
        """A line with the prefixes and the base so far; the base comes last and changes none."""
        words = [f"@prefix {label}: <{iri}> ." for label, iri in self.prefixes.items()]
        if self._base is not None:
            words.append(f"@base <{self._base}> .")
        return " ".join(words).encode() + b"\n"

    def _add_rest(self, table: TripleTable, text: bytes, stream: Readable) -> None:
        self._parsed = RecordingStream(stream, self._declarations() + text)
        quads = parsed_quads(self._parsed, self._format, self._path, prefixes=self.prefixes)
        try:
            QuadsInBulk(self._format_name, self._names, self._policy).add(table, quads)
        except (SyntaxError, ValueError) as error:
            raise syntax_error(error, self._path, place=self._place) from error

    def _place(self, line: int, column: int) -> tuple[int, int]:
        """A place in the document, from one in the rest that comes after a line of declarations."""
        return line - 1 + self._lines, column + (self._column if line == 2 else 0)


def _known_prefixes(prefixes: Mapping[str, str]) -> tuple[np.ndarray, ...]:
    """What the compiled loop wants to know: prefixes end to end, and the texts that it copies."""
    known = {
        label.encode(): iri.encode()
        for label, iri in prefixes.items()
        if len(iri) <= _LONGEST_PREFIX and _is_plain_prefix(iri)
    }
    labels, texts = [b"_", *known], [*TEXTS, *known.values()]
    return (
        np.frombuffer(b"".join(labels), dtype=np.uint8),
        np.cumsum([len(label) for label in labels]),
        np.frombuffer(b"".join(texts), dtype=np.uint8),
        np.cumsum([0, *map(len, texts)]),
    )
