"""Classes of relations as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from wlkg.analysis.relations.relations import QueryRelation, Relations
from wlkg.errors import unknown_name
from wlkg.graph.names import INVERSE_SUFFIX
from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import NameList, ReportNames
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import Terminal, console, new_table, printable
from wlkg.text import counted


def relations_document(result: Relations) -> dict[str, Any]:
    """What ``wlkg relations --json`` prints."""
    document = asdict(result)
    del document["name"]
    queries = [
        {**asdict(query), "alike": [list(each) for each in query.alike]} for query in result.queries
    ]
    return {
        **document,
        "classes_per_round": list(result.classes_per_round),
        "alike": [list(each) for each in result.alike],
        "queries": queries,
        "motifs": dict(result.motifs),
    }


def named_queries(graph: RelationalGraph, texts: Iterable[str]) -> list[str]:
    """Relations by their names, in full, with a prefix or in short, as reports print them."""
    short = ShortNames(graph)
    known = {name: name for name in graph.relation_names}
    for name in graph.relation_names:
        known.setdefault(short.prefixed_relation(name), name)
        known.setdefault(short.relation(name), name)
    names = []
    for text in texts:
        base = text.removesuffix(INVERSE_SUFFIX)
        if base not in known:
            raise unknown_name("relation", text, sorted({*known} - {*known.values()} or known))
        names.append(known[base] + text[len(base) :])
    return names


def short_relation(name: str, names: ReportNames) -> str:
    """A relation or its inverse, as reports show it."""
    base = name.removesuffix(INVERSE_SUFFIX)
    return names.relation(base) + name[len(base) :]


def print_relations(name: str, result: Relations, graph: RelationalGraph, limit: int) -> None:
    """How many classes there are, which relations share one, and what a query changes."""
    out, names = console(), ReportNames(graph)
    title = f"{printable(name)}: relations as {result.model} sees them"
    out.print(heading(f"{title}, direction {result.direction}"))
    inverses = " and inverses" if result.direction == "both" else ""
    one, many = (f"relation{inverses}", f"relations{inverses}")
    classes = counted(result.classes, "class", "classes")
    last = len(result.classes_per_round) - 1
    out.print(f"{counted(result.relations, one, many)} in {classes}, round {last:,}, no query")
    out.print(verdict(result))
    if result.alike:
        _print_classes(out, result.alike, names, limit)
    _print_queries(out, result, names, limit)
    counts = ", ".join(f"{count:,} {motif}" for motif, count in result.motifs.items() if count)
    out.print(remark(f"{counts or 'no motifs'}; {result.seconds:.3f} s"))


def verdict(result: Relations) -> str:
    """What the classes mean, in a sentence."""
    if not result.alike:
        return f"no limit: {result.model} can tell all relations apart, even without a query"
    concerned = counted(result.triples_alike, "triple has", "triples have")
    return (
        f"{sum(map(len, result.alike)):,} share a class with another one; {concerned} such a"
        " relation"
    )


def _print_classes(
    out: Terminal, classes: Sequence[tuple[str, ...]], names: ReportNames, limit: int
) -> None:
    table = new_table(out)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("alike")
    for each in classes[:limit]:
        shown = [short_relation(relation, names) for relation in each]
        table.add_row(f"{len(each):,}", NameList(shown, len(each)))
    if limit:
        out.print(table)
    _print_more(out, len(classes) - limit, "class", "classes")


def _print_queries(out: Terminal, result: Relations, names: ReportNames, limit: int) -> None:
    limited = [query for query in result.queries if query.alike]
    out.print()
    if not limited:
        out.print(f"given {_which_query(result, names)}, all relations are told apart")
        return
    share = f"{len(limited):,} of {len(result.queries):,}"
    verb = "leaves" if len(limited) == 1 else "leave"
    out.print(f"given the relation of a query, {share} {verb} relations that are alike")
    table = _queries_table(out, limited[:limit], names)
    if limit:
        out.print(table)
    _print_more(out, len(limited) - limit, "query relation", "query relations")


def _which_query(result: Relations, names: ReportNames) -> str:
    """The query relations in words: nothing is said of those that were not asked for."""
    if len(result.queries) == result.relations:
        return "the relation of any query"
    if len(result.queries) == 1:
        return f"the query relation {short_relation(result.queries[0].relation, names)}"
    return f"any of these {len(result.queries):,} query relations"


def _queries_table(out: Terminal, queries: Sequence[QueryRelation], names: ReportNames) -> Table:
    table = new_table(out)
    table.add_column("query")
    for title in ("classes", "round"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("largest class")
    for query in queries:
        shown = [short_relation(relation, names) for relation in query.alike[0]]
        table.add_row(
            NameList([short_relation(query.relation, names)], 1),
            f"{query.classes:,}",
            f"{query.rounds:,}",
            NameList(shown, len(shown)),
        )
    return table


def _print_more(out: Terminal, count: int, one: str, many: str) -> None:
    if count > 0:
        out.print(f"{counted(count, f'more {one}', f'more {many}')}; --limit prints more of them")
