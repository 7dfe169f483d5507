"""Unfolding trees in the terminal: one below the other or, where there is room, side by side."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from wlkg.analysis.explanation.languages import Setting
from wlkg.analysis.explanation.unfolding import Unfolding
from wlkg.reports.unfolding_words import (
    below_words,
    branch_words,
    cut_words,
    other_words,
    vertex_words,
)

#: From this width on, the two trees stand side by side.
_WIDE = 150


def print_unfolding(terminal: Console, unfolding: Unfolding, setting: Setting) -> None:
    """Both trees, cut to the branch that differs."""
    trees = [unfolding_tree(unfolding, side, setting) for side in (0, 1)]
    if terminal.width < _WIDE:
        for tree in trees:
            terminal.print(tree)
        return
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(*trees)
    terminal.print(grid)


def unfolding_tree(unfolding: Unfolding, side: int, setting: Setting) -> Tree:
    """The tree of the first or of the second vertex."""
    root: Tree | None = None
    place: Tree | None = None
    lead = ""
    for i, level in enumerate(unfolding.levels):
        look = level.sides[side]
        if look is None:
            break
        name = Text(f"{lead}{vertex_words(look, setting)}", style="bold")
        here = Tree(name, guide_style="dim") if place is None else place.add(name)
        root = root or here
        branch = branch_words(level, look, setting)
        place = here
        if branch is not None:
            place = here.add(Text(branch, style="cyan" if side == 0 else "yellow"))
        others = other_words(look, setting)
        if others:
            here.add(Text(f"also: {', '.join(others)}", style="dim"))
        if i + 1 < len(unfolding.levels):
            below = unfolding.levels[i + 1].sides[side]
            if below is not None:
                lead = f"{below_words(look, satisfies=below.satisfies)}: "
    cut = cut_words(unfolding)
    if cut is not None and place is not None:
        place.add(Text(cut, style="dim"))
    assert root is not None
    return root
