"""Own models in files: ``path/file.py:name``.

The file is run, because the user asked for it by name. If it creates an instance, the weights
come from the seed too. Modules that the file imports stay imported.
"""

from __future__ import annotations

import difflib
import importlib
import importlib.util
import itertools
import os
import sys
from collections.abc import Callable
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from torch import nn

from wlkg.errors import InputError, UsageError
from wlkg.gnn.models.parameters import seeded
from wlkg.gnn.own_models.hosting import Given, Host
from wlkg.gnn.own_models.making import EXPECTED
from wlkg.gnn.own_models.own_model import OwnModel, adopted

_NUMBERS = itertools.count(1)


class _Fresh(SourceFileLoader):
    """Reads the source each time, so that no compiled copy is left behind or out of date."""

    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def load_own_model(spec: str, given: Given) -> OwnModel:
    """The model that ``path/file.py:name`` names. This runs the file."""
    path, name = _split(spec)
    host = Host(spec, given, path.parent, on_path=True)
    private = f"_wlkg_own_model_{next(_NUMBERS)}"
    try:
        module = host.run("being loaded", lambda: seeded(given.seed, _execute, private, path))
        return adopted(_named(module, name, spec), host)
    except BaseException:
        sys.modules.pop(private, None)
        raise


def _split(spec: str) -> tuple[Path, str]:
    """The file, and the name in it."""
    file, _, name = spec.rpartition(":")
    if not file or not name.isidentifier():
        raise UsageError(
            f"expected FILE.py:NAME, found {spec!r}. NAME is a model, a class or a function of the "
            f"file, for instance {(file or spec.rstrip(':'))}:Net"
        )
    if not Path(file).exists():
        raise InputError("no such file", path=file)
    if not Path(file).is_file() or not os.access(file, os.R_OK):
        raise InputError("not a file that can be read", path=file)
    return Path(file).absolute(), name


def _execute(private: str, path: Path) -> ModuleType:
    importlib.invalidate_caches()  # the file may import a module that was just written
    spec = importlib.util.spec_from_file_location(private, path, loader=_Fresh(private, str(path)))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[private] = module  # dataclasses and PyG look up the module of a class
    spec.loader.exec_module(module)
    return module


def _named(module: ModuleType, name: str, spec: str) -> Callable[..., Any]:
    file = spec.rpartition(":")[0]
    if name not in vars(module):
        known = _public_callables(module)
        known.sort(key=lambda other: -difflib.SequenceMatcher(None, name, other).ratio())
        there = f"It has: {', '.join(known)}" if known else "It has no public class or function"
        raise UsageError(f"{file}: no {name!r} in this file. {there}")
    target: Callable[..., Any] = vars(module)[name]
    if not callable(target):
        raise UsageError(
            f"{file}: {name!r} is of type {type(target).__name__}, expected {EXPECTED}"
        )
    return target


def _public_callables(module: ModuleType) -> list[str]:
    """The public callables that the file defines itself, not those that it imports."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and (isinstance(value, nn.Module) or getattr(value, "__module__", "") == module.__name__)
    ]
