"""The table of rounds in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table

from wlkg.reports.terminal import Terminal, bar, new_table

_FIRST_ROUNDS = 12
_LAST_ROUNDS = 4


def rounds_table(
    classes: Sequence[int], pairs: Sequence[int] | None, num_items: int, item: str, out: Terminal
) -> Table:
    """Classes and, if known, pairs told apart at each round; of many rounds, the first and last."""
    table = new_table(out)
    for title in ("round", "classes", *(("pairs told apart",) if pairs is not None else ())):
        table.add_column(title, justify="right", no_wrap=True)
    # Where there is little room, the bars are cut and not the numbers.
    table.add_column(f"classes per {item}")
    shown = list(range(len(classes)))
    if len(shown) > _FIRST_ROUNDS + _LAST_ROUNDS + 1:
        shown = [*shown[:_FIRST_ROUNDS], -1, *shown[-_LAST_ROUNDS:]]
    for t in shown:
        if t < 0:
            table.add_row("...")
        else:
            told_apart = [] if pairs is None else [f"{pairs[t]:,}"]
            share = bar(classes[t] / max(num_items, 1), 24)
            table.add_row(f"{t:,}", f"{classes[t]:,}", *told_apart, share)
    return table
