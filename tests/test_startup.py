"""What is loaded when: the cost of starting, seen as a list of modules."""

from __future__ import annotations

import pkgutil

import pytest

import wlkg
from tests.loaded_modules import HEAVY, NUMERIC, all_modules_after, command, modules_after
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


def test_help_of_the_program_loads_no_command_and_no_formatter() -> None:
    modules = all_modules_after(command("--help"))
    assert not {name for name in modules if name.startswith(("wlkg.commands", "rich", "markdown"))}
    refine = all_modules_after(command("refine", "--help"))
    assert {name for name in refine if name.startswith("wlkg.commands.r")} == {
        "wlkg.commands.refine"
    }


#: A program in which PyTorch cannot be found.
WITHOUT_TORCH = "import sys; sys.modules['torch'] = None; "


def test_all_public_names_can_be_imported_without_pytorch() -> None:
    program = "from wlkg import *; refine, counterexample; del sys.modules['torch']"
    assert "torch" not in modules_after(WITHOUT_TORCH + program)


def test_what_needs_pytorch_says_so_where_it_is_missing() -> None:
    program = f"""{WITHOUT_TORCH}
import wlkg
assert "versus" not in wlkg.__all__ and "versus" in dir(wlkg)
try:
    wlkg.versus
except wlkg.WlkgError as error:
    assert "pip install 'wlkg[gnn]'" in str(error), error
else:
    raise AssertionError("no error")
del sys.modules["torch"]
"""
    modules_after(program)


def test_info_about_an_example_loads_no_gnn_or_rdf_library() -> None:
    modules = modules_after(command("info", "example:c6"))
    assert "numpy" in modules
    assert not modules & (HEAVY | {"pyarrow", "pyoxigraph"})


def test_every_public_name_is_there_and_no_other() -> None:
    assert {*wlkg.__all__, *wlkg._WITH_EXTRAS} == set(dir(wlkg))
    assert {"refine", "versus", "train", "witness", "translate", "predict"} <= set(dir(wlkg))
    assert "counterexample" in wlkg.__all__
    assert all(getattr(wlkg, name) is not None for name in wlkg.__all__)
    # A module of the same name, once loaded, would hide a public name.
    modules = {module.name for module in pkgutil.iter_modules(wlkg.__path__)}
    assert not modules & set(dir(wlkg))
    with pytest.raises(AttributeError, match="module 'wlkg' has no attribute 'nothing'"):
        wlkg.nothing  # noqa: B018


@needs_torch
def test_public_names_that_need_pytorch_are_there() -> None:
    assert set(wlkg._WITH_EXTRAS) <= set(wlkg.__all__)
    assert all(callable(getattr(wlkg, name)) for name in wlkg._WITH_EXTRAS)
