"""Sums over messages that are made entry by entry: compiled loops on CPUs, PyTorch elsewhere."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from wlkg.compiled.kernel import run
from wlkg.gnn.models.conditional_graph import ConditionalGraph
from wlkg.gnn.models.message_kernels import PRODUCT, SUM, add_gradients, add_messages

#: The devices whose memory compiled loops can use.
COMPILED_ON = ("cpu",)


def message_sums(kind: int, rows: Tensor, vectors: Tensor, graph: ConditionalGraph) -> Tensor:
    """For each vertex v and source the sum over all i and w in N_i(v) of the message of w and i.

    ``rows`` has the axes vertex, source, entry, and ``vectors`` the axes relation, source (or a
    single one for all), entry; ``kind`` is one of those of `message_kernels`.
    """
    if rows.device.type in COMPILED_ON:
        out: Tensor = _Compiled.apply(rows, vectors, kind, graph)  # type: ignore[no-untyped-call]
        return out
    seen, through = rows[graph.neighbour], vectors[graph.relation]
    messages = seen * through if kind == PRODUCT else seen + through
    if kind not in (PRODUCT, SUM):
        messages = messages.relu()
    return messages.new_zeros(rows.shape).index_add(0, graph.vertex, messages)


class _Compiled(torch.autograd.Function):
    """The compiled loops as an operation of PyTorch."""

    @staticmethod
    def forward(
        ctx: Any, rows: Tensor, vectors: Tensor, kind: int, graph: ConditionalGraph
    ) -> Tensor:
        rows, vectors = rows.contiguous(), vectors.contiguous()
        ctx.save_for_backward(rows, vectors)
        ctx.kind, ctx.graph = kind, graph
        out = torch.zeros_like(rows)
        run(add_messages, _steps(rows, graph), *_arrays(kind, graph, rows, vectors, out))
        return out

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> Any:
        rows, vectors = ctx.saved_tensors
        by_rows, by_vectors = torch.zeros_like(rows), torch.zeros_like(vectors)
        tensors = rows, vectors, gradient.contiguous(), by_rows, by_vectors
        run(add_gradients, _steps(rows, ctx.graph), *_arrays(ctx.kind, ctx.graph, *tensors))
        return by_rows, by_vectors, None, None


def _steps(rows: Tensor, graph: ConditionalGraph) -> int:
    return len(graph) * rows.shape[1] * rows.shape[2]


def _arrays(kind: int, graph: ConditionalGraph, *tensors: Tensor) -> list[Any]:
    """The arguments of a kernel."""
    arcs = graph.offsets, graph.neighbour, graph.relation
    return [kind, *(tensor.detach().numpy() for tensor in (*arcs, *tensors))]
