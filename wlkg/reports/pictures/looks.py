"""Blocks that show graphs: a drawing where they are small, an overview where they are large."""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.reports.blocks import Block
from wlkg.reports.results import NamedGraph


def looks(
    graphs: Sequence[NamedGraph],
    *,
    tests: Sequence[str],
    rounds: int | None = None,
    marked: Sequence[tuple[int, int]] = (),
) -> tuple[Block, ...]:
    """One graph, or two side by side, in the colours of some tests; empty if none is at hand.

    ``rounds`` is where the tests stop, and ``marked`` lists vertices to point out, as (graph,
    vertex).
    """
    if not graphs or not tests:
        return ()
    from wlkg.reports.pictures.drawing import drawing_of, is_small

    if is_small(graphs):
        return drawing_of(graphs, tests, rounds, marked)
    from wlkg.reports.pictures.overview import overview_of

    return overview_of(graphs, tests, rounds, marked)
