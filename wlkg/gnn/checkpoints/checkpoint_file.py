"""The file of a checkpoint: written completely or not at all, and read as data, never as code.

What a checkpoint holds is a dictionary. Tensors, and dictionaries of tensors, are its tensors:
``model`` with a weight ``layers.0.root`` is in the file as ``model.layers.0.root``. All the rest is
its description. The content of a file, not its name, decides how it is read: archives of earlier
versions begin with other bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import Tensor

from wlkg.errors import InputError, OutputError
from wlkg.gnn.checkpoints.damage import DamagedError, shown
from wlkg.gnn.checkpoints.tensor_file import read_tensor_file, tensor_file
from wlkg.gnn.checkpoints.torch_archive import MAGIC, read_archive
from wlkg.writers.aside import written_aside

FORMAT = "wlkg-checkpoint/2"
#: The format of the archives of earlier versions.
ARCHIVE_FORMAT = "wlkg-checkpoint/1"


def save_checkpoint(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint to a temporary file, then move it into place."""
    if path.suffix.lower() == ".gz":
        raise OutputError(f"{path}: checkpoints are not compressed. Give a name without .gz")
    description: dict[str, Any] = {"format": FORMAT}
    tensors = {}
    for key, value in content.items():
        if isinstance(value, Tensor):
            tensors[key] = value
        elif _are_tensors(value):
            tensors |= {f"{key}.{name}": tensor for name, tensor in value.items()}
        else:
            description[key] = value
    data = tensor_file(description, tensors)
    with written_aside(path) as stream:
        stream.write(data)


def _are_tensors(value: object) -> bool:
    return (
        isinstance(value, dict)
        and bool(value)
        and all(isinstance(each, Tensor) for each in value.values())
    )


def load_checkpoint(path: Path) -> dict[str, Any]:
    """Read a checkpoint without running any code in it."""
    try:
        with path.open("rb") as stream:
            is_archive = stream.read(len(MAGIC)) == MAGIC
        content = read_archive(path) if is_archive else _content(*read_tensor_file(path))
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=path) from error
    except DamagedError as error:
        reason = f": {error}" if str(error) else ""
        raise InputError(
            f"not a checkpoint of wlkg, or a damaged one{reason}", path=path
        ) from error
    found = content.pop("format", None)
    if found != (ARCHIVE_FORMAT if is_archive else FORMAT):
        other = f" that this version can read: {shown(found)}" if isinstance(found, str) else ""
        raise InputError(f"not a checkpoint of wlkg{other}", path=path)
    return content


def _content(description: dict[str, Any], tensors: dict[str, Tensor]) -> dict[str, Any]:
    """What `save_checkpoint` was given."""
    content = dict(description)
    for name, tensor in tensors.items():
        key, dot, rest = name.partition(".")
        if key in description:
            raise DamagedError(f"{shown(key)} is a tensor and is described, too")
        part = content.setdefault(key, {} if dot else tensor)
        if dot and isinstance(part, dict):
            part[rest] = tensor
        elif part is not tensor:
            raise DamagedError(f"{shown(key)} is a tensor and holds tensors, too")
    return content
