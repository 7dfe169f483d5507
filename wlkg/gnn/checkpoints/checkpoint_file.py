"""The file of a checkpoint: written completely or not at all, and read as data, never as code."""

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
    """Write a checkpoint to a temporary file, then move it into place."""
    if path.suffix.lower() == ".gz":
        raise OutputError(f"{path}: checkpoints are not compressed. Give a name without .gz")
    buffer = io.BytesIO()
    torch.save({"format": FORMAT, **content}, buffer)
    with written_aside(path) as stream:
        stream.write(buffer.getvalue())


def load_checkpoint(path: Path, device: torch.device) -> dict[str, Any]:
    """Read a checkpoint without running any code in it."""
    try:
        _check_archive(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch warns about unusual files
            content = torch.load(path, map_location=device, weights_only=True)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    except Exception as error:
        # A damaged or malicious file may raise anything. PyTorch's own message would suggest
        # loading it unsafely.
        raise InputError("not a checkpoint of wlkg, or a damaged one", path=path) from error
    file_format = content.get("format") if isinstance(content, dict) else None
    if file_format != FORMAT:
        raise InputError("not a checkpoint of wlkg", path=path)
    return dict(content)


def _check_archive(path: Path) -> None:
    """Refuse a file that unpacks to more bytes than it has: checkpoints are not compressed."""
    with path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
        unpacked = sum(entry.file_size for entry in archive.infolist())
        if unpacked > stream.seek(0, io.SEEK_END):
            raise zipfile.BadZipFile(f"{unpacked} bytes inside")
