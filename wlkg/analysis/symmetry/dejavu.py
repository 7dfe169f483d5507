"""dejavu: a Monte Carlo algorithm, which never invents a symmetry but may miss one.

M. Anders, P. Schweitzer: Parallel computation of combinatorial symmetries (2021). Its Python module
tells an isomorphism of coloured graphs only as a symmetry of both side by side.
"""

from __future__ import annotations

from collections.abc import Sequence

#: A run misses a symmetry with a probability of at most 2^-ERROR_BITS.
ERROR_BITS = 40


def automorphisms(
    colours: Sequence[int], edges: Sequence[Sequence[int]]
) -> tuple[list[list[int]], None]:
    """Generators of the automorphism group; its order is not proven."""
    from dejavu_gi import get_automorphisms

    generators = get_automorphisms(len(colours), edges, err=ERROR_BITS, vertex_labels=colours)
    return generators["generators"], None
