"""Files that are not checkpoints are refused, and no code in them is run."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gnn.checkpoints.saved_models import (
    Malicious,
    assert_model_or_message,
    content_of,
    saved_model,
)
from wlkg.errors import InputError, OutputError
from wlkg.gnn.checkpoints.checkpoint_file import FORMAT, load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model

pytestmark = pytest.mark.usefixtures("one_torch_thread")

CPU = torch.device("cpu")


def legacy(content: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(content, buffer, _use_new_zipfile_serialization=False)
    return buffer.getvalue()


def zipped(content: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue()


def valid_bytes() -> bytes:
    return zipped(content_of(saved_model()))


def repacked(change: Callable[[str, bytes], bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """A checkpoint with other bytes in its archive."""
    buffer = io.BytesIO()
    original = zipfile.ZipFile(io.BytesIO(valid_bytes()))
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in original.namelist():
            archive.writestr(name, change(name, original.read(name)))
    return buffer.getvalue()


NOT_CHECKPOINTS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "text": lambda: b"hello",
    "zeros": lambda: bytes(10_000),
    "a pickle with code": lambda: pickle.dumps(Malicious()),
    "a pickle of a checkpoint": lambda: pickle.dumps({"format": FORMAT}),
    "code in an archive": lambda: zipped({"format": FORMAT, "model": Malicious()}),
    "code in the old format": lambda: legacy({"format": FORMAT, "model": Malicious()}),
    "the old format": lambda: legacy(content_of(saved_model())),
    "another archive": lambda: repacked(lambda _, data: data[::-1]),
    "a short record": lambda: repacked(lambda n, data: data[:8] if "/data/" in n else data),
    "a list": lambda: zipped([1, 2]),
    "a tensor": lambda: zipped(torch.zeros(3)),
    "another format": lambda: zipped({**content_of(saved_model()), "format": "wlkg/2"}),
    "a format of another type": lambda: zipped({"format": torch.zeros(2)}),
    "no format": lambda: zipped({"model": {}}),
    # A thousand times larger when unpacked.
    "a bomb": lambda: repacked(
        lambda n, data: bytes(10**7) if n.endswith("/data/0") else data, zipfile.ZIP_DEFLATED
    ),
}


@pytest.mark.parametrize("kind", NOT_CHECKPOINTS)
def test_a_file_that_is_not_a_checkpoint_is_refused_and_never_executed(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "m.pt"
    path.write_bytes(NOT_CHECKPOINTS[kind]())
    with pytest.raises(InputError) as caught:
        load_model(str(path))
    assert str(caught.value).startswith(f"{path}: not a checkpoint of wlkg")
    # The message of PyTorch would say how to run the code anyway.
    assert "weights_only" not in str(caught.value)
    assert "trust" not in str(caught.value)
    assert [file.name for file in tmp_path.iterdir()] == ["m.pt"]


def test_an_archive_that_would_unpack_to_more_bytes_than_it_has_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(NOT_CHECKPOINTS["a bomb"]())

    def load(*_given: object, **_options: object) -> None:
        pytest.fail("it was unpacked")

    monkeypatch.setattr(torch, "load", load)
    with pytest.raises(InputError):
        load_checkpoint(path, CPU)


@given(share=st.floats(0, 1, exclude_max=True))
@settings(max_examples=30)
def test_a_truncated_checkpoint_is_refused(share: float, scratch: Path) -> None:
    whole = valid_bytes()
    path = scratch / "cut.pt"
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(InputError, match=r"cut\.pt: not a checkpoint of wlkg"):
        load_model(str(path))


@given(changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)),
                        min_size=1, max_size=8))  # fmt: skip
@settings(max_examples=100)
def test_changed_bytes_give_a_model_or_a_message(
    changes: list[tuple[float, int]], scratch: Path
) -> None:
    data = bytearray(valid_bytes())
    for place, value in changes:
        # Mostly bytes at the beginning, where the description is.
        data[int(place**2 * len(data))] = value
    path = scratch / "changed.pt"
    path.write_bytes(data)
    assert_model_or_message(path)


@given(changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)),
                        min_size=1, max_size=4))  # fmt: skip
@settings(max_examples=100)
def test_a_changed_description_gives_a_model_or_a_message(
    changes: list[tuple[float, int]], scratch: Path
) -> None:
    def change(name: str, data: bytes) -> bytes:
        if not name.endswith("data.pkl"):
            return data
        changed = bytearray(data)
        for place, value in changes:
            changed[int(place * len(changed))] = value
        return bytes(changed)

    path = scratch / "described.pt"
    path.write_bytes(repacked(change))
    assert_model_or_message(path)


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_model(str(tmp_path / "m.pt"))
    assert str(caught.value) == f"{tmp_path / 'm.pt'}: cannot be read: No such file or directory"
    with pytest.raises(InputError) as caught:
        load_model(str(tmp_path))
    assert str(caught.value) == f"{tmp_path}: cannot be read: Is a directory"


def test_a_checkpoint_is_not_compressed(tmp_path: Path) -> None:
    with pytest.raises(OutputError, match=r"m\.pt\.gz: checkpoints are not compressed"):
        save_checkpoint(tmp_path / "m.pt.gz", {})
    assert list(tmp_path.iterdir()) == []
