"""Archives of earlier versions: real ones are read, hostile ones refused."""

from __future__ import annotations

import io
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gnn.checkpoints.pickles import BOMBS, archive_of
from tests.gnn.checkpoints.saved_models import (
    Malicious,
    archived,
    assert_model_or_message,
    content_of,
    saved_model,
)
from tests.gnn.training.tasks import CONFIG, small_task, weights_of
from wlkg.errors import InputError
from wlkg.gnn.checkpoints.checkpoint_file import ARCHIVE_FORMAT, load_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run_file import checkpoint_path

EARLIER = Path(__file__).parent / "earlier"
#: The training runs of earlier versions that are kept here, with the features they were given.
RUNS = {"compgcn": "glorot", "k-rn": "constant"}


def zipped(content: object, *, zipfile_format: bool = True) -> bytes:
    buffer = io.BytesIO()
    torch.save(content, buffer, _use_new_zipfile_serialization=zipfile_format)
    return buffer.getvalue()


def repacked(change: Callable[[str, bytes], bytes], method: int = zipfile.ZIP_STORED) -> bytes:
    """An archive of a model with other bytes in its entries."""
    buffer = io.BytesIO()
    content = {"format": ARCHIVE_FORMAT, **content_of(saved_model())}
    original = zipfile.ZipFile(io.BytesIO(zipped(content)))
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name in original.namelist():
            archive.writestr(name, change(name, original.read(name)))
    return buffer.getvalue()


def doubled() -> bytes:
    """An archive with two pickles of one name, of which readers may take either."""
    buffer = io.BytesIO(repacked(lambda _, data: data))
    with zipfile.ZipFile(buffer, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("archive/data.pkl", pickle.dumps(Malicious(), protocol=2))
    return buffer.getvalue()


NOT_CHECKPOINTS: dict[str, Callable[[], bytes]] = {
    "code in an archive": lambda: zipped({"format": ARCHIVE_FORMAT, "model": Malicious()}),
    "code before archives": lambda: zipped(
        {"format": ARCHIVE_FORMAT, "model": Malicious()}, zipfile_format=False
    ),
    "the format before archives": lambda: zipped(
        {"format": ARCHIVE_FORMAT, **content_of(saved_model())}, zipfile_format=False
    ),
    "another archive": lambda: repacked(lambda _, data: data[::-1]),
    "an archive without a pickle": lambda: archive_of(x=b"y"),
    "two pickles": doubled,
    "a short record": lambda: repacked(lambda n, data: data[:8] if "/data/" in n else data),
    "a long record": lambda: repacked(lambda n, data: data * 2 if "/data/" in n else data),
    "a list": lambda: zipped([1, 2]),
    "a tensor": lambda: zipped(torch.zeros(3)),
    "another format": lambda: zipped({"format": "wlkg/2"}),
    "a format of another type": lambda: zipped({"format": torch.zeros(2)}),
    "no format": lambda: zipped({"model": {}}),
    # A thousand times larger when unpacked.
    "a bomb": lambda: repacked(
        lambda n, data: bytes(10**7) if n.endswith("/data/0") else data, zipfile.ZIP_DEFLATED
    ),
    "3.2 GB of zeros": lambda: BOMBS["3.2 GB of zeros"],
    "a key that never ends": lambda: BOMBS["a key that never ends"],
}


@pytest.mark.parametrize("kind", NOT_CHECKPOINTS)
def test_an_archive_that_is_not_a_checkpoint_is_refused_and_never_executed(
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


@pytest.mark.parametrize("kind", ["a bomb", "3.2 GB of zeros", "a key that never ends"])
def test_a_bomb_never_reaches_the_reader_of_pickles(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.pt"
    path.write_bytes(NOT_CHECKPOINTS[kind]())

    def load(*_given: object, **_options: object) -> None:
        pytest.fail("it was read")

    monkeypatch.setattr(torch, "load", load)
    with pytest.raises(InputError, match="not a checkpoint of wlkg, or a damaged one: "):
        load_checkpoint(path)


@pytest.mark.parametrize("model", RUNS)
def test_a_run_of_an_earlier_version_is_read_and_resumed_to_the_same_bytes(
    model: str, tmp_path: Path
) -> None:
    task, more = small_task(model, features=RUNS[model]), replace(CONFIG, epochs=40)
    path = checkpoint_path(tmp_path, 0)
    path.write_bytes((EARLIER / f"{model}.pt").read_bytes())
    saved = load_model(str(path))
    assert (saved.config, saved.classes) == (task.config, ("x", "y", "z"))
    whole = train_once(task, more)
    resumed = train_once(task, more, save=tmp_path, resume=True)
    assert weights_of(resumed.model) == weights_of(whole.model)
    assert torch.equal(resumed.curves, whole.curves)
    # It is written in the format of today.
    assert path.read_bytes()[8:9] == b"{"


@given(changes=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)),
                        min_size=1, max_size=4))  # fmt: skip
@settings(max_examples=100)
def test_a_changed_pickle_gives_a_model_or_a_message(
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


def test_an_optimiser_that_numbers_other_weights_does_not_hide_the_model(tmp_path: Path) -> None:
    content = {**content_of(saved_model()), "optimiser": {}}
    path = archived(content, tmp_path / "m.pt")
    states: list[object] = [{"state": {99: {}}}, {"state": {0: 1}}, {"state": 3}, 7]
    for broken in states:
        torch.save({"format": ARCHIVE_FORMAT, **content, "optimiser": broken}, path)
        assert load_model(str(path)).config == saved_model().config
        assert load_checkpoint(path)["optimiser"] is None
