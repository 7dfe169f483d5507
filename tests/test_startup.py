"""What is loaded when: the cost of starting, seen as a list of modules."""

from __future__ import annotations

import pkgutil

import pytest

import wlkg
from tests.loaded_modules import HEAVY, NUMERIC, command, modules_after
from tests.needs_torch import needs_torch


@pytest.mark.parametrize(
    "program",
    [
        "import wlkg",
        "import wlkg; wlkg.__version__, dir(wlkg)",
        command("--help"),
        command("--version"),
        command("info", "--help"),
        command("convert", "-h"),
    ],
)
def test_help_and_import_load_nothing_heavy(program: str) -> None:
    assert not modules_after(program) & (HEAVY | NUMERIC)


def test_import_of_all_public_names_does_not_load_pytorch() -> None:
    assert "torch" not in modules_after("from wlkg import *")


def test_info_about_an_example_loads_no_gnn_or_rdf_library() -> None:
    modules = modules_after(command("info", "example:c6"))
    assert "numpy" in modules
    assert not modules & (HEAVY | {"pyarrow", "pyoxigraph"})


def test_every_public_name_is_there_and_no_other() -> None:
    with_pytorch = {"pair_model", "predict", "predict_graphs", "train", "train_graphs", "versus"}
    assert set(dir(wlkg)) == {*wlkg.__all__, *with_pytorch}
    assert all(getattr(wlkg, name) is not None for name in wlkg.__all__)
    # A module of the same name, once loaded, would hide a public name.
    modules = {module.name for module in pkgutil.iter_modules(wlkg.__path__)}
    assert not modules & set(dir(wlkg))
    with pytest.raises(AttributeError, match="module 'wlkg' has no attribute 'nothing'"):
        wlkg.nothing  # noqa: B018


@needs_torch
def test_public_names_that_need_pytorch_are_there() -> None:
    names = set(dir(wlkg)) - set(wlkg.__all__)
    assert all(callable(getattr(wlkg, name)) for name in names)
