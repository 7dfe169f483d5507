"""Standard streams that are closed, full or no longer read: the status says so."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM

WLKG = shlex.join(PROGRAM)
#: The answer of this comparison has status 1.
DIFFERENT = "compare example:c6 example:petersen --direction undirected"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which ``wlkg`` is the program."""
    script = f'set -o pipefail; wlkg() {{ {WLKG} "$@"; }}; {command}'
    return subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, timeout=120, check=False
    )


def many_relations(folder: Path) -> Path:
    """A graph about which there is more to say than fits into a pipe."""
    path = folder / "many.tsv"
    path.write_text("".join(f"{i}\trelation_{i}\t{i + 1}\n" for i in range(3_000)))
    return path


def test_without_trouble_the_answer_is_the_status() -> None:
    assert shell(f"wlkg {DIFFERENT}").returncode == 1


@pytest.mark.parametrize("arguments", ["info example:c6", f"{DIFFERENT} --json", "--help"])
@pytest.mark.parametrize(
    ("redirection", "reason"),
    [(">/dev/full", "No space left on device"), (">&-", "Bad file descriptor")],
)
def test_output_that_cannot_be_written_ends_with_status_74(
    arguments: str, redirection: str, reason: str
) -> None:
    done = shell(f"wlkg {arguments} {redirection}")
    assert done.returncode == 74
    assert done.stderr == f"error: standard output: cannot be written: {reason}\n"


@pytest.mark.parametrize("arguments", ["info example:c6", f"{DIFFERENT} --json", "--help"])
def test_a_closed_pipe_ends_quietly_with_status_141(arguments: str) -> None:
    done = shell(f"wlkg {arguments} | true")
    assert (done.returncode, done.stderr) == (141, "")


def test_a_reader_that_leaves_in_the_middle_ends_the_run_quietly(tmp_path: Path) -> None:
    done = shell(f"wlkg info {many_relations(tmp_path)} --json | head -n 1")
    assert (done.returncode, done.stderr) == (141, "")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
@pytest.mark.parametrize(
    ("arguments", "status"), [(DIFFERENT, 1), ("info nothing.nt", 2), ("info --nonsense", 2)]
)
def test_messages_that_cannot_be_written_do_not_change_the_status(
    arguments: str, status: int, redirection: str
) -> None:
    done = shell(f"wlkg {arguments} {redirection}")
    assert (done.returncode, done.stderr) == (status, "")
    assert bool(done.stdout) == (status == 1)


def test_a_closed_standard_input_is_refused_only_if_it_is_read() -> None:
    done = shell("wlkg info - --format tsv <&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: -: standard input is closed\n"
    assert shell("wlkg info example:c6 <&-").returncode == 0


def test_a_standard_input_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    done = shell(f"wlkg info - --format tsv 0>{tmp_path / 'written'}")
    assert done.returncode == 2
    assert done.stderr == "error: -: cannot be read: Bad file descriptor\n"


def test_with_all_streams_closed_the_status_is_all_that_is_left() -> None:
    assert shell("wlkg info example:c6 <&- >&- 2>&-").returncode == 74
    assert shell("wlkg info nothing.nt <&- >&- 2>&-").returncode == 2


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
def test_a_file_never_takes_the_place_of_a_closed_stream(tmp_path: Path, closed: str) -> None:
    program = (
        "import os, sys; from wlkg.writers import lines; write = lines.write_tsv\n"
        "def noisy(graph, stream):\n"
        "    for descriptor in (1, 2):\n"
        "        try: os.write(descriptor, b'noise')\n"
        "        except OSError: pass\n"
        "    write(graph, stream)\n"
        "lines.write_tsv = noisy; from wlkg.cli import main; main()"
    )
    path = tmp_path / "g.tsv"
    command = shlex.join([sys.executable, "-c", program, "convert", "example:c6", str(path)])
    shell(f"{command} {closed}")
    assert b"noise" not in path.read_bytes()
    assert path.read_bytes().count(b"\n") == 12


def test_a_slow_reader_of_a_pipe_that_does_not_block_gets_everything(tmp_path: Path) -> None:
    path = many_relations(tmp_path)
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    process = subprocess.Popen([*PROGRAM, "info", path, "--json"], stdout=writing)
    os.close(writing)
    received = bytearray()

    def read_slowly() -> None:
        while piece := os.read(reading, 1000):
            received.extend(piece)

    thread = threading.Thread(target=read_slowly)
    thread.start()
    assert process.wait(timeout=60) == 0
    thread.join(timeout=60)
    os.close(reading)
    assert received.endswith(b"}\n")
    assert len(received) > 1 << 16


@pytest.mark.parametrize("target", ["/dev/full", "full.tsv.gz"])
def test_a_file_that_cannot_be_completed_ends_with_status_74(tmp_path: Path, target: str) -> None:
    if target != "/dev/full":
        target = str(tmp_path / target)
        Path(target).symlink_to("/dev/full")
    done = shell(f"wlkg convert example:c6 {target} --to tsv")
    assert done.returncode == 74
    assert done.stderr == f"error: {target}: cannot be written: No space left on device\n"
