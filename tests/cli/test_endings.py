"""How a run ends: exit statuses, mistakes, Ctrl-C and closed pipes."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from tests.cli.running import PROGRAM, Run, assert_refused, run_process
from wlkg import RelationalGraph
from wlkg.errors import MissingExtraError, TooLargeError


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "nothing.nt"], "nothing.nt: no such file"),
        (["info", "-"], "reading from standard input needs --format"),
        (["info", "example:nothing"], "unknown example 'nothing'. Known: family, traffic"),
        (["info", "example:c6,k=3"], "unknown parameter of example 'c6': 'k'. Known: r"),
        (["info", "example:c6,r=x"], "r must be a whole number, found 'x'"),
        (["info", "example:c6,r=0"], "r must be at least 1, found 0"),
        (["info", "example:c6", "--direction", "up"], "unknown direction 'up'. Known: both"),
        (["info", "example:c6", "--labels", "type"], "the graph has no relation"),
        (["info", "example:c6", "--literals", "no"], "unknown literal policy 'no'. Known: shared"),
        (["info", "a.tsv", "--format", "word"], "unknown format 'word'. Known: ntriples"),
        (["convert", "example:c6", "no/where.g6"], "cannot be written: No such file"),
        (["refine", "example:c6", "--test", "0-rlwl"], "unknown test '0-rlwl'. Known: 1-wl"),
        (["refine", "example:c6", "--test", "2-rwl"], "K-rlwl, delta-K-lwl, K-wl, K-fwl"),
        # Refused before the graph is read.
        (["refine", "nothing.nt", "--test", "3-magic"], "unknown test '3-magic'"),
        (["pairs", "nothing.nt", "--test", "3-magic"], "unknown test '3-magic'"),
        (["pairs", "nothing.nt", "--not-by", "3-magic"], "unknown test '3-magic'"),
        (["compare", "nothing.nt", "nothing.nt", "--test", "3-magic"], "unknown test '3-magic'"),
        (["hierarchy", "nothing.nt", "--test", "3-magic"], "unknown test '3-magic'"),
        (["ceiling", "nothing.nt", "--targets", "t.tsv", "--test", "3-magic"], "'3-magic'"),
        (["refine", "nothing.nt", "--tuples", "t.txt"], "t.txt: colours are written as .csv"),
        (["refine", "nothing.nt", "--tuples", "no/t.csv"], "no/t.csv: there is no such folder"),
        (["refine", "example:c6", "--max-memory", "lots"], "'lots' is not a memory size"),
        (["pairs", "example:c6", "--max-memory", "-1"], "'-1' is not a memory size"),
        (["compare", "example:c6", "example:c6", "--max-memory", "1x"], "Write it as 4G"),
        (["compare", "example:c6", "example:c6", "--test", "9-lwl"], "unknown test '9-lwl'"),
        (["compare", "example:c6", "nothing.nt"], "nothing.nt: no such file"),
        (["compare", "example:c6", "example:two-cycles-g"], "Choose one with --direction"),
        (["pairs", "example:c6", "--test", "3-magic"], "1-wl, weak-rwl, 1-rwl"),
        (["pairs", "example:c6", "--not-by", "3-magic"], "1-wl, weak-rwl, 1-rwl"),
        (["refine", "example:c6", "--test", "3-magic"], "1-wl, weak-rwl, 1-rwl"),
        (["refine", "example:c6", "--rounds", "-1"], "negative"),
        (["refine", "example:c6", "--colours", "colours.xls"], ".csv, .json, .parquet"),
        (["refine", "example:c6", "--colours", "no/such/folder/c.csv"], "no such folder"),
        (["refine", "example:c6", "--direction", "sideways"], "both, undirected, out, in"),
    ],
)
def test_a_mistake_ends_in_one_line_on_stderr_and_status_2(
    run: Run, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(run(*arguments), message)
    assert list(tmp_path.iterdir()) == []


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
    run: Run, error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> RelationalGraph:
        raise error

    monkeypatch.setattr("wlkg.readers.read.read", fail)
    result = run("info", "example:c6")
    assert result.exit_code == status
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_document_beyond_the_limit_is_refused_with_status_3(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.g6"
    path.write_bytes(b"A_\n" * 50)
    monkeypatch.setattr("wlkg.readers.source.DOCUMENT_LIMIT", 100)
    result = run("info", path)
    assert result.exit_code == 3
    assert "more than 100 bytes" in result.stderr


@pytest.mark.parametrize("command", ["refine", "pairs"])
def test_tuples_that_do_not_fit_are_refused_with_status_3(run: Run, command: str) -> None:
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


@pytest.mark.usefixtures("heeds_signals")
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
        pytest.fail("the program kept waiting for input")
    finally:
        out, err = process.communicate()
    assert (status, out) == (130, b"")
    assert b"Traceback" not in err
    assert err.endswith(b"error: interrupted\n")


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Wait until the program has emptied the pipe, and a little longer."""
    assert process.stdin is not None
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if not pending_bytes(process.stdin.fileno()):
            break
        time.sleep(0.02)
    time.sleep(0.3)


def pending_bytes(descriptor: int) -> int:
    """The number of bytes in a pipe that nobody has read yet."""
    answer = fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0")
    return int.from_bytes(answer, sys.byteorder)


def test_a_closed_pipe_causes_no_traceback(people: Path) -> None:
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
