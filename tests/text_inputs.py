"""Hypothesis strategies for text inputs, and small helpers for testing the readers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import strategies as st

import wlkg
from wlkg.readers import lines

Triples = set[tuple[str, str, str]]

#: Names that careless readers convert, strip or drop.
AWKWARD_NAMES = ["NA", "null", "None", "nan", "001", "1", "10", "9", "1.0", "1e5", "-0", "True"]
AWKWARD_NAMES += [" x ", "x ", "é", "e\u0301", "日本", "😀", "'q'", "a\\b", "\\N", "a#b", "x^-1y"]


def triples_of(path: Path | str, **options: object) -> Triples:
    """What `wlkg.read` returns, as a set of named triples."""
    return set(wlkg.read(path, **options).named_triples())  # type: ignore[arg-type]


@contextmanager
def tiny_blocks(size: int | None) -> Iterator[None]:
    """Make line readers read ``size`` bytes at a time; None changes nothing."""
    with pytest.MonkeyPatch.context() as patch:
        if size is not None:
            patch.setattr(lines, "BLOCK_BYTES", size)
        yield


block_sizes = st.sampled_from([None, 1, 2, 7, 64])


# -- N-Triples and N-Quads ------------------------------------------------------------------------

_GOOD_IRIS = ["http://a/b", "http://a/b#c", "urn:x:y", "a:", "a:b", "http://a:80/", "http://a?q=1"]
_ODD_IRIS = [
    "http://a/%20",
    "http://a/%zz",
    "http://a/%",
    "http://a:80x/",
    "http://a:/",
    "http://a:99999999/",
    "http://[::1]/",
    "http://[::1",
    "http://u:p@a/",
    "http://a/[b]",
    "http://a#b#c",
    "http:///x",
    "http://",
    "file:///x",
    "http:/",
    "http:x//y",
    "x://y//z//",
    "x:/y//z",
    "x:////",
    "x:?#",
    "x:é",
    "x:\u200e",
    "x:\ue000",
    "x:?\ue000",
    "x:\ufdd0",
    "x:\ufffd",
    "x:😀",
    "x:\U0001fffe",
    "x:\u00a0",
    "x:\u0085",
    "é:x",
    "1:x",
    "a+b.c-d:x",
    "relative",
    "/relative",
    "#relative",
    "",
    "x:a b",
    "x:{y}",
    "x:a|b",
    "x:^`",
    'x:"',
    "x:\\u0041",
    "x:\\U0001F600",
    "x:\\u0020",
    "x:\\n",
    "x:y'z",
    "HTTP://A/B",
    "urn:wlkg:name:alice",
    "urn:wlkg:name:%C3%A9",
    "urn:wlkg:name:%c3%a9",
    "urn:wlkg:name:%22x",
    "urn:wlkg:name:%22x%22",
    "urn:wlkg:name:%FF",
    "urn:wlkg:name:http%3A%2F%2Fa%2Fb",
    "urn:wlkg:name:urn%3Awlkg%3Aname%3Aalice",
    "urn:wlkg:name:",
]
_DATATYPES = [
    "http://www.w3.org/2001/XMLSchema#string",
    "http://www.w3.org/2001/XMLSchema#integer",
    "http://www.w3.org/2001/XMLSchema#strin\\u0067",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString",
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString",
    "http://other/langString",
]
_LABELS = ["a", "0", "a.b", "a..b", "a-", "a.", ".a", "-a", "a:b", ":", "é", "e\u0301", "µ", "a·b"]
_LABELS += ["_", "", "anon1", "anon1_", "c14n0", "0123456789abcdef0123456789abcdef", "A" * 70]
_LANGUAGES = ["en", "EN", "en-US", "en-us", "eng-gb", "de-1996", "x", "en-", "1", "abcdefghi", ""]
_LANGUAGES += ["en--ltr", "en--LTR", "zh-Hant-TW", "i-klingon", "x-y", "en_US"]
_TEXTS = ["", "x", "x y", " ", "<a:b>", "x <a:b>", "x _:a .", "\\n", "\\t\\b\\f\\r", '\\"', "\\\\"]
_TEXTS += [
    "\\u00e9",
    "\\u0041",
    "\\U0001F600",
    "\\uD800",
    "\\x",
    "\\'",
    "'",
    "é",
    "\ufffe",
    "\uffff",
]
_TEXTS += ["\x7f", "\x00", "\t", "\x0b", "\x85", "\u2028", "\r", '"', "\\", "#", "@en", "^^", "<<("]

#: Terms at the edge of the grammar: some are valid, some are not.
ODD_TERMS = [
    *(f"<{iri}>" for iri in _ODD_IRIS),
    *(f"_:{label}" for label in _LABELS),
    *(f'"{text}"' for text in _TEXTS),
    *(f'"x"@{language}' for language in _LANGUAGES),
    *(f'"x"^^<{datatype}>' for datatype in _DATATYPES),
]

iris = st.one_of(st.sampled_from(_GOOD_IRIS), st.sampled_from(_ODD_IRIS)).map("<{}>".format)
good_iris = st.sampled_from(_GOOD_IRIS).map("<{}>".format)
blanks = st.sampled_from(_LABELS).map("_:{}".format)
literals = st.builds(
    '"{}"{}'.format,
    st.one_of(st.sampled_from(_TEXTS), st.text(max_size=4)),
    st.one_of(
        st.just(""),
        st.sampled_from(_DATATYPES).map("^^<{}>".format),
        iris.map("^^{}".format),
        st.sampled_from(_LANGUAGES).map("@{}".format),
    ),
)
good_nodes = st.one_of(good_iris, st.sampled_from(["_:a", "_:b.c", "_:0"]))
good_objects = st.one_of(
    good_nodes,
    st.sampled_from(
        ['"x"', '"x y"', '"x"@en', '"x"^^<http://www.w3.org/2001/XMLSchema#string>', '"1"^^<a:b>']
    ),
)
triple_terms = st.builds("<<({}{} {} {}{})>>".format, st.sampled_from([" ", ""]), good_nodes,
                         good_iris, good_objects, st.sampled_from([" ", ""]))  # fmt: skip
nodes = st.one_of(good_nodes, iris, blanks)
objects = st.one_of(good_objects, iris, blanks, literals, triple_terms)
_gaps = st.sampled_from([" ", " ", " ", " ", "", "\t", "  ", "\r", "\u00a0"])
_stops = st.sampled_from(
    [" .", " .", " .", " .", ".", "\t.", " . ", " .# x", " . #", "", " ..", " . ."]
)


@st.composite
def ntriples_lines(draw: st.DrawFn, *, quads: bool = False, valid: bool = False) -> str:
    """One line, without its end; ``valid`` lines are accepted by every parser."""
    if valid:
        parts = [draw(good_nodes), draw(good_iris), draw(good_objects)]
        if quads and draw(st.booleans()):
            parts.append(draw(good_nodes))
        return " ".join(parts) + " ."
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return draw(st.sampled_from(["", " ", "#", "# a comment <a:b>", "\t#", ".", "<a:b>", "x"]))
    if kind == 1:
        return draw(st.text(alphabet='<>:_"a@^. \t\r#\\', max_size=12))
    parts = [draw(nodes), draw(st.one_of(good_iris, iris)), draw(objects)]
    if quads and draw(st.booleans()):
        parts.append(draw(nodes))
    if kind == 2:
        parts[draw(st.integers(0, len(parts) - 1))] = draw(objects)
    text = draw(st.sampled_from(["", "", "", " ", "\t", "\ufeff"]))
    for i, part in enumerate(parts):
        text += (draw(_gaps) if i else "") + part
    return text + draw(_stops)


@st.composite
def ntriples_documents(draw: st.DrawFn, *, quads: bool = False) -> bytes:
    """Mostly valid lines and a few doubtful lines, with any line ends."""
    few = st.lists(ntriples_lines(quads=quads), max_size=draw(st.sampled_from([1, 1, 2, 4])))
    many = st.lists(ntriples_lines(quads=quads, valid=True), max_size=5)
    lines_ = draw(st.permutations([*draw(many), *draw(few)]))
    end = draw(st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"]))
    text = end.join(lines_) + draw(st.sampled_from(["", end]))
    return text.encode("utf-8", "surrogatepass")
