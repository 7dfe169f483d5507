"""A second device on any machine: tensors that say ``meta`` and still hold numbers.

On a real GPU an operation fails if one of its tensors is in the main memory. Here the device called
``meta`` plays the GPU: its tensors wrap tensors of the CPU, and `OtherDevice` runs every operation
on what they wrap, but only if all tensors of the operation are of the same device.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

OTHER = torch.device("meta")
#: A conjugate is only marked as such, on a tensor that is wrapped: it is computed at once instead.
_EAGER = {torch.ops.aten._conj.default: torch.ops.aten.conj_physical.default}


class Elsewhere(torch.Tensor):
    """A tensor of the other device."""

    held: torch.Tensor

    @staticmethod
    def __new__(cls, inner: torch.Tensor) -> Elsewhere:
        # PyTorch wraps no compressed matrices, but operations only look at what is wrapped.
        is_dense = inner.layout == torch.strided
        made: Elsewhere = torch.Tensor._make_wrapper_subclass(
            cls,
            inner.shape,
            dtype=inner.dtype,
            device=OTHER,
            strides=inner.stride() if is_dense else None,
            layout=torch.strided if is_dense else torch.sparse_coo,
        )
        made.held = inner
        return made

    def tolist(self) -> Any:
        """As on a GPU, the numbers are copied first; PyTorch does not do so for subclasses."""
        return self.cpu().tolist()

    @classmethod
    def __torch_dispatch__(  # type: ignore[override]
        cls, func: Any, *_: Any, **__: Any
    ) -> Any:
        raise AssertionError(f"{func} was called outside of the mode")


class OtherDevice(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Runs operations, and refuses those that mix devices or make a tensor off the other device.

    With ``prepares``, tensors may also be made here, to be moved there.
    """

    def __init__(self, *, prepares: bool = False) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._prepares = prepares
        #: The names of all operations that ran on the other device.
        self.operations: set[str] = set()

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = dict(kwargs or {})
        tensors = [leaf for leaf in tree_leaves((args, kwargs)) if isinstance(leaf, torch.Tensor)]
        away = [isinstance(tensor, Elsewhere) for tensor in tensors]
        copies = func in (torch.ops.aten._to_copy.default, torch.ops.aten.copy_.default)
        target = kwargs.get("device")
        if tensors and not copies:
            assert all(away) or not any(away), f"{func} mixes tensors of two devices"
        goes_away = any(away) if target is None else torch.device(target) == OTHER
        if goes_away and "device" in kwargs:
            kwargs["device"] = torch.device("cpu")
        plain_args, plain_kwargs = tree_map(_inner, (args, kwargs))
        result = _EAGER.get(func, func)(*plain_args, **plain_kwargs)
        if not goes_away:
            is_made = not tensors and any(isinstance(r, torch.Tensor) for r in tree_leaves(result))
            assert self._prepares or not is_made, f"{func} makes a tensor off the device"
            return result
        self.operations.add(str(func))
        known = {id(t.held): t for t in tensors if isinstance(t, Elsewhere)}
        return tree_map(lambda part: _wrapped(part, known), result)


def _inner(part: Any) -> Any:
    return part.held if isinstance(part, Elsewhere) else part


def _wrapped(part: Any, known: dict[int, Elsewhere]) -> Any:
    """The result on the other device; an operation in place returns the tensor that it changed."""
    if not isinstance(part, torch.Tensor):
        return part
    return known[id(part)] if id(part) in known else Elsewhere(part)
