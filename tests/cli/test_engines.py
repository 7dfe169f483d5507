"""``--engine``: the same answers from every engine, and clear refusals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from tests.cli.running import Run, RunJson
from tests.needs_torch import HAS_DUCKDB, HAS_PYSPARK, HAS_TORCH, PYSPARK_REASON
from tests.places import EXAMPLE_GRAPHS
from tests.refinement.engines.tiny_graphs import many_tiny_graphs
from wlkg.engines import EngineInfo
from wlkg.refinement.engines import choice
from wlkg.writers.write import write

UNIVERSITY = EXAMPLE_GRAPHS / "university.ttl"
TARGETS = EXAMPLE_GRAPHS / "university.train.tsv"
OTHERS = [
    pytest.param("torch", marks=pytest.mark.skipif(not HAS_TORCH, reason="needs PyTorch")),
    pytest.param("duckdb", marks=pytest.mark.skipif(not HAS_DUCKDB, reason="needs DuckDB")),
]
SLOW = pytest.mark.skipif(not os.environ.get("WLKG_SPARK"), reason="slow: set WLKG_SPARK=1")
needs_spark = pytest.mark.skipif(not HAS_PYSPARK, reason=PYSPARK_REASON)
needs_duckdb = pytest.mark.skipif(not HAS_DUCKDB, reason="needs DuckDB")


WORDS: list[tuple[Any, ...]] = [
    ("refine", UNIVERSITY, "--test", "weak-rwl"),
    ("refine", UNIVERSITY, "--labels", "type", "--rounds", "1"),
    ("pairs", UNIVERSITY, "--test", "1-rwl", "--not-by", "1-wl"),
    ("compare", "example:c6", "example:2xc3", "--exit-zero"),
    ("compare", UNIVERSITY, UNIVERSITY, "--test", "1-wl", "--test", "1-rwl"),
    ("ceiling", UNIVERSITY, "--targets", TARGETS),
]


@pytest.mark.parametrize("engine", OTHERS)
@pytest.mark.parametrize("words", WORDS)
def test_every_command_answers_the_same_with_every_engine(
    run_json: RunJson, engine: str, words: tuple[Any, ...]
) -> None:
    _assert_the_same_answer(run_json, engine, words)


@needs_spark
@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    "words", [words if words[0] == "pairs" else pytest.param(words, marks=SLOW) for words in WORDS]
)
def test_every_command_answers_the_same_with_spark(
    run_json: RunJson, words: tuple[Any, ...]
) -> None:
    _assert_the_same_answer(run_json, "spark", words)


def _assert_the_same_answer(run_json: RunJson, engine: str, words: tuple[Any, ...]) -> None:
    local, other = (run_json(*words, "--engine", name) for name in ("local", engine))
    for key in ("engine", "seconds", "compile_seconds"):
        assert (key in local) == (key in other)
        local.pop(key, None)
        other.pop(key, None)
    for document in (local, other):
        for variant in document.get("variants", ()):
            variant.pop("seconds", None)
    assert local == other


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--engine", "abacus"], "unknown engine 'abacus'. Known: auto, local, torch"),
        (["--engine", "torch", "--test", "2-rlwl"], "2-rlwl is a test of tuples, which only the"),
        (["--engine", "duckdb", "--test", "1-rwl-all"], "Engines that do: local, torch."),
        (["--device", "cpu"], "--device has no effect: the engine is auto, not torch"),
        (["--master", "local[2]"], "--master has no effect: the engine is auto, not spark"),
        (["--checkpoint", "work"], "--checkpoint has no effect: the engine is auto, not spark"),
    ],
)
def test_what_does_not_fit_together_is_refused(run: Run, words: list[str], message: str) -> None:
    result = run("refine", "example:c6", *words)
    assert result.exit_code == 2
    assert message in result.stderr


@pytest.mark.parametrize(
    "words",
    [
        ("pairs", "example:c6"),
        ("compare", "example:c6", "example:2xc3"),
        ("ceiling", "example:c6", "--targets", "targets.tsv"),
    ],
)
def test_a_master_is_for_spark(run: Run, words: tuple[str, ...]) -> None:
    result = run(*words, "--engine", "local", "--master", "local[2]")
    assert result.exit_code == 2
    assert "--master has no effect: the engine is local, not spark" in result.stderr


@needs_spark
def test_a_checkpoint_is_for_files_that_spark_reads(run: Run) -> None:
    result = run("refine", "example:c6", "--engine", "spark", "--checkpoint", "work")
    assert result.exit_code == 2
    assert "--checkpoint has no effect: the engine spark reads Parquet, TSV" in result.stderr


def test_an_engine_that_is_not_installed_says_what_to_install(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(EngineInfo, "is_installed", property(lambda self: self.module is None))
    for engine, extra in (("torch", "gnn"), ("duckdb", "duckdb"), ("spark", "spark")):
        result = run("refine", "example:c6", "--engine", engine)
        assert result.exit_code == 4
        assert f"pip install 'wlkg[{extra}]'" in result.stderr


@pytest.mark.skipif(not HAS_TORCH, reason="needs PyTorch")
def test_the_device_of_the_torch_engine(run: Run) -> None:
    assert run("refine", "example:c6", "--engine", "torch", "--device", "cpu").exit_code == 0
    words = ("compare", "example:c6", "example:2xc3", "--test", "1-wl", "--engine", "torch")
    assert run(*words, "--device", "cpu").exit_code == 0
    assert "no model is asked" in run(*words[:-2], "--device", "cpu").stderr
    result = run("refine", "example:c6", "--engine", "torch", "--device", "abacus")
    assert result.exit_code == 2
    assert "unknown device 'abacus'" in result.stderr


@needs_duckdb
def test_a_file_is_refined_on_disk_with_its_pages(
    run: Run, run_json: RunJson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.tsv"
    write(many_tiny_graphs(30, seed=1, labels=False), path, lossy=True)
    local, other = (run_json("refine", path, "--engine", name) for name in ("local", "duckdb"))
    same = [
        *("test", "direction", "rounds", "stable", "exact", "classes", "classes_per_round"),
        *("distinguishable_pairs", "indistinguishable_pairs", "vertex_classes", "proof"),
    ]
    assert {key: local[key] for key in same} == {key: other[key] for key in same}
    assert other["engine"] == "duckdb"
    page, colours = tmp_path / "page.html", tmp_path / "colours.csv"
    words = ("--engine", "duckdb", "--html", page, "--colours", colours, "--markdown", "page.md")
    monkeypatch.chdir(tmp_path)
    result = run("refine", path, *words)
    assert result.exit_code == 0, result.stderr
    assert "by duckdb" in result.stdout
    assert "duckdb" in page.read_text()
    expected = tmp_path / "local.csv"
    run("refine", path, "--engine", "local", "--colours", expected)
    assert colours.read_bytes() == expected.read_bytes()
    assert run("refine", path, "--engine", "duckdb", "--colours", "x.json").exit_code == 2


@needs_duckdb
def test_auto_goes_to_disk_when_the_memory_is_short_and_says_so(
    run: Run, run_json: RunJson, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "graph.tsv"
    write(many_tiny_graphs(30, seed=1, labels=False), path, lossy=True)
    assert run("refine", path).stderr == "" or "engine" not in run("refine", path).stderr
    monkeypatch.setattr(choice, "free_memory", lambda: 1000)
    result = run("refine", path)
    assert result.exit_code == 0, result.stderr
    assert "engine duckdb: in memory the graph needs about" in result.stderr
    document = run_json("refine", path)
    assert document["engine"] == "duckdb"
    assert "0 MB may be used" in document["engine_reason"]
    # Labels, other formats and tests stay in memory.
    assert run_json("refine", path, "--test", "1-wl-all")["engine"] == "local"
    assert run_json("refine", UNIVERSITY)["engine"] == "local"
    monkeypatch.setattr(EngineInfo, "is_installed", property(lambda self: self.module is None))
    result = run("refine", path)
    assert "pip install 'wlkg[duckdb]'" in result.stderr


@needs_duckdb
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing_behind(tmp_path: Path, number: signal.Signals) -> None:
    path = tmp_path / "graph.tsv"
    lines = (f"{v}\tr\t{v + 1}\n" for v in range(20_000))  # thousands of rounds
    path.write_text("".join(lines))
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    process = subprocess.Popen(
        [sys.executable, "-m", "wlkg", "refine", str(path), "--engine", "duckdb", "-q"],
        env=os.environ | {"TMPDIR": str(scratch)},
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + 60
    while not list(scratch.glob("*/graph.duckdb")) and time.monotonic() < deadline:
        time.sleep(0.05)
    time.sleep(0.5)
    process.send_signal(number)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "interrupted" in complaint
    assert not list(scratch.iterdir())
