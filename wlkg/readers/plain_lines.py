"""The fast lane for lines of N-Triples and N-Quads: split and checked in bulk, as Arrow arrays.

A line takes it if it reads ``TERM SPACE TERM SPACE TERM SPACE .`` and each term matches a pattern
that accepts only terms which pyoxigraph accepts and leaves unchanged. Every other line (escapes,
tabs, comments, odd IRIs, mistakes) is *in doubt*: pyoxigraph has the last word on it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wlkg.arrays import BoolArray, Int32Array, Int64Array
from wlkg.readers.lines import Block
from wlkg.readers.rdf_names import GraphChoice

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


@dataclass(frozen=True, eq=False)
class PlainLines:
    """The plain lines of a block as rows of names, and the lines in doubt."""

    #: Distinct names, in the order in which they first occur.
    names: pa.Array
    #: Three indices into ``names`` for each triple.
    codes: Int32Array
    #: Whether the tail of each triple is a literal.
    is_literal: BoolArray
    in_doubt: Int64Array
    #: The term of each word of the block, and the name of each term.
    _term_of_word: Int32Array
    _name_of_term: Int32Array

    @property
    def first_lines(self) -> Int64Array:
        """The line in which each name first occurs; some of these lines may be in doubt."""
        return _first_uses(self._term_of_word)[_first_uses(self._name_of_term)] // 3

    def table(self, policy: str) -> tuple[pa.Array, Int32Array]:
        """Names and codes under a literal policy.

        Under ``occurrence`` a literal tail is named after its triple, as `occurrence_name` does.
        """
        if policy != "occurrence":
            return self.names, self.codes
        return literal_names(self.names, self.codes, self.is_literal)


def literal_names(
    names: pa.Array, codes: Int32Array, is_literal: BoolArray
) -> tuple[pa.Array, Int32Array]:
    """Names and codes in which each tail that is a literal is named after its triple."""
    head, relation, tail = (names.take(pa.array(codes[is_literal, j])) for j in range(3))
    glue = [pa.scalar(text, pa.large_string()) for text in (" [", " ", "]", "")]
    owned = pc.binary_join_element_wise(tail, glue[0], head, glue[1], relation, glue[2], glue[3])
    distinct = owned.dictionary_encode()
    codes = codes.copy()
    codes[is_literal, 2] = len(names) + distinct.indices.to_numpy(zero_copy_only=False)
    return pa.concat_arrays([names, distinct.dictionary]), codes


def plain_lines(
    block: Block, choice: GraphChoice, *, quads: bool, drop_literals: bool
) -> PlainLines:
    """The plain lines of a block; with ``quads`` they may name a graph."""
    if block.is_blank:
        return _NOTHING
    words, plain = _three_words(block)
    encoded = words.dictionary_encode()
    term_of_word = encoded.indices.to_numpy(zero_copy_only=False)
    rows = term_of_word.reshape(-1, 3)[plain]
    terms = _without_separator(encoded.dictionary)
    wanted = np.ones(len(terms), dtype=bool)
    if quads:
        terms, wanted = _without_graph(terms, rows[:, 2], choice)
    good = _matches(terms, _TERM)
    is_iri = good & _starts(terms, "<")
    is_literal = good & _starts(terms, '"')
    ok = (good & ~is_literal)[rows[:, 0]] & is_iri[rows[:, 1]] & good[rows[:, 2]]
    keep = ok & wanted[rows[:, 2]]
    if drop_literals:
        keep &= ~is_literal[rows[:, 2]]
    # Several terms may have the same name, such as "x" and "x"^^xsd:string.
    distinct = plain_literals(_iri_names(terms)).dictionary_encode()
    name_of_term = distinct.indices.to_numpy(zero_copy_only=False)
    kept = rows[keep]
    plain[np.flatnonzero(plain)[~ok]] = False
    return PlainLines(
        names=distinct.dictionary,
        codes=name_of_term[kept],
        is_literal=is_literal[kept[:, 2]],
        in_doubt=np.flatnonzero(~plain & ~_is_empty(block)),
        _term_of_word=term_of_word,
        _name_of_term=name_of_term,
    )


_NOTHING = PlainLines(
    names=pa.array([], pa.large_string()),
    codes=np.empty((0, 3), dtype=np.int32),
    is_literal=np.empty(0, dtype=bool),
    in_doubt=np.empty(0, dtype=np.int64),
    _term_of_word=np.empty(0, dtype=np.int32),
    _name_of_term=np.empty(0, dtype=np.int32),
)


def _first_uses(codes: Int32Array) -> Int64Array:
    """Where each code first occurs, given that codes are numbered in the order of first use."""
    firsts: Int64Array = np.flatnonzero(np.diff(np.maximum.accumulate(codes), prepend=-1))
    return firsts


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


def plain_literals(names: pa.Array) -> pa.Array:
    """Names in which literals of type xsd:string have no type; some may then be equal."""
    typed = pc.ends_with(names, _XSD_STRING)
    if not pc.any(typed).as_py():
        return names
    return pc.if_else(typed, pc.utf8_slice_codeunits(names, 0, 1 - len(_XSD_STRING)), names)
