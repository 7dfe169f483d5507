"""The cache of compiled kernels on disk, which a run can do without.

In a locked-down container neither the installation nor the home folder can be written; elsewhere
the disk may be full, or a cached file damaged. Then kernels are compiled and not kept.
"""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from numba.core.caching import FunctionCache


@dataclass
class CacheUsage:
    """How much of the compiled code of this run came from the cache."""

    found: int = 0
    compiled: int = 0
    folder: str | None = None


USAGE = CacheUsage()


def enable_cache(dispatcher: Any, fingerprint: str) -> None:
    """Let numba keep the compiled versions of a function, if there is a place for them.

    A version is found again only with the same fingerprint.
    """
    try:
        dispatcher._cache = _OptionalCache(dispatcher.py_func, fingerprint)
    except (RuntimeError, OSError):  # numba has found no folder that can be written
        _note_once()


class _OptionalCache(FunctionCache):
    """As numba's own, but a failure to read or to write it is no failure to compile."""

    def __init__(self, function: Any, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        super().__init__(function)  # type: ignore[no-untyped-call]

    def _index_key(self, sig: Any, codegen: Any) -> Any:
        key = super()._index_key(sig, codegen)  # type: ignore[no-untyped-call]
        return (*key, self._fingerprint)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            found = super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except Exception:  # noqa: BLE001  a damaged file may raise anything
            with suppress(OSError):
                self.flush()  # type: ignore[no-untyped-call]
            return None
        USAGE.found += found is not None
        USAGE.folder = str(self.cache_path)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        USAGE.compiled += 1
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError:
            _note_once()


@cache
def _note_once() -> None:
    logging.getLogger(__name__).warning(
        "note: compiled code cannot be kept on disk, so every run compiles it again, which takes"
        " some seconds. To keep it, set NUMBA_CACHE_DIR to a folder that can be written"
    )
