"""A sort that compiles quickly."""

from __future__ import annotations

from typing import Any

from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import Array


@Kernel
def shell_sort(values: Array, low: Any, high: Any) -> None:
    """Sort ``values[low:high]`` in place.

    The lists are mostly short, and numba compiles this much faster than a call of ``np.sort``.
    """
    gap = 1
    while gap < (high - low) // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for k in range(low + gap, high):
            value = values[k]
            place = k
            while place >= low + gap and values[place - gap] > value:
                values[place] = values[place - gap]
                place -= gap
            values[place] = value
        gap //= 3
