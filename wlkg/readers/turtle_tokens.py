"""Where the tokens of Turtle end: compiled loops over the bytes of a text.

They know a part of the language in which nothing needs a second thought; `turtle_kernel` says what
becomes of the rest. All of them return a place in the text, or `DOUBT`, or `END` if the text ends
before the token certainly does.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.arrays import UInt8Array
from wlkg.compiled.kernel import Kernel

Array = Any

#: Why the loop stopped: something it does not know, the end of the text, no room for more.
DOUBT, END, FULL = -1, -2, -3

LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = b"0123456789"
#: What a byte may be, as bits.
SPACE, NAME, START, LETTER, SCHEME, HOST, IRI, AFTER = (1 << bit for bit in range(8))
BYTES = {
    SPACE: b" \t\r\n",
    NAME: LETTERS + DIGITS + b"_-",
    START: LETTERS + DIGITS + b"_",
    LETTER: LETTERS,
    SCHEME: LETTERS + DIGITS + b"+.-",
    HOST: LETTERS + DIGITS + b"._~-",
    IRI: LETTERS + DIGITS + b"._~!$&'()*+,;=:@/?-",
    AFTER: b" \t\r\n,;.",
}


def _kinds() -> UInt8Array:
    kinds = np.zeros(256, dtype=np.uint8)
    for bit, members in BYTES.items():
        kinds[np.frombuffer(members, dtype=np.uint8)] |= bit
    return kinds


KINDS = _kinds()

LF, CR, DELETE, LAST_CONTROL = 10, 13, 127, 31
QUOTE, HASH, PERCENT, PLUS, COMMA, MINUS, DOT, SLASH = b'"#%+,-./'
COLON, SEMICOLON, LESS, GREATER, QUESTION, AT = b":;<>?@"
BACKSLASH, CARET, UNDERSCORE = b"\\^_"
ZERO, NINE, A, F, Z, CAPITAL_A, CAPITAL_F, CAPITAL_S = b"09afzAFS"
E, G, L, N, O, R, S, T, U, W = b"eglnorstuw"  # noqa: E741


@Kernel
def skip_space(text: Array, i: int, end: int, kinds: Array) -> int:
    """The next byte that is neither white space nor part of a comment."""
    while i < end:
        c = text[i]
        if kinds[c] & SPACE:
            i += 1
        elif c == HASH:
            while i < end and text[i] != LF:
                if text[i] == CR:
                    return DOUBT
                i += 1
        else:
            return i
    return END


@Kernel
def is_hex(c: int) -> bool:
    """Whether a byte is a hexadecimal digit."""
    return (c >= ZERO and c <= NINE) or (c >= A and c <= F) or (c >= CAPITAL_A and c <= CAPITAL_F)


@Kernel
def iri_end(  # noqa: PLR0911, PLR0912  one state after the other
    text: Array, begin: int, end: int, kinds: Array
) -> int:
    """The place of the ``>`` after an absolute IRI."""
    i = begin
    while i < end and kinds[text[i]] & SCHEME:
        i += 1
    if i >= end:
        return END
    if text[i] != COLON or i == begin or not kinds[text[begin]] & LETTER:
        return DOUBT
    i += 1
    if i + 1 >= end:
        return END
    if text[begin] == U and text[begin + 1] == R and text[i] == W:  # perhaps an encoded name
        return DOUBT
    if text[i] == SLASH and text[i + 1] == SLASH:
        i += 2
        while i < end and kinds[text[i]] & HOST:
            i += 1
        if i < end and text[i] == COLON:
            i += 1
            while i < end and text[i] >= ZERO and text[i] <= NINE:
                i += 1
        if i >= end:
            return END
        if text[i] != SLASH and text[i] != HASH and text[i] != QUESTION and text[i] != GREATER:
            return DOUBT
    has_fragment = False
    while i < end:
        c = text[i]
        if c == GREATER:
            return i
        if kinds[c] & IRI:
            pass
        elif c == HASH:
            if has_fragment:
                return DOUBT
            has_fragment = True
        elif c == PERCENT:
            if i + 2 >= end:
                return END
            if not (is_hex(text[i + 1]) and is_hex(text[i + 2])):
                return DOUBT
        elif c < 0x80 or c > 0xED:
            return DOUBT
        elif c == 0xC2:
            if i + 1 >= end:
                return END
            if text[i + 1] < 0xA0:
                return DOUBT
        i += 1
    return END


@Kernel
def name_end(text: Array, i: int, end: int, kinds: Array) -> int:
    """The end of letters, digits, ``_``, ``-``, and dots between them."""
    while i < end:
        if kinds[text[i]] & NAME:
            i += 1
        elif text[i] != DOT:
            return i
        elif i + 1 >= end:
            return END
        elif kinds[text[i + 1]] & NAME:
            i += 2
        else:
            return i
    return END


@Kernel
def string_end(text: Array, i: int, end: int) -> int:
    """The place of the quotation mark that ends a literal whose text is canonical."""
    while i < end:
        c = text[i]
        if c == QUOTE:
            return i
        if c == BACKSLASH:
            if i + 1 >= end:
                return END
            c = text[i + 1]
            if c not in (QUOTE, BACKSLASH, N, R, T):
                return DOUBT
            i += 1
        elif c <= LAST_CONTROL or c in (DELETE, 0xEF):
            return DOUBT
        i += 1
    return END


@Kernel
def language_end(text: Array, begin: int, end: int) -> int:
    """The end of a language such as ``en`` or ``en-gb``."""
    i = begin
    while i < end and text[i] >= A and text[i] <= Z:
        i += 1
    if i >= end:
        return END
    if i - begin < 2 or i - begin > 3:
        return DOUBT
    if text[i] == MINUS:
        begin = i + 1
        i = begin
        while i < end and text[i] >= A and text[i] <= Z:
            i += 1
        if i >= end:
            return END
        if i - begin != 2:
            return DOUBT
    return i


@Kernel
def number_end(text: Array, begin: int, end: int) -> tuple[int, int]:
    """The end of a whole number or decimal, and whether it has a fraction (1 or 0)."""
    i = begin + (text[begin] == PLUS or text[begin] == MINUS)
    first = i
    while i < end and text[i] >= ZERO and text[i] <= NINE:
        i += 1
    if i + 1 >= end:
        return END, 0
    if i == first:
        return DOUBT, 0
    if text[i] != DOT or text[i + 1] < ZERO or text[i + 1] > NINE:
        return i, 0
    i += 1
    while i < end and text[i] >= ZERO and text[i] <= NINE:
        i += 1
    return (i if i < end else END), 1


@Kernel
def literal_end(text: Array, begin: int, end: int) -> int:
    """The end of a literal in quotation marks with its language, before any datatype."""
    stop: int = string_end(text, begin + 1, end)
    if stop < 0:
        return stop
    stop += 1
    if stop + 2 >= end:
        return END
    if text[stop] == QUOTE:  # three quotation marks
        return DOUBT
    if text[stop] == AT:
        stop = language_end(text, stop + 1, end)
    return stop


@Kernel
def boolean_end(text: Array, begin: int, stop: int) -> int:
    """The end of a word if it is ``true`` or ``false``."""
    at = begin + 4 if text[begin] == T else begin + 5
    if stop != at or text[stop - 1] != E:
        return DOUBT
    if text[begin] == T:
        is_boolean = text[begin + 1] == R and text[begin + 2] == U
    else:
        is_boolean = (
            text[begin] == F
            and text[begin + 1] == A
            and text[begin + 2] == L
            and text[begin + 3] == S
        )
    return stop if is_boolean else DOUBT


@Kernel
def may_be_anonymous(text: Array, label: int) -> bool:
    """Whether a label begins like those that are kept for unlabelled nodes."""
    return bool(text[label] == A and text[label + 1] == N and text[label + 2] == O)


@Kernel
def ends_in_lang_string(name: Array, size: int) -> bool:
    """Whether a name ends like the type langString, which needs a language."""
    return bool(name[size - 1] == G and name[size - 6] == CAPITAL_S)
