"""Relational graph neural networks: R-GCN, CompGCN and k-RN as in the paper, trained fast.

The only part of the project that needs PyTorch; it comes with the extra ``gnn``.
"""

from __future__ import annotations

from wlkg.errors import MissingExtraError

try:
    import torch  # noqa: F401
except ImportError as error:
    raise MissingExtraError("a graph neural network", "gnn") from error
