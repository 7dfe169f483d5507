"""The section of ``wlkg estimate``: what each engine would need."""

from __future__ import annotations

from wlkg.reports.blocks import Column, Paragraph, Section, Table
from wlkg.reports.results import Result
from wlkg.reports.sections.words import counted, file_name, listed


def estimate_section(result: Result) -> Section:
    """The size of the graph, and a row for each engine."""
    fields = result.fields
    about = "" if fields.truth("exact") else "About "
    size = listed(
        [
            counted(fields.whole("triples"), "triple", "triples"),
            counted(fields.whole("vertices"), "vertex", "vertices"),
            counted(fields.whole("arcs"), "arc", "arcs"),
        ]
    )
    rounds = fields.one("rounds")
    columns = (
        Column("engine"),
        Column("bytes of memory", "count"),
        Column("bytes on disk", "count"),
        Column("seconds", "count"),
        Column("installed"),
    )
    rows = tuple(
        (
            each.text("engine"),
            each.whole("bytes"),
            each.whole("disk_bytes"),
            round(each.number("seconds") or 0),
            each.truth("available"),
        )
        for each in fields.many("engines")
    )
    note = (
        f"Orders of magnitude, for {rounds.whole('assumed')} rounds where rounds count; there may"
        f" be up to {rounds.whole('at_most'):,}."
    )
    return Section(
        file_name(fields.text("graph")),
        (
            Paragraph(f"{about}{size}.", "verdict"),
            Table("What engines need", columns, rows, note=note),
        ),
    )
