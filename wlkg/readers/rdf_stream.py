"""The text of a document on its way to pyoxigraph, which is guarded against what would stop it."""

from __future__ import annotations

import io
from collections.abc import Iterator

from wlkg.readers.rdf_names import too_deep
from wlkg.readers.source import Readable

#: Turns hexadecimal digits into ``x`` and everything else into spaces.
_DIGIT_OR_SPACE = bytes(ord("x" if byte in b"0123456789abcdef" else " ") for byte in range(256))
_LONG = b"x" * 24
#: Leaves ``(`` for an opening bracket and ``)`` for a closing one, and deletes everything else.
_OPEN_OR_CLOSED = bytes.maketrans(b"[]", b"()")
_NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]()")

#: The most triple terms that may be open at once; tens of thousands overflow pyoxigraph's stack.
_MOST_OPEN_TERMS = 1000
#: The most brackets that a text of moderate size leaves open, and the bytes of text for each more.
_MOST_OPEN_BRACKETS = 100_000
_BYTES_PER_OPEN_BRACKET = 64
#: At each new piece pyoxigraph starts again with an unfinished token. It asks for as much as it
#: already has, so that long tokens take linear time: small pieces would make that quadratic.
_PIECE = 1 << 20
#: The most bytes of a name outside quotes and angle brackets: pyoxigraph takes a hundred times as
#: long for each of its characters as for one of a literal.
_LONGEST_WORD = 4 << 20
_QUOTES = b"\"'<>"
_DELIMITERS = [bytes([mark]) for mark in b" \t\r\n\v\f" + _QUOTES]


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
        self._is_quoted = False
        self._length = 0

    def add(self, data: bytes) -> None:
        """Count the text since the last delimiter."""
        last = max(map(data.rfind, _DELIMITERS))
        if last >= 0:
            self._is_quoted = data[last] in _QUOTES
            self._length = 0
        self._length += len(data) - (last + 1)
        if self._length > _LONGEST_WORD and not self._is_quoted:
            raise ValueError(f"a name is longer than {_LONGEST_WORD >> 20} MiB")


def _long_hex_words(text: bytes) -> Iterator[bytes]:
    """The hexadecimal words of at least 24 digits; far faster than a regular expression."""
    digits = text.translate(_DIGIT_OR_SPACE)
    start = digits.find(_LONG)
    while start >= 0:
        end = digits.find(b" ", start)
        end = len(digits) if end < 0 else end
        yield text[start:end]
        start = digits.find(_LONG, end)


class RecordingStream:
    """A stream that remembers the long hexadecimal words that were read from it.

    pyoxigraph names an unlabelled blank node with a random hexadecimal number; a hexadecimal label
    that occurs in the text is the author's. The stream also limits the nesting of triple terms and
    of brackets, and the length of words. pyoxigraph asks for a few kilobytes at a time; text is
    read and checked in larger pieces.
    """

    def __init__(self, stream: Readable, start: bytes) -> None:
        self._stream = stream
        self._start = io.BytesIO(start)
        self._piece = io.BytesIO()
        self._tail = b""
        self._words: set[bytes] = set()
        self._open_terms = 0
        self._open_brackets = 0
        self._size = 0
        self._word = _WordLength()

    def read(self, size: int = -1) -> bytes:
        # pyoxigraph aborts the process if it gets more bytes than it asked for.
        data = self._piece.read(size)
        if not data:
            piece = self._start.read(_PIECE) or self._stream.read(_PIECE)
            self._check(piece)
            self._piece = io.BytesIO(piece)
            data = self._piece.read(size)
        return data

    def _check(self, data: bytes) -> None:
        window = self._tail + data
        self._words.update(_long_hex_words(window))
        brackets = self._tail[-2:] + data
        self._open_terms += brackets.count(b"<<(") - brackets.count(b")>>")
        check_open_terms(self._open_terms)
        self._size += len(data)
        only_brackets = data.translate(_OPEN_OR_CLOSED, _NO_BRACKETS)
        self._open_brackets += 2 * only_brackets.count(b"(") - len(only_brackets)
        _check_open_brackets(self._open_brackets, self._size)
        self._word.add(data)
        self._tail = window[-64:]

    def has(self, label: str) -> bool:
        """Whether a hexadecimal label of at least 24 digits occurs in the text read so far."""
        return label.encode() in self._words
