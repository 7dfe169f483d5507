"""Writing: a graph that was written reads back equal, or is refused; no file is left incomplete."""

from __future__ import annotations

import gzip
import os
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wlkg
from tests.strategies import relational_graphs
from wlkg import RelationalGraph
from wlkg.errors import OutputError, UsageError
from wlkg.writers import lines
from wlkg.writers.formats import SUFFIXES, WRITERS

RDF_TERMS = st.one_of(
    st.sampled_from(["http://e/a", "http://e/b", "urn:x:y", "http://e/é", "http://e/a%20b#c?d"]),
    st.sampled_from(["_:b1", "_:anon1", "_:x.y"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters='"\\'), max_size=4)
    .filter(lambda text: not {"\ufffe", "\uffff"} & set(text))
    .map('"{}"'.format),
    st.sampled_from(['"x"@en', '"x"@de-at', '"1"^^<http://www.w3.org/2001/XMLSchema#integer>']),
)
PLAIN_NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4),
    st.sampled_from(
        ["NA", "null", "001", "10", "9", "a b", " a", "a,b", 'say "hi"', "'", "é", "日本", "😀"]
    ),
    st.sampled_from(
        ["head", "relation", "tail", "#", "#a", "\ufeffa", "a\tb", "a\nb", "a\rb", "a\r\nb"]
    ),
    st.sampled_from(
        ["<a>", "_:", "_:²", "a:b", "note:50%", "urn:wlkg:name:a", "http://e/a b", "\\", "\x00"]
    ),
    st.sampled_from(
        ['"x', '"x"@', '"x" [a b]', "<<( a )>>", "None", " ", "\xa0", "\x85", "\u2028", "-"]
    ),
)
RELATIONS = st.sampled_from(["http://e/p", "http://e/q", "relation", "is a", "p,q", "r^-1s", "é"])


def written(graph: RelationalGraph, path: Path, **options: Any) -> RelationalGraph:
    wlkg.write(graph, path, **options)
    return wlkg.read(path)


def edges_of(graph: RelationalGraph) -> set[tuple[str, ...]]:
    """The triples; the ends of undirected triples are sorted."""
    if graph.direction == "undirected":
        return {(r, *sorted((h, t))) for h, r, t in graph.named_triples()}
    return {(r, h, t) for h, r, t in graph.named_triples()}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


@settings(max_examples=30)
@given(st.lists(st.tuples(RDF_TERMS, RELATIONS, RDF_TERMS), min_size=1, max_size=5))
def test_a_graph_of_rdf_terms_is_the_same_in_every_format(folder: Path, rows: list[Any]) -> None:
    graph = RelationalGraph.from_triples(rows)
    suffixes = [suffix for suffix, name in SUFFIXES.items() if name != "graph6"]
    assert {"nt", "tsv", "csv", "parquet", "graphml", "json"} <= {s[1:] for s in suffixes}

    def survives(suffix: str, ending: str) -> bool:
        # Readers of these formats keep _:anon1, ... for blank nodes without a label.
        is_renamed = WRITERS[SUFFIXES[suffix]].module == "rdf"
        renamed = [[n.replace("_:anon1", "_:anon1_") for n in row] for row in rows]
        expected = RelationalGraph.from_triples([(h, r, t) for h, r, t in renamed])
        copy = written(graph, folder / f"g{suffix}{ending}")
        return copy == (expected if is_renamed else graph)

    equal = [suffix for suffix in suffixes if survives(suffix, "")]
    packed = [suffix for suffix in suffixes if survives(suffix, ".gz")]
    assert equal == packed == suffixes


@pytest.mark.parametrize("name", sorted(set(WRITERS) - {"graph6"}))
@given(rows=st.lists(st.tuples(PLAIN_NAMES, RELATIONS, PLAIN_NAMES), min_size=1, max_size=4))
@example(rows=[("head", "relation", "tail"), ("a", "b", "c")])
@example(rows=[(" ", " ", " "), ("head", "relation", "tail")])
@example(rows=[("\ufeffhead", "relation", "tail")])
@example(rows=[("#a", "r", "b"), ("c", "r", "d")])
@example(rows=[("a\r\nb", "r", "b")])
def test_plain_names_are_read_back_or_refused(folder: Path, name: str, rows: list[Any]) -> None:
    graph = RelationalGraph.from_triples(rows)
    path = folder / f"plain{WRITERS[name].suffixes[0]}"
    try:
        wlkg.write(graph, path)
    except OutputError:
        refusable = "".join(text for row in rows for text in row)
        assert name != "json"
        assert name != "parquet"
        no_element = name == "rdfxml" and any(row[1] in (" ", "é") for row in rows)
        control = any(ord(ch) < 32 or ch in '#"\ufffe\uffff' for ch in refusable)
        assert control or no_element
        return
    assert wlkg.read(path) == graph


@pytest.mark.parametrize("name", sorted(set(WRITERS) - {"graph6"}))
def test_long_names_are_read_back_or_refused(name: str, tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a", "r", '"' + "x" * 200_000 + '"')])
    path = tmp_path / f"long{WRITERS[name].suffixes[0]}"
    if name == "csv":
        with pytest.raises(OutputError, match="longer than 131,072 characters"):
            wlkg.write(graph, path)
    else:
        assert (written(graph, path) == graph) is True


@pytest.mark.parametrize("suffix", [".graphml", ".json"])
@given(graph=relational_graphs(directions=("both", "undirected")))
def test_labels_isolated_vertices_and_undirected_edges_are_kept(
    folder: Path, suffix: str, graph: RelationalGraph
) -> None:
    if not graph.num_vertices:
        return
    reread = written(graph, folder / f"g{suffix}")
    assert reread.direction == graph.direction
    assert edges_of(reread) == edges_of(graph)
    assert sorted(reread.vertex_names) == sorted(graph.vertex_names)
    labels, before = (
        None
        if g.labels is None
        else {v: g.label_names[i] for v, i in zip(g.vertex_names, g.labels.tolist(), strict=True)}
        for g in (reread, graph)
    )
    assert labels == before


@pytest.mark.parametrize("suffix", [".graphml", ".json"])
@pytest.mark.parametrize("label", ["", " ", "a\nb", "1", "é"])
def test_any_label_is_kept(suffix: str, label: str, tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")]).with_labels([label, "other"])
    assert written(graph, tmp_path / f"g{suffix}") == graph


@pytest.mark.parametrize("suffix", [".nt", ".tsv", ".csv", ".parquet"])
@given(graph=relational_graphs(labels=False, directions=("undirected",)))
def test_undirected_edges_are_written_both_ways_in_directed_formats(
    folder: Path, suffix: str, graph: RelationalGraph
) -> None:
    if len(graph.isolated) or not graph.num_triples:
        return
    path = folder / f"both{suffix}"
    losses = wlkg.write(graph, path)
    assert losses == ("that edges are undirected (each was written both ways)",)
    reread = wlkg.read(path)
    graph = graph.permuted([graph.vertex(name) for name in reread.vertex_names])
    twice, once = reread.arcs("both"), graph.arcs("undirected")
    for v in range(graph.num_vertices):
        neighbours = [
            (once.relation_names[once.relation[i]], int(once.neighbour[i]))
            for i in range(once.offsets[v], once.offsets[v + 1])
        ]
        both_ways = [
            (twice.relation_names[twice.relation[i]], int(twice.neighbour[i]))
            for i in range(twice.offsets[v], twice.offsets[v + 1])
        ]
        assert sorted(both_ways) == sorted(
            neighbours + [(relation + "^-1", u) for relation, u in neighbours]
        )


@given(st.integers(1, 9), st.data())
def test_graph6_keeps_simple_graphs(folder: Path, count: int, data: st.DataObject) -> None:
    pairs = st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))
    edges = [(min(p), max(p)) for p in data.draw(st.lists(pairs)) if p[0] != p[1]]
    graph = RelationalGraph.from_arrays(
        [u for u, _ in edges],
        [0] * len(edges),
        [v for _, v in edges],
        num_vertices=count,
        relation_names=["edge"],
        direction="undirected",
    )
    assert written(graph, folder / "g.g6") == graph


SQUARE = RelationalGraph.from_triples(
    [("0", "edge", "1"), ("1", "edge", "2")], direction="undirected"
)


@pytest.mark.parametrize(
    ("graph", "message"),
    [
        (SQUARE.with_direction("both"), "directed edges"),
        (
            RelationalGraph.from_triples([("a", "edge", "b")], direction="undirected"),
            "vertex names",
        ),
        (RelationalGraph.from_triples([("0", "r", "1")], direction="undirected"), "relation"),
        (RelationalGraph.from_triples([("0", "edge", "0")], direction="undirected"), "loops"),
        (SQUARE.with_labels("xyz"), "vertex labels"),
    ],
)
def test_graph6_refuses_what_it_cannot_hold(
    graph: RelationalGraph, message: str, tmp_path: Path
) -> None:
    with pytest.raises(OutputError, match=message):
        wlkg.write(graph, tmp_path / "g.g6")
    assert list(tmp_path.iterdir()) == []


LONELY = RelationalGraph.from_triples([("a", "r", "b")], vertices="wxyz")


@pytest.mark.parametrize("suffix", [".nt", ".tsv", ".csv", ".parquet"])
def test_losses_need_permission(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"g{suffix}"
    graph = LONELY.with_labels("uvuvuv")
    message = r"cannot hold isolated vertices \(4: w, x, y, ...\) or vertex labels"
    with pytest.raises(OutputError, match=message):
        wlkg.write(graph, path)
    assert list(tmp_path.iterdir()) == []
    assert len(wlkg.write(graph, path, lossy=True)) == 2
    assert wlkg.read(path) == RelationalGraph.from_triples([("a", "r", "b")])


def test_literals_with_a_vertex_per_triple_cannot_be_written_as_ntriples(tmp_path: Path) -> None:
    source = tmp_path / "g.ttl"
    source.write_text('@prefix : <http://e/> . :a :p "x" . :b :p "x" .')
    graph = wlkg.read(source, literals="occurrence")
    assert graph.num_vertices == 4
    with pytest.raises(OutputError, match="several vertices for one literal"):
        wlkg.write(graph, tmp_path / "g.nt")
    assert wlkg.write(graph, tmp_path / "g.nt", lossy=True)
    assert wlkg.read(tmp_path / "g.nt") == wlkg.read(source)
    assert written(graph, tmp_path / "g.tsv") == graph


@pytest.mark.parametrize(
    ("name", "options", "error", "message"),
    [
        (
            "g.doc",
            {},
            OutputError,
            "suffix '.doc'. Name it with --to, or use one of .nt .ntriples .ttl",
        ),
        ("g", {}, OutputError, "cannot tell the format from the suffix ''"),
        ("g.gz", {}, OutputError, "cannot tell the format"),
        ("g.nt.xz", {}, OutputError, "only compression for output is .gz"),
        ("g.nt.xz", {"format": "nt"}, OutputError, "only compression for output is .gz"),
        ("g.nt", {"format": "docx"}, UsageError, "unknown output format 'docx'. Known: ntriples"),
        ("nowhere/g.nt", {}, OutputError, "cannot be written: No such file or directory"),
        ("folder.nt", {}, OutputError, "cannot be written: Is a directory"),
    ],
)
def test_an_impossible_output_is_refused(
    name: str, options: Any, error: type[Exception], message: str, tmp_path: Path
) -> None:
    (tmp_path / "folder.nt").mkdir()
    with pytest.raises(error, match=message):
        wlkg.write(SQUARE, tmp_path / name, **options)
    assert [path.name for path in tmp_path.iterdir()] == ["folder.nt"]


@pytest.mark.parametrize("name", [*WRITERS, "nt", ".TSV", "pq", "g6"])
def test_the_format_may_be_given_by_name_or_suffix(name: str, tmp_path: Path) -> None:
    wlkg.write(SQUARE, tmp_path / "plain", format=name)
    assert (tmp_path / "plain").stat().st_size > 0


class FullDiskError(OSError):
    pass


@pytest.mark.parametrize("failure", [KeyboardInterrupt, FullDiskError, MemoryError, OutputError])
@pytest.mark.parametrize("name", ["g.tsv", "g.tsv.gz"])
def test_a_failed_or_interrupted_write_leaves_the_old_file_and_nothing_else(
    failure: type[BaseException], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_off(_graph: RelationalGraph, stream: BinaryIO) -> None:
        stream.write(b"half a")
        raise failure

    path = tmp_path / name
    path.write_bytes(b"precious")
    monkeypatch.setattr(lines, "write_tsv", break_off)
    with pytest.raises(OutputError if failure is FullDiskError else failure):
        wlkg.write(SQUARE, path)
    assert path.read_bytes() == b"precious"
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_permissions_follow_the_old_file_or_the_umask(tmp_path: Path) -> None:
    private = tmp_path / "private.nt"
    private.touch(mode=0o600)
    before = os.umask(0o027)
    try:
        wlkg.write(SQUARE, private)
        wlkg.write(SQUARE, tmp_path / "fresh.nt")
    finally:
        os.umask(before)
    modes = [
        stat.S_IMODE((tmp_path / f"{name}.nt").stat().st_mode) for name in ("private", "fresh")
    ]
    assert modes == [0o600, 0o640]


def test_a_link_keeps_pointing_to_the_file_that_is_written(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    target, link = tmp_path / "elsewhere" / "g.nt", tmp_path / "link.nt"
    link.symlink_to(target)
    for _ in range(2):
        wlkg.write(SQUARE, link)
        assert link.is_symlink()
        assert wlkg.read(target).num_triples == 4
    assert len(list(tmp_path.rglob("*"))) == 3


def test_a_pipe_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.tsv"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE)
    wlkg.write(LONELY, pipe, lossy=True)
    assert reader.communicate(timeout=20)[0] == b"a\tr\tb\n"
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_the_same_graph_gives_the_same_bytes_in_every_run(tmp_path: Path) -> None:
    program = """
import sys, pathlib, wlkg
rows = {(str(i % 5), "edge", str(i % 7)) for i in range(35) if i % 5 != i % 7}
graph = wlkg.RelationalGraph.from_triples(rows, direction="undirected")
for name in sys.argv[2:]:
    wlkg.write(graph, pathlib.Path(sys.argv[1]) / name)
"""
    names = [f"g{w.suffixes[0]}{end}" for w in WRITERS.values() for end in ("", ".gz")]
    for seed in ("0", "1"):
        (tmp_path / seed).mkdir()
        subprocess.run(
            [sys.executable, "-c", program, tmp_path / seed, *names],
            check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        )
    for name in names:
        first, second = ((tmp_path / seed / name).read_bytes() for seed in ("0", "1"))
        assert first == second, name
        assert name.endswith(".gz") == (first[:2] == b"\x1f\x8b")


def test_a_compressed_file_holds_the_same_bytes_as_the_plain_file(tmp_path: Path) -> None:
    wlkg.write(SQUARE, tmp_path / "g.nt")
    wlkg.write(SQUARE, tmp_path / "g.nt.gz")
    packed = (tmp_path / "g.nt.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "g.nt").read_bytes()


FAMILY = RelationalGraph.from_triples(
    [
        ("http://e/ada", "http://e/name", "\"Ada & <co> 'x'\"@en"),
        ("http://e/ada", "http://e/1p", '"1962"^^<http://www.w3.org/2001/XMLSchema#gYear>'),
        ("_:m", "http://e/spouse", "http://e/ada"),
    ]
)


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
@pytest.mark.parametrize("suffix", [".ttl", ".trig", ".n3", ".rdf"])
def test_rdflib_reads_the_same_triples_from_every_rdf_format(suffix: str, tmp_path: Path) -> None:
    import rdflib
    from rdflib.compare import isomorphic

    wlkg.write(FAMILY, tmp_path / f"g{suffix}")
    formats = {".ttl": "turtle", ".trig": "trig", ".n3": "n3", ".rdf": "xml"}
    parsed = rdflib.Dataset() if suffix == ".trig" else rdflib.Graph()
    parsed.parse(tmp_path / f"g{suffix}", format=formats[suffix])
    triples = rdflib.Graph()
    for quad in parsed.quads() if isinstance(parsed, rdflib.Dataset) else parsed:
        triples.add((quad[0], quad[1], quad[2]))
    assert isomorphic(triples, FAMILY.to_rdflib())


def test_turtle_uses_the_prefixes_of_the_input(tmp_path: Path) -> None:
    (tmp_path / "in.ttl").write_text(
        "@prefix e: <http://e/> .\n@prefix : <http://x/> .\n@prefix xmlx: <urn:x:> .\n:a e:p :b ."
    )
    for name in ("out.ttl", "out.rdf"):
        assert written(wlkg.read(tmp_path / "in.ttl"), tmp_path / name).num_triples == 1
    text = (tmp_path / "out.ttl").read_text()
    assert "@prefix e: <http://e/> ." in text
    assert ":a e:p :b ." in text


@pytest.mark.parametrize(
    ("row", "suffix", "message"),
    [
        (("a", "http://e/1", "b"), ".rdf", "does not end in a name for an XML element"),
        (("a", "http://e/p/", "b"), ".rdf", "does not end in a name for an XML element"),
        (("a", "p", '"x\\u0001"'), ".rdf", "control character"),
        (("a", "p", '"x\\r"'), ".rdf", "control character"),
        (("a", "p", '"x\\\\u0001 \\n\t"'), ".rdf", None),
        (("a", "p", "<<( <urn:a> <urn:b> <urn:c> )>>"), ".n3", "cannot hold triple terms"),
    ],
)
def test_what_an_rdf_format_cannot_hold_is_refused(
    row: tuple[str, str, str], suffix: str, message: str | None, tmp_path: Path
) -> None:
    graph = RelationalGraph.from_triples([row])
    if message is None:
        assert written(graph, tmp_path / f"g{suffix}") == graph
        return
    with pytest.raises(OutputError, match=message):
        wlkg.write(graph, tmp_path / f"g{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_these_tests_cover_every_writer() -> None:
    rdf = {"ntriples", "turtle", "trig", "n3", "rdfxml"}
    assert set(WRITERS) == rdf | {"tsv", "csv", "parquet", "graphml", "json", "graph6"}
    assert np.all([suffix.startswith(".") for suffix in SUFFIXES])
