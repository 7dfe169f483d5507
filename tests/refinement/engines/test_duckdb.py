"""The duckdb engine: collisions are caught, and failures are said in words."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest

import wlkg
from tests.refinement.engines.tiny_graphs import many_tiny_graphs
from wlkg.catalogue import VertexTest
from wlkg.errors import TooLargeError, WriteError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.engines.duckdb_engine import check, rounds, run
from wlkg.refinement.engines.duckdb_engine.database import Database, opened_database
from wlkg.refinement.engines.duckdb_engine.rounds import DatabaseRounds
from wlkg.refinement.proof import EVERY_ROUND, SORTED
from wlkg.refinement.refine import refine

every_test = pytest.mark.parametrize("test", ["1-wl", "weak-rwl", "1-rwl", "mean-rwl"])


@every_test
@pytest.mark.parametrize("bits", [0, 3])
def test_hashes_weakened_to_a_few_bits_are_detected_and_repaired(
    monkeypatch: pytest.MonkeyPatch, test: str, bits: int
) -> None:
    attempts = []

    class Weak(DatabaseRounds):
        def __init__(self, database: Database, test: VertexTest, relations: int, seed: int) -> None:
            attempts.append(seed)
            super().__init__(database, test, relations, seed, 64 if seed else bits)

    monkeypatch.setattr(run, "DatabaseRounds", Weak)
    draw = np.random.default_rng(0).integers
    n, m = 500, 1000
    graph = RelationalGraph.from_arrays(draw(0, n, m), draw(0, 3, m), draw(0, n, m), num_vertices=n)
    refinement, expected = refine(graph, test, engine="duckdb"), refine(graph, test)
    assert attempts == [0, 1]
    assert refinement.proof == EVERY_ROUND
    assert refinement.classes_per_round == expected.classes_per_round
    assert refinement.partition == expected.partition


def test_a_split_that_comes_too_late_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Half blind in round 2 only: the stable partition is right, only the rounds would be wrong."""
    answers: list[bool] = []

    class Blinking(DatabaseRounds):
        def _advance(self) -> int:
            kept = self._mask
            if self.rounds == 1 and not answers:
                self._mask = 1
            born = super()._advance()
            self._mask = kept
            return born

    def watched(database: Database, test: VertexTest, colours: str) -> bool:
        answers.append(check.newborn_agree(database, test, colours))
        return answers[-1]

    monkeypatch.setattr(rounds, "newborn_agree", watched)
    monkeypatch.setattr(run, "DatabaseRounds", Blinking)
    graph = many_tiny_graphs(30, seed=4, labels=True)
    assert refine(graph, engine="duckdb").classes_per_round == refine(graph).classes_per_round
    assert answers[0]  # what was split in round 2 had not been overdue
    assert answers.index(False) == 1


def test_when_no_attempt_passes_the_check_the_textbook_decides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(rounds, "members_agree", lambda *_: False)
    assert refine(wlkg.read("example:c6"), engine="duckdb").proof == SORTED


def test_too_little_memory_is_refused_with_the_numbers() -> None:
    with pytest.raises(TooLargeError, match=r"needs 440,401,920 bytes .* the 1,000 allowed"):
        refine(wlkg.read("example:c6"), engine="duckdb", max_memory=1000)


def _scratch(folder: Path) -> list[Path]:
    return list(folder.glob("wlkg-scratch-*"))


def test_no_temporary_folder_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with opened_database() as database:
        assert _scratch(tmp_path) == [database.folder]
    assert not _scratch(tmp_path)
    with pytest.raises(KeyboardInterrupt), opened_database():
        raise KeyboardInterrupt
    assert not _scratch(tmp_path)


def test_folders_of_killed_runs_are_removed_and_those_of_other_runs_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    killed = tmp_path / "wlkg-scratch-killed"
    killed.mkdir()
    (killed / "lock").touch()
    (tmp_path / "wlkg-scratch-empty").mkdir()
    with opened_database() as one, opened_database() as two:
        assert {one.folder, two.folder} == set(_scratch(tmp_path))


def test_a_full_disk_and_a_lack_of_memory_are_said_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with opened_database(600_000_000) as database:
        database.run("SET max_temp_directory_size = '1MB'")
        with pytest.raises(WriteError, match=r"no room for the temporary data .* set TMPDIR"):
            database.run("CREATE TEMP TABLE t AS SELECT random() FROM range(50_000_000)")
    with opened_database(600_000_000) as database:
        database.run("SET memory_limit = '5MB'")
        with pytest.raises(TooLargeError, match="Allow more with --max-memory"):
            database.run("SELECT list(range) FROM range(5_000_000)")
    assert not _scratch(tmp_path)
