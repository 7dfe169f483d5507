"""N-Triples and N-Quads in bulk.

There are two lanes, which always agree. A line takes the *fast lane* if it reads ``TERM SPACE TERM
SPACE TERM SPACE .`` and each term matches a pattern that accepts only terms which pyoxigraph
accepts and leaves unchanged. There, lines are split and distinct terms are checked as Arrow arrays.
Every other line (escapes, tabs, comments, odd IRIs, mistakes) is *in doubt* and goes to pyoxigraph,
which has the last word.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyoxigraph as ox

from wlkg.arrays import BoolArray, Int32Array, Int64Array
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleSink, TripleTable
from wlkg.readers.ahead import map_ahead, workers
from wlkg.readers.lines import Block, blocks
from wlkg.readers.options import ReadOptions
from wlkg.readers.rdf import (
    FORMATS,
    GraphChoice,
    TermNames,
    check_open_terms,
    finished,
    parsed_quads,
    parsed_rows,
    syntax_error,
)
from wlkg.readers.source import Source

# RFC 3987 without the parts that need closer checks: user info, IP literals, rare code points.
_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@\x{A0}-\x{D7FF}-]|%[0-9A-Fa-f]{2})"
_IRI = (
    r"<[A-Za-z][A-Za-z0-9+.-]*:"
    rf"(?://[A-Za-z0-9._~-]*(?::[0-9]+)?(?:/(?:{_PCHAR}|/)*)?|/?(?:{_PCHAR}(?:{_PCHAR}|/)*)?)"
    rf"(?:\?(?:{_PCHAR}|[/?])*)?(?:#(?:{_PCHAR}|[/?])*)?>"
)
_BLANK = r"_:[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_-])?"
_LITERAL = (
    rf'"[^"\\\x00-\x1f\x7f\x{{FFFE}}\x{{FFFF}}]*"(?:@[a-z]{{2,3}}(?:-[a-z]{{2}})?|\^\^{_IRI})?'
)
_NODE = f"^(?:{_IRI}|{_BLANK})$"
_TERM = f"^(?:{_IRI}|{_BLANK}|{_LITERAL})$"
#: Terms that match but need pyoxigraph: encoded names, and the datatype that needs a language.
_DISGUISED = r"^<urn:wlkg:name:|[lL]angString>$"

_XSD_STRING = '"^^<http://www.w3.org/2001/XMLSchema#string>'
_LINE_END = " .\n"

#: Arrow releases the interpreter lock, so two blocks are parsed at a time.
_WORKERS = 2


def read_ntriples(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read ``ntriples`` or ``nquads``."""
    table = TripleTable(source.progress)
    add_ntriples(source, format_name, options, table)
    return finished(table, source, options)


def add_ntriples(source: Source, format_name: str, options: ReadOptions, table: TripleSink) -> None:
    """Add the triples of a file to a table, block by block."""
    lanes = _Lanes(format_name, options)
    with source.open() as stream, workers(_WORKERS + 1) as pool:
        for block, names, codes, in_doubt in map_ahead(
            pool, lanes.fast, blocks(stream, source.path, pool), _WORKERS
        ):
            table.add_codes(names, codes)
            if len(in_doubt):
                table.add_rows(lanes.careful(block, in_doubt))
    lanes.choice.check(source.path)


class _Lanes:
    """The two ways through a block of lines."""

    def __init__(self, format_name: str, options: ReadOptions) -> None:
        self.choice = GraphChoice(options.named_graph)
        self._format = FORMATS[format_name]
        self._policy = options.literals
        self._names = TermNames()

    def fast(self, block: Block) -> tuple[Block, pa.Array, Int32Array, Int64Array]:
        """The block, its names, its plain lines as rows of name indices, and the lines in doubt."""
        if block.is_blank:
            none = np.empty((0, 3), dtype=np.int32)
            return block, pa.array([], pa.large_string()), none, np.empty(0, dtype=np.int64)
        words, plain = _three_words(block)
        encoded = words.dictionary_encode()
        rows = encoded.indices.to_numpy(zero_copy_only=False).reshape(-1, 3)[plain]
        terms = _without_separator(encoded.dictionary)
        wanted = np.ones(len(terms), dtype=bool)
        if self._format == ox.RdfFormat.N_QUADS:
            terms, wanted = _without_graph(terms, rows[:, 2], self.choice)
        good = _matches(terms, _TERM)
        is_iri = good & _starts(terms, "<")
        is_literal = good & _starts(terms, '"')
        ok = (good & ~is_literal)[rows[:, 0]] & is_iri[rows[:, 1]] & good[rows[:, 2]]
        keep = ok & wanted[rows[:, 2]]
        if self._policy == "drop":
            keep &= ~is_literal[rows[:, 2]]
        # Several terms may have the same name, such as "x" and "x"^^xsd:string.
        distinct = _plain_literals(_iri_names(terms)).dictionary_encode()
        renumber = distinct.indices.to_numpy(zero_copy_only=False)
        names, codes = distinct.dictionary, renumber[rows[keep]]
        if self._policy == "occurrence":
            names, codes = _with_owners(names, codes, is_literal[rows[keep, 2]])
        plain[np.flatnonzero(plain)[~ok]] = False
        return block, names, codes, np.flatnonzero(~plain & ~_is_empty(block))

    def careful(self, block: Block, in_doubt: npt.NDArray[np.int64]) -> list[tuple[str, str, str]]:
        """The triples of the lines in doubt, parsed by pyoxigraph."""
        lines = [block.line(i) for i in in_doubt.tolist()]
        try:
            for line in lines:
                check_open_terms(line.count(b"<<("))
            return self._parsed(b"\n".join(lines), block.path)
        except (SyntaxError, ValueError) as error:
            raise self._first_error(lines, block, in_doubt) from error

    def _parsed(self, document: bytes, path: str) -> list[tuple[str, str, str]]:
        quads = parsed_quads(document, self._format, path)
        return list(parsed_rows(quads, self._names, self.choice, self._policy))

    def _first_error(
        self, lines: list[bytes], block: Block, in_doubt: npt.NDArray[np.int64]
    ) -> InputError:
        """The error in the first wrong line; pyoxigraph may report it one line too late."""
        for line, index in zip(lines, in_doubt.tolist(), strict=True):
            try:
                check_open_terms(line.count(b"<<("))
                self._parsed(line, block.path)
            except (SyntaxError, ValueError) as error:
                return syntax_error(error, block.path, block.first_line + index)
        raise AssertionError("lines that fail together must include one that fails alone")


def _is_empty(block: Block) -> BoolArray:
    """Which lines have no character, or are a comment that no carriage return ends."""
    data = np.frombuffer(block.data, dtype=np.uint8)
    starts = np.concatenate([[0], block.ends[:-1]])
    empty: BoolArray = data[starts] == ord("\n")
    if b"\r" not in block.data:
        empty |= data[starts] == ord("#")
    return empty


def _three_words(block: Block) -> tuple[pa.Array, BoolArray]:
    """Three words per line, each with the separator after it, and which lines are plain.

    Words that keep their separators lie end to end, so Arrow can use the block's own bytes: only
    the offsets are computed. A line that is not plain becomes one word and two empty words.
    """
    data = np.frombuffer(block.data, dtype=np.uint8)
    ends = block.ends
    starts = np.concatenate([[0], ends[:-1]])
    last = ends - len(_LINE_END)  # where the space before the full stop should be
    spaces = np.append(np.flatnonzero(data == ord(" ")), [len(data)] * 2)
    first = np.searchsorted(spaces, starts)
    plain: BoolArray = (spaces[first + 1] < last) & (last > starts)
    plain[plain] = (data[last[plain]] == ord(" ")) & (data[last[plain] + 1] == ord("."))
    offsets = np.empty(3 * len(ends) + 1, dtype=np.int64)
    offsets[:-1:3] = starts
    offsets[1::3] = np.where(plain, spaces[first] + 1, ends)
    offsets[2::3] = np.where(plain, spaces[first + 1] + 1, ends)
    offsets[-1] = len(data)
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(block.data)]
    return pa.Array.from_buffers(pa.large_string(), 3 * len(ends), buffers), plain


def _without_separator(words: pa.Array) -> pa.Array:
    return pc.if_else(
        pc.ends_with(words, "\n"),
        pc.utf8_slice_codeunits(words, 0, -len(_LINE_END)),
        pc.utf8_slice_codeunits(words, 0, -1),
    )


def _starts(terms: pa.Array, text: str) -> BoolArray:
    starts: BoolArray = pc.starts_with(terms, text).to_numpy(zero_copy_only=False)
    return starts


def _matches(terms: pa.Array, pattern: str) -> BoolArray:
    fits = pc.match_substring_regex(terms, pattern).to_numpy(zero_copy_only=False)
    disguised = pc.match_substring_regex(terms, _DISGUISED).to_numpy(zero_copy_only=False)
    result: BoolArray = fits & ~disguised
    return result


def _without_graph(
    terms: pa.Array, tails: Int32Array, choice: GraphChoice
) -> tuple[pa.Array, BoolArray]:
    """Split ``OBJECT GRAPH`` where there is a graph; the last word of a literal is never one."""
    parts = pc.split_pattern(terms, " ", max_splits=1, reverse=True)
    last = _last(parts)
    has_graph = (pc.list_value_length(parts).to_numpy() == 2) & _matches(last, _NODE)
    objects = pc.if_else(pa.array(has_graph), _first(parts), terms)
    wanted = np.ones(len(terms), dtype=bool)
    if choice.wanted is not None:
        graphs = _iri_names(last)
        for code in np.unique(tails).tolist():
            wanted[code] = choice.admits(graphs[code].as_py() if has_graph[code] else None)
    return objects, wanted


def _first(lists: pa.Array) -> pa.Array:
    return lists.flatten().take(pa.array(lists.offsets.to_numpy()[:-1]))


def _last(lists: pa.Array) -> pa.Array:
    return lists.flatten().take(pa.array(lists.offsets.to_numpy()[1:] - 1))


def _iri_names(terms: pa.Array) -> pa.Array:
    return pc.if_else(pc.starts_with(terms, "<"), pc.utf8_slice_codeunits(terms, 1, -1), terms)


def _plain_literals(names: pa.Array) -> pa.Array:
    typed = pc.ends_with(names, _XSD_STRING)
    if not pc.any(typed).as_py():
        return names
    return pc.if_else(typed, pc.utf8_slice_codeunits(names, 0, 1 - len(_XSD_STRING)), names)


def _with_owners(
    names: pa.Array, codes: Int32Array, is_literal: BoolArray
) -> tuple[pa.Array, Int32Array]:
    """Literal tails renamed after the triple that they belong to, as `occurrence_name` does."""
    head, relation, tail = (names.take(pa.array(codes[is_literal, j])) for j in range(3))
    glue = [pa.scalar(text, pa.large_string()) for text in (" [", " ", "]", "")]
    owned = pc.binary_join_element_wise(tail, glue[0], head, glue[1], relation, glue[2], glue[3])
    distinct = owned.dictionary_encode()
    codes = codes.copy()
    codes[is_literal, 2] = len(names) + distinct.indices.to_numpy(zero_copy_only=False)
    return pa.concat_arrays([names, distinct.dictionary]), codes
