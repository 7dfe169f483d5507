"""N-Triples and N-Quads in bulk.

Two lanes that always agree. A line takes the *fast lane* when it is ``TERM SPACE TERM SPACE TERM
SPACE .`` and each term matches a pattern that accepts only terms which pyoxigraph accepts and
leaves as they are: lines are split, and distinct terms checked, as Arrow arrays. Every other line
(escapes, tabs, comments, odd IRIs, mistakes) is *in doubt* and goes to pyoxigraph, whose verdict
counts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyoxigraph as ox

from wlkg.errors import InputError
from wlkg.graph import RelationalGraph
from wlkg.readers.ahead import map_ahead, workers
from wlkg.readers.bulk import TripleTable
from wlkg.readers.lines import Block, blocks
from wlkg.readers.options import ReadOptions
from wlkg.readers.rdf import (
    FORMATS,
    GraphChoice,
    TermNames,
    check_open_terms,
    finished,
    parsed_rows,
    syntax_error,
)
from wlkg.readers.source import Source

Mask = npt.NDArray[np.bool_]

# RFC 3987 without what needs a second look: user info, IP literals, rare code points.
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
_RELATION = f"^{_IRI}$"
_NODE = f"^(?:{_IRI}|{_BLANK})$"
_OBJECT = f"^(?:{_IRI}|{_BLANK}|{_LITERAL})$"
#: Terms that match, but mean something else: names in disguise, and a datatype that needs a
#: language.
_DISGUISED = r"^<urn:wlkg:name:|[lL]angString>$"

_XSD_STRING = '"^^<http://www.w3.org/2001/XMLSchema#string>'
_LINE_END = " .\n"


#: Arrow works without the interpreter lock, so two blocks are parsed at a time.
_WORKERS = 2


def read_ntriples(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read ``ntriples`` or ``nquads``."""
    table = TripleTable(source.progress)
    lanes = _Lanes(format_name, options)
    with source.open() as stream, workers(_WORKERS + 1) as pool:
        for block, columns, in_doubt in map_ahead(
            pool, lanes.fast, blocks(stream, source.path, pool), _WORKERS
        ):
            table.add(*columns)
            if len(in_doubt):
                table.add_rows(lanes.careful(block, in_doubt))
    lanes.choice.check(source.path)
    return finished(table, source)


class _Lanes:
    """The two ways through a block of lines."""

    def __init__(self, format_name: str, options: ReadOptions) -> None:
        self.choice = GraphChoice(options.named_graph)
        self._format = FORMATS[format_name]
        self._policy = options.literals
        self._names = TermNames()

    def fast(self, block: Block) -> tuple[Block, list[pa.Array], npt.NDArray[np.int64]]:
        """Columns of the plain lines of a block, and the indices of the lines in doubt."""
        parts = pc.split_pattern(block.arrow(), " ", max_splits=2)
        plain = _ends_plainly(block) & (pc.list_value_length(parts).to_numpy() == 3)
        words = (parts if plain.all() else parts.filter(pa.array(plain))).flatten()
        place = np.arange(0, len(words), 3)
        head, relation, rest = (
            words.take(pa.array(place + j)).dictionary_encode() for j in range(3)
        )
        tails = pc.utf8_slice_codeunits(rest.dictionary, 0, -len(_LINE_END))
        wanted = np.ones(len(tails), dtype=bool)
        if self._format == ox.RdfFormat.N_QUADS:
            tails, wanted = _without_graph(tails, self.choice)
        ok: Mask = (
            _matches(head.dictionary, _NODE)[_codes(head)]
            & _matches(relation.dictionary, _RELATION)[_codes(relation)]
            & _matches(tails, _OBJECT)[_codes(rest)]
        )
        keep = ok & wanted[_codes(rest)]
        columns = [
            _renamed(head, _iri_names(head.dictionary)),
            _renamed(relation, _iri_names(relation.dictionary)),
            _renamed(rest, _plain_literals(_iri_names(tails))),
        ]
        if not keep.all():
            columns = [column.filter(pa.array(keep)) for column in columns]
        plain[np.flatnonzero(plain)[~ok]] = False
        return block, _with_policy(columns, self._policy), np.flatnonzero(~plain)

    def careful(self, block: Block, in_doubt: npt.NDArray[np.int64]) -> list[tuple[str, str, str]]:
        """Pyoxigraph's verdict on the lines in doubt."""
        lines = [block.line(i) for i in in_doubt.tolist()]
        try:
            for line in lines:
                check_open_terms(line.count(b"<<("))
            return self._parsed(b"\n".join(lines))
        except (SyntaxError, ValueError) as error:
            raise self._first_error(lines, block, in_doubt) from error

    def _parsed(self, document: bytes) -> list[tuple[str, str, str]]:
        quads = iter(ox.parse(document, self._format))
        return list(parsed_rows(quads, self._names, self.choice, self._policy))

    def _first_error(
        self, lines: list[bytes], block: Block, in_doubt: npt.NDArray[np.int64]
    ) -> InputError:
        """The first of these lines that is wrong: pyoxigraph may notice only one line later."""
        for line, index in zip(lines, in_doubt.tolist(), strict=True):
            try:
                check_open_terms(line.count(b"<<("))
                self._parsed(line)
            except (SyntaxError, ValueError) as error:
                return syntax_error(error, block.path, block.first_line + index)
        raise AssertionError("lines that are wrong together are wrong apart")


def _ends_plainly(block: Block) -> Mask:
    data = np.frombuffer(block.data, dtype=np.uint8)
    plain: Mask = np.diff(block.ends, prepend=0) > len(_LINE_END)
    stops = block.ends[plain] - 2
    plain[plain] = (data[stops] == ord(".")) & (data[stops - 1] == ord(" "))
    return plain


def _codes(column: pa.DictionaryArray) -> Any:
    return column.indices.to_numpy(zero_copy_only=False)


def _matches(terms: pa.Array, pattern: str) -> Mask:
    fits = pc.match_substring_regex(terms, pattern).to_numpy(zero_copy_only=False)
    disguised = pc.match_substring_regex(terms, _DISGUISED).to_numpy(zero_copy_only=False)
    result: Mask = fits & ~disguised
    return result


def _without_graph(rests: pa.Array, choice: GraphChoice) -> tuple[pa.Array, Mask]:
    """Split ``OBJECT GRAPH`` where it is that; a literal's own last word is never a graph."""
    parts = pc.split_pattern(rests, " ", max_splits=1, reverse=True)
    last = _last(parts)
    has_graph = (pc.list_value_length(parts).to_numpy() == 2) & _matches(last, _NODE)
    objects = pc.if_else(pa.array(has_graph), _first(parts), rests)
    if choice.wanted is None:
        return objects, np.ones(len(rests), dtype=bool)
    graphs = _iri_names(last).to_pylist()
    wanted = [
        choice.admits(g if named else None) for g, named in zip(graphs, has_graph, strict=True)
    ]
    return objects, np.array(wanted, dtype=bool)


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


def _renamed(column: pa.DictionaryArray, names: pa.Array) -> pa.DictionaryArray:
    """The column under new names, of which several may coincide."""
    distinct = names.dictionary_encode()
    return pa.DictionaryArray.from_arrays(
        distinct.indices.take(column.indices), distinct.dictionary
    )


def _with_policy(columns: list[pa.DictionaryArray], policy: str) -> list[pa.Array]:
    """The columns after the literal policy."""
    if policy == "shared":
        return list(columns)
    head, relation, tail = columns
    literal = pc.starts_with(tail.dictionary, '"').take(tail.indices)
    if policy == "drop":
        return [column.filter(pc.invert(literal)) for column in columns]
    head, relation, tail = (column.dictionary_decode() for column in columns)
    glue = [pa.scalar(text, pa.large_string()) for text in (" [", " ", "]", "")]
    owned = pc.binary_join_element_wise(tail, glue[0], head, glue[1], relation, glue[2], glue[3])
    return [head, relation, pc.if_else(literal, owned, tail)]
