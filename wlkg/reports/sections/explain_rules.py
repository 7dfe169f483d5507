"""The section of ``wlkg explain`` for classes: a formula for each label or prediction."""

from __future__ import annotations

from wlkg.reports.blocks import (
    Block,
    Chart,
    Column,
    Details,
    Paragraph,
    Section,
    Series,
    Table,
    Value,
)
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.explain_blocks import code
from wlkg.reports.sections.words import Names, counted, percent, titled


def rules_section(result: Result) -> Section:
    """How well the formulas agree, one block for each class, and size against fidelity."""
    fields, names = result.fields, Names.of(result)
    classes, curve = fields.many("classes"), fields.many("curve")
    blocks: list[Block] = [
        Paragraph(_answer(fields), "verdict"),
        *_disagreement(fields, names),
        _classes_table(classes, names),
        *(_rule(each, names) for each in classes),
    ]
    if len(curve) > 1:
        blocks += [_chart(curve), _curve_table(curve)]
    return Section(titled(fields.text("graph"), f"{_what(fields)} explained"), tuple(blocks))


def _what(fields: Fields) -> str:
    is_model = fields.has("checkpoint") or fields.has("predictions")
    return "predictions" if is_model else "labels"


def _answer(fields: Fields) -> str:
    count = counted(fields.whole("vertices"), "vertex", "vertices")
    fidelity = fields.number("fidelity") or 0.0
    answer = (
        f"Formulas of size {fields.whole('size'):,} in all are right about {percent(fidelity)} of"
        f" {count}, each of them checked."
    )
    if fields.maybe(fields.truth, "bound_holds"):
        answer += (
            f" The {_what(fields)} are a function of the classes of {fields.text('test')} at round"
            f" {fields.whole('round'):,}, so formulas can be exact."
        )
    return answer


def _disagreement(fields: Fields, names: Names) -> list[Block]:
    if not fields.has("disagreement"):
        return []
    found = fields.one("disagreement")
    classes = counted(found.whole("classes"), "class has", "classes have")
    members = counted(found.whole("members"), "vertex", "vertices")
    rows = tuple(
        (names.vertex(vertex), names.vertex(label))
        for vertex, label in zip(found.texts("vertices"), found.texts("labels"), strict=False)
    )
    text = f"{classes} several {_what(fields)}, for {members}. The most frequent one is explained."
    table = Table("An example", (Column("vertex"), Column("label")), rows)
    return [Paragraph(text, "note"), table]


def _classes_table(classes: list[Fields], names: Names) -> Table:
    titles = ("vertices", "size of the formula", "depth")
    columns = (Column("label"), *(Column(title, "count") for title in titles))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (names.vertex(each.text("label")), *map(each.whole, ("vertices", "size", "depth")))
        for each in classes
    )
    return Table("Classes", columns, rows, searchable=len(rows) > 10)


def _rule(rule: Fields, names: Names) -> Details:
    """The formula of one class in its languages."""
    blocks: list[Block] = []
    if rule.has("logic"):
        blocks.append(code(rule.text("logic"), "Logic"))
    if rule.has("sparql"):
        title = "SPARQL that selects exactly these vertices"
        blocks.append(code(rule.text("sparql"), title, "sparql"))
    elif rule.has("sparql_why_not"):
        blocks.append(Paragraph(f"No SPARQL query: {rule.text('sparql_why_not')}.", "note"))
    return Details(names.vertex(rule.text("label")), tuple(blocks))


def _chart(curve: list[Fields]) -> Chart:
    points = tuple((point.whole("size"), point.number("fidelity")) for point in curve)
    title = "How long formulas must be"
    return Chart(title, "size of all formulas", "fidelity", (Series("all", points),), style="share")


def _curve_table(curve: list[Fields]) -> Table:
    splits = list(curve[0].one("on").content)
    columns = (
        Column("size", "count"),
        *(Column(title, "share") for title in ("fidelity", *(f"on {name}" for name in splits))),
    )
    rows = tuple(
        (
            point.whole("size"),
            point.number("fidelity"),
            *(point.one("on").number(name) for name in splits),
        )
        for point in curve
    )
    note = "--fidelity 0.95 shows the formulas of another row."
    return Table("Size and fidelity", columns, rows, note=note)
