"""Runs of the program in a terminal of a given width."""

from __future__ import annotations

import fcntl
import os
import pty
import struct
import subprocess
import termios
from typing import Any

import pytest

from tests.cli.running import PROGRAM
from wlkg.reports.terminal import Terminal


def as_terminal(monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    """Have results of this process printed as for a terminal of this width, without colour."""
    usual = Terminal.__init__

    def narrow(self: Terminal, stream: Any) -> None:
        usual(self, stream)
        self.is_pipe = False
        self._width = columns

    monkeypatch.setattr(Terminal, "__init__", narrow)


def run_in_terminal(*arguments: object, columns: int, **variables: str) -> str:
    """What a real terminal receives on standard output."""
    screen, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    unset = ("NO_COLOR", "FORCE_COLOR", "COLUMNS")
    env = {key: value for key, value in os.environ.items() if key not in unset}
    process = subprocess.Popen(
        [*PROGRAM, *map(str, arguments)],
        stdout=end,
        stderr=subprocess.DEVNULL,
        env=env | {"TERM": "xterm-256color"} | variables,
    )
    os.close(end)
    received = bytearray()
    while True:
        try:
            piece = os.read(screen, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        received += piece
    process.wait(timeout=60)
    os.close(screen)
    return received.decode().replace("\r\n", "\n")
