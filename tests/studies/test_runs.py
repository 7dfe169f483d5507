from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.studies.toy import RUN, made_up_result
from wlkg.studies.runs import read_result, read_results, write_result

RESULT = made_up_result(RUN, 0.75)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    write_result(tmp_path, RESULT)
    return tmp_path / RUN.file_name


def test_a_result_is_read_as_it_was_written(written: Path) -> None:
    assert read_result(written.parent, RUN) == RESULT
    failed = replace(
        RESULT, last=None, chosen=None, best_on_test=None, curve=(), failure="loss nan"
    )
    write_result(written.parent, failed)
    assert read_results(written.parent, [RUN, replace(RUN, seed=1)]) == {RUN: failed}


def test_a_file_cut_short_anywhere_is_not_believed(written: Path) -> None:
    content = written.read_bytes()
    for length in range(0, len(content) - 2, 7):
        written.write_bytes(content[:length])
        assert read_result(written.parent, RUN) is None


@pytest.mark.parametrize(
    "damage",
    [
        {"schema": "wlkg/run/2"},
        {"key": "0" * 16},
        {"last": None},
        {"last": {"epoch": 10}},
        {"last": {**vars(RESULT.last), "epoch": 9}},
        {"last": {**vars(RESULT.last), "test_accuracy": 1.5}},
        {"last": {**vars(RESULT.last), "test_accuracy": "high"}},
        {"chosen": {**vars(RESULT.last), "loss": float("nan")}},
        {"curve": [1, 2]},
        {"seconds": -1},
        {"seconds": "long"},
        {"surprise": 1},
        {"failure": "it failed, and has a result"},
        {"run": {**RUN.document(), "epochs": 11}},
        {"run": {**RUN.document(), "choice": {"model": "unknown"}}},
        {"run": None},
    ],
    ids=str,
)
def test_a_file_that_no_finished_run_has_is_not_believed(
    written: Path, damage: dict[str, Any]
) -> None:
    document = {**json.loads(written.read_text()), **damage}
    written.write_text(json.dumps(document))
    assert read_result(written.parent, RUN) is None


@pytest.mark.parametrize("content", [b"", b"[]", b"3", b"null", b"\xff\xfe", b"[" * 100_000])
def test_other_files_are_not_believed(written: Path, content: bytes) -> None:
    written.write_bytes(content)
    assert read_result(written.parent, RUN) is None


def test_the_file_of_another_run_is_not_believed(written: Path) -> None:
    other = replace(RUN, seed=1)
    written.rename(written.with_name(other.file_name))
    assert read_result(written.parent, other) is None
