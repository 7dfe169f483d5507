"""The compiled loop that reads plain statements of Turtle.

It accepts a part of the language in which nothing needs a second thought: IRIs in angle brackets,
prefixed names, labelled blank nodes, short literals in double quotes, whole numbers, decimals,
booleans and comments. It stops before the first statement that holds anything else, which is *in
doubt*; pyoxigraph has the last word on it. So all that it accepts must mean the same to pyoxigraph.
"""

from __future__ import annotations

from typing import Any

from wlkg.compiled.kernel import Kernel
from wlkg.readers.turtle_tokens import (
    AFTER,
    CARET,
    COLON,
    COMMA,
    DOT,
    DOUBT,
    END,
    FULL,
    GREATER,
    LESS,
    MINUS,
    NINE,
    PLUS,
    QUOTE,
    SEMICOLON,
    SPACE,
    START,
    UNDERSCORE,
    ZERO,
    A,
    boolean_end,
    ends_in_lang_string,
    iri_end,
    literal_end,
    may_be_anonymous,
    name_end,
    number_end,
    skip_space,
)

Array = Any

#: What comes next in a statement. A datatype comes at once after its literal, and ends it.
HEAD, RELATION, TAIL, MARK, DATATYPE = range(5)

#: The fixed texts, in the order of `TEXTS`; the IRIs of prefixes come after them. Blank nodes have
#: names with the prefix ``_``, which becomes ``_:``.
TYPE, INTEGER, DECIMAL, BOOLEAN, BLANK = range(5)
_XSD = b"http://www.w3.org/2001/XMLSchema#"
TEXTS = (
    b"http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
    b'"^^<' + _XSD + b"integer>",
    b'"^^<' + _XSD + b"decimal>",
    b'"^^<' + _XSD + b"boolean>",
    b"_:",
)
#: More than the longest fixed text that comes after a name.
ROOM = 64


@Kernel
def copy(source: Array, begin: int, stop: int, out: Array, size: int) -> int:
    """Append bytes; the size afterwards."""
    for i in range(begin, stop):
        out[size] = source[i]
        size += 1
    return size


@Kernel
def find_prefix(text: Array, begin: int, stop: int, labels: Array, ends: Array) -> int:
    """The number of a prefix, or -1."""
    start = 0
    for number in range(len(ends)):
        if ends[number] - start == stop - begin:
            k = begin
            while k < stop and labels[start + k - begin] == text[k]:
                k += 1
            if k == stop:
                return number
        start = ends[number]
    return -1


@Kernel
def put_term(  # noqa: PLR0911, PLR0912  a loop without calls is many times faster
    text: Array,
    begin: int,
    end: int,
    role: int,
    kinds: Array,
    labels: Array,
    label_ends: Array,
    texts: Array,
    starts: Array,
    out: Array,
    size: int,
) -> tuple[int, int]:
    """Append the name of a term in some role; where the term ends, and the size afterwards."""
    c = text[begin]
    stop = begin
    first = begin  # what is copied from the text, after what is copied from the fixed texts
    before = after = -1
    quoted = c in (QUOTE, PLUS, MINUS) or (c >= ZERO and c <= NINE)
    if quoted and role != TAIL:
        return DOUBT, size
    if c == LESS:
        first = begin + 1
        stop = iri_end(text, first, end, kinds)
    elif c == QUOTE:
        stop = literal_end(text, begin, end)
    elif quoted:
        stop, has_fraction = number_end(text, begin, end)
        after = INTEGER + has_fraction
    else:
        stop = name_end(text, begin, end, kinds)
        if stop >= 0 and text[stop] == COLON:
            before = find_prefix(text, begin, stop, labels, label_ends)
            if before < 0 or (c == UNDERSCORE and (role in (RELATION, DATATYPE))):
                return DOUBT, size
            first = stop = stop + 1
            if first + 4 >= end:
                return END, size
            # Labels like those that unlabelled nodes get are changed.
            if c == UNDERSCORE and (
                not kinds[text[first]] & START or may_be_anonymous(text, first)
            ):
                return DOUBT, size
            before += BLANK
            if kinds[text[first]] & START:
                stop = name_end(text, first, end, kinds)
        elif stop == begin + 1 and c == A and role == RELATION:
            before, first = TYPE, stop
        elif stop > begin and role == TAIL:
            stop, after = boolean_end(text, begin, stop), BOOLEAN
        elif stop >= 0:
            return DOUBT, size
    if stop < 0:
        return stop, size
    if size + stop - first + ROOM > len(out):
        return FULL, size
    if before >= 0:
        if starts[before + 1] - starts[before] + size + stop - first + ROOM > len(out):
            return FULL, size
        size = copy(texts, starts[before], starts[before + 1], out, size)
    if after >= 0:
        out[size] = QUOTE
        size += 1
    size = copy(text, first, stop, out, size)
    if after >= 0:
        size = copy(texts, starts[after], starts[after + 1], out, size)
    return stop + (c == LESS), size


@Kernel
def read_statements(  # noqa: PLR0912, PLR0915  a loop without calls is many times faster
    text: Array,
    begin: int,
    kinds: Array,
    labels: Array,
    label_ends: Array,
    texts: Array,
    starts: Array,
    out: Array,
    offsets: Array,
    triples: Array,
) -> tuple[int, int, int, int]:
    """Read plain statements; where the first unread one begins, names, triples, and why it stopped.

    Names lie end to end in ``out``; ``offsets`` says where each ends, ``triples`` which are heads,
    relations and tails.
    """
    end = len(text)
    i = done = begin
    names = rows = kept_names = kept_rows = size = 0
    head = relation = role = 0
    offsets[0] = 0
    while True:
        if role != DATATYPE:
            i = skip_space(text, i, end, kinds)
        if i >= 0 and i + 1 >= end:
            i = END
        if i < 0:
            break
        if role == MARK:
            c = text[i]
            i += 1
            if c == COMMA:
                role = TAIL
            elif c == SEMICOLON:
                role = RELATION
            elif c == DOT and kinds[text[i]] & SPACE:
                done, kept_names, kept_rows, role = i, names, rows, HEAD
            else:
                i = DOUBT
                break
            continue
        if role == RELATION and names > head + 1 and (text[i] == SEMICOLON or text[i] == DOT):
            role = MARK  # a semicolon before another mark
            continue
        if names + 1 >= len(offsets) or rows >= len(triples):
            i = FULL
            break
        i, size = put_term(text, i, end, role, kinds, labels, label_ends, texts, starts, out, size)
        if i >= 0 and i + 1 >= end:
            i = END
        if i < 0:
            break
        if text[i] == CARET and role == TAIL and text[i + 1] == CARET:
            if out[size - 1] != QUOTE or i + 2 >= end or size + 4 > len(out):
                i = DOUBT
                break
            out[size] = out[size + 1] = CARET
            out[size + 2] = LESS
            size += 3
            i += 2
            role = DATATYPE
            continue
        if role == DATATYPE:
            if size >= len(out) or ends_in_lang_string(out, size):
                i = DOUBT
                break
            out[size] = GREATER
            size += 1
            role = TAIL
        if not kinds[text[i]] & (AFTER if role == TAIL else SPACE):
            i = DOUBT
            break
        names += 1
        offsets[names] = size
        if role == HEAD:
            head = names - 1
        elif role == RELATION:
            relation = names - 1
        else:
            triples[rows, 0] = head
            triples[rows, 1] = relation
            triples[rows, 2] = names - 1
            rows += 1
        role += 1
    return done, kept_names, kept_rows, i
