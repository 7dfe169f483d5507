"""The section of ``wlkg symmetry``: orbits against classes."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Chart, Column, Paragraph, Section, Series, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.marks import marks
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, titled

_COMPLETE = {True: "complete", False: "not complete", None: "open"}
#: Longer orders of groups are given as a power of ten.
_MOST_DIGITS = 15


def symmetry_section(result: Result) -> Section:
    """Whether any model could separate more, the graph with the open pair, orbits and classes."""
    fields, names = result.fields, Names.of(result)
    tests = fields.many("tests")
    pairs = [test.pair("open_pair") for test in tests if test.has("open_pair")]
    graph = view(
        result.graphs,
        tests=tuple(test.text("test") for test in tests),
        marked=marks(result.graphs, pairs[0] if pairs else None),
    )
    blocks: list[Block] = [
        *(Paragraph(_meaning(test, names), "verdict") for test in tests),
        *graph.drawing,
        _chart(fields, tests),
        _table(fields, tests),
        _group_table(fields),
        *graph.folded,
    ]
    return Section(titled(fields.text("graph"), "symmetry"), tuple(blocks))


def _meaning(test: Fields, names: Names) -> str:
    name, complete = test.text("test"), test.maybe(test.truth, "complete")
    if complete:
        return (
            f"{name} is complete on this graph: a symmetry maps any two vertices of a class to each"
            " other, so no invariant model of any kind separates more."
        )
    if not test.has("open_pair"):
        return f"Whether {name} is complete is open: some symmetries may not have been found."
    one, two = map(names.vertex, test.pair("open_pair"))
    by = test.maybe(test.text, "separated_by")
    stronger = f"{by} separates them" if by else "none of the stronger tests tried separates them"
    state = "is not complete" if complete is False else "may not be complete"
    return f"{name} {state} on this graph: no symmetry maps {one} to {two}, and {stronger}."


def _chart(fields: Fields, tests: list[Fields]) -> Chart:
    classes = tuple((float(i), float(test.whole("classes"))) for i, test in enumerate(tests))
    orbits = tuple((float(i), float(fields.whole("orbits"))) for i in range(len(tests)))
    return Chart(
        "Classes and orbits",
        "test",
        "parts of the vertices",
        (Series("classes", classes, "bars"), Series("orbits", orbits, "bound")),
        style="count",
        x_names=tuple(test.text("test") for test in tests),
    )


def _table(fields: Fields, tests: list[Fields]) -> Table:
    columns = (
        Column("test"),
        Column("classes", "count"),
        Column("orbits", "count"),
        Column("test is"),
    )
    rows = tuple(
        (
            test.text("test"),
            test.whole("classes"),
            fields.whole("orbits"),
            _COMPLETE[test.maybe(test.truth, "complete")],
        )
        for test in tests
    )
    proven = fields.truth("orbits_proven")
    note = "" if proven else "There may be fewer orbits: some symmetries may not have been found."
    return Table("Classes against orbits", columns, rows, note=note)


def _group_table(fields: Fields) -> Table:
    rows: list[tuple[Value, ...]] = [
        ("order of the group", _order(fields)),
        ("generators, checked arc by arc", fields.whole("generators")),
        ("direction", fields.text("direction")),
        ("rests on", fields.text("rests_on")),
    ]
    return Table("The symmetry group", (Column(""), Column("")), tuple(rows))


def _order(fields: Fields) -> str:
    """The order of the group; a long one in short."""
    if not fields.has("group_order"):
        return "not certain"
    value = fields.content["group_order"]
    digits = str(fields.whole("group_order")) if type(value) is int else fields.text("group_order")
    if len(digits) <= _MOST_DIGITS or not digits.isdecimal():
        return digits
    return f"about {digits[0]}.{digits[1:4]} × 10^{len(digits) - 1}"
