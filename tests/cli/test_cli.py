"""The command line: what it prints where, and how it ends."""

from __future__ import annotations

import csv
import gzip
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import wlkg
from wlkg import RelationalGraph
from wlkg.cli import app
from wlkg.errors import MissingExtraError, TooLargeError
from wlkg.examples import FAMILIES
from wlkg.readers.formats import FORMATS, SUFFIXES
from wlkg.reports import progressbar
from wlkg.reports.terminal import printable, shortened

runner = CliRunner()
PROGRAM = [sys.executable, "-m", "wlkg"]
KEYS = {"vertices", "triples", "relations", "self_loops", "duplicates", "seconds"}


def run(*arguments: str | Path, stdin: bytes | None = None) -> Any:
    return runner.invoke(app, [str(a) for a in arguments], prog_name="wlkg", input=stdin)


def assert_refused(arguments: list[str], message: str) -> None:
    """The command ends with status 2 and one line on standard error that has this in it."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


def run_process(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, **options
    )


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.tsv"
    path.write_text(
        "# who knows whom\nann\tknows\tbob\nbob\tknows\tbob\nann\tknows\tbob\nbob\tis\tx\n"
    )
    return path


# -- info ---------------------------------------------------------------------------------------


def test_info_tells_what_was_loaded(people: Path) -> None:
    result = run("info", people)
    assert result.exit_code == 0
    words = [line.split() for line in result.stdout.splitlines()]
    for fact in (["vertices", "3"], ["relations", "2"], ["self-loops", "1"], ["labels", "0"]):
        assert any(line[:2] == fact for line in words)
    assert ["triples", "3", "1", "duplicate", "dropped"] in words
    assert any(line[:2] == ["knows", "2"] for line in words)
    assert "note: 1 lines that start with '#' were skipped" in result.stderr


def test_info_as_json_has_the_keys_that_scripts_rely_on(people: Path) -> None:
    result = run("info", people, "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "wlkg/info/1"
    assert set(document) >= KEYS
    counts = [document[key] for key in ("vertices", "triples", "relations")]
    assert counts == [3, 3, 2]
    assert (document["self_loops"], document["duplicates"]) == (1, 1)
    assert document["triples_per_relation"] == {"knows": 2, "is": 1}
    assert document["seconds"] >= 0


def test_info_on_several_graphs_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "three.g6"
    path.write_bytes(b"A_\nBw\nC~\n")
    result = run("info", f"{path}#all")
    assert result.exit_code == 0
    assert [line.split()[:3] for line in result.stdout.splitlines()[-3:]] == [
        ["#1", "2", "1"],
        ["#2", "3", "3"],
        ["#3", "4", "6"],
    ]
    document = json.loads(run("info", f"{path}#all", "--json").stdout)
    assert [graph["triples"] for graph in document["graphs"]] == [1, 3, 6]


@pytest.mark.parametrize("path", ["aifb/aifb_stripped.nt.gz", "kg/WN18RR", "kg/FB15k-237"])
def test_info_counts_the_benchmarks(path: str, data_dir: Path) -> None:
    expected = {
        "aifb/aifb_stripped.nt.gz": [8285, 29043, 45],
        "kg/WN18RR": [40559, 86835, 11],
        "kg/FB15k-237": [14505, 272115, 237],
    }
    document = json.loads(run("info", data_dir / path, "--json").stdout)
    assert [document[key] for key in ("vertices", "triples", "relations")] == expected[path]


@pytest.mark.parametrize("example", ["example:c6", "example:2xc3,r=2"])
def test_info_knows_the_examples(example: str) -> None:
    document = json.loads(run("info", example, "--json").stdout)
    assert document["vertices"] == 6
    assert document["direction"] == "undirected"
    assert document["relations"] == (2 if "r=2" in example else 1)


@pytest.mark.parametrize(
    ("name", "text", "options", "expected"),
    [
        ("t", b"a b\nb c\n", ["--format", "edgelist", "--columns", "head,tail"], [3, 2, 1]),
        ("t.csv", b"x;r;y\n", ["--delimiter", ";"], [2, 1, 1]),
        ("t.tsv", b"#a\tr\tb\n", ["--comment", ""], [2, 1, 1]),
        ("t.tsv", b"head\trelation\ttail\n", ["--no-header"], [2, 1, 1]),
        ("t.ttl", b'<a> <p> "x", <b> .', ["--base", "http://e/", "--literals", "drop"], [2, 1, 1]),
        (
            "t.nq",
            b"<a:a> <a:p> <a:b> <a:g> .\n<a:a> <a:p> <a:c> .\n",
            ["--graph", "a:g"],
            [2, 1, 1],
        ),
    ],
)
def test_reading_options_reach_the_reader(
    name: str, text: bytes, options: list[str], expected: list[int], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    result = run("info", path, "--json", *options)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [document[key] for key in ("vertices", "triples", "relations")] == expected


def test_direction_and_labels_are_options(people: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text("ann\tw\nbob\tm\nx\tthing\n")
    result = run("info", people, "--json", "--direction", "undirected", "--labels", labels)
    document = json.loads(result.stdout)
    assert (document["direction"], document["labels"], document["arcs"]) == ("undirected", 3, 5)


@pytest.mark.parametrize(
    ("name", "text"),
    [("tsv", b"a\tr\tb\n"), ("nt", b"<a:a> <a:p> <a:b> .\n"), ("graph6", b"A_\n")],
)
@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_read_where_the_format_is_given(
    name: str, text: bytes, packed: bool
) -> None:
    content = gzip.compress(text) if packed else text
    result = run("info", "-", "--format", name, "--json", stdin=content)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["triples"] == 1


# -- convert ------------------------------------------------------------------------------------


def test_convert_writes_what_info_then_reads(people: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.nt.gz"
    result = run("convert", people, target)
    assert result.exit_code == 0
    assert result.stdout == f"{target}: 3 vertices, 3 triples, 2 relations\n"
    assert wlkg.read(target) == wlkg.read(people)


def test_convert_as_json_names_what_was_lost(people: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    result = run("convert", people, target, "--labels", "kind", "--lossy", "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "wlkg/convert/1"
    assert (document["triples"], document["lost"]) == (3, ["vertex labels"])


def test_convert_notes_on_stderr_what_was_not_kept(tmp_path: Path) -> None:
    result = run("convert", "example:c6", tmp_path / "c6.tsv")
    assert result.exit_code == 0
    assert "note: not kept: that edges are undirected" in result.stderr
    assert wlkg.read(tmp_path / "c6.tsv").num_triples == 12


def test_a_refused_conversion_leaves_nothing_behind(people: Path, tmp_path: Path) -> None:
    for target, word in (("out.g6", "graph6 cannot hold"), ("out.doc", "cannot tell the format")):
        result = run("convert", people, tmp_path / target)
        assert result.exit_code == 2
        assert word in result.stderr
        assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["people.tsv"]


# -- refine and pairs, of tuples ----------------------------------------------------------------


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a table of colours."""
    if path.suffix == ".json":
        return list(json.loads(path.read_text()))
    if path.suffix == ".csv":
        with path.open(newline="") as stream:
            rows: list[dict[str, Any]] = list(csv.DictReader(stream))
        return [{**row, "colour": int(row["colour"])} for row in rows]
    import pyarrow.parquet

    return list(pyarrow.parquet.read_table(path).to_pylist())


#: Names that a careless writer breaks.
AWKWARD = ["a,b", 'say "x"', "two\nlines", "tab\tbed", " spaced ", "é日", "'", "#x", "0"]


@pytest.fixture
def awkward(tmp_path: Path) -> RelationalGraph:
    """A graph with awkward names, saved as ``awkward.json``."""
    triples = [(AWKWARD[i], "r", AWKWARD[i // 2]) for i in range(1, len(AWKWARD))]
    wlkg.write(RelationalGraph.from_triples(triples), tmp_path / "awkward.json")
    return wlkg.read(tmp_path / "awkward.json")


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
@pytest.mark.parametrize("chunk", [7, 500_000])
def test_colours_of_tuples_and_of_vertices_are_written_with_names(
    suffix: str,
    chunk: int,
    awkward: RelationalGraph,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wlkg.reports.colours._CHUNK", chunk)
    of_vertices, of_tuples = tmp_path / f"x.{suffix}", tmp_path / f"y.{suffix}"
    result = run(
        *("refine", tmp_path / "awkward.json", "--test", "2-rlwl"),
        *("--colours", of_vertices, "--tuples", of_tuples),
    )
    assert result.exit_code == 0, result.stderr
    found = wlkg.refine(awkward, "2-rlwl")
    names = awkward.vertex_names
    assert rows_of(of_vertices) == [
        {"vertex": name, "colour": colour}
        for name, colour in zip(names, found.vertices.partition().colours.tolist(), strict=True)
    ]
    colours = found.partition.colours.reshape(len(names), len(names))
    assert rows_of(of_tuples) == [
        {"vertex1": v, "vertex2": w, "colour": int(colours[i, j])}
        for i, v in enumerate(names)
        for j, w in enumerate(names)
    ]


def test_a_carriage_return_in_a_name_does_not_break_a_line(tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a\rb", "r", "c")])
    wlkg.write(graph, tmp_path / "cr.json")
    target = tmp_path / "x.csv"
    assert run("refine", tmp_path / "cr.json", "--colours", target).exit_code == 0
    assert [row["vertex"] for row in rows_of(target)] == list(graph.vertex_names)


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
@pytest.mark.parametrize(("text", "count"), [(b"?\n", 0), (b"@\n", 1)])
def test_colours_of_the_smallest_graphs_are_written_too(
    suffix: str, text: bytes, count: int, tmp_path: Path
) -> None:
    path, target = tmp_path / "small.g6", tmp_path / f"y.{suffix}"
    path.write_bytes(text)
    for test, titles in (("3-rlwl", ["vertex1", "vertex2", "vertex3"]), ("1-rwl", ["vertex1"])):
        result = run("refine", path, "--test", test, "--tuples", target, "--json")
        assert result.exit_code == 0, result.stderr
        assert json.loads(result.stdout)["classes_per_round"] == [count]
        assert rows_of(target) == [{**dict.fromkeys(titles, "0"), "colour": 0}] * count
        if suffix == "csv":
            assert target.read_text().splitlines()[0] == ",".join([*titles, "colour"])
        if suffix == "parquet":
            import pyarrow.parquet

            assert pyarrow.parquet.read_schema(target).names == [*titles, "colour"]


def test_refine_tells_about_tuples_and_vertices() -> None:
    document = json.loads(run("refine", "example:c6", "--test", "2-rlwl", "--json").stdout)
    assert document["schema"] == "wlkg/refine/1"
    assert (document["test"], document["arity"]) == ("2-rlwl", 2)
    assert (document["classes_per_round"], document["rounds"]) == ([3, 4], 1)
    assert (document["classes"], document["vertex_classes"]) == (4, 1)
    # Six of distance 0, twelve of 1, twelve of 2, six of 3.
    alike = 2 * (6 * 5 // 2 + 12 * 11 // 2)
    assert document["indistinguishable_pairs"] == alike
    assert document["distinguishable_pairs"] == 36 * 35 // 2 - alike
    assert document["stable"] is document["exact"] is True
    text = run("refine", "example:c6", "--test", "2-rlwl").stdout
    assert "stable at round 1 with 4 classes of 36 pairs of vertices" in text
    assert "as colours of vertices: 1 class of 6" in text


def test_rounds_of_tuples_may_be_stopped_early() -> None:
    document = json.loads(
        run("refine", "example:c6", "--test", "2-rlwl", "--rounds", "0", "--json").stdout
    )
    assert (document["classes_per_round"], document["stable"]) == ([3], False)


@pytest.mark.parametrize("command", ["refine", "pairs"])
def test_tuples_that_do_not_fit_are_refused_with_status_3(command: str) -> None:
    result = run(command, "example:cycles-g,n=50", "--test", "9-rlwl")
    assert result.exit_code == 3
    assert result.stdout == ""
    assert "100 vertices has 1,000,000,000,000,000,000 tuples" in result.stderr
    assert result.stderr.count("\n") == 1
    small = run(command, "example:c6", "--test", "2-rlwl", "--max-memory", "0.5k")
    assert small.exit_code == 3
    assert "36 tuples" in small.stderr
    assert "more than the 500 allowed" in small.stderr
    assert run(command, "example:c6", "--test", "2-rlwl", "--max-memory", "1MB").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["refine", "example:c6", "--test", "0-rlwl"], "unknown test '0-rlwl'. Known: 1-wl"),
        (["refine", "example:c6", "--test", "2-rwl"], "K-rlwl, delta-K-lwl, K-wl, K-fwl"),
        # Found out before the graph is read.
        (["refine", "nothing.nt", "--tuples", "t.txt"], "t.txt: colours are written as .csv"),
        (["refine", "nothing.nt", "--tuples", "no/t.csv"], "no/t.csv: there is no such folder"),
        (["refine", "example:c6", "--max-memory", "lots"], "'lots' is not a memory size"),
        (["pairs", "example:c6", "--max-memory", "-1"], "'-1' is not a memory size"),
        (["compare", "example:c6", "example:c6", "--max-memory", "1x"], "Write it as 4G"),
        (["compare", "example:c6", "example:c6", "--test", "9-lwl"], "unknown test '9-lwl'"),
        (["compare", "example:c6", "nothing.nt"], "nothing.nt: no such file"),
        (["compare", "example:c6", "example:two-cycles-g"], "Say which to take with --direction"),
    ],
)
def test_a_mistake_about_tests_ends_in_one_line_and_status_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(arguments, message)
    assert list(tmp_path.iterdir()) == []


def test_pairs_that_only_tuples_tell_apart_are_listed(tmp_path: Path) -> None:
    union = wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    path = tmp_path / "both.json"
    wlkg.write(union, path)
    options = ("--test", "2-rlwl", "--not-by", "1-rwl", "--limit", "50", "--json")
    document = json.loads(run("pairs", path, *options).stdout)
    assert (document["test"], document["not_by"], document["exact"]) == ("2-rlwl", "1-rwl", True)
    assert document["count"] == 36
    history = wlkg.refine(union, "2-rlwl").vertices
    assert {(v, w): t for v, w, t in document["pairs"]} == {
        (f"1/{v}", f"2/{w}"): history.separated_at(v, 6 + w) for v in range(6) for w in range(6)
    }
    blind = json.loads(run("pairs", path, "--test", "2-rlwl", "--not-by", "2-wl", "--json").stdout)
    assert (blind["count"], len(blind["pairs"])) == (36, 20)
    text = run("pairs", path, "--test", "2-rlwl", "--not-by", "1-rwl").stdout
    assert text.startswith("36 vertex pairs that 2-rlwl separates and 1-rwl does not\n")


# -- compare ------------------------------------------------------------------------------------


def test_compare_tells_every_verdict_the_weakest_test_and_isomorphism() -> None:
    result = run("compare", "example:c6", "example:2xc3")
    assert result.exit_code == 1
    assert result.stderr == ""
    words = [line.split() for line in result.stdout.splitlines()]
    for row in (
        ["example:c6", "example:2xc3"],
        ["vertices", "6", "6"],
        ["1-wl", "same", "0", "1"],
        ["weak-rwl", "same", "0", "1"],
        ["1-rwl", "same", "0", "1"],
        ["2-rlwl", "separated", "1", "2", "7"],
        ["3-rlwl", "separated", "0", "2", "31"],
    ):
        assert row in words
    assert "weakest separating test: 2-rlwl" in result.stdout
    assert "the graphs are not isomorphic" in result.stdout
    assert "direction undirected" in result.stdout


def test_compare_as_json_has_the_keys_that_scripts_rely_on() -> None:
    result = run("compare", "example:c6", "example:2xc3", "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["schema"] == "wlkg/compare/1"
    assert document["graphs"] == ["example:c6", "example:2xc3"]
    assert document["direction"] == "undirected"
    keys = {"test", "separated", "round", "rounds", "classes", "skipped"}
    assert all(set(verdict) >= keys for verdict in document["verdicts"])
    assert [
        (verdict["test"], verdict["separated"], verdict["round"])
        for verdict in document["verdicts"]
    ] == [
        ("1-wl", False, None),
        ("weak-rwl", False, None),
        ("1-rwl", False, None),
        ("2-rlwl", True, 1),
        ("3-rlwl", True, 0),
    ]
    assert [verdict["classes"] for verdict in document["verdicts"]] == [1, 1, 1, 7, 31]
    assert {verdict["skipped"] for verdict in document["verdicts"]} == {None}
    assert (document["weakest"], document["isomorphic"]) == ("2-rlwl", False)
    assert document["seconds"] >= 0


def test_compare_ends_with_0_where_no_test_separates() -> None:
    result = run("compare", "example:c6", "example:cycles-g")
    assert result.exit_code == 0
    assert "no test separates the graphs\nthe graphs are isomorphic\n" in result.stdout
    document = json.loads(run("compare", "example:c6", "example:cycles-g", "--json").stdout)
    assert (document["weakest"], document["isomorphic"]) == (None, True)


def test_compare_takes_several_tests() -> None:
    arguments = ("compare", "example:rook", "example:shrikhande")
    tests = ("--test", "2-fwl", "--test", "1-wl", "--test", "delta-2-lwl")
    result = run(*arguments, *tests, "--json")
    assert result.exit_code == 0, "none of these separates"
    document = json.loads(result.stdout)
    assert [v["test"] for v in document["verdicts"]] == ["2-fwl", "1-wl", "delta-2-lwl"]
    assert (document["weakest"], document["isomorphic"]) == (None, False)
    assert run(*arguments, *tests, "--test", "3-rlwl").exit_code == 1


def test_compare_names_all_weakest_tests() -> None:
    result = run("compare", "example:two-cycles-g", "example:two-cycles-h")
    assert "weakest separating test: 1-wl and 2-rlwl" in result.stdout


def test_compare_skips_what_does_not_fit_and_says_why() -> None:
    arguments = ("compare", "example:c6", "example:2xc3", "--max-memory", "1k")
    result = run(*arguments)
    assert result.exit_code == 0, "no test that was run separates"
    words = [line.split() for line in result.stdout.splitlines()]
    assert ["1-rwl", "same", "0", "1"] in words
    assert ["2-rlwl", "skipped"] in words
    assert "skipped: 2-rlwl on 6 and 6 vertices has 72 tuples and needs" in result.stdout
    document = json.loads(run(*arguments, "--json").stdout)
    skipped = {v["test"]: v["skipped"] for v in document["verdicts"] if v["separated"] is None}
    assert list(skipped) == ["2-rlwl", "3-rlwl"]
    assert "432 tuples" in skipped["3-rlwl"]
    assert "more than the 1,000 allowed" in skipped["3-rlwl"]
    assert (document["weakest"], document["isomorphic"]) == (None, False)


def test_compare_says_when_isomorphism_was_not_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def undecided(*_: object, seconds: float) -> None:
        asked.append(seconds)

    monkeypatch.setattr("wlkg.analysis.compare.decide_isomorphism", undecided)
    arguments = ("compare", "example:rook", "example:shrikhande", "--test", "1-rwl")
    text = run(*arguments, "--isomorphism-seconds", "0.5")
    assert text.exit_code == 0
    assert "was not decided in time" in text.stdout
    assert json.loads(run(*arguments, "--json").stdout)["isomorphic"] is None
    assert asked == [0.5, 10.0]


def test_compare_reads_both_graphs_with_the_same_options(tmp_path: Path) -> None:
    path = tmp_path / "c6.tsv"
    path.write_text("".join(f"{i}\tedge\t{(i + 1) % 6}\n" for i in range(6)))
    assert run("compare", path, "example:c6").exit_code == 2
    result = run("compare", path, "example:c6", "--direction", "undirected", "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert (document["direction"], document["isomorphic"]) == ("undirected", True)
    labels = tmp_path / "labels.tsv"
    labels.write_text("".join(f"{i}\t{'red' if i < 3 else 'blue'}\n" for i in range(6)))
    split = run("compare", "example:c6", "example:2xc3", "--labels", labels, "--json")
    verdicts = json.loads(split.stdout)["verdicts"]
    assert [verdict["round"] for verdict in verdicts[:3]] == [1, 1, 1]


def test_compare_notes_names_that_only_one_graph_has(people: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("ann\tloves\tbob\nbob\tis\tx\n")
    result = run("compare", people, other)
    assert result.exit_code == 1
    assert "1 relation only in the first graph: knows" in result.stdout
    assert "1 relation only in the second graph: loves" in result.stdout
    assert len(json.loads(run("compare", people, other, "--json").stdout)["notes"]) == 2


# -- counterexample -----------------------------------------------------------------------------


def test_counterexample_lists_all_families() -> None:
    result = run("counterexample")
    assert result.exit_code == 0
    starts = {line.split()[0].partition(",")[0] for line in result.stdout.splitlines() if line}
    assert starts >= {*FAMILIES, "lift"}
    assert "cfi,k=2,r=1" in result.stdout
    document = json.loads(run("counterexample", "--json").stdout)
    assert document["schema"] == "wlkg/counterexample/1"
    listed = document["counterexamples"]
    assert [entry["name"] for entry in listed] == list(FAMILIES)
    for entry in listed:
        assert set(entry) >= {"name", "parameters", "verdicts"}
        assert all({"test", "separated", "round"} <= set(claim) for claim in entry["verdicts"])


def test_counterexample_shows_graphs_and_claims() -> None:
    result = run("counterexample", "cfi", "-k", "3", "-r", "2")
    assert result.exit_code == 0
    words = [line.split() for line in result.stdout.splitlines()]
    for row in (
        ["cfi-g,k=3,r=2", "cfi-h,k=3,r=2"],
        ["vertices", "28", "28"],
        ["triples", "108", "108"],
        ["relations", "2", "2"],
        ["2-rlwl", "same"],
        ["3-rlwl", "separated", "at", "round", "2"],
    ):
        assert row in words
    assert "holds" not in result.stdout, "nothing was checked"
    document = json.loads(run("counterexample", "cfi,r=2", "-k", "3", "--json").stdout)
    assert document["schema"] == "wlkg/counterexample/1"
    assert (document["name"], document["parameters"]) == ("cfi", {"k": 3, "r": 2})
    assert {"test": "3-rlwl", "separated": True, "round": 2} in document["verdicts"]
    assert (document["checked"], document["written"]) == (False, [])
    assert [graph["vertices"] for graph in document["graphs"]] == [28, 28]


def test_counterexample_checks_its_claims() -> None:
    result = run("counterexample", "weak-rwl", "--check")
    assert result.exit_code == 0
    words = [line.split() for line in result.stdout.splitlines()]
    assert ["about", "the", "vertices", "v", "and", "w"] in words
    assert ["weak-rwl", "same", "same", "yes"] in words
    assert ["1-rwl", *["separated", "at", "round", "1"] * 2, "yes"] in words
    document = json.loads(run("counterexample", "cfi", "--check", "--json").stdout)
    assert document["checked"] is True
    keys = {"test", "separated", "round", "rounds", "classes", "skipped"}
    for verdict in document["verdicts"]:
        assert set(verdict) >= keys
        assert verdict["holds"] is True
        assert verdict["claimed"]["test"] == verdict["test"]
    assert document["facts"]
    assert all(fact["holds"] for fact in document["facts"])


def test_counterexample_skips_claims_that_do_not_fit() -> None:
    result = run("counterexample", "cycles", "--check", "--max-memory", "1k")
    assert result.exit_code == 0
    words = [line.split() for line in result.stdout.splitlines()]
    assert ["1-rwl", "same", "same", "yes"] in words
    assert ["2-fwl", "separated", "at", "round", "1", "skipped"] in words
    assert "skipped: 2-fwl on 6 and 6 vertices has 72 tuples" in result.stdout


def test_counterexample_writes_its_graphs(tmp_path: Path) -> None:
    folder = tmp_path / "graphs"
    arguments = ("counterexample", "cycles", "-n", "5", "--out", folder, "--format", "graphml")
    result = run(*arguments)
    assert result.exit_code == 0
    paths = [folder / "cycles-g-n5-r1.graphml", folder / "cycles-h-n5-r1.graphml"]
    assert [f"written: {path}" for path in paths] == result.stdout.splitlines()[-2:]
    assert json.loads(run(*arguments, "--json").stdout)["written"] == [str(path) for path in paths]
    compared = json.loads(run("compare", *paths, "--json").stdout)
    assert (compared["weakest"], compared["isomorphic"]) == ("2-rlwl", False)


def test_a_lift_of_any_graph_is_a_counterexample(tmp_path: Path) -> None:
    path = tmp_path / "ring.ttl"
    path.write_text("@prefix : <a:> . :a :p :b . :b :p :c . :c :p :a ; :q 'x' .")
    result = run("counterexample", "lift", "--of", path)
    assert result.exit_code == 0
    words = [line.split() for line in result.stdout.splitlines()]
    assert ["vertices", "8", "8"] in words
    assert ["1-rwl", "same", "same", "yes"] in words
    assert "the weakest test of the ladder that separates them: 2-rlwl" in result.stdout
    dropped = run("counterexample", "lift", "--of", path, "--literals", "drop", "--json")
    document = json.loads(dropped.stdout)
    assert document["parameters"] == {"of": str(path), "seed": 0}
    assert [graph["vertices"] for graph in document["graphs"]] == [6, 6]
    assert [v["separated"] for v in document["verdicts"]] == [False, False, False, False, True]
    blind = run("counterexample", "lift", "--of", path, "--max-memory", "1k")
    assert blind.exit_code == 0
    assert "no test that fits into memory separates them" in blind.stdout


# -- how it ends --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "nothing.nt"], "nothing.nt: no such file"),
        (["info", "-"], "reading from standard input needs --format"),
        (["info", "example:nothing"], "unknown example 'nothing'. Known: 2xc3, c6"),
        (["info", "example:c6,k=3"], "unknown parameter of example 'c6': 'k'. Known: r"),
        (["info", "example:c6,r=x"], "r must be a whole number, found 'x'"),
        (["info", "example:c6,r=0"], "r must be at least 1, found 0"),
        (["info", "example:c6", "--direction", "up"], "unknown direction 'up'. Known: both"),
        (["info", "example:c6", "--labels", "type"], "the graph has no relation"),
        (["info", "example:c6", "--literals", "no"], "unknown literal policy 'no'. Known: shared"),
        (["info", "a.tsv", "--format", "word"], "unknown format 'word'. Known: ntriples"),
        (["convert", "example:c6", "no/where.g6"], "cannot be written: No such file"),
    ],
)
def test_a_mistake_ends_in_one_line_on_stderr_and_status_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(arguments, message)


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["info"], ["info", "example:c6", "--nonsense"], ["info", "a", "[/b]"]],
)
def test_bad_usage_ends_with_status_2_and_no_traceback(arguments: list[str]) -> None:
    done = run_process(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Usage: wlkg" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_suffix_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "graph.docx"
    path.write_bytes(b"x")
    result = run("info", path)
    assert result.exit_code == 2
    assert "unknown suffix '.docx'" in result.stderr
    assert "--format" in result.stderr
    assert all(f" {suffix} " in result.stderr for suffix in SUFFIXES)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TooLargeError("it would not fit"), 3),
        (MemoryError(), 3),
        (MissingExtraError("this", "gnn"), 4),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_kind_of_failure_has_its_exit_status(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> RelationalGraph:
        raise error

    monkeypatch.setattr("wlkg.readers.read.read", fail)
    result = run("info", "example:c6")
    assert result.exit_code == status
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_document_beyond_the_limit_is_refused_with_status_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.g6"
    path.write_bytes(b"A_\n" * 50)
    monkeypatch.setattr("wlkg.readers.source.DOCUMENT_LIMIT", 100)
    result = run("info", path)
    assert result.exit_code == 3
    assert "more than 100 bytes" in result.stderr


@pytest.mark.parametrize("name", ["tsv", "nt", "turtle", "graph6"])
def test_ctrl_c_while_reading_a_pipe_ends_with_status_130(name: str) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "info", "-", "--format", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"\n")
    process.stdin.flush()
    wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    try:
        status = process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail("it went on waiting for input")
    finally:
        out, err = process.communicate()
    assert (status, out) == (130, b"")
    assert b"Traceback" not in err
    assert err.endswith(b"error: interrupted\n")


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Until the pipe is empty, that is until the program has taken what was written, and a bit."""
    assert process.stdin is not None
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        left = int.from_bytes(pending_bytes(process.stdin.fileno()), sys.byteorder)
        if not left:
            break
        time.sleep(0.02)
    time.sleep(0.3)


def pending_bytes(descriptor: int) -> bytes:
    import fcntl
    import termios

    return fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0")


def test_a_closed_pipe_is_no_reason_for_a_traceback(people: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "info", people], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=30)
    assert b"Traceback" not in errors


# -- what it looks like -------------------------------------------------------------------------


def test_the_version_is_shown_by_script_and_module() -> None:
    script = Path(sys.executable).with_name("wlkg")
    for command in (PROGRAM, [script] if script.exists() else PROGRAM):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"wlkg {wlkg.__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_the_commands_and_their_options(flag: str) -> None:
    top = run(flag)
    assert top.exit_code == 0
    assert all(name in top.stdout for name in ("info", "convert", "--version"))
    command = run("info", flag)
    assert command.exit_code == 0
    options = ("--json", "--format", "--direction", "--literals", "--columns", "--labels")
    assert all(option in command.stdout for option in options)
    assert "wlkg info museum.nt.xz" in command.stdout


@pytest.mark.parametrize("command", ["info", "convert", "refine", "pairs", "compare"])
def test_help_has_examples_of_the_command(command: str) -> None:
    result = run(command, "--help")
    assert result.exit_code == 0
    examples = result.stdout.partition("Examples:")[2]
    assert examples.count(f"\n    wlkg {command} ") >= 2


def test_help_of_counterexample_tells_how_to_check_write_and_lift() -> None:
    examples = run("counterexample", "--help").stdout.partition("Examples:")[2]
    for words in ("cfi -k 3 --check", "--out graphs --format graphml", "lift --of family.ttl"):
        assert words in examples


@pytest.mark.parametrize("command", ["refine", "pairs", "compare"])
def test_help_names_every_kind_of_test(command: str) -> None:
    text = "".join(run(command, "--help").stdout.split())
    assert all(test in text for test in (*wlkg.TESTS, *wlkg.TUPLE_TESTS, "--max-memory"))


def test_the_options_on_the_command_line_are_those_of_reading() -> None:
    from dataclasses import fields

    from wlkg.commands.options import Reading
    from wlkg.readers.options import ReadOptions

    known = {field.name for field in fields(ReadOptions)}
    assert {field.name for field in fields(Reading)} == known | {"format", "direction", "labels"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completion_script_is_printed(shell: str) -> None:
    done = run_process(
        "--show-completion",
        shell,
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "_WLKG_COMPLETE" in done.stdout


HOSTILE = "[red]x[/] [/bad] \x1b[31m\x07 :cat: \u202e"


def test_hostile_names_are_shown_harmlessly(tmp_path: Path) -> None:
    path = tmp_path / "[bold]:cat:.tsv"
    path.write_text(f"a\t{HOSTILE}\tb\n")
    result = run("info", path)
    assert result.exit_code == 0
    assert r"[red]x[/] [/bad] \x1b[31m\x07 :cat: \u202e" in result.stdout
    assert "[bold]:cat:.tsv" in result.stdout.replace("\n", "")
    converted = run("convert", path, tmp_path / "[i]:cat:\x1b.nt")
    assert converted.stdout.startswith(f"{tmp_path}/[i]:cat:\\x1b.nt: 2 vertices")
    failed = run("info", tmp_path / "\x1b[2J[red]\n.tsv")
    assert failed.stderr == f"error: {tmp_path}/\\x1b[2J[red]\\n.tsv: no such file\n"
    assert "\x1b" not in result.output + converted.output + failed.output


def test_output_in_a_pipe_keeps_to_80_columns(tmp_path: Path) -> None:
    path = tmp_path / f"{'long' * 30}.tsv"
    names = ["http://example.org/" + "x" * 200, "日本" * 60, "short"]
    rows = [f"{name} {i}\t{name} {i}\tb{i}\n" for name in names for i in range(9)]
    path.write_text("".join(rows) + '<a:b>\tr\t"x"\n_:b\tr\t_:b\n')
    done = run_process("info", path, env=os.environ | {"COLUMNS": "200"})
    assert done.returncode == 0
    assert "more relations" in done.stdout
    from rich.cells import cell_len

    assert max(map(cell_len, done.stdout.splitlines())) <= 80


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A graph with a cycle; all its names are hostile, some of them wide and long."""
    long = "http://example.org/" + "x" * 200
    names = [f"{HOSTILE}{i}" for i in range(3)] + [long, "日本" * 60, f"{HOSTILE}{long}", "\x9b1m"]
    path = tmp_path / "[bold]:cat:\x1b[2J日本日本日本日本日本日本日本日本日本日本日本日本.tsv"
    ring = zip(names, [*names[1:], names[0]], strict=True)
    path.write_text("".join(f"{v}\t{v} {i}\t{w}\n" for i, (v, w) in enumerate(ring)))
    return path


def check_harmless(text: str) -> None:
    """Lines fit, but for those with whole paths and reasons, and nothing steers the terminal."""
    from rich.cells import cell_len

    assert all(ch.isprintable() or ch == "\n" for ch in text)
    for line in text.splitlines():
        assert cell_len(line) <= 80 or line.startswith(("written: ", "skipped: ")), line


@pytest.mark.parametrize(
    "arguments",
    [
        ["refine", "HOSTILE"],
        ["refine", "HOSTILE", "--test", "2-rlwl", "--rounds", "0"],
        ["refine", "HOSTILE", "--test", "1-wl"],
        ["pairs", "HOSTILE", "--test", "2-rlwl"],
        ["pairs", "HOSTILE", "--limit", "3"],
        ["compare", "HOSTILE", "HOSTILE"],
        ["compare", "HOSTILE", "OTHER", "--max-memory", "1k"],
        ["counterexample", "lift", "--of", "HOSTILE"],
        ["counterexample", "lift", "--of", "HOSTILE", "--out", "OUT", "--format", "json"],
        ["counterexample"],
        *[["counterexample", name, "--check"] for name in ("cfi", "csl", "direction-matters")],
        ["counterexample", "csl,n=999,a=77,b=88"],
    ],
)
def test_reports_are_narrow_and_harmless_whatever_the_names(
    arguments: list[str], hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile.parent)
    places = {"HOSTILE": hostile.name, "OTHER": "\x07other[i].tsv", "OUT": "[red]\x1b\n"}
    Path(places["OTHER"]).write_text(f"a\t{HOSTILE}\tb\n")
    result = run(*[places.get(word, word) for word in arguments])
    assert result.exit_code == ("OTHER" in arguments), result.output
    check_harmless(result.stdout)
    check_harmless(result.stderr)
    document = run(*[places.get(word, word) for word in arguments], "--json")
    assert document.exit_code == result.exit_code
    json.loads(document.stdout)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", document.stdout)


def test_an_encoding_without_the_letters_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("a\té日\tb\n")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run_process("info", path, env=environment)
    assert done.returncode == 0, done.stderr
    assert r"\xe9\u65e5" in done.stdout


def test_long_names_are_cut_after_their_first_third() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 10) == "abc…fghijk"
    assert printable("é\t\x9b") == r"é\t\x9b"


def test_two_runs_give_the_same_json_whatever_the_hash_seed(tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(
        "@prefix : <http://e/> . "
        + " ".join(f':v{i} :p{i % 3} :v{i * 7 % 11}, [ :q "{i}" ] .' for i in range(11))
    )
    texts = []
    for seed in ("1", "2"):
        done = run_process(
            "info", path, "--json", "--labels", "kind", env=os.environ | {"PYTHONHASHSEED": seed}
        )
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        texts.append([line for line in lines if not line.startswith('  "seconds"')])
        assert len(texts[-1]) == len(lines) - 1
    assert texts[0] == texts[1]


def test_every_format_may_be_named_on_the_command_line() -> None:
    result = run("info", "-", "--format", "nonsense")
    assert all(name in result.stderr for name in FORMATS)


# -- progress -----------------------------------------------------------------------------------


def test_progress_is_silent_where_nobody_watches(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progressbar, "_PATIENCE", 0.0)
    result = run("info", people)
    assert "reading" not in result.stderr


def run_slowly_on_terminal(command: list[str], chunks: list[bytes]) -> tuple[int, str]:
    """Exit status and what a terminal would have got on stderr, with input that takes its time."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=side
    )
    os.close(side)

    def feed() -> None:
        assert process.stdin is not None
        with process.stdin:
            for chunk in chunks:
                process.stdin.write(chunk)
                process.stdin.flush()
                time.sleep(0.15)

    feeder = threading.Thread(target=feed)
    feeder.start()
    shown = b""
    try:
        while select.select([main], [], [], 30)[0]:
            try:
                data = os.read(main, 4096)
            except OSError:  # the other side is closed
                break
            shown += data
        return process.wait(timeout=30), shown.decode()
    finally:
        process.kill()
        feeder.join()
        os.close(main)


def test_progress_on_slow_input_is_shown_on_a_terminal() -> None:
    program = (
        "import sys; from wlkg.reports import progressbar; progressbar._PATIENCE = 0.3;"
        "from wlkg.cli import app; app(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, "info", "-", "--format", "graph6"]
    status, shown = run_slowly_on_terminal(command, [b"A_\n", *[b"\n" * 600_000] * 9])
    assert status == 0
    assert "reading -" in shown
    assert "MB" in shown
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l"), "the cursor is back"


class Terminal:
    """Something that says it is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...


@contextmanager
def terminal(patience: float = 0.0) -> Iterator[Terminal]:
    """Stderr as a terminal; not a fixture, because pytest changes stderr after those."""
    fake = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", fake)
        patch.setattr(progressbar, "_PATIENCE", patience)
        patch.setattr(progressbar, "_INTERVAL", 0.0)
        patch.setenv("TERM", "xterm")
        yield fake


def test_a_file_name_cannot_steer_the_progress_bar() -> None:
    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading [/red] :cat: \x1b[2J", 100, "bytes")
        progress.done(50)
        progress.count(7, "triples")
        progress.finish()
    assert r"reading [/red] :cat: \x1b[2J" in screen.text
    assert "\x1b[2J" not in screen.text
    assert "7 triples" in screen.text


def test_reports_after_the_end_draw_nothing() -> None:
    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", None, "bytes")
        progress.done(50)
        progress.finish()
        before = screen.text
        assert "reading" in before
        progress.done(60)
        progress.count(3, "triples")
        assert screen.text == before


def test_reports_from_several_threads_draw_one_bar() -> None:
    failures: list[Exception] = []

    def report() -> None:
        try:
            for amount in range(20):
                progress.done(amount)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", 100, "bytes")
        threads = [threading.Thread(target=report) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        progress.finish()
    assert failures == []
    assert "reading" in screen.text


def test_fast_work_draws_no_bar() -> None:
    with terminal(patience=1000.0) as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", 100, "bytes")
        progress.done(50)
        progress.finish()
    assert screen.text == ""
