"""Kernels: functions on arrays that run compiled on large inputs and as plain Python on small ones.

Small runs wait neither for the compiler nor for the import of numba. The compiled version is cached
on disk if there is a place for it, so only the first large run after installation compiles.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from types import FunctionType
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
        from wlkg.refinement.compiled.compilation import listen
        from wlkg.refinement.compiled.kernel_cache import enable_cache

        listen()
        result = self._dispatcher(inline="never")
        enable_cache(result)
        return result

    @cached_property
    def _inlined(self) -> Callable[..., Any]:
        """The version that becomes part of others; it is never compiled by itself."""
        return self._dispatcher(inline="always")

    def _dispatcher(self, inline: Literal["never", "always"]) -> Callable[..., Any]:
        import numba

        scope = {
            name: value._inlined if isinstance(value, Kernel) and value is not self else value
            for name, value in self.plain.__globals__.items()
            if name in self.plain.__code__.co_names
        }
        clone = FunctionType(
            self.plain.__code__, scope, self.plain.__name__, self.plain.__defaults__
        )
        clone.__module__ = self.plain.__module__
        clone.__qualname__ = self.plain.__qualname__
        compile_it = numba.njit(nogil=True, error_model="numpy", inline=inline)
        result: Callable[..., Any] = compile_it(clone)
        return result


def run(kernel: Kernel, size: int, *arguments: Any) -> Any:
    """Call a kernel on a problem of that size."""
    if size >= SMALL or kernel.steps >= PATIENCE:
        return kernel.compiled(*arguments)
    kernel.steps += size
    with np.errstate(over="ignore"):
        return kernel(*arguments)
