"""The disk may fail at every operation: each file is then old or whole, and nothing else is left.

The message names the file, and the status is 74.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from tests.faults.commands import WRITING, files_below, run_line
from tests.faults.disk import CHANGES, LOOKS, FaultyDisk, faulty
from tests.needs_torch import needs_torch

pytestmark = pytest.mark.usefixtures("_warm")
OLD = b"what was there before"
#: More operations than any command needs.
ENOUGH = 500


@pytest.fixture(scope="module")
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What commands load and compile on first use does not count as their operation."""
    run_line(WRITING["graph .nt"], tmp_path_factory.mktemp("warm"))


def prepared(folder: Path, files: dict[str, bytes]) -> None:
    """Put old files in the places of those that a command writes."""
    for name in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(OLD)


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EIO], ids=["full", "broken"])
@pytest.mark.parametrize("name", WRITING)
def test_a_write_that_fails_leaves_the_old_file_or_the_new_one(
    name: str, code: int, tmp_path: Path
) -> None:
    run_line(WRITING[name], tmp_path)
    whole = files_below(tmp_path)
    assert whole
    for number in range(1, ENOUGH):
        prepared(tmp_path, whole)
        with faulty(FaultyDisk(CHANGES, number, code), tmp_path) as disk:
            status, message = run_line(WRITING[name], tmp_path)
        files = files_below(tmp_path)
        assert files.keys() == whole.keys(), disk.seen
        for file, data in files.items():
            assert data in (OLD, whole[file]), (file, disk.seen)
        if not disk.has_failed:
            assert (status, files) == (0, whole)
            assert {"make", "write", "close", "fsync", "rename"} <= {*disk.seen}
            return
        assert status == 74, (message, disk.seen)
        assert OLD in files.values()
        assert message.count("error: ") == 1
        assert f"{tmp_path}" in message
    pytest.fail("it never succeeded")


@pytest.mark.parametrize(
    "line",
    [
        "info OUT/g.tsv",
        "info OUT/g.nt.gz",
        "info OUT/c6.g6",
        "info OUT/g.json",
        "info OUT/g.tsv --labels OUT/labels.tsv",
        "verify OUT/c.json OUT/c6.g6 OUT/2xc3.g6",
        pytest.param("predict OUT/model.pt OUT/model-graph.tsv", marks=needs_torch),
    ],
)
def test_a_read_that_fails_is_an_input_error(line: str, tmp_path: Path) -> None:
    for convert in ("graph .nt.gz", "graph .json", "certificate"):
        run_line(WRITING[convert], tmp_path)
    from tests.fuzz.command_lines import stock

    for file in stock().iterdir():
        if not (tmp_path / file.name).exists():
            (tmp_path / file.name).write_bytes(file.read_bytes())
    for number in range(1, ENOUGH):
        with faulty(FaultyDisk(LOOKS, number, errno.EIO), tmp_path) as disk:
            status, message = run_line(line, tmp_path)
        if not disk.has_failed:
            assert status == 0, message
            assert disk.seen.count("read") >= 2
            return
        assert status == 2, (message, disk.seen)
        assert "cannot be read" in message or "cannot be opened" in message
        assert os.strerror(errno.EIO) in message
    pytest.fail("it never succeeded")


@needs_torch
def test_a_study_whose_disk_fails_keeps_what_is_whole_and_goes_on_later(tmp_path: Path) -> None:
    from tests.studies.toy import TOML, write_toy

    small = TOML.replace("[2, 4]", "[2]").replace("seeds = 2", "seeds = 1")
    toml = write_toy(tmp_path / "data", small)
    out = tmp_path / "out"
    line = f"reproduce {toml} --out {out} --workers 1 --no-figures"
    status, message = run_line(line, out)
    assert status == 0, message
    whole = files_below(out)
    assert len(whole) > 6
    for number in (*range(1, 20, 2), 40, 60, ENOUGH):
        for file in out.rglob("*"):
            if file.is_file():
                file.unlink()
        with faulty(FaultyDisk(CHANGES, number), out) as disk:
            status, message = run_line(line, out)
        assert status == (74 if disk.has_failed else 0), message
        written = files_below(out)
        assert written.items() <= whole.items(), disk.seen
    assert not disk.has_failed
    assert written == whole


def test_a_new_file_is_on_the_disk_before_it_gets_its_name(tmp_path: Path) -> None:
    with faulty(FaultyDisk(CHANGES, ENOUGH), tmp_path) as disk:
        run_line(WRITING["graph .tsv"], tmp_path)
    assert disk.seen.index("close") < disk.seen.index("fsync") < disk.seen.index("rename")


@pytest.mark.parametrize(
    ("code", "status"), [(errno.EACCES, 2), (errno.EROFS, 2), (errno.EDQUOT, 74)]
)
def test_a_place_that_is_wrong_differs_from_a_disk_that_fails(
    code: int, status: int, tmp_path: Path
) -> None:
    with faulty(FaultyDisk(CHANGES, 1, code), tmp_path):
        ending, message = run_line(WRITING["graph .nt"], tmp_path)
    assert (ending, os.strerror(code) in message) == (status, True)
    assert not list(tmp_path.iterdir())
