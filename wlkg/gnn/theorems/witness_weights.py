"""The numbers of a witness as the weights of a layer.

Matrices have rank one: all columns with slope 1 compute b, and biases are thresholds (see
`encodings`). Features beyond those of the encoding, which make widths even, are 0.

=======================  ==================================================================
layer                    how the numbers get in
=======================  ==================================================================
plain GNN                W_1 = a W_0
R-GCN                    W_i = a_i W_0
R-GCN + MLP              the same; the MLP is the identity, as the sums it gets are not negative
CompGCN, k-RN, C-MPNN    W_j = a_j W_0, except for the order or number of rows
- scale, mult            z_i = a_i in all entries
- rotate                 z_i = a_i in all real parts, 0 in the imaginary parts
- corr                   z_i = a_i e_1, which scales and reverses the features
- add, sub, concat       z_i = y_i e_1, or -y_i e_1
- mlp, mlp2              z_i has y_i(c) in the column of class c; a gate lets only that through,
                         and a second map is the identity
k-RN with an MLP as UPD  it is the identity, as b is positive, and its bias has the thresholds
=======================  ==================================================================
"""

from __future__ import annotations

import torch
from torch import Tensor, nn

from wlkg.arrays import FloatArray
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.compgcn import CompGCNLayer
from wlkg.gnn.models.conditional_layer import ConditionalLayer
from wlkg.gnn.models.krn import KRNLayer
from wlkg.gnn.models.rgcn import RGCNLayer
from wlkg.gnn.theorems.encodings import Encoding, Gate, Ramps, Signs
from wlkg.gnn.theorems.witness_numbers import CHOOSING, Numbers, carrier, first_column

Layer = RGCNLayer | CompGCNLayer | KRNLayer | ConditionalLayer


def set_weights(
    layer: Layer, config: ModelConfig, numbers: Numbers, before: Encoding, after: Signs | Ramps
) -> None:
    """Write numbers into a layer of zeros, between the features ``before`` and ``after`` it."""
    width, out_width = layer.root.shape
    slopes = _padded(after.slopes, out_width)
    reader = _padded(numbers.code.reader, width)
    layer.root.copy_(torch.outer(reader + numbers.anchor * _padded(before.one, width), slopes))
    _set_bias(layer, numbers.anchor * slopes, _padded(after.thresholds, out_width))
    if isinstance(layer, RGCNLayer):
        factors = torch.from_numpy(numbers.relations * numbers.positions[0])
        layer.weight.copy_(factors[:, None, None] * torch.outer(reader, slopes))
        return
    vectors = _relation_vectors(layer)
    if carrier(config) == CHOOSING:
        vectors[:, : numbers.relations.shape[1]].copy_(torch.from_numpy(numbers.relations))
        assert layer.compose.map is not None
        _set_gate(layer.compose.map, before.gate, float(numbers.relations.max()))
        composed = torch.ones_like(reader)
    else:
        composed = _composed_reader(config.composition, reader)
        vectors.copy_(_vectors(config.composition, numbers, vectors.shape[1]))
    weights = [layer.weight] if isinstance(layer, ConditionalLayer) else layer.weight
    for factor, weight in zip(numbers.positions.tolist(), weights, strict=False):
        weight.copy_(factor * torch.outer(composed, slopes))


def _relation_vectors(layer: CompGCNLayer | KRNLayer | ConditionalLayer) -> Tensor:
    """Where a layer keeps its vectors of relations."""
    if isinstance(layer, ConditionalLayer) and layer.query_map is not None:
        # They are the same for all queries.
        return layer.query_map.bias.view(-1, layer.compose.relation_width)
    assert layer.vectors is not None
    return layer.vectors


def _padded(vector: FloatArray, width: int) -> Tensor:
    padded = torch.zeros(width, dtype=torch.float64)
    padded[: len(vector)] = torch.from_numpy(vector)
    return padded


def _set_bias(layer: Layer, anchor: Tensor, thresholds: Tensor) -> None:
    """Subtract the anchor, and last of all the thresholds; an MLP becomes the identity."""
    assert layer.bias is not None
    layer.bias.copy_(-anchor)
    last = layer.bias
    if isinstance(layer, RGCNLayer | KRNLayer) and layer.mlp is not None:
        first, second = _linear_maps(layer.mlp)
        first.weight.copy_(torch.eye(len(thresholds)))
        second.weight.copy_(torch.eye(len(thresholds)))
        if isinstance(layer, KRNLayer):
            last = second.bias
    last.sub_(thresholds)


def _set_gate(learned: nn.Module, gate: Gate, height: float) -> None:
    """Make ReLU([h, z] W + b) the entry of z in the column of the class of h."""
    first, *more = _linear_maps(learned)
    size, width = len(gate.bias), len(first.bias)
    first.weight[:size, :size].copy_(height * torch.from_numpy(gate.matrix.T))
    first.weight[:, width:].copy_(torch.eye(width))
    first.bias[:size].copy_(height * torch.from_numpy(gate.bias))
    for linear in more:
        linear.weight.copy_(torch.eye(width))


def _linear_maps(learned: nn.Module) -> list[nn.Linear]:
    """The linear maps of an MLP, in their order."""
    return [module for module in learned.modules() if isinstance(module, nn.Linear)]


def _vectors(composition: str, numbers: Numbers, width: int) -> Tensor:
    """The vectors of relations."""
    relations = torch.from_numpy(numbers.relations)
    vectors = relations.new_zeros((len(relations), width))
    if composition in ("mult", "scale"):
        vectors[:] = relations[:, None]
    elif composition == "rotate":
        vectors[:, : width // 2] = relations[:, None]
    elif composition in ("add", "sub"):
        sign = 1 if composition == "add" else -1
        vectors[:, first_column(numbers.code)] = sign * relations
    else:
        vectors[:, 0] = relations
    return vectors


def _composed_reader(composition: str, reader: Tensor) -> Tensor:
    """The vector that reads from phi(h, z) what ``reader`` reads from h."""
    if composition == "concat":
        beside = torch.zeros_like(reader)
        beside[0] = 1
        return torch.cat([reader, beside])
    if composition == "corr":
        # Entry k of the correlation with a e_1 is a times entry -k of h.
        return torch.roll(reader.flip(0), 1)
    return reader
