"""The composition maps of `wlkg.gnn.compositions` as PyTorch code."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from wlkg.errors import UsageError
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.models.parameters import two_maps


def rotate(h: Tensor, z: Tensor) -> Tensor:
    """The product of complex numbers, real parts first, imaginary parts second."""
    a, b = h.chunk(2, dim=-1)
    c, d = z.chunk(2, dim=-1)
    return torch.cat([a * c - b * d, a * d + b * c], dim=-1)


def correlate(h: Tensor, z: Tensor) -> Tensor:
    """Circular correlation by Fourier transforms."""
    if not (h.numel() and z.numel()):
        return h * z  # empty, in the right shape: Fourier transforms refuse empty tensors
    width = h.shape[-1]
    product = torch.fft.rfft(h, dim=-1).conj() * torch.fft.rfft(z, dim=-1)
    out: Tensor = torch.fft.irfft(product, n=width, dim=-1)
    return out


def _concatenated(h: Tensor, z: Tensor) -> Tensor:
    return torch.cat([h, z.expand(*h.shape[:-1], z.shape[-1])], dim=-1)


MAPS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "add": lambda h, z: h + z,
    "sub": lambda h, z: h - z,
    "mult": lambda h, z: h * z,
    "concat": _concatenated,
    "rotate": rotate,
    "corr": correlate,
    "scale": lambda h, z: h * z,
    "mlp": _concatenated,
    "mlp2": _concatenated,
}
#: Compositions that end with learned maps, from twice a width to that width.
LEARNED: dict[str, Callable[[int], nn.Module]] = {
    "mlp": lambda width: OneMap(2 * width, width),
    "mlp2": lambda width: two_maps(2 * width, width, width),
}


def check_width(name: str, width: int, remedy: str) -> None:
    """Refuse a width that a composition cannot take."""
    if name == "rotate" and width % 2:
        raise UsageError(f"rotate needs features of an even width, found {width}. {remedy}")


class OneMap(nn.Linear):
    """A linear map with bias, followed by a ReLU."""

    def forward(self, rows: Tensor) -> Tensor:
        """ReLU(rows W + b)."""
        return torch.relu(super().forward(rows))


class Compose(nn.Module):
    """A composition for features of a given width."""

    def __init__(self, name: str, width: int) -> None:
        super().__init__()
        composition = find_composition(name)
        check_width(name, width, "Use another width, or another composition")
        self.relation_width = composition.relation_width(width)
        self.out_width = composition.out_width(width)
        self._apply_map = MAPS[name]
        self.map = LEARNED[name](width) if name in LEARNED else None

    def forward(self, h: Tensor, z: Tensor) -> Tensor:
        """phi(h, z), row by row."""
        composed = self._apply_map(h, z)
        return composed if self.map is None else self.map(composed)
