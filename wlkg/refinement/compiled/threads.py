"""Kernels on ranges of items, in parallel: compiled code releases the interpreter lock."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from wlkg.arrays import IntArray
from wlkg.compiled.kernel import SMALL, Kernel, run

WORKERS = 2

#: Below this many arcs (or other steps), starting a thread costs more than it saves.
_WORTH_A_THREAD = 100 * SMALL


def arc_ranges(offsets: IntArray) -> list[tuple[int, int]]:
    """Ranges of vertices with about the same number of arcs, one per worker."""
    n = len(offsets) - 1
    wanted = np.linspace(0, int(offsets[-1]), WORKERS + 1)[1:-1]
    cuts = [0, *np.searchsorted(offsets, wanted).clip(0, n).tolist(), n]
    return list(itertools.pairwise(cuts))


def equal_ranges(count: int, pieces: int) -> list[tuple[int, int]]:
    """``0:count`` cut into at most ``pieces`` ranges of about equal length, at least one."""
    cuts = np.linspace(0, count, max(min(pieces, count), 1) + 1).astype(np.int64).tolist()
    return list(itertools.pairwise(cuts))


def on_ranges(
    kernel: Kernel,
    size: int,
    ranges: Sequence[tuple[int, int]],
    *arguments: Any,
) -> list[Any]:
    """Call a kernel on adjacent ranges in parallel; on all of them at once if the work is small."""
    if size < _WORTH_A_THREAD:
        return [run(kernel, size, ranges[0][0], ranges[-1][1], *arguments)]
    calls = [(kernel, size, low, high, *arguments) for low, high in ranges]
    kernel.compiled  # noqa: B018  compile now, so that the threads do not race to do so
    with ThreadPoolExecutor(max_workers=WORKERS) as pool:
        return [task.result() for task in [pool.submit(run, *call) for call in calls]]
