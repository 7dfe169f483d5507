"""Who may import whom: checked in the syntax trees of all modules."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.places import ROOT
from tools.architecture import (
    INDEPENDENT,
    LEVEL,
    OUTSIDE,
    PACKAGE,
    PAGE,
    imports_of,
    own,
    page,
    room_of,
    rooms,
    trees,
)

MODULES = sorted(set(trees()) - OUTSIDE)


def _own_imports(module: str) -> set[str]:
    return own(imports_of(module).everything())


#: What may be imported against the order, for type checkers only.
TYPES_UPWARDS: set[tuple[str, str]] = set()


def test_every_module_lies_in_a_room_and_no_room_is_empty() -> None:
    assert all(rooms().values())
    assert {module for modules in rooms().values() for module in modules} == set(MODULES)


def test_modules_are_really_found_with_their_imports() -> None:
    assert {"graph.arcs", "readers.graph6", "commands.info", "cli"} <= set(trees())
    graph = imports_of("graph.relational_graph")
    assert "graph.arcs" in own(graph.always)
    assert "graph.interop.pyg" in own(graph.lazily)
    assert "graph.relational_graph" in own(imports_of("graph.interop.pyg").for_types)
    assert room_of("gnn.models.rgcn") == "gnn.models"
    assert room_of("gnn.api") == "gnn"


@pytest.mark.parametrize("module", MODULES)
def test_imports_only_go_to_lower_rooms(module: str) -> None:
    here, imports = room_of(module), imports_of(module)
    for when, names in (
        ("always", imports.always),
        ("lazily", imports.lazily),
        ("types", imports.for_types),
    ):
        for other in own(names) - OUTSIDE:
            there = room_of(other)
            allowed = (
                here == there
                or LEVEL[there] < LEVEL[here]
                or (when == "types" and (here, there) in TYPES_UPWARDS)
            )
            assert allowed, f"wlkg.{module} imports wlkg.{other} ({when})"


@pytest.mark.parametrize("module", MODULES)
def test_wings_that_are_independent_do_not_know_each_other(module: str) -> None:
    wing, *others = (name.partition(".")[0] for name in (module, *_own_imports(module)))
    for one, two in INDEPENDENT:
        assert not (wing == one and two in others)
        assert not (wing == two and one in others)


@pytest.mark.parametrize("module", MODULES)
def test_the_package_itself_is_imported_by_none_of_its_modules(module: str) -> None:
    assert "" not in _own_imports(module)


def test_graph_loads_other_libraries_only_when_asked_to() -> None:
    always = own(imports_of("graph.relational_graph").always)
    assert not {other for other in always if other.startswith("graph.interop")}


def test_no_modules_import_each_other_in_a_circle() -> None:
    edges = {
        module: {other for other in own(imports_of(module).always) if other in trees()} - {module}
        for module in trees()
    }
    finished: set[str] = set()

    def visit(module: str, trail: tuple[str, ...]) -> None:
        assert module not in trail, " -> ".join([*trail, module])
        if module not in finished:
            for other in sorted(edges[module]):
                # Importing a submodule runs its package, but that is no use of the package.
                if not module.startswith(f"{other}."):
                    visit(other, (*trail, module))
            finished.add(module)

    for module in trees():
        visit(module, ())


OPTIONS = "commands.options"
COMMANDS = [m for m in MODULES if m.startswith("commands.") and not m.startswith(OPTIONS)]


@pytest.mark.parametrize("module", COMMANDS)
def test_commands_never_import_each_other(module: str) -> None:
    others = {o for o in _own_imports(module) if o.startswith("commands")}
    assert all(other.startswith(OPTIONS) for other in others)


#: The modules of ``gnn`` for commands and reports; all but ``api`` work without PyTorch.
PUBLIC_GNN_MODULES = {"gnn.api", "gnn.config", "gnn.compositions", "gnn.switches"}


@pytest.mark.parametrize("module", [m for m in MODULES if m.startswith(("commands", "reports"))])
def test_commands_and_reports_use_public_modules_of_gnn_only(module: str) -> None:
    imports = imports_of(module)
    others = {other for other in own(imports.always | imports.lazily) if other.startswith("gnn")}
    assert others <= PUBLIC_GNN_MODULES


#: Besides ``gnn``, one engine computes with PyTorch; it is loaded only if it is chosen.
TORCH_ENGINE = "refinement.engines.torch_engine"
#: What may load PyTorch inside a function.
TORCH_ON_DEMAND = {"devices", "graph.interop.pyg", "graph.interop.pykeen"}


@pytest.mark.parametrize("module", sorted(trees()))
def test_torch_is_imported_in_two_places_only(module: str) -> None:
    imports = imports_of(module)
    everything, always = (
        {name.split(".")[0] for name in names} for names in (imports.everything(), imports.always)
    )
    if not module.startswith(("gnn", TORCH_ENGINE)):
        assert not always & {"torch", "torch_geometric"}
        if module not in TORCH_ON_DEMAND:
            assert not everything & {"torch", "torch_geometric"}


@pytest.mark.parametrize("module", sorted(trees()))
def test_engines_with_libraries_of_their_own_are_loaded_only_when_chosen(module: str) -> None:
    for engine in (TORCH_ENGINE, "refinement.engines.duckdb_engine"):
        if not module.startswith(engine):
            assert not {name for name in own(imports_of(module).always) if name.startswith(engine)}


@pytest.mark.parametrize("module", sorted(trees()))
def test_every_module_says_what_it_is(module: str) -> None:
    assert ast.get_docstring(trees()[module])


PACKAGES = sorted(path for path in PACKAGE.rglob("__init__.py") if path.parent != PACKAGE)


@pytest.mark.parametrize("path", PACKAGES, ids=lambda path: path.parent.name)
def test_packages_hold_no_code_of_their_own(path: Path) -> None:
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        is_docstring = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_export = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        assert is_docstring or is_export or isinstance(node, ast.ImportFrom)


def test_nothing_is_imported_from_a_test_module() -> None:
    """What several test modules use lives in a helper module."""
    wrong = set()
    for path in (ROOT / "tests").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                parts = ast.unparse(node).replace(".", " ").split()
                if any(part.startswith("test_") for part in parts):
                    wrong.add(f"{path.relative_to(ROOT)}: {ast.unparse(node)}")
    assert not wrong


def test_the_page_about_the_architecture_is_up_to_date() -> None:
    written = PAGE.read_text(encoding="utf-8")
    assert written == page(), "run: python -m tools.architecture"
