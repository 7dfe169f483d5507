"""Who may import whom: checked in the syntax trees of all modules."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from pathlib import Path

import pytest

import wlkg

ROOT = Path(wlkg.__file__).parent

#: Earlier lines never import later ones. Entries of one line are independent of each other, except
#: in the first line, which is about single modules without a graph.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("errors", "wording", "names", "triples", "checks", "arcs", "terms", "progress", "memory"),
    ("interop",),
    ("graph",),
    ("unions",),
    ("examples",),
    ("readers",),
    ("writers",),
    ("labels", "targets"),
    ("corpora",),
    ("partition",),
    ("refinement",),
    ("histograms",),
    ("pairs", "isomorphism", "ceilings"),
    ("comparison", "explanation", "gnn"),
    ("counterexamples", "batches"),
    ("hierarchies",),
    ("reports",),
    ("commands",),
    ("cli",),
)
#: The package itself and ``python -m wlkg`` stand outside.
OUTSIDE = {"", "__main__"}
LEVEL = {part: level for level, parts in enumerate(LAYERS) for part in parts}

#: What may be imported against the order, and how: inside functions, or for type checkers only.
LAZY_UPWARDS: set[tuple[str, str]] = set()
TYPES_UPWARDS = {("interop", "graph")}


@dataclass
class Imports:
    """The modules of the project and of others that a module imports, by when it does so."""

    always: set[str] = field(default_factory=set)
    lazily: set[str] = field(default_factory=set)
    for_types: set[str] = field(default_factory=set)

    def everything(self) -> set[str]:
        return self.always | self.lazily | self.for_types


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


TREES = {module_name(path): ast.parse(path.read_text()) for path in sorted(ROOT.rglob("*.py"))}


def is_type_checking(test: ast.expr) -> bool:
    return "TYPE_CHECKING" in ast.unparse(test)


def imported(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Full names; ``from wlkg import x`` and ``from wlkg.readers import x`` may name a module."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    assert not node.level, "imports are absolute"
    base = node.module or ""
    names = {base}
    for alias in node.names:
        full = f"{base}.{alias.name}"
        if full.startswith("wlkg.") and full.removeprefix("wlkg.") in TREES:
            names.add(full)
    return names


def imports_of(module: str) -> Imports:
    found = Imports()

    def walk(node: ast.AST, place: set[str]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                place |= imported(child)
            elif isinstance(child, ast.If) and is_type_checking(child.test):
                walk(child, found.for_types)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                walk(child, found.lazily)
            else:
                walk(child, place)

    walk(TREES[module], found.always)
    return found


IMPORTS = {module: imports_of(module) for module in TREES}


def part_of(module: str) -> str:
    return module.partition(".")[0]


def own(names: set[str]) -> set[str]:
    return {n.removeprefix("wlkg").removeprefix(".") for n in names if n.split(".")[0] == "wlkg"}


def test_no_module_escapes_the_layers() -> None:
    assert {part_of(module) for module in TREES} <= set(LEVEL) | OUTSIDE


def test_modules_are_really_found_with_their_imports() -> None:
    assert {"graph", "readers.graph6", "commands.info", "cli"} <= set(TREES)
    assert "arcs" in own(IMPORTS["graph"].always)
    assert "interop.pyg" in own(IMPORTS["graph"].lazily)
    assert "graph" in own(IMPORTS["interop.pyg"].for_types)


@pytest.mark.parametrize("module", sorted(set(TREES) - OUTSIDE))
def test_imports_only_go_to_earlier_layers(module: str) -> None:
    here = part_of(module)
    imports = IMPORTS[module]
    for when, names in (("always", imports.always), ("lazily", imports.lazily),
                        ("types", imports.for_types)):  # fmt: skip
        for other in own(names) - OUTSIDE:
            there = part_of(other)
            pair = (here, there)
            allowed = (
                LEVEL[there] < LEVEL[here]
                or here == there
                or (LEVEL[there] == LEVEL[here] == 0)
                or (when == "lazily" and pair in LAZY_UPWARDS)
                or (when == "types" and pair in TYPES_UPWARDS)
            )
            assert allowed, f"wlkg.{module} imports wlkg.{other} ({when})"


@pytest.mark.parametrize("module", sorted(set(TREES) - OUTSIDE - {"cli"}))
def test_the_package_itself_is_imported_by_the_command_line_only(module: str) -> None:
    assert "" not in own(IMPORTS[module].everything())


def test_graph_loads_other_libraries_only_when_asked_to() -> None:
    assert not {part_of(other) for other in own(IMPORTS["graph"].always)} & {"interop"}


def test_no_modules_import_each_other_in_a_circle() -> None:
    edges = {
        module: {other for other in own(IMPORTS[module].always) if other in TREES} - {module}
        for module in TREES
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

    for module in TREES:
        visit(module, ())


COMMANDS = sorted(m for m in TREES if m.startswith("commands.") and m != "commands.options")


@pytest.mark.parametrize("module", COMMANDS)
def test_commands_never_import_each_other(module: str) -> None:
    others = {o for o in own(IMPORTS[module].everything()) if part_of(o) == "commands"}
    assert others <= {"commands", "commands.options"}


@pytest.mark.parametrize("module", sorted(TREES))
def test_torch_is_imported_in_one_place_only(module: str) -> None:
    roots = {name.split(".")[0] for name in IMPORTS[module].everything()}
    if part_of(module) != "gnn" and module != "interop.pyg":
        assert not roots & {"torch", "torch_geometric"}
    always = {name.split(".")[0] for name in IMPORTS[module].always}
    if part_of(module) != "gnn":
        assert not always & {"torch", "torch_geometric"}


@pytest.mark.parametrize("module", sorted(TREES))
def test_every_module_says_what_it_is(module: str) -> None:
    assert ast.get_docstring(TREES[module])
