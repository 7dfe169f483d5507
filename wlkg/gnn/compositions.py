"""Composition maps phi(h, z): how CompGCN and k-RN put a vertex and a relation together.

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
=======  ==============================================  ==========  ================

With add, sub or concat the paper's plain CompGCN layer is bounded by weak-rwl: its one matrix does
not tell which relation a sum came through (see `wlkg.gnn.bounds`). Those that can express scaling
reach 1-rwl.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from wlkg.errors import UsageError, unknown_name


def rotate(h: Tensor, z: Tensor) -> Tensor:
    """The product of complex numbers whose real parts are the first half."""
    a, b = h.chunk(2, dim=-1)
    c, d = z.chunk(2, dim=-1)
    return torch.cat([a * c - b * d, a * d + b * c], dim=-1)


def correlate(h: Tensor, z: Tensor) -> Tensor:
    """Circular correlation, through Fourier transforms."""
    if not (h.numel() and z.numel()):
        return h * z  # nothing, in the right shape: transforms refuse it
    width = h.shape[-1]
    product = torch.fft.rfft(h, dim=-1).conj() * torch.fft.rfft(z, dim=-1)
    out: Tensor = torch.fft.irfft(product, n=width, dim=-1)
    return out


@dataclass(frozen=True)
class Composition:
    """A map without parameters, and the widths of its second argument and of its value."""

    apply: Callable[[Tensor, Tensor], Tensor]
    relation_width: Callable[[int], int]
    out_width: Callable[[int], int]
    #: Whether the map is learned: then ``apply`` makes its input.
    learned: bool = False
    #: The WL test that bounds a sum with one matrix for all relations.
    bounded_by: str = "1-rwl"


def _same(width: int) -> int:
    return width


def _concatenated(h: Tensor, z: Tensor) -> Tensor:
    return torch.cat([h, z.expand(*h.shape[:-1], z.shape[-1])], dim=-1)


COMPOSITIONS: dict[str, Composition] = {
    "add": Composition(lambda h, z: h + z, _same, _same, bounded_by="weak-rwl"),
    "sub": Composition(lambda h, z: h - z, _same, _same, bounded_by="weak-rwl"),
    "mult": Composition(lambda h, z: h * z, _same, _same),
    "concat": Composition(_concatenated, _same, lambda width: 2 * width, bounded_by="weak-rwl"),
    "rotate": Composition(rotate, _same, _same),
    "corr": Composition(correlate, _same, _same),
    "scale": Composition(lambda h, z: h * z, lambda _: 1, _same),
    "mlp": Composition(_concatenated, _same, _same, learned=True),
}


def find_composition(name: str) -> Composition:
    """The composition of that name, or an error that lists them."""
    if name not in COMPOSITIONS:
        raise unknown_name("composition", name, COMPOSITIONS)
    return COMPOSITIONS[name]


class Compose(nn.Module):
    """A composition for features of a width."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__()
        self._composition = find_composition(name)
        if name == "rotate" and width % 2:
            raise UsageError(
                f"rotate needs features of an even width, found {width}. Take another --dim, other"
                " features, or another composition"
            )
        self.relation_width = self._composition.relation_width(width)
        self.out_width = self._composition.out_width(width)
        learned = self._composition.learned
        self.map = nn.Linear(2 * width, width) if learned else None

    def forward(self, h: Tensor, z: Tensor) -> Tensor:
        """phi(h, z), row by row."""
        composed = self._composition.apply(h, z)
        return composed if self.map is None else torch.relu(self.map(composed))
