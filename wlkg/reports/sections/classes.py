"""The section of ``wlkg classes``: groups of vertices that cannot be told apart."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Chart, Column, Paragraph, Section, Series, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.marks import marks
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import Names, counted, file_name

#: The most names in a row of the table.
_MOST_NAMES = 20


def classes_section(result: Result) -> Section:
    """How many vertices are alone, the graph, and the largest groups."""
    fields = result.fields
    test, groups = fields.text("test"), fields.many("groups")
    first = groups[0].texts("vertices") if groups else None
    shown = view(
        result.graphs,
        tests=(test,),
        rounds=fields.whole("round"),
        marked=marks(result.graphs, first),
    )
    blocks: list[Block] = [Paragraph(_answer(fields, test), "verdict"), *shown.drawing]
    if groups:
        blocks += [_sizes_chart(groups), _groups_table(fields, groups, Names.of(result))]
    blocks += shown.folded
    graph = fields.maybe(fields.text, "graph") or "graph"
    return Section(f"{file_name(graph)}: classes of {test}", tuple(blocks))


def _answer(fields: Fields, test: str) -> str:
    vertices = counted(fields.whole("vertices"), "vertex", "vertices")
    classes = counted(fields.whole("classes"), "class", "classes")
    alone = counted(fields.whole("alone"), "vertex is", "vertices are")
    answer = f"{test} puts {vertices} into {classes} by round {fields.whole('round'):,}: {alone}"
    answer += " alone in a class"
    pairs = fields.maybe(fields.whole, "indistinguishable_pairs")
    if pairs is not None:
        answer += f", and {counted(pairs, 'pair', 'pairs')} cannot be told apart"
    return f"{answer}."


def _sizes_chart(groups: list[Fields]) -> Chart:
    points = tuple((rank, group.whole("size")) for rank, group in enumerate(groups))
    return Chart(
        "Sizes of the largest classes",
        "class, largest first",
        "vertices",
        (Series("vertices", points, "bars"),),
        style="count",
        x_names=tuple(f"{rank}" for rank in range(1, len(groups) + 1)),
    )


def _groups_table(fields: Fields, groups: list[Fields], names: Names) -> Table:
    rows = tuple(
        (group.whole("size"), group.whole("round"), _named(group, names)) for group in groups
    )
    omitted = fields.whole("omitted")
    note = "“Since round” is the first round at which nothing else shares the class."
    if omitted:
        note += f" {counted(omitted, 'more class', 'more classes')} not listed; --limit lists more."
    columns = (Column("size", "count"), Column("since round", "count"), Column("vertices"))
    return Table("Classes, largest first", columns, rows, note=note, searchable=True)


def _named(group: Fields, names: Names) -> str:
    listed = group.texts("vertices")[:_MOST_NAMES]
    more = group.whole("size") - len(listed)
    rest = f", and {more:,} more" if more > 0 else ""
    return ", ".join(map(names.vertex, listed)) + rest
