"""The section of ``wlkg pairs``: pairs of vertices that a test separates, or does not."""

from __future__ import annotations

from typing import Any

from wlkg.reports.blocks import Block, Column, Paragraph, Section, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.marks import marks
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, counted, titled


def pairs_section(result: Result) -> Section:
    """How many pairs there are, the graph with the first of them, and the list."""
    fields = result.fields
    test, not_by = fields.text("test"), fields.maybe(fields.text, "not_by")
    pairs = [_pair(fields, place, pair) for place, pair in enumerate(fields.lists("pairs"))]
    tests = (test,) if not_by is None else (test, not_by)
    first = pairs[0][:2] if pairs else None
    count = fields.whole("count")
    answer = "There is no vertex pair that"
    if count:
        verb = "is" if count == 1 else "are"
        answer = f"There {verb} {counted(count, 'vertex pair', 'vertex pairs')} that"
    graph = view(result.graphs, tests=tests, marked=marks(result.graphs, first))
    blocks: list[Block] = [
        Paragraph(f"{answer} {_condition(fields, test, not_by)}.", "verdict"),
        *graph.drawing,
    ]
    if pairs:
        blocks.append(_table(fields, pairs, Names.of(result)))
    blocks += graph.folded
    return Section(titled(fields.text("graph"), f"pairs of {test}"), tuple(blocks))


def _is_same(fields: Fields) -> bool:
    return bool(fields.maybe(fields.truth, "same"))


def _condition(fields: Fields, test: str, not_by: str | None) -> str:
    """What the pairs have in common."""
    if _is_same(fields):
        none = f"{test} does not separate"
        return none if not_by is None else f"neither {test} nor {not_by} separates"
    return f"{test} separates" + ("" if not_by is None else f" and {not_by} does not")


def _pair(fields: Fields, place: int, entry: list[Any]) -> tuple[str, str, int | None]:
    """A pair of vertices, and the round that separates them if one does."""
    pair = Fields({"pair": entry[:2], "round": entry[2] if len(entry) > 2 else None})
    names = Fields(pair.content, f"pairs[{place}]", fields.file)
    one, two = names.pair("pair")
    return one, two, names.maybe(names.whole, "round")


def _table(fields: Fields, pairs: list[tuple[str, str, int | None]], names: Names) -> Table:
    shown = [(names.vertex(v), names.vertex(w), t) for v, w, t in pairs]
    columns: tuple[Column, ...] = (Column("vertex"), Column("other vertex"))
    rows: tuple[tuple[str | int | None, ...], ...] = tuple((v, w) for v, w, _ in shown)
    if not _is_same(fields):
        columns = (*columns, Column("at round", "count"))
        rows = tuple(shown)
    count = fields.whole("count")
    note = "" if count == len(pairs) else f"{len(pairs):,} of {count:,}; --limit lists more."
    return Table("Pairs", columns, rows, note=note, searchable=len(pairs) > 10)
