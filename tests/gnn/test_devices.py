"""Devices and floating-point types by name."""

from __future__ import annotations

import pytest
import torch

from wlkg.errors import UsageError
from wlkg.gnn.config import DEVICES, DTYPES
from wlkg.gnn.devices import find_device, find_dtype


def test_a_device_that_this_machine_lacks_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(UsageError, match=r"no cuda device for float32\. Use --device cpu or auto"):
        find_device("cuda", torch.float32)


@pytest.mark.parametrize("name", DEVICES)
def test_every_device_of_the_table_is_found_or_missing_from_this_machine(name: str) -> None:
    try:
        assert find_device(name, torch.float32).type in DEVICES
    except UsageError as error:
        assert f"this machine has no {name} device" in str(error)  # noqa: PT017


@pytest.mark.parametrize("name", DTYPES)
def test_every_dtype_of_the_table_is_found(name: str) -> None:
    assert str(find_dtype(name)) == f"torch.{name}"
