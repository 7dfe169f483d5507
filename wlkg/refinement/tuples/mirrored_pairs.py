"""Pairs and their mirror images: of (u, v) and (v, u), only one is sorted and checked.

For K = 2, if both positions move, the colour of (u, v) determines that of (v, u), in every round:
the atomic type does, and what (v, u) sees in one position is the mirror image of what (u, v) sees
in the other (for K-fwl, in both at once). So the codes of pairs are made such that the code of a
pair tells that of its mirror image exactly: its last two bits say

===  ===============================================================================================
0    the mirror image has another code: this one is sorted and checked
1    the mirror image has another code: that one is sorted and checked
2    u and v are different, and the mirror image has the same code
3    u = v
===  ===============================================================================================

A code that ends in 1 is the code of the mirror image, which ends in 0, multiplied by an odd number,
plus 1. (If they differed in these bits only, {{a, b + 1}} and {{a + 1, b}} would have equal sums.)

Codes that end in 1 are left out. Nothing is lost: a class whose codes end in 0 has as many pairs as
the class of their mirror images. And if two pairs of the former have equal atomic types and see the
same, then so do their mirror images, since the function from codes to those of mirror images is a
bijection.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from wlkg.arrays import UInt64Array
from wlkg.compiled.kernel import Kernel
from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.mixing import GOLDEN, ONE, ZERO, scrambled
from wlkg.refinement.tuples.tuple_problem import TupleProblem

#: The bits that tell a pair from its mirror image, and values of theirs (see above).
_BITS = np.uint64(3)
#: Odd, and neither 1 more nor 1 less is divisible by 8: differences of multiples keep their bits.
_FACTOR = np.uint64(0xD6E8FEB86659FD93)
_EQUAL = np.uint64(2)
#: Rows and columns that are processed together: two squares of codes fit into the fastest cache.
_TILE = 32


#: A mask of the bits that may be random.
RANDOM_BITS = 2**64 - 4


def is_mirrored(problem: TupleProblem) -> bool:
    """Whether the codes of a problem tell those of mirror images; not if one position is fixed."""
    return problem.arity == 2 and not problem.test.fixed


def without_mirror_images(codes: UInt64Array) -> UInt64Array:
    """The codes that are sorted and checked."""
    kept: UInt64Array = codes[codes & _BITS != ONE]
    return kept


@Kernel
def is_left_out(code: Any) -> Any:
    """Whether only the mirror images of pairs with this code are sorted and checked."""
    return code & _BITS == ONE


@Kernel
def has_other_mirror_image(code: Any) -> Any:
    """Whether a code that is not left out stands for two classes."""
    return code & _BITS == ZERO


@Kernel
def mirror_pairs(low: int, high: int, n: int, mask: Any, codes: Array) -> None:
    """Replace codes of any kind by such as tell those of mirror images.

    Does so for the rows of the tiles ``low:high``, from the diagonal on, and their mirror images.
    Only the bits of ``mask`` are random.
    """
    for tile in range(low, high):
        end = min((tile + 1) * _TILE, n)
        for begin in range(tile * _TILE, n, _TILE):
            for u in range(tile * _TILE, end):
                for v in range(max(begin, u), min(begin + _TILE, n)):
                    here, there = codes[u * n + v], codes[v * n + u]
                    code = scrambled(min(here, there) * GOLDEN + max(here, there)) & mask
                    other = code * _FACTOR + ONE
                    if here == there:
                        code += _BITS if u == v else _EQUAL
                        other = code
                    codes[u * n + v] = code if here <= there else other
                    codes[v * n + u] = other if here <= there else code


def num_tiles(n: int) -> int:
    """The number of tiles along one side of the square of all pairs."""
    return -(-n // _TILE)
