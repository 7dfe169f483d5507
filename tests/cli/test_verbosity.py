"""``-v`` adds times, memory, versions and the cache; ``-q`` leaves out all but the result."""

from __future__ import annotations

import io
import re
import time

import pytest

from tests.cli.running import Run
from wlkg.progress import phase
from wlkg.reports import details, progressbar
from wlkg.reports.presentation import Presentation, present
from wlkg.reports.progressbar import TerminalProgress


@pytest.mark.parametrize(
    "words",
    [
        ["-v", "refine", "example:c6"],
        ["refine", "example:c6", "--verbose"],
        ["--verbose", "refine", "-v", "example:c6", "--json"],
    ],
)
def test_verbose_runs_say_where_the_time_went(run: Run, words: list[str]) -> None:
    result = run(*words)
    assert result.exit_code == 0
    lines = [line for line in result.stderr.splitlines() if not line.startswith("next: ")]
    assert re.fullmatch(r"time: +[\d.]+ s  refining by 1-rwl", lines[-5])
    assert re.fullmatch(r"time: +[\d.]+ s  in total", lines[-4])
    assert re.fullmatch(r"memory: [\d,]+ MB at most", lines[-3])
    assert re.match(r"versions: wlkg \S+, Python \S+, .*numpy \S+", lines[-2])
    assert lines[-1].startswith("cache: ")
    assert "time: " not in run("refine", "example:c6").stderr  # it does not outlast a run


def test_times_of_one_run_are_not_those_of_another(run: Run) -> None:
    assert run("-v", "info", "example:c6").stderr.count("in total") == 1
    assert "refining" not in run("-v", "info", "example:c6").stderr


def test_details_come_after_an_error_too(run: Run) -> None:
    result = run("-v", "info", "nowhere.ttl")
    assert result.exit_code == 2
    assert "memory: " in result.stderr
    assert "error: nowhere.ttl: no such file" in result.stderr


def test_quiet_and_verbose_are_no_values_of_arguments(run: Run) -> None:
    result = run("info", "--", "-q")
    assert result.exit_code == 2
    assert "-q: no such file" in result.stderr


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("quiet", [False, True])
def test_a_phase_that_reports_nothing_is_shown_unless_the_run_is_quiet(
    quiet: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = _Screen()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(progressbar, "_PATIENCE", 0.05)
    monkeypatch.setenv("TERM", "xterm")
    details.begin()
    present(quiet=quiet)
    try:
        with phase(TerminalProgress(), "looking for it"):
            time.sleep(0.6)
    finally:
        present(**vars(Presentation()))
    assert ("looking for it" in screen.getvalue()) != quiet


def test_a_short_phase_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = _Screen()
    monkeypatch.setattr("sys.stderr", screen)
    with phase(TerminalProgress(), "looking for it"):
        pass
    time.sleep(0.05)
    assert screen.getvalue() == ""
