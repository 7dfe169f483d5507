"""Checkpoints: a run of training on disk, written whole or not at all, read as data only."""

from __future__ import annotations

import io
import warnings
import zipfile
from pathlib import Path
from typing import Any

import torch

from wlkg.errors import InputError, OutputError
from wlkg.writers.aside import written_aside

FORMAT = "wlkg-checkpoint/1"


def save_checkpoint(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint aside and put it in place at once."""
    if path.suffix.lower() == ".gz":
        raise OutputError(f"{path}: checkpoints are not compressed. Give a name without .gz")
    buffer = io.BytesIO()
    torch.save({"format": FORMAT, **content}, buffer)
    with written_aside(path) as stream:
        stream.write(buffer.getvalue())


def load_checkpoint(path: Path, device: torch.device) -> dict[str, Any]:
    """Read a checkpoint; nothing in it is executed."""
    try:
        _check_archive(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about what a file that is no checkpoint may hold
            content = torch.load(path, map_location=device, weights_only=True)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    except Exception as error:
        # There is no telling what a damaged file, or one made to harm, makes a reader stumble on;
        # and what torch has to say is how to load it all the same.
        raise InputError("not a checkpoint of wlkg, or a damaged one", path=path) from error
    found = content.get("format") if isinstance(content, dict) else None
    if found != FORMAT:
        raise InputError("not a checkpoint of wlkg", path=path)
    return dict(content)


def _check_archive(path: Path) -> None:
    """Refuse what would unpack to more than the file has: checkpoints are not compressed."""
    with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > stream.seek(0, io.SEEK_END):
            raise zipfile.BadZipFile(f"{unpacked} bytes inside")
