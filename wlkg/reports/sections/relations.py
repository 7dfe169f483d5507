"""The section of ``wlkg relations``: relations that a foundation model cannot tell apart."""

from __future__ import annotations

from wlkg.graph.names import INVERSE_SUFFIX
from wlkg.reports.blocks import Block, Column, Paragraph, Section, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.words import Names, counted, file_name


def relations_section(result: Result) -> Section:
    """How many classes of relations there are, and which share one, with and without a query."""
    fields, names = result.fields, Names.of(result)
    model, alike = fields.text("model"), fields.lists("alike")
    blocks: list[Block] = [Paragraph(_answer(fields, model), "verdict")]
    if alike:
        rows = tuple((len(each), _named(each, names)) for each in alike)
        columns = (Column("size", "count"), Column("relations"))
        blocks.append(Table("Alike without a query", columns, rows, searchable=True))
    blocks.append(_queries_table(fields.many("queries"), names))
    graph = fields.maybe(fields.text, "graph") or "graph"
    return Section(f"{file_name(graph)}: relations as {model} sees them", tuple(blocks))


def _answer(fields: Fields, model: str) -> str:
    relations = counted(fields.whole("relations"), "relation", "relations")
    classes = counted(fields.whole("classes"), "class", "classes")
    concerned = counted(fields.whole("triples_alike"), "triple has", "triples have")
    inverses = " (inverses included)" if fields.text("direction") == "both" else ""
    return (
        f"{model} puts {relations}{inverses} into {classes} if it knows no query; {concerned} a"
        " relation that shares its class."
    )


def _queries_table(queries: list[Fields], names: Names) -> Table:
    columns = (
        Column("query"),
        Column("classes", "count"),
        Column("round", "count"),
        Column("alike"),
    )
    rows = tuple(
        (
            _short(query.text("relation"), names),
            query.whole("classes"),
            query.whole("rounds"),
            "; ".join(_named(each, names) for each in query.lists("alike")),
        )
        for query in queries
    )
    return Table("Given the relation of a query", columns, rows, searchable=True)


def _named(relations: list[str], names: Names) -> str:
    return ", ".join(_short(str(relation), names) for relation in relations)


def _short(name: str, names: Names) -> str:
    base = name.removesuffix(INVERSE_SUFFIX)
    return names.relation(base) + name[len(base) :]
