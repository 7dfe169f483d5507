"""The checker shares nothing with the engine and the explainer but the graphs that it is given."""

from __future__ import annotations

import pytest

from tests.loaded_modules import all_modules_after
from tools.architecture import OUTSIDE, imports_of, own, room_of, trees

MODULES = sorted(module for module in trees() if module.startswith("verification"))
ALLOWED = {"verification", "errors", "text", "graph", "readers"}


@pytest.mark.parametrize("module", MODULES)
def test_it_imports_only_graphs_readers_errors_and_text(module: str) -> None:
    others = own(imports_of(module).everything()) - OUTSIDE
    assert {room_of(other) for other in others} <= ALLOWED
    everything = {name.split(".")[0] for name in imports_of(module).everything()}
    assert not everything & {"numpy", "numba", "networkx", "torch", "igraph", "dejavu_gi"}


def test_it_runs_without_loading_what_it_checks() -> None:
    program = (
        "import wlkg.readers.read as read, wlkg.verification.verify as checker\n"
        "graph = read.read('example:c6')\n"
        "try:\n    checker.verify({}, graph)\nexcept checker.InputError: pass"
    )
    loaded = {name for name in all_modules_after(program) if name.startswith("wlkg")}
    assert "wlkg.verification.formulas" in loaded
    rooms = {".".join(name.split(".")[:2]) for name in loaded}
    assert not rooms & {"wlkg.refinement", "wlkg.analysis", "wlkg.gnn", "wlkg.partition"}
