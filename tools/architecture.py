"""The plan of the house: its rooms in order, who imports whom, and the page that draws it.

``python -m tools.architecture`` writes ``docs/architecture.md``. The rooms and their order are
written down here; what imports what is read from the syntax trees, and ``tests/test_architecture``
checks that the two agree and that the page is up to date.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "wlkg"
PAGE = ROOT / "docs" / "architecture.md"

#: Rooms from the ground up. A room imports from lower levels and from itself, never from a room of
#: its own level or above.
LEVELS: tuple[tuple[str, ...], ...] = (
    ("version", "errors", "text", "progress", "arrays"),
    ("display",),
    ("memory", "catalogue", "devices"),
    ("engines",),
    ("compiled",),
    ("graph",),
    ("partition",),
    ("examples",),
    ("readers",),
    ("writers", "corpora", "links", "verification", "typesetting"),
    ("generation",),
    ("refinement.compiled", "refinement.proof", "refinement.atomic_types"),
    ("refinement.vertices", "refinement.tuples"),
    ("refinement.engines",),
    ("refinement",),
    ("analysis.side_by_side", "analysis.pairs", "analysis.classes", "analysis.symmetry"),
    ("analysis.relations",),
    ("analysis.isomorphism", "analysis.model_verdicts", "analysis.differences"),
    ("analysis.alike",),
    ("analysis.explanation",),
    ("analysis.comparison_notes", "analysis.verdicts"),
    ("analysis.ladder",),
    ("analysis.compare",),
    ("analysis.compare_vertices",),
    ("analysis.certificates",),
    ("analysis.counterexample", "analysis.hierarchy", "analysis.ceiling", "analysis.links"),
    ("analysis",),
    ("gnn.compositions", "gnn.switches", "gnn.features"),
    ("gnn.config",),
    ("gnn.bounds", "gnn.dtypes", "gnn.threads"),
    ("gnn.models",),
    ("gnn.checkpoints",),
    ("gnn.training", "gnn.against_wl"),
    ("gnn.own_models", "gnn.theorems", "gnn.links"),
    ("gnn",),
    ("studies",),
    ("reports",),
    ("shell",),
    ("process", "commands"),
    ("cli",),
)
LEVEL = {room: level for level, rooms in enumerate(LEVELS) for room in rooms}

#: Wings that know nothing of each other, whatever their levels.
INDEPENDENT = (("analysis", "gnn"),)

#: The package itself and ``python -m wlkg`` are no rooms.
OUTSIDE = {"", "__main__"}


@dataclass
class Imports:
    """The modules, of the project and of others, that a module imports, by when it does so."""

    always: set[str] = field(default_factory=set)
    lazily: set[str] = field(default_factory=set)
    for_types: set[str] = field(default_factory=set)

    def everything(self) -> set[str]:
        return self.always | self.lazily | self.for_types


def module_name(path: Path) -> str:
    """The name of a module within the package."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of every module."""
    return {
        module_name(path): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


@cache
def imports_of(module: str) -> Imports:
    """What a module imports."""
    imports = Imports()

    def walk(node: ast.AST, place: set[str]) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                place |= _named(child)
            elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
                walk(child, imports.for_types)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                walk(child, imports.lazily)
            else:
                walk(child, place)

    walk(trees()[module], imports.always)
    return imports


def _named(node: ast.Import | ast.ImportFrom) -> set[str]:
    """Full names; ``from wlkg import x`` and ``from wlkg.readers import x`` may name a module."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    assert not node.level, "imports are absolute"
    base = node.module or ""
    modules = {f"{base}.{alias.name}" for alias in node.names}
    modules = {name for name in modules if own([name]) & set(trees())}
    # A package that is only named to reach its modules is not used itself.
    return modules if len(modules) == len(node.names) else modules | {base}


def own(names: Iterable[str]) -> set[str]:
    """Those of the names that are the project's, within the package."""
    return {n.removeprefix("wlkg").removeprefix(".") for n in names if n.split(".")[0] == "wlkg"}


def room_of(module: str) -> str:
    """The room in which a module lies: the longest one whose name begins its own."""
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        if ".".join(parts[:length]) in LEVEL:
            return ".".join(parts[:length])
    raise KeyError(f"wlkg.{module} lies in no room: give it one in tools/architecture.py")


def rooms() -> dict[str, list[str]]:
    """Every room with its modules, from the ground up."""
    found: dict[str, list[str]] = {room: [] for level in LEVELS for room in level}
    for module in trees():
        if module not in OUTSIDE:
            found[room_of(module)].append(module)
    return found


def uses(room: str) -> set[str]:
    """The other rooms that a room imports from, whenever it does."""
    found = {
        room_of(other)
        for module in rooms()[room]
        for other in own(imports_of(module).everything()) - OUTSIDE
    }
    return found - {room}


def page() -> str:
    """The page: the drawing, and a line for each room."""
    lines = [
        "# The plan of the house",
        "",
        "Written by `python -m tools.architecture` from the imports of all modules. A room may use",
        "those above it in the table, never those below; `tests/test_architecture.py` enforces it.",
        "Arrows say *uses*; those that follow from others are left out.",
        "",
        "```mermaid",
        "flowchart BT",
        *_drawing(),
        "```",
        "",
        "| room | what it is for | uses |",
        "|---|---|---|",
    ]
    for room in rooms():
        about = (ast.get_docstring(trees()[room]) or "").splitlines()[0].replace("|", "\\|")
        others = ", ".join(f"`{other}`" for other in sorted(uses(room), key=_place))
        lines.append(f"| `{room}` | {about} | {others} |")
    return "\n".join(lines) + "\n"


def _place(room: str) -> tuple[int, str]:
    return LEVEL[room], room


def _drawing() -> list[str]:
    """The rooms as nodes, wing by wing, and the uses that do not follow from others."""
    lines: list[str] = []
    # A package whose modules are all in rooms of their own has nothing to draw.
    everything = [
        room for room, modules in rooms().items() if modules != [room] or not _is_wing(room)
    ]
    wings = dict.fromkeys(room.split(".")[0] for room in everything)
    for wing in wings:
        inside = [room for room in everything if room.split(".")[0] == wing]
        nodes = [f'{_node(room)}["{room}"]' for room in inside]
        if len(inside) == 1:
            lines.append(f"    {nodes[0]}")
        else:
            lines += [f"    subgraph {wing}", *(f"        {node}" for node in nodes), "    end"]
    for room in everything:
        direct = uses(room)
        implied = {far for near in direct for far in _reachable(near)}
        for other in sorted(direct - implied, key=_place):
            lines.append(f"    {_node(room)} --> {_node(other)}")
    return lines


def _is_wing(room: str) -> bool:
    return any(other.startswith(f"{room}.") for other in LEVEL)


def _node(room: str) -> str:
    return "room_" + room.replace(".", "_")


def _reachable(room: str) -> set[str]:
    found: set[str] = set()
    waiting = [room]
    while waiting:
        fresh = uses(waiting.pop()) - found
        found |= fresh
        waiting += fresh
    return found


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
