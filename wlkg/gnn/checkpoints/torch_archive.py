"""Checkpoints of earlier versions: archives with a pickle, as ``torch.save`` writes them.

An archive is not trusted. It must be as long as what it holds, its pickle is checked before it runs
(`pickle_check`), and only then PyTorch's restricted reader gets it: not the file itself, which
another reader of archives may understand in another way, but a copy of the entries checked.
"""

from __future__ import annotations

import io
import os
import warnings
import zipfile
from pathlib import Path
from typing import Any

import torch

from wlkg.gnn.checkpoints.damage import DamagedError, library_at_work
from wlkg.gnn.checkpoints.pickle_check import check_pickle

#: How an archive begins.
MAGIC = b"PK\x03\x04"
#: The weights of a model that the optimiser does not number, by the ends of their names.
_NOT_LEARNED = ("start",)


def read_archive(path: Path) -> dict[str, Any]:
    """The content of a checkpoint, with the state of the optimiser by the names of the weights."""
    with library_at_work(), path.open("rb") as stream, zipfile.ZipFile(stream) as archive:
        size = stream.seek(0, os.SEEK_END)
        checked = _checked_copy(archive, size)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # PyTorch warns about unusual files
            content = torch.load(checked, map_location="cpu", weights_only=True)
    assert isinstance(content, dict)
    if "optimiser" in content:
        content["optimiser"] = _by_name(content["optimiser"], content.get("model"))
    return content


def _checked_copy(archive: zipfile.ZipFile, size: int) -> io.BytesIO:
    """An archive in memory with the pickle, which was checked, and the storages that it uses."""
    entries = {entry.filename: entry for entry in archive.infolist()}
    if len(entries) < len(archive.infolist()):
        raise DamagedError("its archive has two entries of one name")
    unpacked = sum(entry.file_size for entry in entries.values())
    if unpacked > size or any(entry.compress_type for entry in entries.values()):
        raise DamagedError(f"its archive unpacks to {unpacked:,} bytes; the file has {size:,}")
    roots = [name.removesuffix("data.pkl") for name in entries if name.endswith("/data.pkl")]
    if len(roots) != 1:
        raise DamagedError("its archive is not one of PyTorch")
    (root,) = roots
    begin = f"{root}data/"
    storages = {
        name.removeprefix(begin): entry.file_size
        for name, entry in entries.items()
        if name.startswith(begin)
    }
    used = check_pickle(archive.read(f"{root}data.pkl"), storages)
    wanted = ["data.pkl", "byteorder", "version", *(f"data/{key}" for key in sorted(used))]
    copy = io.BytesIO()
    with zipfile.ZipFile(copy, "w") as checked:
        for name in wanted:
            if root + name in entries:
                checked.writestr(f"archive/{name}", archive.read(root + name))
    copy.seek(0)
    return copy


def _by_name(optimiser: object, weights: object) -> dict[str, Any] | None:
    """The numbers that the optimiser keeps for each weight: ``NAME.exp_avg`` and others.

    The archive has them by the numbers of the weights. None if it has something else.
    """
    state = optimiser.get("state") if isinstance(optimiser, dict) else None
    if not isinstance(weights, dict) or not isinstance(state, dict):
        return None
    names = [name for name in map(str, weights) if name.split(".")[-1] not in _NOT_LEARNED]
    found: dict[str, Any] = {}
    for number, values in state.items():
        if type(number) is not int or number >= len(names) or not isinstance(values, dict):
            return None
        found |= {f"{names[number]}.{key}": value for key, value in values.items()}
    return found
