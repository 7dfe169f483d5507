"""Composition maps phi(h, z): how models combine a vertex with a relation.

=======  ==============================================  ==========  ================
name     phi(h, z)                                       width of z  width of phi
=======  ==============================================  ==========  ================
add      h + z                                           d           d
sub      h - z                                           d           d
mult     h * z, entry by entry                           d           d
concat   [h, z]                                          d           2 d
rotate   h * z as complex numbers, halves as parts       d (even)    d
corr     circular correlation: sum_j h_j z_{j + k}       d           d
scale    z h with a single number z                      1           d
mlp      ReLU([h, z] W + b)                              d           d
mlp2     ReLU([h, z] W + b) V + c                        d           d
=======  ==============================================  ==========  ================

With add, sub or concat the paper's plain CompGCN layer is bounded by weak-rwl: with one matrix for
all relations, a sum does not show which relation each neighbour came through (see
`wlkg.gnn.bounds`). Compositions that can express scaling reach 1-rwl.

The paper's MLP([h, z]) leaves open how many maps the MLP has and how wide they are. Here ``mlp``
has one map and ``mlp2`` two, all with bias and to the width d of h, which is what W_1 takes. That
adds 2 d^2 + d parameters to a layer with ``mlp``, and 3 d^2 + 2 d with ``mlp2``. Six of the paper's
seven numbers of parameters of CompGCN on AIFB are higher than its formula by 2 d^2 + d in the first
layer and by 2 d e + e in the second, where e = 4 is the number of classes: one map [h, z] W + b, to
the width of the layer's output. In the first layer that is our ``mlp``. In the second layer the
result would not fit W_1, which has d rows, so we do not build it: with two layers ``mlp`` has 2 d^2
- 7 d - 4 more parameters than the paper prints, and ``mlp2`` 4 d^2 - 5 d - 4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wlkg.errors import unknown_name


def _same(width: int) -> int:
    return width


@dataclass(frozen=True)
class Composition:
    """The widths of z and phi(h, z) as functions of the width of h, and the layer's bound."""

    relation_width: Callable[[int], int] = _same
    out_width: Callable[[int], int] = _same
    #: The WL test that bounds a layer with sums and one matrix for all relations.
    bounded_by: str = "1-rwl"


COMPOSITIONS: dict[str, Composition] = {
    "add": Composition(bounded_by="weak-rwl"),
    "sub": Composition(bounded_by="weak-rwl"),
    "mult": Composition(),
    "concat": Composition(out_width=lambda width: 2 * width, bounded_by="weak-rwl"),
    "rotate": Composition(),
    "corr": Composition(),
    "scale": Composition(relation_width=lambda _: 1),
    "mlp": Composition(),
    "mlp2": Composition(),
}


def find_composition(name: str) -> Composition:
    """The composition of that name, or an error that lists the known names."""
    if name not in COMPOSITIONS:
        raise unknown_name("composition", name, COMPOSITIONS)
    return COMPOSITIONS[name]
