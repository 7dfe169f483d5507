"""Kernels: functions on arrays that run compiled on large inputs and as plain Python on small ones.

Small runs wait neither for the compiler nor for the import of numba. The compiled version is cached
on disk if there is a place for it, so only the first large run after installation compiles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property
from types import CodeType, FunctionType
from typing import Any, Literal, cast

import numpy as np

#: Below this many arcs (or other steps) a kernel runs uncompiled,
SMALL = 3_000
#: until it has run this many steps in total: many small runs are worth compiling for, too.
PATIENCE = 60_000


class Kernel:
    """A function that may call other kernels by their global names."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.plain = cast(FunctionType, function)
        #: The number of steps run uncompiled so far.
        self.steps = 0
        self.__doc__ = function.__doc__

    def __call__(self, *arguments: Any) -> Any:
        """Run the plain version; integers wrap around as they do when compiled."""
        return self.plain(*arguments)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The compiled version; the kernels that it calls become part of it."""
        from wlkg.compiled.compilation import listen
        from wlkg.compiled.kernel_cache import enable_cache

        listen()
        result = self._dispatcher(inline="never")
        enable_cache(result, self.fingerprint)
        return result

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all code that becomes part of the compiled version, and of its constants.

        Numba itself looks at the file of the function alone, so that a change in another file would
        leave stale code in the cache.
        """
        digest = hashlib.sha256(_code(self.plain.__code__))
        for name, value in sorted(self._scope().items()):
            digest.update(f"{name}=".encode() + (b"" if value is self else _identity(value)))
        return digest.hexdigest()

    @cached_property
    def _inlined(self) -> Callable[..., Any]:
        """The version that becomes part of others; it is never compiled by itself."""
        return self._dispatcher(inline="always")

    def _scope(self) -> dict[str, Any]:
        """The globals that the function uses."""
        names = self.plain.__code__.co_names
        return {name: value for name, value in self.plain.__globals__.items() if name in names}

    def _dispatcher(self, inline: Literal["never", "always"]) -> Callable[..., Any]:
        import numba

        scope = {
            name: value._inlined if isinstance(value, Kernel) and value is not self else value
            for name, value in self._scope().items()
        }
        clone = FunctionType(
            self.plain.__code__, scope, self.plain.__name__, self.plain.__defaults__
        )
        clone.__module__ = self.plain.__module__
        clone.__qualname__ = self.plain.__qualname__
        compile_it = numba.njit(nogil=True, error_model="numpy", inline=inline)
        result: Callable[..., Any] = compile_it(clone)
        return result


def _code(code: CodeType) -> bytes:
    """The instructions and constants of a function."""
    constants = [c for c in code.co_consts if not isinstance(c, CodeType)]
    inner = b"".join(_code(c) for c in code.co_consts if isinstance(c, CodeType))
    return code.co_code + f"{constants!r}{code.co_names}{code.co_varnames}".encode() + inner


def _identity(value: object) -> bytes:
    """What a global is, in the same bytes in every process."""
    if isinstance(value, Kernel):
        return value.fingerprint.encode()
    if isinstance(value, FunctionType):
        return _code(value.__code__)
    return str(getattr(value, "__name__", repr(value))).encode()


def run(kernel: Kernel, size: int, *arguments: Any) -> Any:
    """Call a kernel on a problem of that size."""
    if size >= SMALL or kernel.steps >= PATIENCE:
        return kernel.compiled(*arguments)
    kernel.steps += size
    with np.errstate(over="ignore"):
        return kernel(*arguments)
