"""Damage to bytes and to tokens, for documents of any kind.

A mutator is a function of a random generator, the document and another document of the same kind.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

Mutator = Callable[[Random, bytes, bytes], bytes]

#: No document grows beyond this size.
LARGEST = 1 << 20

#: Bytes that mean something to a parser somewhere.
TELLING = [
    *(
        bytes([code])
        for code in b"\n\r\t\0 \"'<>&#\\%,;:=@^_~()[]{}|.-+*/?!`$\x0b\x0c\x1a\x7f\x80\xff"
    ),
    *(b"\r\n", b"\\u", b"\\U0010FFFF", b"\\ud800", b"&#0;", b"&amp;", b"&lt;", b"&x;", b"]]>"),
    *(b"<!--", b"-->", b"<?", b"<![CDATA[", b"<!DOCTYPE a [", b"<<(", b")>>", b"{|", b"|}", b"^^"),
    *(b"\xef\xbb\xbf", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\x80", b"\xf4\x90\x80\x80", b"\xe2\x80"),
    *(b"\xe2\x80\xa8", b"\xc2\x85", b"\xc2\xa0", b"\xe3\x80\x80", b"\xe2\x80\xae", b"\xef\xbf\xbe"),
    *(
        b"\x1b[31m",
        b"\x1b]0;x\x07",
        b"[/b]",
        b"[red]",
        b"%s",
        b"{0}",
        b"${x}",
        b"../..",
        b"/dev/zero",
    ),
]
#: Numbers at which something overflows, and words that are numbers to some.
NUMBERS = [
    *(b"0", b"-0", b"-1", b"1", b"00", b"+1", b"1.5", b"1e5", b".5", b"1_000", b"0x10", b"1e308"),
    *(b"1e309", b"-1e400", b"nan", b"NaN", b"inf", b"-Infinity", b"127", b"128", b"255", b"256"),
    *(b"32767", b"65535", b"65536", b"2147483647", b"2147483648", b"-2147483649", b"4294967295"),
    *(b"4294967296", b"9007199254740993", b"9223372036854775807", b"9223372036854775808"),
    *(b"18446744073709551615", b"18446744073709551616", b"-9223372036854775809", b"1" + b"0" * 30),
    *(b"9" * 400, b"9" * 5000, b"1e-400", b"0.1e999999999", "١٢".encode(), "²".encode()),
]
WORDS = [
    *(
        b"",
        b"null",
        b"true",
        b"false",
        b"None",
        b"NA",
        b"-",
        b"_",
        b"a",
        b"http://a/b",
        b"<a:b>",
        b"_:b",
    ),
    *(
        b"rdf:type",
        b"@prefix",
        b"@base",
        b"@id",
        b"@context",
        b"@list",
        b"@type",
        b"@graph",
        b"@import",
    ),
    *(
        b"head",
        b"relation",
        b"tail",
        b"vertex",
        b"label",
        b"class",
        b"id",
        b"nodes",
        b"edges",
        b"links",
    ),
    *(b"constructor", b"__class__", b"__proto__", "é".encode(), "e\u0301".encode(), "😀".encode()),
]

_tokens = re.compile(rb"\w+|\s+|[^\w\s]").findall


def _place(rng: Random, data: bytes) -> int:
    return rng.randint(0, len(data))


def _size(rng: Random) -> int:
    """A length: mostly a few, sometimes many."""
    return rng.choice((1, 1, 1, 2, 3, 4, 8, 16, 40, 200))


def change_bit(rng: Random, data: bytes, _: bytes) -> bytes:
    if not data:
        return data
    changed = bytearray(data)
    changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def change_bytes(rng: Random, data: bytes, _: bytes) -> bytes:
    place, size = _place(rng, data), _size(rng)
    return data[:place] + rng.randbytes(size) + data[place + size :]


def insert_telling(rng: Random, data: bytes, _: bytes) -> bytes:
    place = _place(rng, data)
    return data[:place] + rng.choice(TELLING) * rng.choice((1, 1, 1, 2, 3)) + data[place:]


def replace_by_telling(rng: Random, data: bytes, _: bytes) -> bytes:
    place = _place(rng, data)
    return data[:place] + rng.choice(TELLING) + data[place + _size(rng) :]


def delete(rng: Random, data: bytes, _: bytes) -> bytes:
    place = _place(rng, data)
    return data[:place] + data[place + _size(rng) :]


def repeat(rng: Random, data: bytes, _: bytes) -> bytes:
    place = _place(rng, data)
    piece = data[place : place + _size(rng)]
    return data[:place] + piece * rng.choice((1, 1, 2, 5, 100, 2000)) + data[place:]


def move(rng: Random, data: bytes, _: bytes) -> bytes:
    start, size = _place(rng, data), _size(rng)
    rest = data[:start] + data[start + size :]
    place = _place(rng, rest)
    return rest[:place] + data[start : start + size] + rest[place:]


def cut(rng: Random, data: bytes, _: bytes) -> bytes:
    return data[: _place(rng, data)]


def behead(rng: Random, data: bytes, _: bytes) -> bytes:
    return data[_place(rng, data) :]


def splice(rng: Random, data: bytes, other: bytes) -> bytes:
    return data[: _place(rng, data)] + other[_place(rng, other) :]


def graft(rng: Random, data: bytes, other: bytes) -> bytes:
    place, start = _place(rng, data), _place(rng, other)
    return data[:place] + other[start : start + _size(rng)] + data[place:]


def append(_: Random, data: bytes, other: bytes) -> bytes:
    return data + other


# -- tokens ---------------------------------------------------------------------------------------


def _on_token(rng: Random, data: bytes, change: Callable[[list[bytes], int], None]) -> bytes:
    tokens = _tokens(data)
    if tokens:
        change(tokens, rng.randrange(len(tokens)))
    return b"".join(tokens)


def replace_token(rng: Random, data: bytes, other: bytes) -> bytes:
    def change(tokens: list[bytes], i: int) -> None:
        source = rng.random()
        theirs = _tokens(other)
        if source < 0.3:
            tokens[i] = rng.choice(NUMBERS)
        elif source < 0.6 or not theirs:
            tokens[i] = rng.choice(WORDS)
        else:
            tokens[i] = rng.choice(theirs)

    return _on_token(rng, data, change)


def replace_number(rng: Random, data: bytes, _: bytes) -> bytes:
    numbers = list(re.finditer(rb"\d+", data))
    if not numbers:
        return data
    start, end = rng.choice(numbers).span()
    return data[:start] + rng.choice(NUMBERS) + data[end:]


def swap_tokens(rng: Random, data: bytes, _: bytes) -> bytes:
    def change(tokens: list[bytes], i: int) -> None:
        j = rng.randrange(len(tokens))
        tokens[i], tokens[j] = tokens[j], tokens[i]

    return _on_token(rng, data, change)


def repeat_token(rng: Random, data: bytes, _: bytes) -> bytes:
    def change(tokens: list[bytes], i: int) -> None:
        tokens[i] *= rng.choice((2, 2, 3, 10, 300, 20_000))

    return _on_token(rng, data, change)


def drop_token(rng: Random, data: bytes, _: bytes) -> bytes:
    def change(tokens: list[bytes], i: int) -> None:
        del tokens[i]

    return _on_token(rng, data, change)


BYTES: tuple[Mutator, ...] = (
    change_bit,
    change_bytes,
    insert_telling,
    replace_by_telling,
    delete,
    repeat,
    move,
    cut,
    behead,
    splice,
    graft,
    append,
)
TOKENS: tuple[Mutator, ...] = (
    replace_token,
    replace_token,
    replace_number,
    swap_tokens,
    repeat_token,
    drop_token,
)
