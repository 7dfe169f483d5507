"""The lines that a study writes to a log."""

from __future__ import annotations

import time

import pytest

from wlkg.reports.studyprogress import StudyProgress


def test_a_log_says_now_and_then_how_much_time_is_left(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 1000.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    progress = StudyProgress()
    progress.start("training 8 runs", 100, "units")
    progress.say("2 finished, rgcn-d4")
    now += 50
    progress.done(20)
    assert capsys.readouterr().err == ""
    now += 50
    progress.done(25)
    expected = "note: training 8 runs: 2 finished, rgcn-d4; about 5 minutes left\n"
    assert capsys.readouterr().err == expected
    progress.done(26)
    progress.finish()
    assert capsys.readouterr().err == ""
