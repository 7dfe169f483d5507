"""Devices and floating-point types by name."""

from __future__ import annotations

import pytest
import torch

from wlkg.devices import DEVICES, find_device
from wlkg.errors import UsageError
from wlkg.gnn.config import DTYPES
from wlkg.gnn.dtypes import find_dtype


def test_a_device_that_this_machine_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match=r"no cuda device for float32\. Use --device cpu or auto"):
        find_device("cuda", torch.float32)


def test_one_of_several_gpus_is_chosen_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert find_device("cuda:1", torch.float64) == torch.device("cuda", 1)
    with pytest.raises(
        UsageError, match=r"no cuda:2 device for float64 \(GPUs: 2\)\. Use --device"
    ):
        find_device("cuda:2", torch.float64)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match=r"no cuda:0 device for float32 \(GPUs: 0\)"):
        find_device("cuda:0", torch.float32)


@pytest.mark.parametrize("name", ["cuda:", "cuda:x", "cuda:-1", "cpu:1", "cuda:99999"])
def test_other_names_with_numbers_are_unknown(name: str) -> None:
    with pytest.raises(UsageError, match=f"unknown device '{name}'. Known: auto, cpu, cuda, mps,"):
        find_device(name, torch.float32)


@pytest.mark.parametrize("name", DEVICES)
def test_every_device_of_the_table_is_found_or_missing_from_this_machine(name: str) -> None:
    try:
        assert find_device(name, torch.float32).type in DEVICES
    except UsageError as error:
        assert f"this machine has no {name} device" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_of_the_table_is_found(name: str) -> None:
    assert str(find_dtype(name)) == f"torch.{name}"
