"""One place decides how a run ends."""

from __future__ import annotations

import errno
import io
import signal
import sys
from collections.abc import Callable

import pytest

from wlkg.errors import InputError, MissingExtraError, OutputError, TooLargeError, write_error
from wlkg.process.signals import Stopped
from wlkg.process.status import SetAsideError, status_of

NO_SPACE = write_error("x", OSError(errno.ENOSPC, "No space left on device"))
NO_READER = write_error("x", BrokenPipeError(errno.EPIPE, "Broken pipe"))


def raising(error: BaseException) -> Callable[[], object]:
    def run() -> object:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "status", "message"),
    [
        (InputError("bad", path="f"), 2, "error: f: bad\n"),
        (OutputError("no folder"), 2, "error: no folder\n"),
        (TooLargeError("too much"), 3, "error: too much\n"),
        (MemoryError(), 3, "error: not enough memory\n"),
        (MissingExtraError("this", "gnn"), 4, "error: this needs an optional part."),
        (NO_SPACE, 74, "error: x: cannot be written: No space left on device\n"),
        (NO_READER, 141, ""),
        (KeyboardInterrupt(), 130, "error: interrupted\n"),
        (Stopped(signal.SIGTERM), 143, "error: interrupted by SIGTERM\n"),
        (Stopped(signal.SIGHUP), 129, "error: interrupted by SIGHUP\n"),
        (SystemExit(), 0, ""),
        (SystemExit(1), 1, ""),
        (SystemExit("words"), 2, ""),
    ],
    ids=repr,
)
def test_every_ending_has_its_status_and_message(
    error: BaseException, status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(raising(error)) == status
    shown = capsys.readouterr().err
    assert shown.startswith(message)
    assert bool(shown) == bool(message)


@pytest.mark.parametrize("error", [RuntimeError("boom"), OSError("boom"), BrokenPipeError("boom")])
def test_a_bug_shows_its_traceback_and_has_a_status_of_its_own(
    error: Exception, capsys: pytest.CaptureFixture[str]
) -> None:
    assert status_of(raising(error)) == 70
    shown = capsys.readouterr().err
    assert "Traceback" in shown
    assert "boom" in shown
    assert shown.endswith("error: this is a bug in wlkg. Please report it with the lines above\n")


def test_an_exception_may_be_set_aside_on_its_way() -> None:
    error = SetAsideError()
    error.__cause__ = KeyboardInterrupt()
    assert status_of(raising(error)) == 130


@pytest.mark.parametrize(
    ("answer", "status"), [(SystemExit(0), 74), (SystemExit(1), 74), (InputError("bad"), 2)]
)
def test_an_answer_that_cannot_be_flushed_is_no_answer(
    answer: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(io.StringIO):
        def flush(self) -> None:
            raise NO_SPACE

    monkeypatch.setattr(sys, "stdout", Full())
    assert status_of(raising(answer)) == status


def test_a_message_is_cut_in_the_middle_if_it_is_endless() -> None:
    message = str(InputError("x" * 10**7, path="f", remedy="Do this"))
    assert len(message) < 5000
    assert message.startswith("f: xxx")
    assert message.endswith("xxx. Do this")
