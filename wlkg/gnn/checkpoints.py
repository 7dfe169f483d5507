"""Checkpoints: a run of training on disk, written whole or not at all, read as data only."""

from __future__ import annotations

import io
import pickle
import warnings
from pathlib import Path
from typing import Any

import torch

from wlkg.errors import InputError
from wlkg.writers.aside import written_aside

FORMAT = "wlkg-checkpoint/1"


def save_checkpoint(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint aside and put it in place at once."""
    buffer = io.BytesIO()
    torch.save({"format": FORMAT, **content}, buffer)
    with written_aside(path) as stream:
        stream.write(buffer.getvalue())


def load_checkpoint(path: Path, device: torch.device) -> dict[str, Any]:
    """Read a checkpoint; nothing in it is executed."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what a file that is no checkpoint may hold
            content = torch.load(path, map_location=device, weights_only=True)
    except FileNotFoundError as error:
        raise InputError("there is no checkpoint to resume", path=path) from error
    except (pickle.UnpicklingError, RuntimeError, EOFError, OSError, ValueError, KeyError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"not a checkpoint of wlkg, or a damaged one: {first}", path=path
        ) from error
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InputError("not a checkpoint of wlkg", path=path)
    return content
