"""Which functions a model calls in a run, as far as they explain what is unusual about it.

The interpreter reports every call, Python's and C's. So it does not matter whether eigenvectors
come from torch, numpy, scipy or a transform of PyG. Only names of the lists below are kept.

The interpreter reports to one listener only. Where a profiler already listens, nothing is noted.
"""

from __future__ import annotations

import sys
from types import FrameType, TracebackType
from typing import Any

#: Their sign and basis are arbitrary.
EIGENVECTORS = frozenset(
    [
        "eigh",
        "eig",
        "eigsh",
        "eigs",
        "linalg_eigh",
        "linalg_eig",
        "svd",
        "svds",
        "linalg_svd",
        "lobpcg",
        "AddLaplacianEigenvectorPE",
    ]
)
RANDOM_WALKS = frozenset({"AddRandomWalkPE"})
#: Every vertex sees all others.
POOLING = frozenset(
    [
        "global_add_pool",
        "global_mean_pool",
        "global_max_pool",
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
        "MultiheadAttention",
        "VirtualNode",
    ]
)
DROPOUT = frozenset(
    [
        "dropout",
        "alpha_dropout",
        "feature_dropout",
        "dropout_edge",
        "dropout_node",
        "dropout_path",
        "dropout_adj",
        "DropEdge",
    ]
)
NOISE = frozenset(
    [
        "rand",
        "randn",
        "rand_like",
        "randn_like",
        "randint",
        "randperm",
        "bernoulli",
        "multinomial",
        "normal",
        "normal_",
        "uniform_",
        "random_",
        "bernoulli_",
        "gumbel_softmax",
    ]
)
_KEPT = EIGENVECTORS | RANDOM_WALKS | POOLING | DROPOUT | NOISE


class Calls:
    """Notes the names of functions, and the classes of methods, that are called inside it."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self._listens = False

    def __enter__(self) -> None:
        self._listens = sys.getprofile() is None
        if self._listens:
            sys.setprofile(self._note)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._listens:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, called: Any) -> None:
        if event == "c_call":
            self._keep(getattr(called, "__name__", ""))
        elif event == "call":
            self._keep(frame.f_code.co_name)
            if frame.f_code.co_varnames[:1] == ("self",):
                self._keep(type(frame.f_locals.get("self")).__name__)

    def _keep(self, name: str) -> None:
        if name in _KEPT:
            self.names.add(name)
