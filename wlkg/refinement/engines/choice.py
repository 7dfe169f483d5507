"""``--engine auto``: the engine for a graph that is still in its file, and why.

Whatever fits into memory runs there: the local engine is the fastest on every machine that was
measured, and the only one whose cost does not grow with the rounds. What does not fit goes to the
database, if that is installed and can run it. A GPU is never chosen unasked.
"""

from __future__ import annotations

from wlkg.catalogue import Direction
from wlkg.engines import ASKED_FOR, AUTO, DEFAULT_ENGINE, ENGINES, LOCAL, EngineChoice
from wlkg.memory import free_memory, spoken_size
from wlkg.readers.options import ReadOptions
from wlkg.readers.read import input_file
from wlkg.readers.streaming import can_stream
from wlkg.refinement.engines.estimate import estimate

#: A graph takes at most this many times the bytes of its file, compressed or not, in memory.
_MOST_GROWTH = 150
_ON_DISK = "duckdb"
_FITS = DEFAULT_ENGINE.reason
_NO_OTHER = "no other engine can read and refine this graph"


def choose_engine(
    name: str,
    path: str,
    test: str,
    *,
    format: str | None = None,  # noqa: A002
    direction: Direction | None = None,
    options: ReadOptions | None = None,
    labels: bool = False,
    device: str = AUTO,
    max_memory: int | None = None,
) -> EngineChoice:
    """The engine of that name, or for ``auto`` the one that suits the file."""
    if name != AUTO:
        return EngineChoice(name, device, max_memory, reason=ASKED_FOR)
    free = free_memory() if max_memory is None else max_memory
    file = input_file(path)
    if file is None or not file.is_file() or _MOST_GROWTH * file.stat().st_size < free:
        return _local(_FITS, max_memory)
    if labels or test not in ENGINES[_ON_DISK].tests or not can_stream(path, format):
        return _local(_NO_OTHER, max_memory)
    needed = estimate(path, format=format, direction=direction, options=options).cost_of(LOCAL)
    sizes = f"about {spoken_size(needed.bytes)} of memory, and {spoken_size(free)} may be used"
    if needed.bytes <= free:
        return _local(f"the graph needs {sizes}", max_memory)
    if not ENGINES[_ON_DISK].is_installed:
        why = f"the graph needs {sizes}; the engine {_ON_DISK} is not installed"
        return _local(f"{why} (pip install 'wlkg[{ENGINES[_ON_DISK].extra}]')", max_memory)
    return EngineChoice(_ON_DISK, device, max_memory, reason=f"in memory the graph needs {sizes}")


def _local(reason: str, max_memory: int | None) -> EngineChoice:
    return EngineChoice(LOCAL, max_memory=max_memory, reason=reason)


def deserves_a_note(choice: EngineChoice) -> bool:
    """Whether a user should hear of a choice: only if the memory had to be looked at."""
    return choice.reason not in (ASKED_FOR, _FITS, _NO_OTHER)
