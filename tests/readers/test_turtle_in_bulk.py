"""The compiled loop for Turtle reads exactly what pyoxigraph reads."""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyoxigraph as ox
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wlkg
from tests.readers.turtle_statements import documents as bracketed
from wlkg.catalogue import LITERAL_POLICIES
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers import rdf, turtle_in_bulk
from wlkg.readers.plain_lines import plain_literals
from wlkg.readers.rdf_names import GraphChoice, TermNames
from wlkg.readers.rdf_parsing import parsed_quads, parsed_rows
from wlkg.readers.rdf_stream import RecordingStream
from wlkg.readers.turtle_kernel import TEXTS, read_statements
from wlkg.readers.turtle_tokens import END, KINDS

#: A tiny size of the pieces, and a shortest stretch for pyoxigraph.
SIZES = st.sampled_from([(1, 1), (40, 1), (200, 30), (4000, 300)])

NODES = [
    "<a:a>",
    "<http://e/b>",
    "<http://e/./b>",
    "<c>",
    "p:a",
    "p:a.b",
    "p:a..b",
    "p:",
    ":c",
    ":",
    "q:x",
    "p:%41",
    "p:\\-",
    "p:é",
    "_:a",
    "_:a.b",
    "_:anon1",
    "_:é",
    "u:alice",
    "s:b",
    "<urn:wlkg:name:a>",
    "<a:%2F>",
    "<a:é>",
    "<a:\\u0061>",
    "[]",
    "[ p:a p:b ]",
    "(p:a)",
    "p:a#b",
    "_:0123456789abcdef01234567",
]
VERBS = ["a", "p:r", "<a:r>", "p:r.s", "_:a", "=", "true", '"x"', "p:r <a:b> , "]
LITERALS = [
    '"x"',
    '""',
    '"x"@en',
    '"x"@EN',
    '"x"@en-gb',
    '"x"@en-latn-gb',
    '"x"^^<a:t>',
    '"x"^^p:t',
    '"x"^^_:a',
    '"x"^^<http://www.w3.org/2001/XMLSchema#string>',
    '"x" ^^<a:t>',
    '"x"^^ <a:t>',
    '"x"@en^^<a:t>',
    '"x"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>',
    "'x'",
    '"""x"""',
    '"""x.\n y"""',
    '"a\\n\\t\\"b\\\\"',
    '"\\u0041"',
    '"\\b"',
    '"\t"',
    '"é"',
    '"\uffff"',
    '"\x7f"',
    "1",
    "-1",
    "+01",
    "1.5",
    "1.",
    "1.e0",
    "1e5",
    ".5",
    "-",
    "true",
    "false",
    "truely",
    "<<( p:a p:b p:c )>>",
    "<a:b>^^<a:t>",
    "_:a",
]
nodes, verbs, literals = map(st.sampled_from, (NODES, VERBS, LITERALS))
spaces = st.sampled_from([" ", "\n", "\t", "", "\r\n", " # <a> .\n", "  ", "#x\r\n"])
objects = st.lists(st.one_of(nodes, literals), min_size=1, max_size=3)


@st.composite
def statements(draw: st.DrawFn) -> str:
    """A statement, possibly wrong, with white space of all kinds."""
    parts = [draw(nodes)]
    for number in range(draw(st.integers(1, 2))):
        parts += [";"] * (number and draw(st.integers(1, 2)))
        parts.append(draw(verbs))
        parts.append(draw(st.sampled_from([" , ", ","])).join(draw(objects)))
    parts += draw(st.sampled_from([["."], ["."], ["."], [";", "."], [], [",", "."], ["|"]]))
    gaps = [draw(spaces) if draw(st.integers(0, 3)) == 0 else " " for _ in parts]
    return "".join(itertools.chain(*zip(parts, gaps, strict=True))) + draw(
        st.sampled_from(["\n", "\n", " ", "\r\n"])
    )


declarations = st.sampled_from(
    [
        "@prefix p: <http://e/p#> .\n",
        "PREFIX p: <http://e/q/>\n",
        "@prefix p: <e:> .\n",
        "@base <http://b/x/> .\n",
        "@prefix p: <http://host> .\n",
        "@prefix : <http://e/../> .\n",
        "BASE <http://c/>\n",
        "@prefix p: <d/> .\n",
    ]
)
HEADER = (
    "@prefix p: <http://e/p#> .\n@prefix : <http://e/> .\n@prefix u: <urn:wlkg:name:> .\n"
    "@prefix s: <urn:> .\n"
)
texts = st.lists(
    st.one_of(statements(), statements(), statements(), declarations), min_size=1, max_size=8
).map("".join)


@contextmanager
def large(size: int = 1, shortest: int = 1) -> Iterator[None]:
    """Within the block, documents of this size are large."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rdf, "LARGE", size)
        patch.setattr(rdf, "_START", size)
        patch.setattr(turtle_in_bulk, "LARGE", size)
        patch.setattr(turtle_in_bulk, "SHORTEST", shortest)
        patch.setattr(turtle_in_bulk, "LONGEST", 16 * shortest)
        yield


def outcome(path: Path, policy: str) -> tuple[RelationalGraph, object, int] | str:
    """The graph with what its equality leaves out, or the error."""
    try:
        graph = wlkg.read(path, literals=policy)
    except InputError as error:
        return str(error)
    return graph, graph.prefixes, graph.duplicates


@pytest.mark.parametrize("suffix", [".ttl", ".trig"])
@settings(deadline=None, max_examples=400)
@given(texts, SIZES, st.sampled_from(LITERAL_POLICIES))
@example('<a:a> <a:b> """x.\n<a:c> <a:d> <a:e> .\n""" .\n', (1, 1), "shared")
@example("<a:a> <a:b> <a:c> .\n@prefix : <x:y> . <a:a> <a:b> :c , oops .", (1, 1), "shared")
def test_both_lanes_agree_on_any_text(
    scratch: Path, suffix: str, text: str, sizes: tuple[int, int], policy: str
) -> None:
    path = scratch / f"text{suffix}"
    path.write_bytes((HEADER + text).encode())
    expected = outcome(path, policy)
    with large(*sizes):
        assert outcome(path, policy) == expected


@settings(deadline=None, max_examples=150)
@given(st.lists(bracketed, max_size=4), st.lists(statements(), max_size=4), SIZES)
def test_blank_nodes_are_numbered_alike(
    scratch: Path, groups: list[list[str]], others: list[str], sizes: tuple[int, int]
) -> None:
    path = scratch / "nodes.ttl"
    lines = itertools.chain(*itertools.zip_longest(map("\n".join, groups), others, fillvalue=""))
    path.write_bytes((HEADER + "\n".join(lines)).encode())
    expected = outcome(path, "shared")
    with large(*sizes):
        assert outcome(path, "shared") == expected


def plain_triples(text: bytes) -> tuple[int, list[tuple[str, str, str]]]:
    """What the compiled loop makes of a text: how far it comes, and the triples."""
    out, ends = np.empty(10_000, dtype=np.uint8), np.empty(100, dtype=np.int64)
    triples = np.empty((100, 3), dtype=np.int32)
    texts = [*TEXTS, b"http://e/p#"]
    done, names, rows, _ = read_statements.compiled(
        np.frombuffer(text, dtype=np.uint8),
        0,
        KINDS,
        np.frombuffer(b"_p", dtype=np.uint8),
        np.array([1, 2]),
        np.frombuffer(b"".join(texts), dtype=np.uint8),
        np.cumsum([0, *map(len, texts)]),
        out,
        ends,
        triples,
    )
    words = [out[a:b].tobytes().decode() for a, b in itertools.pairwise(ends[: names + 1])]
    words = plain_literals(pa.array(words, pa.large_string())).to_pylist()
    return done, [(words[h], words[r], words[t]) for h, r, t in triples[:rows]]


def all_triples(text: bytes, base: str | None) -> list[tuple[str, str, str]]:
    """What pyoxigraph and the names of its terms make of a text."""
    stream = RecordingStream(io.BytesIO(b"@prefix p: <http://e/p#> ." + text), b"")
    quads = parsed_quads(stream, ox.RdfFormat.TURTLE, "text", base)
    return list(parsed_rows(quads, TermNames(stream), GraphChoice(None), "shared"))


@pytest.mark.parametrize("base", [None, "http://b/c/d"])
def test_every_term_that_is_plain_means_the_same_to_pyoxigraph(base: str | None) -> None:
    accepted = set()
    for term in (*NODES, *VERBS, *LITERALS):
        for pattern in ("{} a <a:t> .\n", "<a:h> {} <a:t> .\n", "<a:h> a {} .\n", "<a:h> a {}.\n"):
            text = pattern.format(term).encode()
            done, triples = plain_triples(text + b"<a:b> a <a:c> . \n")
            if done:
                accepted.add(term)
                assert triples == all_triples((text + b"<a:b> a <a:c> . \n")[:done], base), text
    assert {"p:a.b", "_:a.b", '"x"@en-gb', "1.5", "false", "p:", "<a:%2F>"} <= accepted


@pytest.mark.parametrize(
    "pattern",
    [
        "<a:x{}y>",
        "<http://e{}:8/>",
        "<http://e/{}>",
        "<a:b?{}c>",
        "<a:b#{}c>",
        "<{}b:c>",
        "<a:%4{}>",
        '"x{}y"',
        '"\\{}"',
        '"x"@e{}',
        '"x"@en-g{}',
        "p:x{}y",
        "p:{}y",
        "_:x{}y",
        "_:{}y",
        "1{}",
        "1{}2",
        "{}1",
        "tru{}",
    ],
)
@pytest.mark.parametrize("base", [None, "http://b/c/d"])
def test_every_character_that_is_plain_means_the_same_to_pyoxigraph(
    pattern: str, base: str | None
) -> None:
    plain = 0
    points = [
        *range(0x300),
        *range(0x2000, 0x2100),
        0xD7FF,
        0xE000,
        0xFEFF,
        0xFFFE,
        0xFFFF,
        0x1F600,
    ]
    for point in points:
        text = f"<a:a> a {pattern.format(chr(point))} .\n<a:b> a <a:c> . \n".encode()
        done, triples = plain_triples(text)
        if not done:
            continue
        plain += 1
        assert triples == all_triples(text[:done], base), chr(point)
    assert plain > 0


def test_what_is_plain_is_left_to_the_compiled_loop() -> None:
    text = (
        b'# people\n<a:a> a p:b ; p:c 1 , -2.5 , true , "x"@en , "y"^^p:t ;\n\t<a:d> _:b1 ; .\n'
        b'p:e.f <a:r> "\\"q\\"" .\n<a:z> a p:b .\n'
    )
    done, triples = plain_triples(text + b"<a:a> a ")
    assert done == text.rindex(b"\n")
    assert len(triples) == 9
    assert triples[0] == ("a:a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "http://e/p#b")
    assert triples[5] == ("a:a", "http://e/p#c", '"y"^^<http://e/p#t>')


def test_an_unfinished_statement_is_left_for_later() -> None:
    text = b'p:a a "some text"@en , 12.5 , "x"^^<a:t> , _:b1 , <a:%C3%A9> , false ; p:b p:c . \n'
    whole = len(text.rstrip())
    for cut in range(len(text)):
        done, triples = plain_triples(text[:cut])
        assert done in (0, whole)
        assert len(triples) == (7 if done else 0)


def test_most_of_a_document_takes_the_fast_lane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "mixed.ttl"
    lines = [f'<a:{i}> a p:b ; p:c "{i}" .' for i in range(2000)]
    lines[1000] = "p:x p:y [ p:z 'odd' ] ."
    path.write_text("@prefix p: <http://e/p#> .\n" + "\n".join(lines) + "\n")
    parsed = []
    quads = turtle_in_bulk.LargeTurtle._quads

    def counted(reader: turtle_in_bulk.LargeTurtle, stretch: bytes) -> object:
        parsed.append(len(stretch))
        return quads(reader, stretch)

    expected = wlkg.read(path)
    monkeypatch.setattr(turtle_in_bulk.LargeTurtle, "_quads", counted)
    with large(20_000, 100):
        assert wlkg.read(path) == expected
    assert 0 < sum(parsed) < 1000


@pytest.mark.parametrize("line", [1, 3, 700])
@pytest.mark.parametrize("before", ["", "<a:a> <a:b> <a:c> . "])
def test_errors_keep_their_place(tmp_path: Path, line: int, before: str) -> None:
    path = tmp_path / "wrong.ttl"
    lines = ["<a:a> <a:b> <a:é> ."] * 800
    lines[line - 1] = f"{before}<a:a> <a:b> oops: ."
    path.write_text("\n".join(lines))
    with pytest.raises(InputError) as expected:
        wlkg.read(path)
    with large(500), pytest.raises(InputError) as caught:
        wlkg.read(path)
    assert expected.value.line == line
    assert str(caught.value) == str(expected.value)


@pytest.mark.parametrize(
    "text",
    [
        b'<a:a> <a:b> "\xff" .\n',
        b"@prefix p: <http://e/> .\n<a:a> <a:b> p:c .\n<a:\xc3",
        b"#" * 99,
        b"\n" * 99,
    ],
)
def test_what_is_no_turtle_is_refused_alike(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "wrong.ttl"
    path.write_bytes(text)
    expected = outcome(path, "shared")
    assert isinstance(expected, str)
    with large():
        assert outcome(path, "shared") == expected


def test_many_prefixes_are_not_parsed_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "prefixes.ttl"
    declared = "".join(f"@prefix p{i}: <http://e/{i}/> .\n" for i in range(700))
    path.write_text(declared + "".join(f"p{i}:a p{i}:b [] .\n" for i in range(700)))
    expected = wlkg.read(path)
    with large(2000):
        graph = wlkg.read(path)
    assert graph == expected
    assert graph.prefixes == expected.prefixes
    assert len(graph.prefixes) == 700


def test_an_invalid_base_is_refused_alike(tmp_path: Path) -> None:
    path = tmp_path / "base.ttl"
    path.write_text("<a> <b> <c> .\n")
    messages = []
    for size in (1 << 20, 1):
        with large(size), pytest.raises(InputError) as caught:
            wlkg.read(path, base="no base")
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    with large():
        assert list(wlkg.read(path, base="http://e/").named_triples()) == [
            ("http://e/a", "http://e/b", "http://e/c")
        ]


def test_the_end_of_a_text_is_no_doubt() -> None:
    assert (
        read_statements(
            np.frombuffer(b"<a:", dtype=np.uint8),
            0,
            KINDS,
            np.frombuffer(b"_", dtype=np.uint8),
            np.array([1]),
            np.frombuffer(b"".join(TEXTS), dtype=np.uint8),
            np.cumsum([0, *map(len, TEXTS)]),
            np.empty(100, dtype=np.uint8),
            np.empty(9, dtype=np.int64),
            np.empty((9, 3), dtype=np.int32),
        )[-1]
        == END
    )


def test_terms_nested_absurdly_deep_are_refused_in_a_large_document(tmp_path: Path) -> None:
    path = tmp_path / "deep.ttl"
    term = "<<( <a:a> <a:r> " * 100_000 + "<a:b>" + " )>>" * 100_000
    path.write_text(f"<a:a> <a:r> <a:b> .\n<a:a> <a:r> {term} .\n")
    with large(1 << 22), pytest.raises(InputError, match="nested more than 64 deep"):
        wlkg.read(path)
    with large(100), pytest.raises(InputError, match="nested more than 64 deep"):
        wlkg.read(path)
