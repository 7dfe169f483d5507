"""Models on disk: they are read as they were written, and no file is trusted."""

from __future__ import annotations

import copy
import io
import itertools
import json
import pickle
import zipfile
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor
from typer.testing import CliRunner

from tests.gnn.models.formulas import random_rows, randomised, whole_plan
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.cli import app
from wlkg.errors import InputError, OutputError, UsageError
from wlkg.gnn.against_wl.judging import Versus
from wlkg.gnn.api import versus, witness
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.checkpoint_file import FORMAT, load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model, save_model
from wlkg.gnn.config import MODELS, ModelChoice, ModelConfig
from wlkg.gnn.features import Features, make_features
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.models.readout_model import ReadoutModel
from wlkg.gnn.models.tuple_input import tuple_inputs, type_names
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run import checkpoint_path
from wlkg.gnn.training.task import make_task
from wlkg.gnn.training.train_config import TrainConfig
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets

pytestmark = pytest.mark.usefixtures("one_torch_thread")

Content = dict[str, Any]
GRAPH = RelationalGraph.from_arrays(
    [0, 0, 1, 2, 2, 3],
    [0, 1, 0, 1, 1, 0],
    [1, 1, 2, 0, 2, 4],
    num_vertices=5,
    relation_names=["likes", "knows"],
    direction="both",
)
NAMES = GRAPH.arcs().relation_names
CPU = torch.device("cpu")
every_model = pytest.mark.parametrize("model", sorted(MODELS))


def saved_model(model: str = "compgcn", dtype: torch.dtype = torch.float64) -> SavedModel:
    config = ModelConfig(
        model,
        in_width=3,
        width=3,
        out_width=2,
        relations=4,
        bias=True,
        inverses=True,
        hidden_widths=() if model == "k-rn" else (4,),
    )
    made = TupleModel(config, 6) if model == "k-rn" else VertexModel(config)
    weights = randomised(made, 1).to(dtype).state_dict()
    about = About(NAMES, "both", types=tuple("uvwxyz") if model == "k-rn" else ())
    return SavedModel(config, about, weights)


def content_of(saved: SavedModel) -> Content:
    """What `save_model` writes."""
    return {
        "format": FORMAT,
        "identity": {"model": asdict(saved.config)},
        "about": asdict(saved.about),
        "model": dict(saved.weights),
    }


def written(content: object, path: Path) -> Path:
    torch.save(content, path)
    return path


def outputs(saved: SavedModel) -> Tensor:
    model = saved.build()
    with torch.no_grad():
        if isinstance(model, TupleModel):
            (block,) = tuple_inputs(GRAPH, 2)
            rows: Tensor = model(replace(block, types=block.types % 6))
        else:
            rows = model(random_rows(5, 3, seed=2), whole_plan(GRAPH, saved.config))
    return rows


def assert_equal_models(saved: SavedModel, expected: SavedModel) -> None:
    assert saved.config == expected.config
    assert saved.about == expected.about
    assert list(saved.weights) == list(expected.weights)
    for name, value in saved.weights.items():
        assert value.dtype == expected.weights[name].dtype
        assert torch.equal(value, expected.weights[name])


# -- models are read as they were written ---------------------------------------------------------


@every_model
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_a_model_is_read_as_it_was_written(model: str, dtype: torch.dtype, tmp_path: Path) -> None:
    saved = saved_model(model, dtype)
    save_model(tmp_path / "m.pt", saved)
    loaded = load_model(str(tmp_path / "m.pt"))
    assert_equal_models(loaded, saved)
    assert loaded.path == str(tmp_path / "m.pt")
    assert loaded.dtype == dtype
    assert [path.name for path in tmp_path.iterdir()] == ["m.pt"]


@every_model
def test_a_loaded_model_has_the_same_outputs(model: str, tmp_path: Path) -> None:
    saved = saved_model(model)
    save_model(tmp_path / "m.pt", saved)
    assert torch.equal(outputs(load_model(str(tmp_path / "m.pt"))), outputs(saved))


def targets() -> Targets:
    return Targets(np.arange(4), ("x", "y", "x", "y"))


@every_model
def test_a_training_run_is_read_as_a_model(model: str, tmp_path: Path) -> None:
    task = make_task(GRAPH, targets(), None, ModelChoice(model, width=3), dtype="float64")
    config = TrainConfig(epochs=3, learning_rate=0.01, weight_decay=0.0)
    result = train_once(task, config, save=tmp_path)
    loaded = load_model(str(checkpoint_path(tmp_path, 0)))
    assert_equal_models(loaded, SavedModel(task.config, task.about, result.model.state_dict()))
    assert loaded.about == replace(task.about, relations=NAMES, direction="both")
    loaded.check_fits(GRAPH, constant(loaded.config.in_width))


def with_graph_head(weights: Any, prefix: str = "") -> Content:
    """Weights of a k-RN as they were when it had a readout for graphs, which nothing trained."""
    head = {
        "mlp.0.weight": torch.randn(3, 3),
        "mlp.0.bias": torch.randn(3),
        "mlp.2.weight": torch.randn(2, 3),
        "mlp.2.bias": torch.randn(2),
    }
    more = {f"{prefix}graph_head.{name}": value.double() for name, value in head.items()}
    return {**{f"{prefix}{name}": value for name, value in weights.items()}, **more}


@pytest.mark.parametrize("prefix", ["", "body."])
def test_a_k_rn_that_still_had_a_graph_readout_is_read_without_it(
    prefix: str, tmp_path: Path
) -> None:
    saved = saved_model("k-rn")
    content = {**content_of(saved), "model": with_graph_head(saved.weights, prefix)}
    loaded = load_model(str(written(content, tmp_path / "m.pt")))
    assert_equal_models(loaded, saved)
    assert torch.equal(outputs(loaded), outputs(saved))


def test_only_a_k_rn_may_have_had_a_graph_readout(tmp_path: Path) -> None:
    saved = saved_model("rgcn")
    content = {**content_of(saved), "model": with_graph_head(saved.weights)}
    with pytest.raises(InputError, match=r"unknown weights 'graph_head\.mlp\.0\.weight'"):
        load_model(str(written(content, tmp_path / "m.pt")))


@every_model
def test_models_that_are_built_from_the_same_weights_do_not_share_them(model: str) -> None:
    saved = saved_model(model)
    kept = {name: value.clone() for name, value in saved.weights.items()}
    with torch.no_grad():
        for parameter in saved.build().parameters():
            assert parameter.requires_grad
            parameter.zero_()
    for name, value in saved.build().state_dict().items():
        assert torch.equal(value, kept[name])
        assert torch.equal(saved.weights[name], kept[name])


# -- training on top of a model -------------------------------------------------------------------


@pytest.mark.parametrize("model", ["rgcn", "compgcn", "k-rn"])
def test_training_starts_with_the_weights_of_the_checkpoint(model: str) -> None:
    config = ModelConfig(
        model,
        in_width=3 if model == "k-rn" else 1,
        width=3,
        out_width=2,
        relations=4,
        inverses=True,
    )
    (block,) = tuple_inputs(GRAPH, 2)
    types = int(block.types.max()) + 1
    made = TupleModel(config, types) if model == "k-rn" else VertexModel(config)
    names = type_names(block, [""] * GRAPH.num_vertices, NAMES) if model == "k-rn" else []
    about = About(NAMES, "both", types=tuple(names))
    saved = SavedModel(config, about, randomised(made, 1).state_dict())
    task = make_task(GRAPH, targets(), None, saved, dtype="float64")
    settings = TrainConfig(epochs=5, learning_rate=0.1, weight_decay=0.0)
    first = train_once(task, settings)
    assert not torch.equal(first.curves[0, 0], first.curves[-1, 0])
    assert torch.equal(train_once(task, settings).curves[:, 0], first.curves[:, 0])


def test_a_readout_is_a_linear_map_of_the_features_of_a_model(tmp_path: Path) -> None:
    for model in ("rgcn", "k-rn"):
        saved = saved_model(model)
        readout = randomised(ReadoutModel(saved.build(), 7), 3)
        body = readout.body
        if isinstance(body, TupleModel):
            (block,) = tuple_inputs(GRAPH, 2)
            inputs: tuple[Any, ...] = (replace(block, types=block.types % 6),)
            last = body.features(*inputs)[-1]
            rows = torch.stack([torch.cat([last[v, v], last[v].sum(dim=0)]) for v in range(5)])
        else:
            inputs = (random_rows(5, 3, seed=2), whole_plan(GRAPH, saved.config))
            rows = body(*inputs)
        expected = rows @ readout.head.weight.T + readout.head.bias
        torch.testing.assert_close(readout(*inputs), expected, rtol=1e-12, atol=1e-12)
        assert readout(*inputs).shape == (5, 7)
        # The checkpoint of such a run is read as the model below the readout.
        content = {**content_of(saved), "model": readout.state_dict()}
        loaded = load_model(str(written(content, tmp_path / f"{model}.pt")))
        assert_equal_models(loaded, replace(saved, weights=body.state_dict()))


def test_a_model_with_signs_below_a_readout_stays_fixed_and_is_computed_once() -> None:
    saved = saved_model("rgcn")
    config = replace(saved.config, activation="sign", last_activation=True)
    calls = []

    class Counting(VertexModel):
        def forward(self, x: Tensor, plan: Any) -> Tensor:
            calls.append(1)
            return super().forward(x, plan)

    for chosen, times in ((config, 1), (saved.config, 5)):
        calls.clear()
        body = randomised(Counting(chosen), 1)
        kept = copy.deepcopy(body.state_dict())
        readout = seeded(1, ReadoutModel, body, 2).double()
        optimiser = torch.optim.Adam(readout.parameters(), lr=0.1, weight_decay=0.1)
        inputs = random_rows(5, 3, seed=2), whole_plan(GRAPH, chosen)
        first = readout(*inputs).detach().clone()
        for _ in range(4):
            optimiser.zero_grad()
            (readout(*inputs) ** 2).sum().backward()
            optimiser.step()
        assert len(calls) == times
        same = all(torch.equal(value, kept[name]) for name, value in body.state_dict().items())
        assert same == (times == 1)
        with torch.no_grad():
            assert not torch.equal(readout(*inputs), first)


# -- files that are not checkpoints ---------------------------------------------------------------


class Malicious:
    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("was-here"),)


def valid_bytes() -> bytes:
    buffer = io.BytesIO()
    torch.save(content_of(saved_model()), buffer)
    return buffer.getvalue()


def legacy(content: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(content, buffer, _use_new_zipfile_serialization=False)
    return buffer.getvalue()


def zipped(content: object) -> bytes:
    buffer = io.BytesIO()
    torch.save(content, buffer)
    return buffer.getvalue()


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


def assert_model_or_message(path: Path) -> None:
    """Loading gives a model that can be built, or a message that names the file."""
    try:
        saved = load_model(str(path))
    except InputError as error:
        message = str(error)
    else:
        built = saved.build()
        assert {parameter.dtype for parameter in built.parameters()} == {saved.dtype}
        assert built.config == saved.config
        assert sum(value.nbytes for value in saved.weights.values()) < path.stat().st_size
        return
    assert message.startswith(f"{path}: ")


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


# -- checkpoints with wrong content ---------------------------------------------------------------


def setting(name: str, value: object) -> Callable[[Content], None]:
    def change(content: Content) -> None:
        content["identity"]["model"][name] = value

    return change


def weight(name: str, value: Any) -> Callable[[Content], None]:
    """Replace a weight by a value, or by the result of a function of it."""

    def change(content: Content) -> None:
        given = content["model"][name]
        content["model"][name] = value(given) if callable(value) else value

    return change


def put(*keys: str, value: object) -> Callable[[Content], None]:
    def change(content: Content) -> None:
        for key in keys[:-1]:
            content = content[key]
        content[keys[-1]] = value

    return change


def dropped(*keys: str) -> Callable[[Content], None]:
    def change(content: Content) -> None:
        for key in keys[:-1]:
            content = content[key]
        del content[keys[-1]]

    return change


def all_weights(change_one: Callable[[Tensor], Tensor]) -> Callable[[Content], None]:
    def change(content: Content) -> None:
        content["model"] = {name: change_one(value) for name, value in content["model"].items()}

    return change


def shared(content: Content) -> None:
    """Make all weights views of the largest."""
    largest = max(content["model"].values(), key=Tensor.numel).reshape(-1)
    content["model"] = {
        name: largest[: value.numel()].view(value.shape) for name, value in content["model"].items()
    }


def huge_sparse(_given: Tensor) -> Tensor:
    return torch.sparse_coo_tensor(
        torch.zeros((2, 1), dtype=torch.int64),
        torch.ones(1, dtype=torch.float64),
        (HUGE, HUGE),
        check_invariants=True,
    )


HUGE = 10**9
ROOT = "layers.0.root"
BAD: dict[str, tuple[Callable[[Content], None], str]] = {
    "no identity": (dropped("identity"), "there is no identity.model"),
    "no model": (dropped("identity", "model"), "there is no identity.model"),
    "identity is a list": (put("identity", value=[1]), "there is no identity.model"),
    "identity is a tensor": (put("identity", value=torch.ones(2)), "there is no identity.model"),
    "settings are a word": (put("identity", "model", value="rgcn"), "there are no settings"),
    "no about": (dropped("about"), "there is no about.relations"),
    "no direction": (dropped("about", "direction"), "there is no about.direction"),
    "direction is unknown": (put("about", "direction", value="up"), "'up'. Known: both"),
    "direction is a tensor": (put("about", "direction", value=torch.ones(2)), "is not a name"),
    "relations are numbers": (put("about", "relations", value=(1, 2, 3, 4)), "are not names"),
    "relations are a word": (put("about", "relations", value="abcd"), "are not names"),
    "relations are too few": (put("about", "relations", value=("a",)), "4 relations, 1 names"),
    "no weights": (dropped("model"), "there is no model"),
    "weights are a list": (put("model", value=[]), "there are no weights"),
    "weights without names": (put("model", value={1: torch.ones(2)}), "there are no weights"),
    "no weight at all": (put("model", value={}), "there are no weights"),
    "a setting is missing": (dropped("identity", "model", "in_width"), "there is no in_width"),
    "an extra setting": (setting("exec", "rm"), "unknown setting 'exec'"),
    "an unknown model": (setting("model", "gpt"), "unknown model 'gpt'. Known: rgcn"),
    "an unknown composition": (setting("composition", "plus"), "unknown composition 'plus'"),
    "an unknown activation": (setting("activation", "tanh"), "unknown activation 'tanh'"),
    "many layers": (
        lambda content: content["identity"]["model"].update(layers=1000, hidden_widths=()),
        "1000 layers, k = 2: ",
    ),
    "endless layers": (
        lambda content: content["identity"]["model"].update(layers=HUGE, hidden_widths=()),
        "1000000000 layers, k = 2: ",
    ),
    "a large width": (setting("in_width", HUGE), "has the shape (4, 3), expected (4, 1000000000)"),
    "two large widths": (
        lambda content: content["identity"]["model"].update(in_width=HUGE, out_width=HUGE),
        "expected (4, 1000000000)",
    ),
    "a large output": (setting("out_width", HUGE), "has the shape (2,), expected (1000000000,)"),
    "an endless width": (setting("in_width", 10**30), "in_width must be from 1 to"),
    "many relations": (setting("relations", HUGE), "1000000000 relations, 4 names"),
    "long tuples": (setting("k", 50), "k = 50"),
    "large hidden widths": (setting("hidden_widths", (HUGE,)), "expected (1000000000,)"),
    "endless hidden widths": (setting("hidden_widths", (2**64,)), "hidden_widths must be"),
    "many hidden widths": (setting("hidden_widths", (1,) * 9), "9 hidden widths do not fit"),
    "words for hidden widths": (setting("hidden_widths", ("a",)), "hidden_widths must be"),
    "zero for a hidden width": (setting("hidden_widths", (0,)), "hidden_widths must be"),
    "truth values for hidden widths": (setting("hidden_widths", (True,)), "hidden_widths must be"),
    "a negative width": (setting("width", -1), "width must be from 1"),
    "no layers": (setting("layers", 0), "layers must be from 1"),
    "a truth value for a number": (setting("layers", True), "layers cannot be a bool"),
    "a number for a truth value": (setting("bias", 1), "bias cannot be a int"),
    "a fraction": (setting("layers", 2.0), "layers cannot be a float"),
    "a tensor for a number": (setting("layers", torch.tensor(2)), "layers cannot be a Tensor"),
    "tensors for hidden widths": (
        setting("hidden_widths", (torch.tensor(4),)),
        "hidden_widths must",
    ),
    "None for a number": (setting("layers", None), "layers cannot be a NoneType"),
    "other vectors": (setting("own_vectors", True), "layers.0.vectors is missing"),
    "another model": (setting("model", "rgcn"), "layers.0.weight is missing"),
    "a k-rn": (setting("model", "k-rn"), "1 hidden widths do not fit 2 layers"),
    "a missing weight": (dropped("model", ROOT), f"{ROOT} is missing"),
    "an extra weight": (put("model", "more", value=torch.ones(2).double()), "weights 'more'"),
    "another shape": (weight(ROOT, torch.ones(2, 2).double()), "the shape (2, 2), expected (3, 4)"),
    "another shape with as many entries": (
        weight(ROOT, lambda w: w.reshape(4, 3)),
        "expected (3, 4)",
    ),
    "a number": (weight(ROOT, torch.tensor(1.0).double()), "has the shape (), expected"),
    "not a tensor": (weight(ROOT, [1.0]), f"'{ROOT}' is not a dense tensor"),
    "one weight in single precision": (
        weight(ROOT, lambda w: w.float()),
        "weights of several types",
    ),
    "half precision": (all_weights(lambda w: w.half()), "float32 or float64"),
    "complex numbers": (all_weights(lambda w: w.to(torch.complex64)), "float32 or float64"),
    "integers": (all_weights(lambda w: w.long()), "float32 or float64"),
    "sparse weights": (weight(ROOT, lambda w: w.to_sparse()), "is not a dense tensor"),
    "huge sparse weights": (weight(ROOT, huge_sparse), "is not a dense tensor"),
    "weights without memory": (weight(ROOT, lambda w: w.to("meta")), "is not a dense tensor"),
    "one number expanded to a huge tensor": (
        weight(ROOT, torch.ones(1, 1).double().expand(HUGE, HUGE)),
        "is not a dense tensor",
    ),
    "one number expanded to the right shape": (
        weight(ROOT, torch.ones(1, 1).double().expand(3, 4)),
        "is not a dense tensor",
    ),
    "shared memory": (shared, "weights share their memory"),
    "not a number": (weight(ROOT, lambda w: w * torch.nan), "not finite numbers"),
    "an infinite number": (weight(ROOT, lambda w: w / 0), "not finite numbers"),
    "a long name": (put("model", "x" * 10**5, value=[]), f"'{'x' * 60}'"),
}


@pytest.mark.parametrize("kind", BAD)
def test_content_that_does_not_fit_its_own_description_is_refused(
    kind: str, tmp_path: Path
) -> None:
    change, message = BAD[kind]
    content = content_of(saved_model())
    change(content)
    path = written(content, tmp_path / "m.pt")
    with pytest.raises(InputError) as caught:
        load_model(str(path))
    text = str(caught.value)
    assert text.startswith(f"{path}: the checkpoint does not hold a model that fits its own")
    assert message in text
    assert text.endswith("wlkg translate")
    assert len(text) < 500


@pytest.mark.parametrize(
    "change",
    [
        dropped("model", "types.weight"),
        weight("types.weight", torch.tensor(1.0).double()),
        weight("types.weight", torch.ones(3).double()),
        setting("k", 9),
        setting("k", 1),
    ],
)
def test_a_k_rn_that_does_not_fit_its_description_is_refused(
    change: Callable[[Content], None], tmp_path: Path
) -> None:
    content = content_of(saved_model("k-rn"))
    change(content)
    with pytest.raises(InputError, match="does not hold a model that fits its own description"):
        load_model(str(written(content, tmp_path / "m.pt")))


def test_settings_that_are_newer_than_a_checkpoint_have_their_defaults(tmp_path: Path) -> None:
    saved = saved_model()
    content = content_of(saved)
    del content["identity"]["model"]["last_activation"]
    assert load_model(str(written(content, tmp_path / "m.pt"))).config == saved.config


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([0, 1, 2, 3, 4, HUGE, -1, 10**30])
    | st.floats() | st.text(max_size=5)
    | st.sampled_from(["rgcn", "k-rn", "mlp", "concat", "mean", "sign", "rotate", "scale", "in"])
    | st.builds(
        lambda shape, dtype: torch.zeros(shape, dtype=dtype),
        st.lists(st.integers(0, 4), max_size=3),
        st.sampled_from([torch.float64, torch.float32, torch.int64, torch.complex128, torch.bool]),
    ),
    lambda inner: st.lists(inner, max_size=3) | st.lists(inner, max_size=3).map(tuple)
    | st.dictionaries(st.text(max_size=3) | st.integers(), inner, max_size=3),
    max_leaves=4,
)  # fmt: skip


@every_model
@given(data=st.data())
@settings(max_examples=80)
def test_any_change_of_the_content_gives_a_model_or_a_message(
    model: str, data: st.DataObject, scratch: Path
) -> None:
    content = content_of(saved_model(model))
    for _ in range(data.draw(st.integers(1, 3))):
        place: Any = content
        while True:
            key = data.draw(st.sampled_from(sorted(place, key=str)))
            inside = place[key]
            if not (isinstance(inside, dict) and inside and data.draw(st.integers(0, 9))):
                break
            place = inside
        if data.draw(st.integers(0, 4)):
            place[key] = data.draw(anything)
        else:
            del place[key]
        if not content:
            break
    assert_model_or_message(written(content, scratch / "fuzzed.pt"))


# -- which graphs a model is for ------------------------------------------------------------------


def constant(width: int) -> Features:
    return make_features(GRAPH, "constant", width)


def refusal(graph: RelationalGraph, features: Features | None = None) -> str:
    saved = replace(saved_model(), path="m.pt")
    with pytest.raises(InputError) as caught:
        saved.check_fits(graph, constant(3) if features is None else features)
    return str(caught.value)


def test_a_model_fits_the_graph_it_was_made_for() -> None:
    saved_model().check_fits(GRAPH, constant(3))
    # A k-RN starts with atomic types, so the width of the features does not matter.
    saved_model("k-rn").check_fits(GRAPH, constant(99))


@pytest.mark.parametrize("direction", [mode for mode in DIRECTIONS if mode != "both"])
def test_another_direction_is_refused(direction: Direction) -> None:
    assert refusal(GRAPH.with_direction(direction)) == (
        f"m.pt: the model is for direction both, the graph is read with {direction}."
        " Give --direction both"
    )


def test_other_relations_are_refused() -> None:
    other = RelationalGraph.from_triples([("a", "likes", "b"), ("a", "hates", "b")])
    assert refusal(other) == (
        "m.pt: the model was made for other relations: 2 of them are not in the graph, 2 of the"
        " graph's are not in it (hates, hates^-1, knows, ...). Give the graph it was made for, or"
        " make a model for this one"
    )


def test_relations_in_another_order_are_refused() -> None:
    turned = RelationalGraph.from_arrays(
        GRAPH.head,
        1 - GRAPH.relation,
        GRAPH.tail,
        num_vertices=5,
        relation_names=GRAPH.relation_names[::-1],
        direction="both",
    )
    assert set(turned.arcs().relation_names) == set(NAMES)
    assert "the graph has them in another order. Give the graph" in refusal(turned)


def test_features_of_another_width_are_refused() -> None:
    assert refusal(GRAPH, constant(4)) == (
        "m.pt: the model takes features of width 3, found 4."
        " Give the --features and --labels it was made with"
    )


def test_features_of_another_kind_are_refused() -> None:
    labelled = make_features(GRAPH.with_labels(list("xyxyz")), "labels", 3)
    assert labelled.width == 3
    assert "for features of the kind constant, not labels. Give the" in refusal(GRAPH, labelled)


def test_other_labels_are_refused_and_columns_are_ordered_by_name() -> None:
    one, same, other = (
        make_features(GRAPH.with_labels(list(labels)), "labels", 1)
        for labels in ("xyxyz", "zzyxx", "xyxyw")
    )
    saved = saved_model()
    saved = replace(saved, about=About.of(GRAPH, one))
    saved.check_fits(GRAPH, same)
    assert torch.equal(one.of(np.array([0, 1, 4])), same.of(np.array([3, 2, 0])))
    with pytest.raises(InputError, match="for the labels x, y, z, the graph has w, x, y"):
        saved.check_fits(GRAPH, other)


def test_a_saved_model_gets_the_features_it_was_made_with_unless_others_are_given(
    tmp_path: Path,
) -> None:
    graph = GRAPH.with_labels(list("xyxyz"))
    saved = witness(graph, ModelChoice("rgcn", activation="sign")).saved
    save_model(tmp_path / "w.pt", saved)
    task = make_task(graph, targets(), None, saved)
    assert task.about.features == "labels"
    result = versus(graph, checkpoint=str(tmp_path / "w.pt"))
    assert isinstance(result, Versus)
    assert result.matches
    with pytest.raises(InputError, match="of the kind labels, not constant"):
        versus(graph, checkpoint=str(tmp_path / "w.pt"), features="constant")


def test_a_model_made_with_a_table_of_features_asks_for_it() -> None:
    assert saved_model().features == "constant"
    saved = replace(saved_model(), path="m.pt")
    made = replace(saved, about=replace(saved.about, features="table"))
    with pytest.raises(UsageError, match=r"m\.pt: .* Give them with --features"):
        _ = made.features


# -- atomic types ---------------------------------------------------------------------------------


@given(data=st.data(), k=st.sampled_from([2, 3]))
@settings(max_examples=60)
def test_atomic_types_have_names_that_do_not_depend_on_the_order_of_the_graph(
    data: st.DataObject, k: int
) -> None:
    graph = data.draw(relational_graphs(max_vertices=5).filter(lambda g: g.num_vertices > 0))
    order = data.draw(st.permutations(range(graph.num_vertices)))
    names = []
    for copied in (graph, graph.permuted(order)):
        (block,) = tuple_inputs(copied, k)
        starts = [
            "" if copied.labels is None else copied.label_names[copied.labels[v]]
            for v in range(copied.num_vertices)
        ]
        by_type = type_names(block, starts, copied.arcs().relation_names)
        assert len(set(by_type)) == len(by_type) == int(block.types.max()) + 1
        by_tuple = np.array(by_type)[block.types.numpy()]
        tuples = itertools.product(range(copied.num_vertices), repeat=k)
        names.append({tuple(copied.vertex_names[v] for v in t): by_tuple[t] for t in tuples})
    assert names[0] == names[1]


def test_a_k_rn_works_on_every_graph_whose_atomic_types_it_knows(tmp_path: Path) -> None:
    built = witness(GRAPH, ModelChoice("k-rn", composition="scale", activation="sign"))
    save_model(tmp_path / "w.pt", built.saved)
    copied = GRAPH.permuted([4, 2, 0, 1, 3])
    for graph in (GRAPH, copied):
        # The copy has its types in another order, but its layers still match the rounds.
        result = versus(graph, checkpoint=str(tmp_path / "w.pt"))
        assert isinstance(result, Versus)
        assert result.matches
        assert [layer.wl_classes for layer in result.layers] == list(built.classes_per_round[1:])
    here, there = (saved_types(graph) for graph in (GRAPH, copied))
    assert sorted(here) == sorted(there)
    assert here != there


def saved_types(graph: RelationalGraph) -> list[str]:
    (block,) = tuple_inputs(graph, 2)
    return type_names(block, [""] * graph.num_vertices, graph.arcs().relation_names)


def test_a_graph_with_unknown_atomic_types_is_refused(tmp_path: Path) -> None:
    choice = ModelChoice("k-rn", composition="scale", activation="sign")
    witness(GRAPH, choice, out=tmp_path / "w.pt")
    more = RelationalGraph.from_arrays(
        [0, 1, 0], [0, 0, 1], [1, 0, 1], num_vertices=2, relation_names=GRAPH.relation_names
    )
    loaded = load_model(str(tmp_path / "w.pt"))
    unknown = r"w\.pt: the model does not know \d of the \d atomic types of the graph\. Give the"
    with pytest.raises(InputError, match=unknown):
        versus(more, checkpoint=str(tmp_path / "w.pt"))
    two = Targets(np.arange(2), ("x", "y"))
    with pytest.raises(InputError, match=unknown):
        make_task(more, two, None, loaded)


# -- commands that write and read checkpoints -----------------------------------------------------


def run(*arguments: str | Path) -> dict[str, Any]:
    result = CliRunner().invoke(app, [*map(str, arguments), "--json"], prog_name="wlkg")
    assert result.exit_code == 0, result.output
    return dict(json.loads(result.stdout))


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    graph, classes = tmp_path / "g.tsv", tmp_path / "classes.tsv"
    names = GRAPH.vertex_names
    rows = zip(GRAPH.head, GRAPH.relation, GRAPH.tail, strict=True)
    graph.write_text(
        "".join(f"{names[h]}\t{GRAPH.relation_names[r]}\t{names[t]}\n" for h, r, t in rows)
    )
    classes.write_text("vertex\tlabel\n0\tx\n1\ty\n2\tx\n3\ty\n")
    return graph, classes


@pytest.mark.parametrize(
    ("options", "goal"),
    [
        (["--model", "compgcn", "--no-norm"], "rgcn"),
        (["--model", "compgcn", "--composition", "concat"], "sub"),
        (["--model", "rgcn", "--layers", "1"], "mult"),
        (["--model", "compgcn", "--composition", "add", "--dtype", "float64"], "concat"),
    ],
)
def test_a_trained_model_is_translated_and_compared_with_its_test(
    files: tuple[Path, Path], tmp_path: Path, options: list[str], goal: str
) -> None:
    graph, classes = files
    runs, out = tmp_path / "runs", tmp_path / "out.pt"
    run("train", graph, "--targets", classes, "--epochs", "2", "--save", runs, *options)
    document = run("translate", runs / "seed-0.pt", "--to", goal, "--out", out)
    assert document["to"]["kind"] in (goal, f"compgcn with {goal}")
    translation = load_model(str(out))
    assert translation.about == load_model(str(runs / "seed-0.pt")).about
    verdict = run("versus", graph, "--checkpoint", out)
    assert len(verdict["layers"]) == translation.config.layers
    # A readout is trained on top; the checkpoint then holds the same kind of model.
    more = tmp_path / "more"
    run(
        "train", graph, "--targets", classes, "--checkpoint", out, "--epochs", "2", "--save", more
    )  # fmt: skip
    assert load_model(str(more / "seed-0.pt")).config == translation.config
    back = run("translate", more / "seed-0.pt", "--to", BACK[goal])
    assert back["max_difference"] < 1e-3


BACK = {"rgcn": "mult", "mult": "rgcn", "sub": "concat", "concat": "add"}


@pytest.mark.parametrize(
    ("options", "goal"),
    [
        (["--model", "rgcn", "--activation", "relu"], "mult"),
        (["--model", "compgcn", "--composition", "scale"], "rgcn"),
        (["--model", "compgcn", "--composition", "add"], "concat"),
        (["--model", "compgcn", "--composition", "concat", "--activation", "relu"], "add"),
    ],
)
def test_the_translation_of_a_witness_sees_the_same_classes(
    files: tuple[Path, Path], tmp_path: Path, options: list[str], goal: str
) -> None:
    graph, _ = files
    witness, out = tmp_path / "w.pt", tmp_path / "out.pt"
    run("witness", graph, "--out", witness, *options)
    config = load_model(str(witness)).config
    run("translate", witness, "--to", goal, "--out", out)
    verdict = run("versus", graph, "--checkpoint", out)["layers"]
    depth = len(verdict) // config.layers
    classes = [layer["model_classes"] for layer in verdict][depth - 1 :: depth]
    expected = [
        layer["model_classes"] for layer in run("versus", graph, "--checkpoint", witness)["layers"]
    ]
    assert classes == expected
    assert max(classes) > 1
