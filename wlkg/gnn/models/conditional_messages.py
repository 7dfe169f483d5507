"""Sums of composed messages for each composition, without a message for each arc.

A sum over arcs of phi(h_w, z_i) is made of sums that `message_sums` knows, because phi is

===========  ======================================================================
add, sub     the sum h + z, or h + (-z)
concat       the sum [h, 0] + [0, z]
mult, scale  the product h z
rotate       two products: the parts of h, and the same exchanged, times those of z
corr         as rotate, on the Fourier transforms, transformed back after the sum
mlp, mlp2    the ReLU of h A + (z B + b); the second map of mlp2 is applied to the sum
===========  ======================================================================
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from wlkg.gnn.models.composition_maps import Compose
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.message_kernels import PRODUCT, RECTIFIED, SUM
from wlkg.gnn.models.message_sums import message_sums

#: From features (vertex, source, entry), relation vectors (relation, source or one, entry), and the
#: composition to sums for each vertex and source.
ComposedSums = Callable[[Tensor, Tensor, Compose, ConditionalGraph], Tensor]


def _add(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    del compose
    return message_sums(SUM, h, z, graph)


def _sub(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    return _add(h, -z, compose, graph)


def _concat(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    padding = nn.functional.pad
    return _add(padding(h, (0, z.shape[-1])), padding(z, (h.shape[-1], 0)), compose, graph)


def _mult(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    del compose
    return message_sums(PRODUCT, h, z.expand(*z.shape[:-1], h.shape[-1]), graph)


def _complex(a: Tensor, b: Tensor, c: Tensor, d: Tensor, graph: ConditionalGraph) -> Tensor:
    """The sums of (a + b i) (c + d i), real parts first."""
    straight = message_sums(PRODUCT, torch.cat([a, b], -1), torch.cat([c, c], -1), graph)
    return straight + message_sums(PRODUCT, torch.cat([b, a], -1), torch.cat([-d, d], -1), graph)


def _rotate(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    del compose
    (a, b), (c, d) = h.chunk(2, dim=-1), z.chunk(2, dim=-1)
    return _complex(a, b, c, d, graph)


def _corr(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    del compose
    one, two = torch.fft.rfft(h, dim=-1).conj().resolve_conj(), torch.fft.rfft(z, dim=-1)
    real, imaginary = _complex(one.real, one.imag, two.real, two.imag, graph).chunk(2, dim=-1)
    out: Tensor = torch.fft.irfft(torch.complex(real, imaginary), n=h.shape[-1], dim=-1)
    return out


def _mlp(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    first = compose.map[0] if isinstance(compose.map, nn.Sequential) else compose.map
    assert isinstance(first, nn.Linear)
    width = h.shape[-1]
    shifted = z @ first.weight[:, width:].T + first.bias
    return message_sums(RECTIFIED, h @ first.weight[:, :width].T, shifted, graph)


def _mlp2(h: Tensor, z: Tensor, compose: Compose, graph: ConditionalGraph) -> Tensor:
    assert isinstance(compose.map, nn.Sequential)
    second = compose.map[2]
    assert isinstance(second, nn.Linear)
    sums = _mlp(h, z, compose, graph)
    return sums @ second.weight.T + graph.degrees.to(h.dtype)[:, None, None] * second.bias


COMPOSED_SUMS: dict[str, ComposedSums] = {
    "add": _add,
    "sub": _sub,
    "mult": _mult,
    "concat": _concat,
    "rotate": _rotate,
    "corr": _corr,
    "scale": _mult,
    "mlp": _mlp,
    "mlp2": _mlp2,
}
