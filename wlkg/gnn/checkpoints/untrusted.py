"""The parts of a model in a checkpoint, checked: what a file says about itself is not trusted.

Each function takes the content of a checkpoint and returns one part of a `SavedModel`, or raises an
error that says what is wrong with it. `SavedModel.check` decides whether the parts fit together.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

import torch
from torch import Tensor

from wlkg.catalogue import check_direction
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.damage import shown
from wlkg.gnn.checkpoints.retired import without_retired
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.features import CONSTANT, GLOROT, LABELS, TABLE

#: The Python types of settings by the annotations of `ModelConfig`; all other settings are words.
_TYPES = {"int": int, "bool": bool, "tuple[int, ...]": tuple}
#: The largest allowed setting: the product of two still fits the integers of PyTorch.
_LARGEST = 2**30


def config_in(content: dict[str, Any]) -> ModelConfig:
    """The configuration of the model."""
    settings = _part(content, "identity", "model")
    if not isinstance(settings, dict):
        raise TypeError("there are no settings")
    known = {field.name: field for field in fields(ModelConfig)}
    for name, value in settings.items():
        if name not in known:
            raise ValueError(f"unknown setting {shown(name)}")
        # Not isinstance: True is an int, but not a number of layers.
        if type(value) is not _TYPES.get(str(known[name].type), str):
            raise ValueError(f"{name} cannot be a {type(value).__name__}")
        numbers = (value,) if type(value) is int else value if type(value) is tuple else ()
        if not all(type(number) is int and 0 < number <= _LARGEST for number in numbers):
            raise ValueError(f"{name} must be from 1 to {_LARGEST:,}")
    missing = [name for name in known if name not in settings and known[name].default is MISSING]
    if missing:
        raise ValueError(f"there is no {', '.join(missing)}")
    return ModelConfig(**settings)


def about_in(content: dict[str, Any]) -> About:
    """Which graphs the model fits."""
    relations = _names(content, "relations")
    direction = _part(content, "about", "direction")
    features = _part(content, "about", "features")
    if not isinstance(direction, str):
        raise TypeError("about.direction is not a name")
    if not isinstance(features, str) or features not in (CONSTANT, GLOROT, LABELS, TABLE):
        raise ValueError("about.features is not a known kind")
    return About(
        relations=relations,
        direction=check_direction(direction),
        features=features,
        labels=_names(content, "labels"),
        types=_names(content, "types"),
    )


def weights_in(content: dict[str, Any], model: str) -> dict[str, Tensor]:
    """The weights of a kind of model, without those of a readout that was trained on top."""
    weights = _all_weights(content)
    body = {name: value for name, value in weights.items() if name.startswith("body.")}
    if body:
        # The run started from a checkpoint: a readout was trained on top of the model.
        weights = {name.removeprefix("body."): value for name, value in body.items()}
    weights = without_retired(model, weights)
    return checked_weights(weights)


def head_in(content: dict[str, Any]) -> dict[str, Tensor] | None:
    """The linear map that was trained on top of a model, if there is one."""
    weights = _all_weights(content)
    if not any(name.startswith("body.") for name in weights) or "head.weight" not in weights:
        return None
    if "head.bias" not in weights:
        raise ValueError("head.bias is missing")
    return checked_weights({name: weights[f"head.{name}"] for name in ("weight", "bias")})


def readout_in(content: dict[str, Any]) -> dict[str, Tensor] | None:
    """The weights of the readout of a model of whole graphs, if there are any."""
    begin = "readout."
    weights = {
        name.removeprefix(begin): value
        for name, value in _all_weights(content).items()
        if name.startswith(begin)
    }
    return checked_weights(weights) if weights else None


def classes_in(content: dict[str, Any]) -> tuple[str, ...]:
    """The names of the classes that the model has learned; none in files of older versions."""
    return _strings(content.get("classes", ()), "classes")


def items_in(content: dict[str, Any]) -> str:
    """What has these classes: vertices, unless the file says otherwise."""
    items = content.get("items", "vertices")
    if not isinstance(items, str):
        raise TypeError("items is not a word")
    return items[:60]


def _all_weights(content: dict[str, Any]) -> dict[str, Any]:
    weights = _part(content, "model")
    if not isinstance(weights, dict) or not all(isinstance(name, str) for name in weights):
        raise ValueError("there are no weights")
    return weights


def checked_weights(weights: dict[str, Any]) -> dict[str, Tensor]:
    """Weights that are finite numbers of one type, each stored once."""
    for name, value in weights.items():
        if not isinstance(value, Tensor) or not _is_plain(value):
            raise ValueError(f"{shown(name)} is not a dense tensor of float32 or float64")
        if not value.isfinite().all():
            raise ValueError(f"{shown(name)} has entries that are not finite numbers")
    if len({value.dtype for value in weights.values()}) != 1:
        raise ValueError("there are no weights, or weights of several types")
    storages = [value.untyped_storage() for value in weights.values()]
    held = {storage.data_ptr(): storage.nbytes() for storage in storages}
    if sum(value.nbytes for value in weights.values()) > sum(held.values()):
        raise ValueError("weights share their memory")
    return {name: value.detach() for name, value in weights.items()}


def _part(content: object, *keys: str) -> Any:
    """The part of a file under nested keys."""
    for key in keys:
        if not isinstance(content, dict) or key not in content:
            raise ValueError(f"there is no {'.'.join(keys)}")
        content = content[key]
    return content


def _names(content: dict[str, Any], key: str) -> tuple[str, ...]:
    return _strings(_part(content, "about", key), f"about.{key}")


def _strings(names: object, what: str) -> tuple[str, ...]:
    if not isinstance(names, tuple | list) or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{what} are not names")
    return tuple(names)


def _is_plain(value: Tensor) -> bool:
    """Whether a tensor stores each of its entries once, as a floating-point number."""
    return (
        value.dtype in (torch.float32, torch.float64)
        and value.layout == torch.strided
        and value.device.type == "cpu"
        and not value.is_nested
        # A strided view may show one stored number in many places.
        and value.is_contiguous()
    )
