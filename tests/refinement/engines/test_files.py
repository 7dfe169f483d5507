"""Graphs refined from their files: the same numbers and colours as with the graph in memory."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

import wlkg
from tests.refinement.engines.tiny_graphs import many_tiny_graphs
from wlkg.catalogue import DIRECTIONS, VertexTest
from wlkg.errors import InputError, OutputError, UsageError
from wlkg.readers.formats import FORMATS
from wlkg.readers.options import ReadOptions
from wlkg.readers.streaming import STREAMED_FORMATS, can_stream
from wlkg.refinement.engines.duckdb_engine import files
from wlkg.refinement.engines.duckdb_engine.database import Database
from wlkg.refinement.engines.duckdb_engine.files import refine_file
from wlkg.refinement.engines.duckdb_engine.rounds import DatabaseRounds
from wlkg.refinement.refine import refine
from wlkg.writers.write import write


def _assert_equal(path: Path, tmp_path: Path, test: str = "1-rwl", **options: Any) -> None:
    """The file gives the same, with the engine duckdb, as the graph in memory."""
    graph = wlkg.read(path, **options)
    colours = tmp_path / "colours.parquet"
    direction = graph.direction
    reading = ReadOptions(**options)
    summary = refine_file(str(path), test, direction, options=reading, colours=str(colours))
    expected = refine(graph, test)
    assert summary.vertices == graph.num_vertices
    assert list(summary.classes_per_round) == expected.classes_per_round
    assert summary.rounds == expected.rounds
    assert summary.stable
    assert summary.exact
    assert summary.distinguishable_pairs == expected.distinguishable_pairs
    assert summary.indistinguishable_pairs == expected.indistinguishable_pairs
    table = pq.read_table(colours)
    assert table["vertex"].to_pylist() == list(graph.vertex_names)
    assert table["colour"].to_pylist() == expected.partition.colours.tolist()


@pytest.mark.parametrize("suffix", [".nt", ".nt.gz", ".tsv", ".csv", ".parquet"])
def test_every_streamed_format_gives_what_the_graph_in_memory_gives(
    tmp_path: Path, suffix: str
) -> None:
    graph = many_tiny_graphs(40, seed=7, labels=False)
    path = tmp_path / f"graph{suffix}"
    write(graph, path, lossy=True)
    assert can_stream(str(path))
    _assert_equal(path, tmp_path)


@pytest.mark.parametrize("test", ["1-wl", "weak-rwl", "1-rwl", "mean-rwl"])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_every_test_in_every_direction(tmp_path: Path, test: str, direction: str) -> None:
    path = tmp_path / "graph.tsv"
    write(many_tiny_graphs(40, seed=8, labels=False), path, lossy=True)
    summary = refine_file(str(path), test, direction)  # type: ignore[arg-type]
    expected = refine(wlkg.read(path), test, direction)  # type: ignore[arg-type]
    assert list(summary.classes_per_round) == expected.classes_per_round
    assert summary.arcs == len(expected.graph.arcs()) or test == "1-wl"


@pytest.mark.parametrize("literals", ["shared", "occurrence", "drop"])
def test_names_of_all_kinds_are_numbered_in_the_canonical_order(
    tmp_path: Path, literals: str
) -> None:
    path = tmp_path / "graph.nt"
    path.write_text(
        '<urn:b> <urn:r> "x"@en .\n<urn:b> <urn:r> "x" .\n_:a <urn:r> "x\\ty" .\n'
        '_:a <urn:s> "x" .\n# a remark\n<urn:é> <urn:r> <urn:r> .\n<urn:b> <urn:r> "x"@en .\n'
    )
    _assert_equal(path, tmp_path, literals=literals)


def test_numbers_come_first_and_by_value_and_quoted_names_keep_their_commas(
    tmp_path: Path,
) -> None:
    path = tmp_path / "graph.csv"
    path.write_text('10,r,9\n9,r,"a,b"\n007,r,10\n"a,b",10,"say ""x"""\n')
    _assert_equal(path, tmp_path)
    written = tmp_path / "colours.csv"
    refine_file(str(path), colours=str(written))
    local = wlkg.refine(wlkg.read(path))
    rows = [
        [name, str(colour)]
        for name, colour in zip(
            local.graph.vertex_names, local.partition.colours.tolist(), strict=True
        )
    ]
    with written.open(newline="") as lines:
        assert list(csv.reader(lines)) == [["vertex", "colour"], *rows]


def test_a_collision_in_a_run_from_a_file_is_repaired(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    attempts = []

    class Blind(DatabaseRounds):
        def __init__(self, database: Database, test: VertexTest, relations: int, seed: int) -> None:
            attempts.append(seed)
            super().__init__(database, test, relations, seed, 64 if seed else 0)

    monkeypatch.setattr(files, "DatabaseRounds", Blind)
    path = tmp_path / "graph.tsv"
    write(many_tiny_graphs(10, seed=9, labels=False), path, lossy=True)
    _assert_equal(path, tmp_path)
    assert attempts == [0, 1]


def test_stopping_early(tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    write(many_tiny_graphs(10, seed=9, labels=False), path, lossy=True)
    summary = refine_file(str(path), rounds=1)
    assert not summary.stable
    assert summary.rounds == 1


def test_what_cannot_be_done_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    path.write_text("a\tr\n")
    with pytest.raises(InputError, match="line 1: expected 3 tab-separated fields, found 2"):
        refine_file(str(path))
    path.write_text("# nothing\n")
    with pytest.raises(InputError, match="the file holds no triple"):
        refine_file(str(path))
    with pytest.raises(OutputError, match=r"writes colours as \.parquet or \.csv"):
        refine_file(str(path), colours="colours.json")
    with pytest.raises(UsageError, match="must not be negative, found -1"):
        refine_file(str(path), rounds=-1)


def test_only_single_files_of_lines_and_tables_are_streamed(tmp_path: Path) -> None:
    assert not can_stream("example:c6")
    assert not can_stream(str(tmp_path))
    turtle = tmp_path / "graph.ttl"
    turtle.touch()
    assert not can_stream(str(turtle))
    assert can_stream(str(turtle), "nt")
    assert set(STREAMED_FORMATS) < set(FORMATS)


def test_public_data_from_its_file(data_dir: Path, tmp_path: Path) -> None:
    _assert_equal(data_dir / "aifb" / "aifb_stripped.nt.gz", tmp_path)
