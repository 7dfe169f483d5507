"""What goes wrong around Spark: Java, the master, the disk, the checkpoint."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from wlkg.errors import MissingExtraError, TooLargeError, UsageError, WlkgError, WriteError
from wlkg.refinement.engines.spark import java, session, work_folder
from wlkg.refinement.engines.spark.run import refine_file


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    path = tmp_path / "g.tsv"
    path.write_text("a\tr\tb\n")
    return path


def fake_java(folder: Path, version: str) -> None:
    program = folder / "bin" / "java"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2020-01-01' >&2\n")
    program.chmod(0o755)


@pytest.mark.parametrize(("version", "major"), [("1.8.0_382", "8"), ("11.0.20", "11")])
def test_an_old_java_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, major: str
) -> None:
    fake_java(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(WlkgError, match=f"is Java {major}, which is too old. Install") as caught:
        java.check_java()
    assert caught.value.exit_code == 4


@pytest.mark.parametrize("version", ["17.0.15", "21", "26-ea"])
def test_a_new_java_is_accepted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str
) -> None:
    fake_java(tmp_path, version)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    java.check_java()


def test_no_java_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WlkgError, match="there is none on the PATH") as caught:
        java.check_java()
    assert caught.value.exit_code == 4
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(WlkgError, match="does not run"):
        java.check_java()


def test_without_pyspark_it_is_said_what_to_install(
    triples: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MissingExtraError, match=r"wlkg\[spark\]") as caught:
        refine_file(triples)
    assert caught.value.exit_code == 4


def test_a_master_that_does_not_answer_is_refused_in_seconds() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # nobody listens there
        master = f"spark://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(WlkgError, match="no master answers there within 10 seconds"):
            session.check_master(master)
    for wrong in ("spark://", "spark://host", "spark://host:port"):
        with pytest.raises(UsageError, match="expected spark://HOST:PORT"):
            session.check_master(wrong)
    session.check_master("local[2]")
    session.check_master("yarn")


@pytest.mark.parametrize(
    ("text", "kind", "message"),
    [
        ("x\njava.io.IOException: No space left on device\n", WriteError, "out of disk space"),
        ("java.lang.OutOfMemoryError: Java heap space", TooLargeError, "out of memory"),
        ("[E] InputError: f.tsv: wrong line. SQLSTATE: P0001\n at x", WlkgError, "f.tsv: wrong"),
        ("boom\n\tat java.base\n", WlkgError, "Spark at yarn failed: boom$"),
    ],
)
def test_failures_of_spark_are_one_line(text: str, kind: type[WlkgError], message: str) -> None:
    error = session.translated(text, "yarn")
    assert type(error).exit_code == kind.exit_code
    with pytest.raises(kind, match=message):
        raise error
    assert "\n" not in str(error)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": "2-rlwl"}, "the Spark engine runs 1-wl, weak-rwl, 1-rwl, mean-rwl, not 2-rlwl"),
        ({"test": "1-rwl-all"}, "not 1-rwl-all"),
        ({"test": "1-rwal"}, "unknown test"),
        ({"direction": "up"}, "unknown direction"),
        ({"rounds": -1}, "must not be negative"),
    ],
)
def test_what_the_engine_cannot_do_is_said_before_it_starts(
    triples: Path, arguments: dict[str, Any], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        refine_file(triples, **arguments)


def test_a_checkpoint_of_another_run_is_refused(triples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    work = work_folder.WorkFolder(folder, {"path": "other.nt", "test": "1-wl"})
    work.save()
    with pytest.raises(UsageError, match="belongs to another run"):
        refine_file(triples, checkpoint=folder)
    (folder / "state.json").write_text("[]")
    with pytest.raises(UsageError, match="not the state of a run"):
        refine_file(triples, checkpoint=folder)


def test_the_state_of_a_work_folder_is_kept_and_cleared(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    work = work_folder.WorkFolder(folder, {"test": "1-wl"})
    work.state["rounds"].append({"classes": 1})
    work.save()
    again = work_folder.WorkFolder(folder, {"test": "1-wl"})
    assert again.state["rounds"] == [{"classes": 1}]
    assert json.loads((folder / "state.json").read_text())["about"] == {"test": "1-wl"}
    again.clear()
    assert not folder.exists()
