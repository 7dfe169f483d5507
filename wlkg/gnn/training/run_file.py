"""The checkpoint of a training run, and what must be right before a run continues from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from wlkg.errors import MALFORMED, InputError, WlkgError
from wlkg.gnn.checkpoints.untrusted import config_in

_OTHER_FOLDER = "Give the options it was made with, or another folder with --save"
_AGAIN = "Train again without --resume, or in another folder with --save"


class DivergedError(WlkgError):
    """The loss is no longer a finite number."""


def diverged(
    value: float, epoch: int, seed: int, save: Path | None, *, what: str = "the loss"
) -> DivergedError:
    """The error of a run whose loss, or another value, is not finite in an epoch."""
    kept = "" if save is None else f" The last good checkpoint is in {save}."
    return DivergedError(
        f"{what} is {value} in epoch {epoch} of seed {seed}.{kept} Use a smaller --lr, or"
        " --aggregation mean"
    )


def checkpoint_path(folder: Path, seed: int) -> Path:
    """The file of the checkpoint of a seed."""
    return folder / f"seed-{seed}.pt"


@contextmanager
def reading_run(path: Path) -> Iterator[None]:
    """What is wrong with a file is an error that names it."""
    try:
        yield
    except (*MALFORMED, RuntimeError) as error:
        raise InputError(
            "the checkpoint does not hold a training run", path=path, remedy=_AGAIN
        ) from error


def check_identity(content: dict[str, Any], ours: Mapping[str, Any], path: Path) -> None:
    """Refuse the checkpoint of another run.

    Settings of the model that an earlier version did not have count with their defaults.
    """
    theirs = {**content["identity"], "model": asdict(config_in(content))}
    for what, value in ours.items():
        if theirs.get(what) != value:
            raise InputError(
                f"the checkpoint's {what} differs from this run's",
                path=path,
                remedy=_OTHER_FOLDER,
            )


def check_epoch(epoch: object, curves: Tensor, columns: int, most: int, path: Path) -> None:
    """Refuse curves that do not fit the number of epochs, or more epochs than are asked for."""
    if type(epoch) is not int or curves.shape != (epoch + 1, columns) or curves.isinf().any():
        raise ValueError("epochs and curves do not fit")
    if epoch > most:
        raise InputError(f"the checkpoint has {epoch:,} epochs, more than {most:,}", path=path)


def check_dtype(weights: Mapping[str, Tensor], ours: torch.dtype, path: Path) -> None:
    """Refuse weights of another floating-point type."""
    (theirs,) = {value.dtype for value in weights.values()}
    if theirs != ours:
        raise InputError(
            f"the checkpoint's numbers are {theirs}, this run's {ours}".replace("torch.", ""),
            path=path,
            remedy=_OTHER_FOLDER,
        )


def check_columns(curves: Tensor, columns: int, path: Path) -> None:
    """Refuse the curves of an older version."""
    if curves.dim() == 2 and curves.shape[1] < columns:
        raise InputError(
            "the checkpoint is of an older version, which did not record the validation loss",
            path=path,
            remedy=_AGAIN,
        )
