"""The section of ``wlkg hierarchy``: how many pairs each test separates, by group."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Chart, Column, Details, Paragraph, Section, Series, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.words import counted, listed, titled


def hierarchy_section(result: Result) -> Section:
    """The tests that separate all pairs, the bars, and the table."""
    fields = result.fields
    rows, groups = fields.many("rows"), fields.many("groups")
    for row in rows:
        if len(_cells(row)) != len(groups):
            raise row.error(
                f"{row.where}.cells: expected {len(groups):,}, found {len(_cells(row)):,}"
            )
    chart = _chart(rows, groups)
    blocks: list[Block] = [
        Paragraph(_answer(rows), "verdict"),
        chart,
        _table(rows, groups),
        *(Paragraph(text, "note") for row in rows for text in _remarks(row)),
    ]
    missed = _missed_table(rows)
    if missed.rows:
        blocks.append(Details("Pairs that are not separated", (missed,)))
    title = titled(fields.text("corpus"), "pairs separated")
    return Section(title, tuple(blocks), figure=(chart,))


def _answer(rows: list[Fields]) -> str:
    """Which tests separate everything, and what the best of the others do."""
    complete = [row.text("test") for row in rows if row.whole("separated") == row.whole("total")]
    total = counted(rows[0].whole("total"), "pair", "pairs") if rows else "no pairs"
    if complete:
        verb = "separates" if len(complete) == 1 else "separate"
        return f"{listed(complete)} {verb} all of {total}."
    if not rows:
        return "No test was run."
    best = max(rows, key=lambda row: row.whole("separated"))
    most = f"{best.text('test')} separates {best.whole('separated'):,}"
    return f"No test separates all of {total}; {most}."


def _chart(rows: list[Fields], groups: list[Fields]) -> Chart:
    """Bars of separated pairs by group, one colour for each test; the line is all pairs."""
    series = [
        Series(
            row.text("test"),
            tuple((float(i), float(cell.whole("separated"))) for i, cell in enumerate(_cells(row))),
            "bars",
        )
        for row in rows
    ]
    pairs = tuple((float(i), float(group.whole("pairs"))) for i, group in enumerate(groups))
    return Chart(
        "Pairs separated",
        "group",
        "pairs",
        (*series, Series("all pairs", pairs, "bound")),
        style="count",
        x_names=tuple(group.text("group") for group in groups),
    )


def _cells(row: Fields) -> list[Fields]:
    return row.many("cells")


def _table(rows: list[Fields], groups: list[Fields]) -> Table:
    """A row for each test, a column for each group, and the sums."""
    names = [f"{group.text('group')} ({group.whole('pairs'):,})" for group in groups]
    columns = [Column("test"), *(Column(name, "count") for name in names)]
    columns += [Column("separated", "count"), Column("of", "count"), Column("by round", "count")]
    body = [
        (
            row.text("test"),
            *(cell.whole("separated") for cell in _cells(row)),
            row.whole("separated"),
            row.whole("total"),
            row.maybe(row.whole, "rounds"),
        )
        for row in rows
    ]
    note = "In parentheses: the number of pairs. “By round”: the last round that separates a pair."
    return Table("Pairs separated", tuple(columns), tuple(body), note=note)


def _remarks(row: Fields) -> list[str]:
    """What is not certain about a row."""
    remarks, test = [], row.text("test")
    if row.whole("skipped"):
        reasons = [cell.text("reason") for cell in _cells(row) if cell.has("reason")]
        skipped = counted(row.whole("skipped"), "pair was", "pairs were")
        remarks.append(f"{test}: {skipped} skipped: {'; '.join(dict.fromkeys(reasons))}")
    if row.whole("undecided"):
        undecided = counted(row.whole("undecided"), "pair is", "pairs are")
        remarks.append(f"{test}: {undecided} undecided: features too close to rounding")
    if any(cell.maybe(cell.truth, "exact") is False for cell in _cells(row)):
        remarks.append(f"{test} was not proved: its colours rely on hashes")
    return remarks


def _missed_table(rows: list[Fields]) -> Table:
    body = tuple(
        (row.text("test"), cell.text("group"), pair)
        for row in rows
        for cell in _cells(row)
        for pair in cell.texts("missed")
    )
    columns = (Column("test"), Column("group"), Column("pair"))
    note = "At most ten pairs of each group and test are listed."
    return Table("Pairs that are not separated", columns, body, note=note, searchable=True)
