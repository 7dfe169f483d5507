"""Random-looking functions of 64-bit numbers (the steps of SplitMix64)."""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.compiled.kernel import Kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1 = np.uint64(30)
_SHIFT_2 = np.uint64(27)
SHIFT_3 = np.uint64(31)


@Kernel
def scrambled(x: Any) -> Any:
    """A random-looking bijection on 64-bit numbers."""
    x = (x ^ (x >> _SHIFT_1)) * _MIX_1
    x = (x ^ (x >> _SHIFT_2)) * _MIX_2
    return x ^ (x >> SHIFT_3)


@Kernel
def mixed(number: Any, salt: Any) -> Any:
    """A random-looking 64-bit function of a number and a salt."""
    return scrambled(np.uint64(number) * GOLDEN + salt)
