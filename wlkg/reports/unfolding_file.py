"""Unfolding trees as an SVG file."""

from __future__ import annotations

from pathlib import Path

from wlkg.analysis.explanation.explain import Explanation
from wlkg.analysis.explanation.pair import PairExplanation
from wlkg.catalogue import VertexTest, find_test
from wlkg.errors import OutputError, UsageError
from wlkg.reports.explain_words import Explained
from wlkg.reports.terminal import note
from wlkg.reports.unfolding_svg import unfolding_svg
from wlkg.writers.aside import written_aside


def check_unfolding_path(path: str, test: str) -> None:
    """Refuse a picture that cannot be drawn or written, before any work is done."""
    if not isinstance(find_test(test), VertexTest):
        raise UsageError(f"--svg has no effect: {test} colours tuples, which have no trees")
    if Path(path).suffix.lower() != ".svg":
        raise OutputError(f"{path}: trees are written as .svg, by suffix")
    if not Path(path).resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no such folder")


def write_unfolding(path: str, explanation: Explanation, explained: Explained) -> None:
    """Draw where the trees of two vertices part; if they never do, say that nothing is drawn."""
    assert isinstance(explanation, PairExplanation)
    trees = explained.unfolding(explanation)
    if trees is None:
        note(f"{path} is not written: the trees of the two vertices never part")
        return
    picture = unfolding_svg(trees, explained.setting)
    with written_aside(Path(path)) as stream:
        stream.write(picture.encode())
