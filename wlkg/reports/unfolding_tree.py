"""Unfolding trees in the terminal: one below the other or, where there is room, side by side."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from wlkg.analysis.explanation.languages import Setting
from wlkg.analysis.explanation.unfolding import Unfolding
from wlkg.reports.terminal import Terminal
from wlkg.reports.unfolding_words import (
    below_words,
    branch_words,
    cut_words,
    other_words,
    vertex_words,
)

#: From this width on, the two trees stand side by side.
_WIDE = 150
_STYLES = ("cyan", "yellow")


def print_unfolding(terminal: Terminal, unfolding: Unfolding, setting: Setting) -> None:
    """Both trees, cut to the branch that differs."""
    trees = [unfolding_tree(unfolding, side, setting) for side in (0, 1)]
    if terminal.columns < _WIDE:
        for tree in trees:
            terminal.print(tree)
        return
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(ratio=1)
    grid.add_row(*trees)
    terminal.print(grid)


def unfolding_tree(unfolding: Unfolding, side: int, setting: Setting) -> Tree:
    """The tree of the first or of the second vertex.

    What decides at a vertex and the neighbour that is unfolded share a node, to save columns.
    """
    looks = [level.sides[side] for level in unfolding.levels]
    root = looks[0]
    assert root is not None
    tree = Tree(Text(vertex_words(root, setting), style="bold"), guide_style="dim")
    place = tree
    for i, (level, look) in enumerate(zip(unfolding.levels, looks, strict=True)):
        if look is None:
            break
        text = Text(branch_words(level, look, setting) or "", style=_STYLES[side])
        below = looks[i + 1] if i + 1 < len(looks) else None
        if below is not None:
            chosen = below_words(look, satisfies=below.satisfies)
            text.append(f"\n{chosen}: {vertex_words(below, setting)}", style="bold not dim")
        branch = place.add(text) if text else place
        others = other_words(look, setting)
        if others:
            place.add(Text(f"also: {', '.join(others)}", style="dim"))
        place = branch
    cut = cut_words(unfolding)
    if cut is not None:
        place.add(Text(cut, style="dim"))
    return tree
