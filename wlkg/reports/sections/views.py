"""Where a section shows its graphs: a drawing at the top, the overview of a large graph below."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.reports.blocks import Block, Details, Drawing
from wlkg.reports.pictures.looks import looks
from wlkg.reports.results import NamedGraph


@dataclass(frozen=True)
class View:
    """The blocks that show graphs, in two parts."""

    #: Small graphs, or the surroundings of the vertices that are pointed out.
    drawing: tuple[Block, ...]
    #: The classes of a large graph at large.
    overview: tuple[Block, ...] = ()

    @property
    def folded(self) -> tuple[Block, ...]:
        """The overview, folded away, for results that are about something else."""
        return (Details("The graph at large", self.overview),) if self.overview else ()


def view(
    graphs: Sequence[NamedGraph],
    *,
    tests: Sequence[str],
    rounds: int | None = None,
    marked: Sequence[tuple[int, int]] = (),
) -> View:
    """The graphs in the colours of some tests; empty if none is at hand."""
    blocks = looks(graphs, tests=tests, rounds=rounds, marked=marked)
    if not blocks:
        return View(())
    from wlkg.reports.pictures.drawing import is_small

    if is_small(graphs):
        return View(blocks)
    in_context = 1 if marked and isinstance(blocks[0], Drawing) else 0
    return View(blocks[:in_context], blocks[in_context:])
