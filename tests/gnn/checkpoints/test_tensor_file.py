"""Headers that lie about the file, or ask for more than it has, are refused at once."""

from __future__ import annotations

import json
import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch

from wlkg.errors import OutputError
from wlkg.gnn.checkpoints import tensor_file as module
from wlkg.gnn.checkpoints.damage import DamagedError
from wlkg.gnn.checkpoints.tensor_file import read_tensor_file, tensor_file

Header = dict[str, Any]


def valid_header() -> Header:
    return {
        "__metadata__": {"wlkg": '{"format":"x"}'},
        "a": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]},
        "b": {"dtype": "F64", "shape": [1], "data_offsets": [24, 32]},
    }


def raw(header: str | bytes, body: bytes = bytes(32)) -> bytes:
    encoded = header.encode() if isinstance(header, str) else header
    return struct.pack("<Q", len(encoded)) + encoded + body


def entry(name: str, **changes: object) -> Callable[[Header], None]:
    return lambda header: header[name].update(changes)


def described(text: object) -> Callable[[Header], None]:
    return lambda header: header.update(__metadata__={"wlkg": text})


LIES: dict[str, tuple[Callable[[Header], Any], str]] = {
    "more numbers than bytes": (entry("a", shape=[2, 4]), "has another size than its place"),
    "a huge shape": (entry("a", shape=[10**9, 10**9]), "has another size than its place"),
    "an overflowing shape": (entry("a", shape=[2**32, 2**32]), "has another size than its place"),
    "an endless number": (entry("a", shape=[2**70, 0]), "has no shape and place"),
    "a negative shape": (entry("a", shape=[-2, -3]), "has no shape and place"),
    "a truth value": (entry("b", shape=[True]), "has no shape and place"),
    "a fraction": (entry("b", shape=[1.0]), "has no shape and place"),
    "a word for a shape": (entry("b", shape="1"), "has no shape and place"),
    "many dimensions": (entry("b", shape=[1] * 9), "has no shape and place"),
    "a place outside": (entry("b", data_offsets=[32, 40]), "there are bytes between them"),
    "a shared place": (entry("b", data_offsets=[0, 8]), "tensors overlap"),
    "a place that ends before it begins": (entry("b", data_offsets=[32, 24]), "another size"),
    "three places": (entry("b", data_offsets=[24, 32, 40]), "has no shape and place"),
    "bytes that are not used": (lambda header: header.pop("b"), "24 bytes, 32 in the file"),
    "half precision": (entry("a", dtype="F16", shape=[12]), "does not hold float32 or float64"),
    "an unknown type": (entry("a", dtype="x" * 10**6), "does not hold float32 or float64"),
    "a list for a type": (entry("a", dtype=[[]]), "does not hold float32 or float64"),
    "another key": (entry("a", more=1), "has no type, shape and place"),
    "no entry": (lambda header: header.update(a=None), "has no type, shape and place"),
    "no metadata": (lambda header: header.pop("__metadata__"), "there is no description"),
    "other metadata": (lambda header: header["__metadata__"].update(x="y"), "no description"),
    "a number for a description": (described(3), "there is no description"),
    "a list for a description": (described("[]"), "there is no description"),
    "a description that is not JSON": (described("{"), "is not JSON"),
    "not a number": (described('{"a":NaN}'), "NaN is not a number"),
    "an infinite number": (described('{"a":[-Infinity]}'), "-Infinity is not a number"),
    "a number with many digits": (described(f'{{"a":{"9" * 10_000}}}'), "is not JSON"),
    "a key that is given twice": (described('{"a":1,"a":2}'), "a key is given twice"),
    "deep nesting": (described('{"a":' + "[" * 40 + "]" * 40 + "}"), "nested too deeply"),
    "very deep nesting": (described("[" * 10**6), "nested too deeply"),
    "deep objects": (described('{"a":' * 10**6), "nested too deeply"),
}


@pytest.mark.parametrize("kind", LIES)
def test_a_header_that_lies_is_refused_before_anything_is_allocated(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def opened(*_given: object, **_options: object) -> None:
        pytest.fail("the tensors were read")

    monkeypatch.setattr(module, "safe_open", opened)
    change, message = LIES[kind]
    header = valid_header()
    change(header)
    path = tmp_path / "m.pt"
    path.write_bytes(raw(json.dumps(header)))
    with pytest.raises(DamagedError, match=message) as caught:
        read_tensor_file(path)
    assert len(str(caught.value)) < 150


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (b"", "not JSON"),
        (b"[]", "not an object"),
        (b'{"a":1,"a":1}', "twice"),
        (b"\xff\xfe", "not JSON"),
        (b"[" * 10**6, "nested too deeply"),
        (b'{"a":' * 10**6, "nested too deeply"),
        (b"1" * 10**6, "not JSON"),
        (b"1e999999", "not an object"),
    ],
)
def test_a_header_that_is_not_one_is_refused(header: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(raw(header))
    with pytest.raises(DamagedError, match=message):
        read_tensor_file(path)


def test_a_valid_header_is_read(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(raw(json.dumps(valid_header())))
    description, tensors = read_tensor_file(path)
    assert description == {"format": "x"}
    assert tensors["a"].shape == (2, 3)
    assert tensors["b"].dtype == torch.float64


def test_a_header_beyond_the_limit_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    with path.open("wb") as stream:
        stream.write(struct.pack("<Q", 10**9))
        stream.truncate(2 * 10**9)  # a file with a hole: it takes no place
    tracemalloc.start()
    with pytest.raises(DamagedError, match="a header of 1,000,000,000 bytes, more than"):
        read_tensor_file(path)
    assert tracemalloc.get_traced_memory()[1] < 10**6
    tracemalloc.stop()


def test_names_that_do_not_fit_into_a_header_are_not_written(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_LONGEST_HEADER", 1000)
    assert tensor_file({"names": ["x"] * 10}, {"a": torch.zeros(1)})
    with pytest.raises(OutputError, match="bytes, more than the 1,000 that fit into a checkpoint"):
        tensor_file({"names": ['"'] * 200}, {})
