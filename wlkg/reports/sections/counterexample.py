"""The section of ``wlkg counterexample``: all families, or one pair of graphs and its claims."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Column, Details, Paragraph, Section, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.verdicts import drawn_tests, said, skipped_note
from wlkg.reports.sections.views import view
from wlkg.reports.sections.words import counted, file_name, listed, sentence


def counterexample_section(result: Result) -> Section:
    """The families, or one of them."""
    fields = result.fields
    return _families(fields) if fields.has("counterexamples") else _one(result, fields)


def _families(fields: Fields) -> Section:
    families = fields.many("counterexamples")
    rows = tuple(
        (_with_parameters(family), family.text("summary"), family.text("source"))
        for family in families
    )
    count = counted(len(families), "family", "families")
    answer = f"{count} of graphs that some test cannot tell apart."
    table = Table(
        "Counterexamples",
        (Column("name"), Column("what it shows"), Column("source")),
        rows,
        searchable=True,
    )
    claims = Details("All claims", (_all_claims(families),))
    return Section("Counterexamples", (Paragraph(answer, "verdict"), table, claims))


def _all_claims(families: list[Fields]) -> Table:
    rows = tuple(
        (_with_parameters(family), each.text("test"), said(each), _round(each))
        for family in families
        for each in family.many("verdicts")
    )
    columns = (Column("name"), Column("test"), Column("claimed"), Column("at round", "count"))
    return Table("Claims", columns, rows, searchable=True)


def _with_parameters(family: Fields) -> str:
    parameters = family.one("parameters")
    settings = (f"{name}={_setting(parameters, name)}" for name in parameters.content)
    return ",".join([family.text("name"), *settings])


def _setting(parameters: Fields, name: str) -> str:
    """The value of a parameter: a number, or the graph that was lifted."""
    if isinstance(parameters.content[name], str):
        return file_name(parameters.text(name))
    return f"{parameters.maybe(parameters.whole, name)}"


def _one(result: Result, fields: Fields) -> Section:
    verdicts, checked = fields.many("verdicts"), fields.truth("checked")
    blocks: list[Block] = [
        Paragraph(_answer(fields, verdicts, checked=checked), "verdict"),
        Paragraph(f"Source: {fields.text('source')}.", "note"),
    ]
    if fields.has("vertices"):
        blocks.append(Paragraph(f"About the vertices {listed(fields.texts('vertices'))}."))
    shown = view(result.graphs, tests=drawn_tests(verdicts), marked=_marked(result, fields))
    blocks += shown.drawing
    blocks += [_graphs_table(fields), _claims_table(verdicts, claims_only=not checked)]
    facts = fields.many("facts")
    if facts:
        blocks.append(_facts_table(facts))
    blocks += shown.folded
    return Section(f"{_with_parameters(fields)}: {fields.text('summary')}", tuple(blocks))


def _answer(fields: Fields, verdicts: list[Fields], *, checked: bool) -> str:
    summary = sentence(fields.text("summary"))
    if not checked:
        claims = counted(len(verdicts), "claim", "claims")
        return f"{summary} {claims}, not checked: --check checks them."
    failed = [each.text("test") for each in verdicts if each.maybe(each.truth, "holds") is False]
    failed += [fact.text("text") for fact in fields.many("facts") if not fact.truth("holds")]
    if failed:
        return f"A claim does not hold: {listed(failed)}."
    separating = [each.text("test") for each in verdicts if said(each).startswith("separated")]
    weakest = f" {separating[0]} is the first test that separates them." if separating else ""
    return f"{summary} Every claim holds.{weakest}"


def _marked(result: Result, fields: Fields) -> list[tuple[int, int]]:
    """The two vertices that a claim is about: of one graph, or one of each."""
    if not fields.has("vertices") or not result.graphs:
        return []
    marked = []
    for place, name in enumerate(fields.texts("vertices")):
        number = min(place, len(result.graphs) - 1)
        vertex = result.graphs[number].graph.find_vertex(name)
        if vertex is not None:
            marked.append((number, vertex))
    return marked


def _graphs_table(fields: Fields) -> Table:
    keys = ("vertices", "triples", "relations")
    columns = (Column("graph"), *(Column(key, "count") for key in keys))
    rows: tuple[tuple[Value, ...], ...] = tuple(
        (graph.text("name"), *map(graph.whole, keys)) for graph in fields.many("graphs")
    )
    return Table("Graphs", columns, rows)


def _claims_table(verdicts: list[Fields], *, claims_only: bool) -> Table:
    """What is claimed about each test and, if it was checked, what is true."""
    if claims_only:
        rows = tuple((each.text("test"), said(each), _round(each)) for each in verdicts)
        columns = (Column("test"), Column("claimed"), Column("at round", "count"))
        return Table("Claims", columns, rows)
    titles = ("test", "claimed", "verdict", "at round", "holds")
    styled = tuple(Column(title, "count" if title == "at round" else "text") for title in titles)
    checked = tuple(
        (each.text("test"), _claimed(each), said(each), _round(each), _holds(each))
        for each in verdicts
    )
    return Table("Claims and verdicts", styled, checked, note=skipped_note(verdicts, "test"))


def _round(verdict: Fields) -> int | None:
    return verdict.maybe(verdict.whole, "round")


def _claimed(verdict: Fields) -> Value:
    claim = verdict.maybe(verdict.one, "claimed")
    return None if claim is None else said(claim)


def _holds(verdict: Fields) -> Value:
    return verdict.maybe(verdict.truth, "holds")


def _facts_table(facts: list[Fields]) -> Table:
    rows = tuple((fact.text("text"), fact.truth("holds")) for fact in facts)
    return Table("Facts", (Column("fact"), Column("holds")), rows)
