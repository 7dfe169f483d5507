"""Completion in bash of words that contain a colon or an equals sign.

Bash breaks ``example:c6`` into the words ``example``, ``:`` and ``c6``, and ``--test=1-rwl`` into
three as well. It completes the last one, so the program has to join the words, and to answer with
what comes after the colon.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Callable

_WORDS, _PLACE = "COMP_WORDS", "COMP_CWORD"
_BREAKS = (":", "=")


def asks_for_completion() -> bool:
    """Whether bash has started the program to complete a command line."""
    return os.environ.get("_WLKG_COMPLETE") == "complete_bash" and _WORDS in os.environ


def complete(run: Callable[[], object]) -> None:
    """Run the completion with joined words, and print what follows their last colon."""
    words = os.environ[_WORDS].split("\n" if "\n" in os.environ[_WORDS] else None)
    joined = join(words[: int(os.environ[_PLACE]) + 1])
    os.environ |= {_WORDS: "\n".join(joined), _PLACE: str(len(joined) - 1)}
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            run()
    finally:
        before = joined[-1].rpartition(":")[0]
        lead = f"{before}:" if ":" in joined[-1] else ""
        for line in printed.getvalue().splitlines():
            sys.stdout.write(line.removeprefix(lead) + "\n")


def join(words: list[str]) -> list[str]:
    """The words as they were typed.

    >>> join(["wlkg", "info", "example", ":", "c", "--test", "=", "1"])
    ['wlkg', 'info', 'example:c', '--test=1']
    """
    joined: list[str] = []
    glue = False
    for word in words:
        is_break = word in _BREAKS
        if joined[1:] and (is_break or glue):
            joined[-1] += word
        else:
            joined.append(word)
        glue = is_break
    return joined
