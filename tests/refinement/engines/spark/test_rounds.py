"""Every round of the Spark engine against the local engine, and collisions that must be caught."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as fn

import wlkg
from tests.refinement.engines.spark.union import local_run, write_union
from wlkg.catalogue import DIRECTIONS, Direction, VertexTest, find_test
from wlkg.partition import Partition
from wlkg.progress import SILENT
from wlkg.refinement.engines.spark import rounds
from wlkg.refinement.engines.spark.run import TESTS, refine_file
from wlkg.refinement.engines.spark.running import Outcome, Run
from wlkg.refinement.engines.spark.session import SparkError
from wlkg.refinement.engines.spark.tables import FromFile
from wlkg.refinement.engines.spark.work_folder import WorkFolder
from wlkg.refinement.proof import EVERY_ROUND

#: The shared session is used, whatever master is named.
MASTER = "local[2]"
#: Every test and every mode once; all pairs of them if WLKG_SPARK is set.
FEW = [("1-wl", "undirected"), ("weak-rwl", "both"), ("1-rwl", "in"), ("mean-rwl", "out")]
ALL = [(test, direction) for test in TESTS for direction in DIRECTIONS]
CASES = ALL if os.environ.get("WLKG_SPARK") else FEW


def watched_run(
    spark: SparkSession,
    folder: Path,
    path: Path,
    labels: Path | None,
    test: str,
    direction: Direction,
) -> tuple[Run, Outcome, list[dict[str, Any]]]:
    """The outcome of a run, and the colour of every vertex in each of its rounds."""
    colourings: list[dict[str, Any]] = []
    work = WorkFolder(folder / f"{test}-{direction}", {})

    def watch(number: int, colours: DataFrame) -> None:
        named = work.read(spark, "vertices").select("vertex", "name").join(colours, "vertex")
        del colourings[number:]
        colourings.append(
            {row["name"]: (row["colour1"], row["colour2"]) for row in named.collect()}
        )

    chosen = find_test(test)
    assert isinstance(chosen, VertexTest)
    session = spark.newSession()
    session.conf.set("spark.sql.ansi.enabled", "false")
    origin = FromFile(str(path), None if labels is None else str(labels), chosen, direction)
    run = Run(session, work, origin, SILENT, watch)
    return run, run.complete(None), colourings


def assert_agrees(
    run: Run,
    outcome: Outcome,
    colourings: list[dict[str, Any]],
    local: wlkg.Refinement,
    names: list[str],
) -> None:
    """Check that all numbers, and the partition of each round, are those of the local engine."""
    state = run.work.state
    assert [entry["classes"] for entry in state["rounds"]] == local.classes_per_round
    assert outcome == Outcome(stable=True, exact=True)
    assert outcome.proof == EVERY_ROUND
    assert state["rounds"][-1]["pairs"] == local.indistinguishable_pairs
    assert state["vertices"] == len(names)
    assert len(colourings) == run.rounds + 2  # the last one shows that nothing changes
    for number, colours in enumerate(colourings):
        numbers = {colour: i for i, colour in enumerate(dict.fromkeys(colours.values()))}
        seen = Partition.of([numbers[colours[name]] for name in names])
        assert seen == local.history.partition(min(number, local.rounds))


@pytest.mark.parametrize(("test", "direction"), CASES)
def test_every_round_of_thousands_of_tiny_graphs_is_that_of_the_local_engine(
    spark: SparkSession, tmp_path: Path, test: str, direction: Direction
) -> None:
    path, labels = write_union(tmp_path, graphs=1500, seed=CASES.index((test, direction)))
    local, names = local_run(path, labels, test, direction)
    run, outcome, colourings = watched_run(spark, tmp_path, path, labels, test, direction)
    assert_agrees(run, outcome, colourings, local, names)
    assert run.work.state["arcs"] == local_arcs(path, test, direction)


def local_arcs(path: Path, test: str, direction: Direction) -> int:
    arcs = wlkg.read(path, direction=direction).arcs()
    return len(arcs.without_relations() if test == "1-wl" else arcs)


@pytest.mark.skipif(not os.environ.get("WLKG_SPARK"), reason="slow: set WLKG_SPARK=1")
@pytest.mark.parametrize(("test", "direction"), ALL)
def test_every_round_of_aifb_is_that_of_the_local_engine(
    spark: SparkSession, data_dir: Path, tmp_path: Path, test: str, direction: Direction
) -> None:
    path = data_dir / "aifb" / "aifb_stripped.nt.gz"
    local, names = local_run(path, None, test, direction)
    run, outcome, colourings = watched_run(spark, tmp_path, path, None, test, direction)
    assert_agrees(run, outcome, colourings, local, names)


def test_a_run_that_was_cut_off_goes_on_from_its_last_finished_round(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "path.tsv"
    wlkg.generate(path, "path", vertices=11)
    chosen = find_test("1-rwl")
    assert isinstance(chosen, VertexTest)
    finished: list[int] = []

    def cut_off(number: int, _: DataFrame) -> None:
        finished.append(number)
        if finished == [0, 1, 2]:
            raise KeyboardInterrupt

    def started() -> Run:
        session = spark.newSession()
        session.conf.set("spark.sql.ansi.enabled", "false")
        work = WorkFolder(tmp_path / "work", {"path": str(path)})
        return Run(session, work, FromFile(str(path), None, chosen, "both"), SILENT, cut_off)

    with pytest.raises(KeyboardInterrupt):
        started().complete(None)
    run = started()
    assert run.complete(None) == Outcome(stable=True, exact=True)
    local = wlkg.refine(wlkg.read(path))
    assert finished == [*range(local.rounds + 2)]  # none was done twice
    assert [entry["classes"] for entry in run.work.state["rounds"]] == local.classes_per_round


@pytest.mark.usefixtures("spark")
def test_a_run_may_stop_early(tmp_path: Path) -> None:
    path = tmp_path / "path.tsv"
    wlkg.generate(path, "path", vertices=9)
    summary = refine_file(path, "1-wl", "undirected", rounds=2, master=MASTER)
    local = wlkg.refine(wlkg.read(path), "1-wl", "undirected", rounds=2)
    assert list(summary.classes_per_round) == local.classes_per_round
    assert (summary.stable, summary.exact, summary.proof) == (False, True, EVERY_ROUND)


def weak_lane(salt: int, *columns: Column) -> Column:
    """A hash of one bit, in which most things collide."""
    return fn.pmod(fn.xxhash64(fn.lit(salt), *columns), fn.lit(2))


@pytest.mark.usefixtures("spark")
def test_collisions_are_caught_and_the_run_is_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "random.tsv"
    wlkg.generate(path, "random", vertices=40, triples=60)
    strong = rounds.lane
    salts: set[int] = set()

    def first_weak(salt: int, *columns: Column) -> Column:
        salts.add(salt)
        return (weak_lane if salt % (1 << 32) < 8 else strong)(salt, *columns)

    monkeypatch.setattr(rounds, "lane", first_weak)
    summary = refine_file(path, "1-rwl", "both", master=MASTER)
    local = wlkg.refine(wlkg.read(path), "1-rwl", "both")
    assert list(summary.classes_per_round) == local.classes_per_round
    assert summary.exact
    assert {salt % (1 << 32) // 4 for salt in salts} == {0, 1, 2}  # two runs in vain


@pytest.mark.usefixtures("spark")
def test_a_hash_that_always_collides_is_an_error_and_not_an_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "random.tsv"
    wlkg.generate(path, "random", vertices=40, triples=60)
    monkeypatch.setattr(rounds, "lane", lambda salt, *columns: fn.lit(salt))  # noqa: ARG005
    monkeypatch.setattr("wlkg.refinement.engines.spark.running.ATTEMPTS", 2)
    with pytest.raises(SparkError, match="the check failed in 2 runs"):
        refine_file(path, "1-rwl", "both", master=MASTER)
