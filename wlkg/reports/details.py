"""What ``-v`` adds at the end, on standard error: times, memory, versions and the cache."""

from __future__ import annotations

import importlib.metadata
import platform
import sys
import time
from collections.abc import Iterator

from wlkg.text import counted, printable
from wlkg.version import __version__

#: Libraries whose versions matter, if they were used.
_LIBRARIES = ("numpy", "numba", "pyarrow", "pyoxigraph", "rdflib", "networkx", "igraph", "torch")
_MEGABYTE = 1_000_000

_phases: list[tuple[str, float]] = []
_started = time.perf_counter()


def begin() -> None:
    """A run begins."""
    global _started  # noqa: PLW0603  one run at a time
    _started = time.perf_counter()
    _phases.clear()


def record(phase: str, seconds: float) -> None:
    """A phase of the run has ended."""
    _phases.append((phase, seconds))


def print_details() -> None:
    """Write all of it."""
    sys.stdout.flush()
    for line in _lines():
        sys.stderr.write(f"{printable(line)}\n")


def _lines() -> Iterator[str]:
    total = time.perf_counter() - _started
    for phase, seconds in _phases:
        yield f"time: {seconds:8.3f} s  {phase}"
    yield f"time: {total:8.3f} s  in total"
    peak = peak_memory()
    if peak is not None:
        yield f"memory: {peak / _MEGABYTE:,.0f} MB at most"
    loaded = [name for name in _LIBRARIES if name in sys.modules]
    versions = [f"{name} {importlib.metadata.version(name)}" for name in loaded if _known(name)]
    yield f"versions: {', '.join([f'wlkg {__version__}', *_python(), *versions])}"
    yield f"cache: {_cache()}"


def _python() -> list[str]:
    return [f"Python {platform.python_version()}", platform.platform(terse=True)]


def _known(name: str) -> bool:
    try:
        importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def peak_memory() -> int | None:
    """The most bytes of memory that the process has used; None where that is not known."""
    try:
        import resource
    except ImportError:  # not on Windows
        return None
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _cache() -> str:
    """What was compiled, and what was found in the cache of compiled code."""
    if "wlkg.compiled.kernel_cache" not in sys.modules:
        return "no compiled code was needed"
    from wlkg.compiled.kernel_cache import USAGE

    found = counted(USAGE.found, "function", "functions")
    compiled = counted(USAGE.compiled, "function", "functions")
    where = "" if USAGE.folder is None else f"; {USAGE.folder}"
    return f"{found} loaded, {compiled} compiled{where}"
