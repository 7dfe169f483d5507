"""Files that are not checkpoints are refused, and no code in them is run."""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gnn.checkpoints.saved_models import (
    Content,
    Malicious,
    archived,
    assert_equal_models,
    assert_model_or_message,
    content_of,
    saved_model,
    written,
)
from wlkg.errors import InputError, OutputError
from wlkg.gnn.checkpoints.checkpoint_file import (
    ARCHIVE_FORMAT,
    FORMAT,
    load_checkpoint,
    save_checkpoint,
)
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.checkpoints.tensor_file import tensor_file

every_writer = pytest.mark.parametrize("write", [written, archived])
Writer = Callable[[Content, Path], Path]

CONTENT: Content = {
    "identity": {"widths": (1, 2), "nothing": None, "share": 0.1, "true": True},
    "names": ("a", "\udcff", "é\n\0\"'"),
    "empty": {},
    "model": {"layers.0.root": torch.rand(2, 3), "start": torch.tensor(2.0).double()},
    "curves": torch.zeros(0, 4),
}

NOT_CHECKPOINTS: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "text": lambda: b"hello",
    "zeros": lambda: bytes(10_000),
    "ones": lambda: b"\xff" * 10_000,
    "a pickle with code": lambda: pickle.dumps(Malicious()),
    "a pickle of a checkpoint": lambda: pickle.dumps({"format": ARCHIVE_FORMAT}),
    "no format": lambda: tensor_file({"model": {}}, {}),
    "another format": lambda: tensor_file({"format": "wlkg-checkpoint/9"}, {}),
    "the format of archives": lambda: tensor_file({"format": ARCHIVE_FORMAT}, {}),
    "a format of another type": lambda: tensor_file({"format": ["x"]}, {}),
    "a tensor for a format": lambda: tensor_file({}, {"format": torch.zeros(2)}),
    "weights that are described, too": lambda: tensor_file(
        {"format": FORMAT, "model": {}}, {"model.x": torch.zeros(2)}
    ),
    "weights within a tensor": lambda: tensor_file(
        {"format": FORMAT}, {"model": torch.zeros(2), "model.x": torch.zeros(2)}
    ),
    "a tensor after weights": lambda: tensor_file(
        {"format": FORMAT}, {"model": torch.zeros(2).double(), "model.x": torch.zeros(2)}
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
    assert len(str(caught.value)) < len(str(path)) + 200
    assert [file.name for file in tmp_path.iterdir()] == ["m.pt"]


@pytest.mark.parametrize("name", ["m.pt", "m.safetensors", "m", "m.zip"])
@every_writer
def test_the_content_and_not_the_name_decides_how_a_checkpoint_is_read(
    write: Writer, name: str, tmp_path: Path
) -> None:
    saved = saved_model()
    assert_equal_models(load_model(str(write(content_of(saved), tmp_path / name))), saved)


def test_everything_comes_back_as_it_was(tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "m.pt", CONTENT)
    content = load_checkpoint(tmp_path / "m.pt")
    tensors = {part: content.pop(part) for part in ("model", "curves")}
    assert content == {key: CONTENT[key] for key in ("identity", "names", "empty")}
    assert tensors["model"].keys() == {"layers.0.root", "start"}
    for name, value in tensors["model"].items():
        assert torch.equal(value, CONTENT["model"][name])
        assert value.dtype == CONTENT["model"][name].dtype
    assert tensors["curves"].shape == (0, 4)


def test_equal_content_in_another_order_gives_equal_bytes(tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "a", CONTENT)
    save_checkpoint(tmp_path / "b", {**CONTENT, "model": dict(reversed(CONTENT["model"].items()))})
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_a_checkpoint_is_a_file_that_the_library_reads(tmp_path: Path) -> None:
    from safetensors.torch import load_file

    save_checkpoint(tmp_path / "m.pt", CONTENT)
    assert load_file(tmp_path / "m.pt").keys() == {"model.layers.0.root", "model.start", "curves"}


def test_what_was_read_does_not_change_with_the_file(tmp_path: Path) -> None:
    save_checkpoint(tmp_path / "m.pt", CONTENT)
    content = load_checkpoint(tmp_path / "m.pt")
    with (tmp_path / "m.pt").open("r+b") as stream:
        stream.truncate(10)
    assert torch.equal(content["model"]["layers.0.root"], CONTENT["model"]["layers.0.root"])


@every_writer
@given(share=st.floats(0, 1, exclude_max=True))
@settings(max_examples=30)
def test_a_truncated_checkpoint_is_refused(write: Writer, share: float, scratch: Path) -> None:
    path = write(content_of(saved_model()), scratch / "cut.pt")
    whole = path.read_bytes()
    path.write_bytes(whole[: int(share * len(whole))])
    with pytest.raises(InputError, match=r"cut\.pt: not a checkpoint of wlkg"):
        load_model(str(path))


@every_writer
def test_bytes_after_the_end_are_refused(write: Writer, tmp_path: Path) -> None:
    path = write(content_of(saved_model()), tmp_path / "m.pt")
    path.write_bytes(path.read_bytes() + bytes(70_000))
    with pytest.raises(InputError, match="not a checkpoint of wlkg"):
        load_model(str(path))


@every_writer
@given(changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)),
                        min_size=1, max_size=8))  # fmt: skip
@settings(max_examples=100)
def test_changed_bytes_give_a_model_or_a_message(
    write: Writer, changes: list[tuple[float, int]], scratch: Path
) -> None:
    path = write(content_of(saved_model()), scratch / "changed.pt")
    data = bytearray(path.read_bytes())
    for place, value in changes:
        # Mostly bytes at the beginning, where the description is.
        data[int(place**2 * len(data))] = value
    path.write_bytes(data)
    assert_model_or_message(path)


@pytest.mark.parametrize("length", [0, 2**32, 2**62, 2**64 - 1])
def test_a_length_of_the_header_that_is_a_lie_is_refused(length: int, tmp_path: Path) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(struct.pack("<Q", length) + bytes(1000))
    with pytest.raises(InputError, match="not a checkpoint of wlkg, or a damaged one: "):
        load_checkpoint(path)


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
