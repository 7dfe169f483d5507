"""N-Triples and N-Quads: bulk reading compared with pyoxigraph on the whole text."""

from __future__ import annotations

import io
import random
import sys
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pyoxigraph as ox
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wlkg
from tests.readers.compression import COMPRESS
from tests.text_inputs import (
    ODD_TERMS,
    Triples,
    block_sizes,
    ntriples_documents,
    ntriples_lines,
    tiny_blocks,
    triples_of,
)
from wlkg.catalogue import LITERAL_POLICIES
from wlkg.errors import InputError, UsageError
from wlkg.graph import triple_table
from wlkg.graph.terms import encode_name, kind, vertex_term

OX_FORMATS = {".nt": ox.RdfFormat.N_TRIPLES, ".nq": ox.RdfFormat.N_QUADS}
PLAIN = b"<a:a> <a:r> <a:b> .\n"


def obvious_name(term: Any) -> str:
    """The documented rule: an IRI without brackets, a blank node's label, a canonical literal."""
    if isinstance(term, ox.NamedNode):
        prefix, name = term.value[:14], unquote(term.value[14:], errors="replace")
        disguised = prefix == "urn:wlkg:name:" and encode_name(name) == term.value
        return name if disguised and name and kind(name) != "iri" else term.value
    return f"<<( {term} )>>" if isinstance(term, ox.Triple) else str(term)


def obvious(
    data: bytes, suffix: str, policy: str = "shared", graph: str | None = None
) -> Triples | None:
    """The triples of a text under a literal policy; None if it has none or is invalid."""
    triples: Triples = set()
    try:
        for quad in ox.parse(data, OX_FORMATS[suffix]):
            if graph is not None and obvious_name(quad.graph_name) != graph:
                continue
            h, r, t = map(obvious_name, (quad.subject, quad.predicate, quad.object))
            if isinstance(quad.object, ox.Literal) and policy == "drop":
                continue
            if isinstance(quad.object, ox.Literal) and policy == "occurrence":
                t = f"{t} [{h} {r}]"
            triples.add((h, r, t))
    except (SyntaxError, ValueError):
        return None
    return triples or None


def read_or_none(path: Path, **options: Any) -> Triples | None:
    try:
        return triples_of(path, **options)
    except InputError:
        return None


def agrees(scratch: Path, data: bytes, suffix: str, size: int | None, **options: Any) -> None:
    path = scratch / f"text{suffix}"
    path.write_bytes(data)
    expected = obvious(data, suffix, options.get("literals", "shared"), options.get("named_graph"))
    with tiny_blocks(size):
        if not data.startswith(b"\xef\xbb\xbf"):  # pyoxigraph does not accept a byte-order mark
            assert read_or_none(path, **options) == expected


@settings(deadline=None, max_examples=250)
@given(data=ntriples_documents(), size=block_sizes)
@example(b"", None)
@example(b"<a:a> <a:r>\n <a:b> .\n", None)
@example(b'<a:a> <a:r> "x\r\ny" .\n', None)
@example(b"<a:a> <a:r> <a:b> .\r<a:a> <a:r> <a:c> .\r", 7)
def test_the_two_lanes_for_ntriples_agree(scratch: Path, data: bytes, size: int | None) -> None:
    agrees(scratch, data, ".nt", size)


@settings(deadline=None, max_examples=250)
@given(data=ntriples_documents(quads=True), size=block_sizes)
@example(b'<a:a> <a:r> "x <a:b> .\n', None)
@example(b'<a:a> <a:r> "x" <urn:wlkg:name:g> .\n', None)
def test_the_two_lanes_for_nquads_agree(scratch: Path, data: bytes, size: int | None) -> None:
    agrees(scratch, data, ".nq", size)


@pytest.mark.parametrize("policy", LITERAL_POLICIES)
@settings(deadline=None, max_examples=80)
@given(data=ntriples_documents(quads=True), size=block_sizes)
@example(b'<a:a> <a:r> <urn:wlkg:name:%22x> .\n<a:a> <a:r> "x" .\n', None)
def test_every_literal_policy_agrees_with_the_obvious_version(
    scratch: Path, policy: str, data: bytes, size: int | None
) -> None:
    agrees(scratch, data, ".nq", size, literals=policy)


@settings(deadline=None, max_examples=100)
@given(data=ntriples_documents(quads=True), size=block_sizes)
def test_a_chosen_graph_is_read_alone(scratch: Path, data: bytes, size: int | None) -> None:
    agrees(scratch, data, ".nq", size, named_graph="http://a/b")


@pytest.mark.parametrize("suffix", OX_FORMATS)
def test_every_odd_term_in_every_position_is_treated_as_by_pyoxigraph(
    tmp_path: Path, suffix: str
) -> None:
    terms = [*ODD_TERMS, *(f'"x"^^{iri}' for iri in ODD_TERMS if iri.startswith("<"))]
    for term in terms:
        for place in range(4 if suffix == ".nq" else 3):
            parts = ["<a:a>", "<a:r>", "<a:b>", "<a:g>"][: max(place + 1, 3)]
            parts[place] = term
            agrees(tmp_path, PLAIN + " ".join(parts).encode() + b" .\n", suffix, None)


def test_every_code_point_is_accepted_or_refused_as_by_pyoxigraph(tmp_path: Path) -> None:
    code_points = [*range(0x21, 0x3000), *range(0x3000, 0xD800, 97), *range(0xE000, 0x10FFFF, 997)]
    points = [chr(i) for i in code_points]
    points += [chr(plane + i) for plane in range(0xFFFE, 0x110000, 0x10000) for i in (0, 1)]
    for pattern in ("<a:a> <a:r> <x:{}> .\n", "<a:a> <a:r> <x:?{}> .\n", '<a:a> <a:r> "{}" .\n',
                    "<a:a> <a:r> _:a{}b .\n"):  # fmt: skip
        lines = [pattern.format(c).encode() for c in points]
        good = [line for line in lines if obvious(line, ".nt") is not None]
        assert len(good) > 60
        path = tmp_path / "points.nt"
        path.write_bytes(b"".join(good))
        assert triples_of(path) == obvious(b"".join(good), ".nt")
        # An invalid line between plain lines must be refused on its own.
        for line in random.Random(0).sample(sorted(set(lines) - set(good)) or [b"x\n"], k=1):
            path.write_bytes(PLAIN + line + PLAIN)
            with pytest.raises(InputError, match="line 2"):
                wlkg.read(path)


@given(st.lists(ntriples_lines(valid=True), min_size=1, max_size=8), st.randoms())
@settings(deadline=None, max_examples=60)
def test_the_order_of_the_lines_does_not_matter(
    scratch: Path, lines: list[str], shuffler: random.Random
) -> None:
    path = scratch / "order.nt"
    path.write_text("\n".join(lines), encoding="utf-8")
    before = wlkg.read(path)
    shuffler.shuffle(lines)
    path.write_text("\n".join(lines), encoding="utf-8")
    assert wlkg.read(path) == before


def test_merging_dictionaries_early_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "many.nt"
    path.write_text("".join(f"<a:{i % 40}> <a:r{i % 3}> <a:{i}> .\n" for i in range(300)))
    whole = wlkg.read(path)
    monkeypatch.setattr(triple_table, "_MERGE_ABOVE", 5)
    with tiny_blocks(100):
        assert wlkg.read(path) == whole


# -- names ----------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=200)
@given(data=ntriples_documents())
def test_every_name_determines_the_kind_of_its_term_and_the_term(data: bytes) -> None:
    try:
        quads = list(ox.parse(data, ox.RdfFormat.N_TRIPLES))
    except (SyntaxError, ValueError):
        return
    kinds = {ox.NamedNode: "iri", ox.BlankNode: "blank", ox.Literal: "literal", ox.Triple: "triple"}
    for term in (quad.object for quad in quads):
        name = obvious_name(term)
        if name == getattr(term, "value", name) or not isinstance(term, ox.NamedNode):
            assert kind(name) == kinds[type(term)]
            expected = name if isinstance(term, ox.Triple) else str(term)
            assert vertex_term(name, is_head=False) == expected


@pytest.mark.parametrize(
    "name",
    ["Sale:50%", "a:b[c]", "_:µ", "_:a:b", "_:a.", "<<( x )>>", '"x"@', '"x"^^<y>', '"x', "alice",
     "x:\ue000", "urn:wlkg:name:alice", "<<(" * 30_000, "http://a/b c", '"\\x"', "\ud800"],
)  # fmt: skip
def test_a_name_that_is_not_a_term_is_written_as_an_iri_and_read_back(name: str) -> None:
    assert kind(name) == "name"
    term = vertex_term(name, is_head=False)
    assert term == f"<{encode_name(name)}>"
    if name != "\ud800":  # not text: it can be written, but not read
        (quad,) = ox.parse(f"<a:a> <a:r> {term} .".encode(), ox.RdfFormat.N_TRIPLES)
        assert obvious_name(quad.object) == name


def test_encoded_names_are_decoded(tmp_path: Path) -> None:
    path = tmp_path / "disguised.nt"
    path.write_text("<urn:wlkg:name:alice> <urn:wlkg:name:is%20in> <urn:wlkg:name:%C3%A9> .\n")
    assert triples_of(path) == {("alice", "is in", "é")}


def test_an_encoded_iri_differs_from_the_iri(tmp_path: Path) -> None:
    path = tmp_path / "apart.nt"
    path.write_text("<http://a/b> <a:r> <urn:wlkg:name:http%3A%2F%2Fa%2Fb> .\n")
    assert wlkg.read(path).num_vertices == 2


# -- named graphs ---------------------------------------------------------------------------------

QUADS = b"""\
<a:a> <a:r> "x" <g:1> .
<a:a> <a:r> <a:b> <g:1> .
<a:a>\t<a:r> <a:c> <g:2> .
<a:a> <a:r> <a:d> _:g .
<a:a> <a:r> <a:e> .
"""


@pytest.mark.parametrize(
    ("graph", "tails"),
    [
        (None, {'"x"', "a:b", "a:c", "a:d", "a:e"}),
        ("g:1", {'"x"', "a:b"}),
        ("<g:2>", {"a:c"}),
        ("_:g", {"a:d"}),
    ],
)
def test_named_graphs_are_merged_or_chosen(
    tmp_path: Path, graph: str | None, tails: set[str]
) -> None:
    path = tmp_path / "quads.nq"
    path.write_bytes(QUADS)
    assert {t for _, _, t in triples_of(path, named_graph=graph)} == tails


def test_an_unknown_graph_is_refused_with_the_known_graphs(tmp_path: Path) -> None:
    path = tmp_path / "quads.nq"
    path.write_bytes(QUADS)
    with pytest.raises(InputError, match=r"no graph <g:3>\. The graphs are: _:g, g:1, g:2"):
        wlkg.read(path, named_graph="g:3")
    path.write_bytes(PLAIN)
    with pytest.raises(InputError, match="It has no named graph"):
        wlkg.read(path, named_graph="g:3")


# -- errors ---------------------------------------------------------------------------------------

WRONG = [b"<a:a> <a:r>", b"<a:a> <a:r> <b> .", b'<a:a> <a:r> "\\x" .', b"<a:a>", b"x", b'"x" "y" .']


@pytest.mark.parametrize("wrong", WRONG)
@pytest.mark.parametrize("size", [None, 30])
@pytest.mark.parametrize("line", [1, 2, 9, 12])
def test_an_error_names_the_file_and_the_line(
    tmp_path: Path, wrong: bytes, size: int | None, line: int
) -> None:
    doubtful = b"<a:a>\t<a:r> <a:b> .\r<a:a>\t<a:r> <a:c> .\n"
    lines = [doubtful if i % 3 == 0 else PLAIN for i in range(1, 13)]
    lines[line - 1] = wrong + b"\r\n"
    path = tmp_path / "wrong.nt"
    path.write_bytes(b"".join(lines))
    with tiny_blocks(size), pytest.raises(InputError) as caught:
        wlkg.read(path)
    assert (caught.value.path, caught.value.line) == (str(path), line)
    assert str(caught.value).startswith(f"{path}, line {line}, column ")
    assert caught.value.exit_code == 2


def test_triple_terms_are_vertices_unless_nested_absurdly_deep(tmp_path: Path) -> None:
    path = tmp_path / "deep.nt"
    for depth in (1, 64):
        term = b"<<( <a:a> <a:r> " * depth + b"_:b" + b" )>>" * depth
        path.write_bytes(b"<a:a> <a:r> " + term + b" .\n")
        assert triples_of(path) == {("a:a", "a:r", term.decode())}
        assert kind(term.decode()) == "triple"
    for depth in (65, 900, 100_000):
        term = b"<<( <a:a> <a:r> " * depth + b"_:b" + b" )>>" * depth
        path.write_bytes(PLAIN + b"<a:a> <a:r> " + term + b" .\n")
        with pytest.raises(InputError, match="line 2: triple terms are nested more than 64 deep"):
            wlkg.read(path)


def test_bytes_that_are_not_utf8_are_refused_with_line_and_column(tmp_path: Path) -> None:
    path = tmp_path / "latin.nt"
    path.write_bytes(PLAIN * 3 + b'<a:a> <a:r> "\xe9" .\n')
    with pytest.raises(InputError, match=r"line 4, column 14: byte 0xe9 is not UTF-8.*iconv"):
        wlkg.read(path)


def test_a_byte_order_mark_is_skipped(tmp_path: Path) -> None:
    path = tmp_path / "mark.nt"
    path.write_bytes(b"\xef\xbb\xbf" + PLAIN)
    for size in (None, 1, 2, 3, 4):
        with tiny_blocks(size):
            assert triples_of(path) == {("a:a", "a:r", "a:b")}


@pytest.mark.parametrize(
    ("data", "message"),
    [(b"", "the file is empty"), (b"\n# nothing\n", "no triple"), (b"\xef\xbb\xbf", "no triple")],
)
def test_a_file_without_triples_is_refused(tmp_path: Path, data: bytes, message: str) -> None:
    path = tmp_path / "empty.nt"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        wlkg.read(path)


@pytest.mark.parametrize(
    "name", ["none.nt", "no/where.nt", "a.nt/b.nt", "x" * 5000 + ".nt", "a\0.nt"]
)
def test_a_missing_file_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.nt").write_bytes(PLAIN)
    with pytest.raises(InputError, match=r"no such file|cannot be opened"):
        wlkg.read(f"{tmp_path}/{name}")


@pytest.mark.parametrize("choice", ["--5", "-", "9" * 5000, "2", "0", "-1"])
def test_a_choice_among_graphs_that_makes_no_sense_is_refused(tmp_path: Path, choice: str) -> None:
    path = tmp_path / "one.nt"
    path.write_bytes(PLAIN)
    assert wlkg.read(f"{path}#1").num_triples == 1
    with pytest.raises(wlkg.WlkgError, match=r"no such file|cannot be opened|counted from 1"):
        wlkg.read(f"{path}#{choice}")


def test_a_folder_is_not_an_ntriples_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is a folder"):
        wlkg.read(tmp_path, format="nt")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no /dev/zero")
def test_a_device_is_refused_because_it_may_never_end() -> None:
    for format_name in ("nt", "json"):
        with pytest.raises(InputError, match="this is a device"):
            wlkg.read("/dev/zero", format=format_name)


# -- compression and standard input ---------------------------------------------------------------


#: Hard to compress, so that half of the file is more than just headers.
MANY = b"".join(b"<a:%d> <a:r> <a:%d> .\n" % (i, i * 7919 % 10007) for i in range(5000))
packed = pytest.mark.parametrize("suffix", COMPRESS)


@packed
def test_compressed_files_are_decompressed(tmp_path: Path, suffix: str) -> None:
    plain, compressed = tmp_path / "many.nt", tmp_path / f"many.NT{suffix.upper()}"
    plain.write_bytes(MANY)
    compressed.write_bytes(COMPRESS[suffix](MANY))
    assert wlkg.read(compressed) == wlkg.read(plain)
    with tiny_blocks(1000):
        assert wlkg.read(compressed) == wlkg.read(plain)


@packed
@pytest.mark.parametrize("part", [0.3, 0.9, 1.0])
def test_compressed_data_that_is_cut_short_is_refused(
    tmp_path: Path, suffix: str, part: float
) -> None:
    data = COMPRESS[suffix](MANY)
    path = tmp_path / f"cut.nt{suffix}"
    path.write_bytes(data[: min(int(len(data) * part), len(data) - 2)])
    with pytest.raises(InputError, match="damaged or cut short"):
        wlkg.read(path)


@packed
def test_a_compression_suffix_must_match_the_content(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"plain.nt{suffix}"
    path.write_bytes(PLAIN)
    with pytest.raises(InputError, match=rf"ends in \{suffix}, but the content is not compressed"):
        wlkg.read(path)


@pytest.mark.parametrize("suffix", ["", *COMPRESS])
def test_standard_input_may_be_compressed(monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    data = COMPRESS[suffix](PLAIN) if suffix else PLAIN
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert triples_of("-", format="nt") == {("a:a", "a:r", "a:b")}


def test_standard_input_needs_a_format() -> None:
    with pytest.raises(UsageError, match="needs --format"):
        wlkg.read("-")


# -- real data ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("policy", "vertices", "triples", "relations"),
    [
        ("shared", 8_285, 29_043, 45),
        ("drop", 2_835, 20_338, 22),
        ("occurrence", 11_540, 29_043, 45),
    ],
)
def test_aifb_has_its_published_size(
    data_dir: Path, policy: str, vertices: int, triples: int, relations: int
) -> None:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz", literals=policy)
    sizes = (graph.num_vertices, graph.num_triples, graph.num_relations)
    assert sizes == (vertices, triples, relations)


def test_a_million_triples_are_read_completely(data_dir: Path) -> None:
    graph = wlkg.read(data_dir / "aac" / "aac_npg.nt.xz")
    sizes = (graph.num_vertices, graph.num_triples, graph.num_relations)
    assert sizes == (436_328, 1_309_866, 30)


def test_the_files_of_the_canonicalisation_suite_are_read_as_by_pyoxigraph(
    data_dir: Path,
) -> None:
    paths = sorted((data_dir / "rdf-canon").glob("*-in.nq"))
    assert len(paths) > 40
    for path in paths:
        assert read_or_none(path) == obvious(path.read_bytes(), ".nq"), path.name
