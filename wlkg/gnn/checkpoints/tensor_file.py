"""Tensors and their description in one file, in the safetensors format.

A file is: the length of the header (8 bytes, little-endian), the header (JSON), the numbers. The
header gives each tensor a type, a shape and a place among the numbers; the description is one JSON
string among its metadata. So all sizes are known, and compared with the size of the file, before
anything is allocated, and nothing in a file can be run. Equal content gives equal bytes.

JSON has no tuples: lists of the description are read as tuples.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO

from safetensors import safe_open
from safetensors.torch import save
from torch import Tensor

from wlkg.errors import OutputError
from wlkg.gnn.checkpoints.damage import DamagedError, library_at_work, shown

#: The key of the description among the metadata.
_DESCRIPTION = "wlkg"
_METADATA = "__metadata__"
#: The most bytes of a header: parsed, each may take thirty.
_LONGEST_HEADER = 20_000_000
#: How deep the description may be nested.
_DEEPEST = 32
#: The most dimensions of a tensor.
_DIMENSIONS = 8
_BYTES_OF_NUMBER = {"F32": 4, "F64": 8}


def tensor_file(description: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> bytes:
    """The bytes of a file."""
    text = json.dumps(description, allow_nan=False, separators=(",", ":"))
    # Quotes and backslashes are escaped once more within the header.
    length = len(json.dumps(text)) + sum(len(name) + 200 for name in tensors)
    if length > _LONGEST_HEADER:
        raise OutputError(
            f"the names of relations, labels, classes and atomic types take {length:,} bytes, more"
            f" than the {_LONGEST_HEADER:,} that fit into a checkpoint"
        )
    plain = {name: value.detach().cpu().contiguous() for name, value in tensors.items()}
    return save(plain, {_DESCRIPTION: text})


def read_tensor_file(path: Path) -> tuple[dict[str, Any], dict[str, Tensor]]:
    """The description and the tensors of a file, after all sizes in it were checked."""
    with path.open("rb") as stream:
        header = _header(stream)
        start, end = stream.tell(), stream.seek(0, os.SEEK_END)
    metadata = header.pop(_METADATA, None)
    if not isinstance(metadata, dict) or list(metadata) != [_DESCRIPTION]:
        raise DamagedError("there is no description")
    description = _with_tuples(_parsed(metadata[_DESCRIPTION]))
    if not isinstance(description, dict):
        raise DamagedError("there is no description")
    _check_places(header, end - start)
    with library_at_work(), safe_open(path, framework="pt") as file:
        # Copies: the library gives views of the file, which another program may cut.
        tensors = {name: file.get_tensor(name).clone() for name in header}
    return description, tensors


def _header(stream: BinaryIO) -> dict[str, Any]:
    """The header, if it is as long as it says; the stream is then at the numbers."""
    size = stream.seek(0, os.SEEK_END)
    stream.seek(0)
    length = int.from_bytes(stream.read(8), "little")
    if length > size - 8:
        raise DamagedError(f"a header of {length:,} bytes in a file of {size:,}")
    if length > _LONGEST_HEADER:
        raise DamagedError(f"a header of {length:,} bytes, more than {_LONGEST_HEADER:,}")
    header = _parsed(stream.read(length))
    if not isinstance(header, dict):
        raise DamagedError("the header is not an object")
    return header


def _parsed(text: object) -> Any:
    """JSON without keys that are given twice, numbers that are not finite, and deep nesting."""
    if not isinstance(text, str | bytes):
        raise DamagedError("there is no description")
    try:
        decoded = text.decode() if isinstance(text, bytes) else text
        return json.loads(decoded, object_pairs_hook=_object, parse_constant=_refused)
    except RecursionError as error:
        raise DamagedError("nested too deeply") from error
    except ValueError as error:
        raise DamagedError("the header is not JSON") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise DamagedError("a key is given twice")
    return found


def _refused(constant: str) -> None:
    raise DamagedError(f"{constant} is not a number")


def _check_places(header: Mapping[str, Any], available: int) -> None:
    """The numbers of the tensors fill the rest of the file, without holes or shared places."""
    places = sorted(_place(name, entry) for name, entry in header.items())
    reached = 0
    for begin, end in places:
        if begin != reached:
            raise DamagedError("tensors overlap, or there are bytes between them")
        reached = end
    if reached != available:
        raise DamagedError(f"tensors of {reached:,} bytes, {available:,} in the file")


def _place(name: str, entry: object) -> tuple[int, int]:
    """Where the numbers of a tensor begin and end, if there are as many as its shape says."""
    if not isinstance(entry, dict) or entry.keys() != {"dtype", "shape", "data_offsets"}:
        raise DamagedError(f"{shown(name)} has no type, shape and place")
    shape, place = _numbers(entry["shape"]), _numbers(entry["data_offsets"])
    width = _BYTES_OF_NUMBER.get(str(entry["dtype"])[:60])
    if width is None:
        raise DamagedError(f"{shown(name)} does not hold float32 or float64")
    if shape is None or len(shape) > _DIMENSIONS or place is None or len(place) != 2:
        raise DamagedError(f"{shown(name)} has no shape and place")
    if width * math.prod(shape) != place[1] - place[0]:
        raise DamagedError(f"{shown(name)} has another size than its place in the file")
    return place[0], place[1]


def _numbers(given: object) -> list[int] | None:
    """A list of whole numbers that the integers of PyTorch can hold."""
    if not isinstance(given, list):
        return None
    return given if all(type(n) is int and 0 <= n < 2**63 for n in given) else None


def _with_tuples(value: Any, depth: int = 0) -> Any:
    """A part of the description with tuples for lists."""
    if depth > _DEEPEST:
        raise DamagedError("nested too deeply")
    if isinstance(value, list):
        return tuple(_with_tuples(each, depth + 1) for each in value)
    if isinstance(value, dict):
        return {key: _with_tuples(each, depth + 1) for key, each in value.items()}
    return value
