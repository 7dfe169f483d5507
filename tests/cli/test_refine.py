"""``wlkg refine``: what it prints, and the files of colours."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import wlkg
from tests.cli.running import Run, RunJson
from tests.places import EXAMPLE_GRAPHS
from wlkg import RelationalGraph
from wlkg.graph.digest import graph_digest


def test_refine_prints_the_keys_that_scripts_rely_on(run_json: RunJson) -> None:
    document = run_json("refine", "example:c6")
    assert document.pop("seconds") >= 0
    assert document.pop("compile_seconds") >= 0
    assert document.pop("version") == wlkg.__version__
    (source,) = document.pop("inputs")
    assert source["path"] == "example:c6"
    assert source["options"] == {}
    assert source["sha256"] == graph_digest(wlkg.read("example:c6"))
    assert document == {
        "schema": "wlkg/refine/1",
        "graph": "example:c6",
        "test": "1-rwl",
        "direction": "undirected",
        "rounds": 0,
        "stable": True,
        "exact": True,
        "proof": "every round was checked without hashing",
        "arity": 1,
        "classes": 1,
        "classes_per_round": [1],
        "distinguishable_pairs": 0,
        "indistinguishable_pairs": 15,
        "vertex_classes": 1,
        "engine": "local",
        "engine_reason": "the graph fits into memory",
    }


def test_the_text_of_refine_fits_80_columns_and_shows_rounds_classes_and_members(run: Run) -> None:
    result = run("refine", EXAMPLE_GRAPHS / "family.ttl")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 80
    for part in ("round", "pairs told apart", "stable at round", "largest classes", "exact"):
        assert part in result.stdout


def test_refine_counts_classes_of_tuples_and_of_vertices(run: Run, run_json: RunJson) -> None:
    document = run_json("refine", "example:c6", "--test", "2-rlwl")
    assert document["schema"] == "wlkg/refine/1"
    assert (document["test"], document["arity"]) == ("2-rlwl", 2)
    assert (document["classes_per_round"], document["rounds"]) == ([3, 4], 1)
    assert (document["classes"], document["vertex_classes"]) == (4, 1)
    # Six pairs at distance 0, twelve at 1, twelve at 2, six at 3.
    alike = 2 * (6 * 5 // 2 + 12 * 11 // 2)
    assert document["indistinguishable_pairs"] == alike
    assert document["distinguishable_pairs"] == 36 * 35 // 2 - alike
    assert document["stable"] is document["exact"] is True
    text = run("refine", "example:c6", "--test", "2-rlwl").stdout
    assert "stable at round 1 with 4 classes of 36 pairs of vertices" in text
    assert "as colours of vertices: 1 class of 6" in text


def test_a_tuple_test_stops_after_the_given_rounds(run_json: RunJson) -> None:
    document = run_json("refine", "example:c6", "--test", "2-rlwl", "--rounds", "0")
    assert (document["classes_per_round"], document["stable"]) == ([3], False)


# -- colours --------------------------------------------------------------------------------------


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
def test_colours_are_written_with_names(run: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"colours.{suffix}"
    result = run("refine", EXAMPLE_GRAPHS / "weak-rwl.json", "--colours", target)
    assert result.exit_code == 0
    assert "stable at round 1" in result.stdout
    graph = wlkg.read(EXAMPLE_GRAPHS / "weak-rwl.json")
    colours = wlkg.refine(graph).partition.colours.tolist()
    assert rows_of(target) == [
        {"vertex": name, "colour": colour}
        for name, colour in zip(graph.vertex_names, colours, strict=True)
    ]
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
@pytest.mark.parametrize("chunk", [7, 500_000])
def test_colours_of_tuples_and_of_vertices_are_written_with_names(
    run: Run,
    suffix: str,
    chunk: int,
    awkward: RelationalGraph,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("wlkg.reports.row_files.CHUNK", chunk)
    of_vertices, of_tuples = tmp_path / f"x.{suffix}", tmp_path / f"y.{suffix}"
    result = run(
        *("refine", tmp_path / "awkward.json", "--test", "2-rlwl"),
        *("--colours", of_vertices, "--tuples", of_tuples),
    )
    assert result.exit_code == 0, result.stderr
    refinement = wlkg.refine(awkward, "2-rlwl")
    names = awkward.vertex_names
    vertex_colours = refinement.vertices.partition().colours.tolist()
    assert rows_of(of_vertices) == [
        {"vertex": name, "colour": colour}
        for name, colour in zip(names, vertex_colours, strict=True)
    ]
    colours = refinement.partition.colours.reshape(len(names), len(names))
    assert rows_of(of_tuples) == [
        {"vertex1": v, "vertex2": w, "colour": int(colours[i, j])}
        for i, v in enumerate(names)
        for j, w in enumerate(names)
    ]


def test_a_carriage_return_in_a_name_does_not_break_a_line(run: Run, tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a\rb", "r", "c")])
    wlkg.write(graph, tmp_path / "cr.json")
    target = tmp_path / "x.csv"
    assert run("refine", tmp_path / "cr.json", "--colours", target).exit_code == 0
    assert [row["vertex"] for row in rows_of(target)] == list(graph.vertex_names)


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
@pytest.mark.parametrize(("text", "count"), [(b"?\n", 0), (b"@\n", 1)])
def test_colours_of_the_smallest_graphs_are_written(
    run_json: RunJson, suffix: str, text: bytes, count: int, tmp_path: Path
) -> None:
    path, target = tmp_path / "small.g6", tmp_path / f"y.{suffix}"
    path.write_bytes(text)
    for test, titles in (("3-rlwl", ["vertex1", "vertex2", "vertex3"]), ("1-rwl", ["vertex1"])):
        document = run_json("refine", path, "--test", test, "--tuples", target)
        assert document["classes_per_round"] == [count]
        assert rows_of(target) == [{**dict.fromkeys(titles, "0"), "colour": 0}] * count
        if suffix == "csv":
            assert target.read_text().splitlines()[0] == ",".join([*titles, "colour"])
        if suffix == "parquet":
            import pyarrow.parquet

            assert pyarrow.parquet.read_schema(target).names == [*titles, "colour"]


def test_compiling_is_not_counted_as_refining(
    run: Run, run_json: RunJson, monkeypatch: pytest.MonkeyPatch
) -> None:
    from wlkg.compiled import compilation

    plain = run("refine", "example:c6").stdout.splitlines()[-1]
    assert "compiled" not in plain
    original = wlkg.refine

    def compiles(*arguments: Any, **options: Any) -> Any:
        compilation._clock.total += 8.25
        return original(*arguments, **options)

    monkeypatch.setattr("wlkg.refinement.refine.refine", compiles)
    last = run("refine", "example:c6").stdout.splitlines()[-1]
    assert last == "refined in 0.000 s; compiled in 8.2 s (once)"
    document = run_json("refine", "example:c6")
    assert (document["seconds"], document["compile_seconds"]) == (0, 8.25)


def test_colours_are_written_under_both_spellings_and_said(run: Run, tmp_path: Path) -> None:
    for option in ("--colours", "--colors"):
        target = tmp_path / f"{option[2:]}.csv"
        result = run("refine", "example:c6", option, target)
        assert result.exit_code == 0
        assert result.stderr.startswith(f"note: wrote the colours of 6 vertices to {target}\n")
        assert len(target.read_text().splitlines()) == 7
    target = tmp_path / "tuples.csv"
    result = run("refine", "example:c6", "--test", "2-RLWL", "--tuples", target)
    assert result.stderr.startswith(f"note: wrote the colours of 36 tuples to {target}\n")
    assert result.stdout.startswith("example:c6: 2-rlwl")


@pytest.mark.parametrize(
    "arguments",
    [
        ["refine", "example:c6", "--test", "1-RWL"],
        ["pairs", "example:weak-rwl", "--test", "1-RWL", "--not-by", "Weak-RWL"],
        ["compare", "example:c6", "example:c6", "--test", "1-RWL", "--test", "2-RLWL"],
        ["explain", "example:weak-rwl", "v", "w", "--test", "1-RWL"],
        ["symmetry", "example:weak-rwl", "--test", "1-RWL"],
        ["certify", "example:c6", "example:2xc3", "--test", "1-RWL", "-o", "/dev/null"],
    ],
)
def test_names_of_tests_may_be_written_in_capitals(run: Run, arguments: list[str]) -> None:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    assert "RWL" not in result.stdout


def test_piped_text_has_no_trailing_spaces(run: Run) -> None:
    for command in (["info"], ["refine"], ["refine", "--test", "2-rlwl"], ["symmetry"]):
        result = run(command[0], "example:weak-rwl", *command[1:])
        assert not [line for line in result.stdout.splitlines() if line.endswith(" ")]
