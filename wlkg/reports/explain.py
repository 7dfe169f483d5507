"""Explanations of vertices and graphs as text."""

from __future__ import annotations

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from wlkg.analysis.alike import Alike
from wlkg.analysis.explanation.explain import Explanation
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.graphs import GraphsExplanation
from wlkg.analysis.explanation.pair import PairExplanation
from wlkg.analysis.explanation.tuple_evidence import TupleClass
from wlkg.analysis.explanation.vertex_class import ClassExplanation
from wlkg.reports.explain_words import Explained
from wlkg.reports.names import Name, in_sentence
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, new_table, printable
from wlkg.reports.unfolding_tree import print_unfolding
from wlkg.text import counted

#: The number of members of a class that the text lists.
_MEMBERS = 10
_TITLES = {"logic": "logic", "manchester": "OWL"}


def print_pair(graph: str, pair: PairExplanation, explained: Explained) -> None:
    """Why two vertices are separated: a sentence, the formula, the trees, the query."""
    out = console()
    _print_title(graph, pair.test, pair.direction)
    one, two = (explained.name(v) for v in pair.vertices)
    if pair.round is None:
        out.print(f"{one} and {two} are not separated by {pair.test}")
        assert pair.alike is not None
        _print_alike(pair.alike, "a symmetry of the graph maps one to the other")
        return
    out.print(f"{one} and {two} are separated at round {pair.round:,}")
    _print_sentence(explained.sentence(pair))
    _print_tuple_class(pair.tuple_class, explained, f"begin with {one}", f"begin with {two}")
    _print_formula(pair.formula, explained)
    trees = explained.unfolding(pair)
    if trees is not None:
        out.print()
        print_unfolding(out, trees, explained.setting)
    if pair.class_size is not None:
        others = counted(pair.class_size - 1, "other vertex", "other vertices")
        shared = f"shares its class of round {pair.round:,} with {others}"
        alone = f"is alone in its class of round {pair.round:,}"
        out.print()
        out.print(f"{one} {shared if pair.class_size > 1 else alone}")
        _print_query(pair.class_formula, explained)


def print_graphs(
    names: tuple[str, str],
    explanation: GraphsExplanation,
    explained: Explained,
) -> None:
    """Why two graphs are separated: numbers of vertices that satisfy a formula."""
    out = console()
    one, two = (in_sentence(name, out) for name in names)
    _print_title(f"{one} and {two}", explanation.test, explanation.direction)
    if explanation.round is None:
        out.print(f"the graphs are not separated by {explanation.test}")
        assert explanation.alike is not None
        _print_alike(explanation.alike, "the graphs are isomorphic")
        return
    out.print(f"the graphs are separated at round {explanation.round:,}")
    _print_sentence(explained.graphs_sentence(explanation, (one, two)))
    if explanation.tuple_class is not None:
        tuple_names = ", ".join(in_sentence(name, out) for name in explanation.representative or ())
        counts = explanation.tuple_class.counts
        where = (one, two)[bool(explanation.in_second)]
        out.print(
            f"The class of ({tuple_names}) of {where} has {counts[0]:,} tuples in {one} and"
            f" {counts[1]:,} in {two}."
        )
    _print_formula(explanation.formula, explained)
    out.print()
    _print_query(explanation.formula, explained)


def print_class(graph: str, explanation: ClassExplanation, explained: Explained) -> None:
    """What selects the class of a vertex: a sentence, the formula, the members, the query."""
    out = console()
    _print_title(graph, explanation.test, explanation.direction)
    name = explained.name(explanation.vertex)
    size = counted(explanation.class_size, "vertex", "vertices")
    out.print(
        f"{name}: a class of {size}, one of {explanation.classes:,} classes at round"
        f" {explanation.round:,}"
    )
    words = explained.words(explanation.formula, "english").text
    these = "This vertex alone" if explanation.class_size == 1 else "Each of them, and no other,"
    _print_sentence(f"{these} {words}.")
    _print_formula(explanation.formula, explained)
    if explanation.class_size > 1:
        out.print()
        _print_members(explanation, explained)
    if explanation.nearest:
        out.print()
        out.print(_nearest_table(explanation, explained))
    out.print()
    _print_query(explanation.formula, explained)


def _print_title(graph: str, test: str, direction: str) -> None:
    console().print(heading(f"{printable(graph)}: {test}, direction {direction}"))


def _print_sentence(sentence: str | None) -> None:
    if sentence is not None:
        out = console()
        out.print()
        out.print(Text("\n".join(map(printable, sentence.splitlines()))))


def _print_formula(formula: Formula | None, explained: Explained) -> None:
    if formula is None:
        return
    out = console()
    table = Table.grid(padding=(0, 2))
    for language, title in _TITLES.items():
        text = explained.words(formula, language).text
        if text is not None:
            table.add_row(title, Text("\n".join(map(printable, text.splitlines()))))
    table.add_row("", remark(f"depth {formula.depth:,}, size {formula.size:,}"))
    out.print()
    out.print(table)


def _print_query(formula: Formula | None, explained: Explained) -> None:
    query = explained.words(formula, "sparql")
    out = console()
    if query.text is None:
        if query.why_not is not None:  # without a formula, nobody expects a query
            out.print(remark(f"no SPARQL query: {query.why_not}"))
        return
    out.print("SPARQL that selects exactly these vertices:")
    for line in query.text.splitlines():
        out.print(Text(f"  {printable(line)}"), soft_wrap=True)


def _print_tuple_class(
    tuple_class: TupleClass | None, explained: Explained, first: str, second: str
) -> None:
    if tuple_class is None:
        return
    names = ", ".join(explained.name(v) for v in tuple_class.representative)
    one, two = tuple_class.counts
    out = console()
    out.print()
    out.print(f"The class of ({names}) has {one:,} tuples that {first} and {two:,} that {second}.")


def _print_members(explanation: ClassExplanation, explained: Explained) -> None:
    out = console()
    members = explanation.members.tolist()
    out.print("members")
    for v in members[:_MEMBERS]:
        out.print(f"  {explained.name(v)}", soft_wrap=True)
    if len(members) > _MEMBERS:
        out.print(f"  {len(members) - _MEMBERS:,} more; --json lists all of them")


def _nearest_table(explanation: ClassExplanation, explained: Explained) -> Table:
    table = new_table(console())
    table.add_column("nearest classes")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("round", justify="right", no_wrap=True)
    table.add_column("true here, not there")
    for near in explanation.nearest:
        text = explained.words(near.formula, "logic").text or ""
        table.add_row(
            Name(explained.setting.names.vertex(near.vertex)),
            f"{near.class_size:,}",
            f"{near.round:,}",
            Text(printable(text.replace("\n", "; "))),
        )
    return table


def _print_alike(alike: Alike, symmetric: str) -> None:
    """Whether anything could separate what the test does not."""
    out = console()
    if alike.symmetric:
        out.print(f"{symmetric}: no test and no invariant model separates them")
        return
    if alike.symmetric is None:
        out.print("whether a symmetry maps one to the other was not decided")
    other = alike.separated_by
    if other is not None:
        out.print(f"{other.test} separates them, at round {other.round:,}")
        return
    tried = [other.test for other in alike.others if other.skipped is None]
    if tried:
        out.print(f"nor are they separated by {', '.join(tried)}")
    for other in alike.others:
        if other.skipped is not None:
            out.print(remark(f"skipped: {other.skipped}"), soft_wrap=True)


def print_explanation(explanation: Explanation, explained: Explained, names: Sequence[str]) -> None:
    """Any explanation; ``names`` are the arguments of the command."""
    if isinstance(explanation, PairExplanation):
        print_pair(names[0], explanation, explained)
    elif isinstance(explanation, ClassExplanation):
        print_class(names[0], explanation, explained)
    else:
        print_graphs((names[0], names[1]), explanation, explained)
