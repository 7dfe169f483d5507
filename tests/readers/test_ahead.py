"""Threads that work ahead of a reader."""

from __future__ import annotations

import gc
import threading
import time
from pathlib import Path

import pytest

import wlkg
from tests.text_inputs import tiny_blocks
from wlkg.readers.ahead import map_ahead, workers


def test_results_come_in_the_order_of_the_items() -> None:
    gates = [threading.Event() for _ in range(3)]

    def passed(number: int) -> int:
        if number == 0:
            gates[0].wait(10)
        elif number == 1:
            gates[0].set()  # the second item is done before the first
        return number

    with workers(2) as pool:
        assert list(map_ahead(pool, passed, range(3), depth=2)) == [0, 1, 2]


def test_leaving_the_block_early_does_not_wait_for_a_thread() -> None:
    release = threading.Event()
    with workers(1) as pool:
        task = pool.submit(release.wait, 10)
    assert not task.done()
    release.set()
    assert task.result(10)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("bad.tsv", "a\tb\n" + 500 * "a\tr\tb\n"),
        ("bad.nt", "<a:> <b:\n" + 500 * "<a:> <b:> <c:> .\n"),
    ],
)
def test_a_failed_read_leaves_no_thread_to_the_garbage_collector(
    tmp_path: Path, name: str, text: str
) -> None:
    # The collector may run inside a thread that is just starting, and waiting there deadlocks.
    path = tmp_path / name
    path.write_text(text)
    before = set(threading.enumerate())  # some of these may end meanwhile
    gc.disable()
    try:
        # The traceback of the error keeps the unfinished frames of the reader alive.
        with tiny_blocks(8), pytest.raises(wlkg.WlkgError) as caught:
            wlkg.read(path)
        deadline = time.monotonic() + 10
        while set(threading.enumerate()) - before and time.monotonic() < deadline:
            time.sleep(0.01)
        assert not set(threading.enumerate()) - before
        assert caught.tb is not None
    finally:
        gc.enable()
