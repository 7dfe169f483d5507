"""Checkpoints whose content does not fit its own description."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from tests.gnn.checkpoints.saved_models import (
    Content,
    archived,
    assert_model_or_message,
    content_of,
    saved_model,
    written,
)
from wlkg.errors import InputError
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import CLASSIFIERS

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


# -- how the content is changed -------------------------------------------------------------------


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


HUGE = 10**9


def huge_sparse(_given: Tensor) -> Tensor:
    return torch.sparse_coo_tensor(
        torch.zeros((2, 1), dtype=torch.int64),
        torch.ones(1, dtype=torch.float64),
        (HUGE, HUGE),
        check_invariants=True,
    )


# -- what is refused ------------------------------------------------------------------------------


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
    "an unknown model": (setting("model", "gpt"), "unknown model 'gpt'. Known: gnn, rgcn"),
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


#: Content that only the archives of earlier versions can hold.
IN_ARCHIVES = {
    "identity is a tensor", "direction is a tensor", "not a tensor",
    "weights without names", "shared memory", "a long name",
}  # fmt: skip
#: Content that is refused before it is looked at.
NEVER_READ = {
    "half precision", "complex numbers", "integers", "sparse weights", "huge sparse weights",
    "weights without memory", "one number expanded to a huge tensor",
    "one number expanded to the right shape", "a tensor for a number", "tensors for hidden widths",
}  # fmt: skip


@pytest.mark.parametrize(
    ("write", "kind"),
    [(archived, kind) for kind in BAD if kind not in NEVER_READ]
    + [(written, kind) for kind in BAD if kind not in IN_ARCHIVES | NEVER_READ],
)
def test_content_that_does_not_fit_its_own_description_is_refused(
    write: Callable[[Content, Path], Path], kind: str, tmp_path: Path
) -> None:
    change, message = BAD[kind]
    content = content_of(saved_model())
    change(content)
    path = write(content, tmp_path / "m.pt")
    with pytest.raises(InputError) as caught:
        load_model(str(path))
    text = str(caught.value)
    assert text.startswith(f"{path}: the checkpoint does not hold a model that fits its own")
    assert message in text
    assert text.endswith("wlkg translate")
    assert len(text) < 500


@pytest.mark.parametrize("kind", sorted(NEVER_READ))
def test_tensors_that_no_checkpoint_has_are_not_read(kind: str, tmp_path: Path) -> None:
    content = content_of(saved_model())
    BAD[kind][0](content)
    path = archived(content, tmp_path / "m.pt")
    with pytest.raises(InputError, match="not a checkpoint of wlkg, or a damaged one: "):
        load_model(str(path))


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


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.sampled_from([0, 1, 2, 3, 4, HUGE, -1, 10**30])
    | st.floats() | st.text(max_size=5)
    | st.sampled_from(["rgcn", "k-rn", "mlp", "concat", "mean", "sign", "rotate", "scale", "in"])
    | st.builds(
        lambda shape, dtype: torch.zeros(shape, dtype=dtype),
        st.lists(st.integers(0, 4), max_size=3),
        st.sampled_from([torch.float64, torch.float32, torch.int64, torch.complex64, torch.bool]),
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
    assert_model_or_message(archived(content, scratch / "fuzzed.pt"))
    try:
        path = written(content, scratch / "fuzzed.pt")
    except (TypeError, ValueError):
        return  # Tensors and words side by side: only archives can hold that.
    assert_model_or_message(path)
