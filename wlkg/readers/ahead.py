"""Work on the next items of a stream while the current one is being used.

The threads belong to a ``with`` block of the reader, never to a generator: the garbage collector
cleans up a generator that an error left unfinished at an arbitrary moment in an arbitrary thread,
and waiting for threads there can deadlock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


@contextmanager
def workers(count: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that live as long as a ``with`` block; leaving it does not wait for their work."""
    pool = ThreadPoolExecutor(max_workers=count)
    try:
        yield pool
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def map_ahead(
    pool: ThreadPoolExecutor,
    function: Callable[[Item], Result],
    items: Iterable[Item],
    depth: int,
) -> Iterator[Result]:
    """``map(function, items)`` in order, with up to ``depth`` calls running ahead in threads.

    This pays off if the function spends its time in code that releases the interpreter lock, such
    as decompressors and Arrow.
    """
    pending: deque[Future[Result]] = deque()
    for item in items:
        pending.append(pool.submit(function, item))
        if len(pending) > depth:
            yield pending.popleft().result()
    while pending:
        yield pending.popleft().result()
