"""The progress bar: shown on terminals only, and only for slow work."""

from __future__ import annotations

import os
import pty
import select
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Run
from wlkg.reports import progressbar


def test_progress_is_silent_without_a_terminal(
    run: Run, people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progressbar, "_PATIENCE", 0.0)
    result = run("info", people)
    assert "reading" not in result.stderr


def run_slowly_on_terminal(command: list[str], chunks: list[bytes]) -> tuple[int, str]:
    """Feed the command slowly; return its exit status and what it wrote to a terminal on stderr."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=side
    )
    os.close(side)

    def feed() -> None:
        assert process.stdin is not None
        with process.stdin:
            for chunk in chunks:
                process.stdin.write(chunk)
                process.stdin.flush()
                time.sleep(0.15)

    feeder = threading.Thread(target=feed)
    feeder.start()
    shown = b""
    try:
        while select.select([main], [], [], 30)[0]:
            try:
                data = os.read(main, 4096)
            except OSError:  # the other side is closed
                break
            shown += data
        return process.wait(timeout=30), shown.decode()
    finally:
        process.kill()
        feeder.join()
        os.close(main)


def test_progress_on_slow_input_is_shown_on_a_terminal() -> None:
    program = (
        "import sys; from wlkg.reports import progressbar; progressbar._PATIENCE = 0.3;"
        "from wlkg.cli import app; app(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, "info", "-", "--format", "graph6"]
    status, shown = run_slowly_on_terminal(command, [b"A_\n", *[b"\n" * 600_000] * 9])
    assert status == 0
    assert "reading -" in shown
    assert "MB" in shown
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l"), "the cursor is back"


class Terminal:
    """A stream that claims to be a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...


@contextmanager
def terminal(patience: float = 0.0) -> Iterator[Terminal]:
    """Make stderr a terminal; not a fixture, because pytest replaces stderr after fixtures ran."""
    fake = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", fake)
        patch.setattr(progressbar, "_PATIENCE", patience)
        patch.setattr(progressbar, "_INTERVAL", 0.0)
        patch.setenv("TERM", "xterm")
        yield fake


def test_a_file_name_cannot_control_the_terminal() -> None:
    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading [/red] :cat: \x1b[2J", 100, "bytes")
        progress.done(50)
        progress.count(7, "triples")
        progress.finish()
    assert r"reading [/red] :cat: \x1b[2J" in screen.text
    assert "\x1b[2J" not in screen.text
    assert "7 triples" in screen.text


def test_reports_after_the_end_draw_nothing() -> None:
    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", None, "bytes")
        progress.done(50)
        progress.finish()
        before = screen.text
        assert "reading" in before
        progress.done(60)
        progress.count(3, "triples")
        assert screen.text == before


def test_reports_from_several_threads_draw_one_bar() -> None:
    failures: list[Exception] = []

    def report() -> None:
        try:
            for amount in range(20):
                progress.done(amount)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", 100, "bytes")
        threads = [threading.Thread(target=report) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        progress.finish()
    assert failures == []
    assert "reading" in screen.text


def test_fast_work_draws_no_bar() -> None:
    with terminal(patience=1000.0) as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", 100, "bytes")
        progress.done(50)
        progress.finish()
    assert screen.text == ""


def test_words_are_shown_even_if_no_other_report_comes() -> None:
    with terminal(patience=0.05) as screen:
        progress = progressbar.TerminalProgress()
        progress.start("refining by 1-rwl", None, "rounds")
        progress.say("compiling (once)")
        assert screen.text == ""
        deadline = time.monotonic() + 20
        while "compiling (once)" not in screen.text and time.monotonic() < deadline:
            time.sleep(0.02)
        progress.finish()
    assert "compiling (once)" in screen.text
