"""Explanations of vertices and graphs as data and as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from wlkg.analysis.alike import Alike
from wlkg.analysis.explanation.asked import without_whole_graph
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula, document, program
from wlkg.analysis.explanation.graphs import GraphsExplanation
from wlkg.analysis.explanation.languages import (
    LANGUAGES,
    Setting,
    Wording,
    english_graphs,
    english_pair,
)
from wlkg.analysis.explanation.pair import PairExplanation
from wlkg.analysis.explanation.tuple_evidence import TupleClass
from wlkg.analysis.explanation.unfolding import Unfoldings, unfold
from wlkg.analysis.explanation.vertex_class import ClassExplanation
from wlkg.catalogue import VertexTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.terminal import console, printable, shortened
from wlkg.reports.unfolding_tree import unfolding_trees
from wlkg.text import counted

_NAME = 60
#: The number of members of a class that the text lists.
_MEMBERS = 10
_TITLES = {"logic": "logic", "manchester": "OWL"}


@dataclass(frozen=True, eq=False)
class Explained:
    """The graph, the test and the prefixes with which explanations are put into words."""

    graph: RelationalGraph
    test: str
    prefixes: Mapping[str, str]

    @cached_property
    def setting(self) -> Setting:
        test = find_test(self.test)
        seen = without_whole_graph(test) if isinstance(test, VertexTest) else test
        return Setting(self.graph, seen, self.prefixes)

    @cached_property
    def vertices(self) -> Vertices:
        """The vertices as the test sees them; only for vertex tests."""
        assert isinstance(self.setting.test, VertexTest)
        return Vertices.seen_by(self.setting.test, self.graph)

    def words(self, formula: Formula | None, language: str) -> Wording:
        if formula is None:
            return Wording(None)
        return LANGUAGES[language](formula, self.setting)

    def name(self, vertex: int) -> str:
        return shortened(self.setting.names.vertex(vertex), _NAME)

    def sentence(self, pair: PairExplanation) -> str | None:
        """What is true of one vertex of a pair and false of the other, in English."""
        if pair.formula is None:
            return None
        if isinstance(self.setting.test, VertexTest):
            return english_pair(pair.formula, self.vertices, *pair.vertices, self.setting)
        one, two = (self.name(v) for v in pair.vertices)
        clause = self.words(pair.formula, "english").text
        if pair.counts is None:
            return f"For x = y = {one}, not for x = y = {two}: {clause}."
        return (
            f"{pair.counts[0]:,} tuples that begin with {one} and {pair.counts[1]:,} that begin"
            f" with {two} satisfy: {clause}."
        )

    def unfoldings(self, pair: PairExplanation) -> Unfoldings | None:
        """The unfolding trees of two vertices where they part; None for tests of tuples."""
        if pair.formula is None or not isinstance(self.setting.test, VertexTest):
            return None
        return unfold(self.vertices, pair.formula, *pair.vertices)


# -- as data --------------------------------------------------------------------------------------


def _formula_document(formula: Formula | None, explained: Explained) -> dict[str, Any]:
    """A formula as data and in words; one that is too deep for nested JSON is a flat program."""
    tree = None if formula is None else document(formula)
    content: dict[str, Any] = {"formula": tree}
    if formula is not None and tree is None:
        content["program"] = program(formula)
    return {
        **content,
        "depth": None if formula is None else formula.depth,
        "size": None if formula is None else formula.size,
        "logic": explained.words(formula, "logic").text,
        "manchester": explained.words(formula, "manchester").text,
    }


def pair_document(
    pair: PairExplanation, alike: Alike | None, explained: Explained
) -> dict[str, Any]:
    """What ``wlkg explain GRAPH V W --json`` prints; ``sparql`` selects the class of V."""
    query = explained.words(pair.class_formula, "sparql")
    return {
        "kind": "pair",
        "test": pair.test,
        "direction": pair.direction,
        "vertices": list(pair.names),
        "separated": pair.round is not None,
        "round": pair.round,
        **_formula_document(pair.formula, explained),
        "holds": None if pair.holds is None else list(pair.holds),
        "counts": None if pair.counts is None else list(pair.counts),
        "english": explained.sentence(pair),
        "sparql": query.text,
        "why_no_sparql": query.why_not,
        "formula_sparql": explained.words(pair.formula, "sparql").text,
        "class_size": pair.class_size,
        "tuple_class": _tuple_class_document(pair.tuple_class, explained.graph.vertex_names),
        **_alike_document(alike),
    }


def graphs_document(
    explanation: GraphsExplanation,
    alike: Alike | None,
    explained: Explained,
    names: tuple[str, str],
) -> dict[str, Any]:
    """What ``wlkg explain G H --json`` prints."""
    query = explained.words(explanation.formula, "sparql")
    counts = None if explanation.counts is None else list(explanation.counts)
    tuple_class = None
    if explanation.tuple_class is not None:
        tuple_class = {
            "representative": list(explanation.representative or ()),
            "graph": names[bool(explanation.in_second)],
            "counts": list(explanation.tuple_class.counts),
        }
    return {
        "kind": "graphs",
        "test": explanation.test,
        "direction": explanation.direction,
        "separated": explanation.round is not None,
        "round": explanation.round,
        **_formula_document(explanation.formula, explained),
        "counts": counts,
        "english": _graphs_sentence(explanation, explained, names),
        "sparql": query.text,
        "why_no_sparql": query.why_not,
        "tuple_class": tuple_class,
        **_alike_document(alike),
    }


def class_document(explanation: ClassExplanation, explained: Explained) -> dict[str, Any]:
    """What ``wlkg explain GRAPH V --json`` prints."""
    names = explained.graph.vertex_names
    query = explained.words(explanation.formula, "sparql")
    return {
        "kind": "class",
        "test": explanation.test,
        "direction": explanation.direction,
        "vertex": explanation.name,
        "round": explanation.round,
        "classes": explanation.classes,
        "class_size": explanation.class_size,
        **_formula_document(explanation.formula, explained),
        "english": explained.words(explanation.formula, "english").text,
        "sparql": query.text,
        "why_no_sparql": query.why_not,
        "members": [names[v] for v in explanation.members.tolist()],
        "nearest": [
            {
                "vertex": near.name,
                "round": near.round,
                "class_size": near.class_size,
                "formula": document(near.formula),
            }
            for near in explanation.nearest
        ],
    }


def _tuple_class_document(
    tuple_class: TupleClass | None, names: Any
) -> dict[str, Any] | None:
    if tuple_class is None:
        return None
    return {
        "representative": [names[v] for v in tuple_class.representative],
        "counts": list(tuple_class.counts),
    }


def _alike_document(alike: Alike | None) -> dict[str, Any]:
    """What is known about a pair that the test does not separate."""
    if alike is None:
        return {}
    return {
        "symmetric": alike.symmetric,
        "other_tests": [asdict(other) for other in alike.others],
    }


# -- as text --------------------------------------------------------------------------------------


def print_pair(
    graph: str, pair: PairExplanation, alike: Alike | None, explained: Explained
) -> None:
    """Why two vertices are separated: a sentence, the formula, the trees, the query."""
    out = console()
    _print_title(graph, pair.test, pair.direction)
    one, two = (explained.name(v) for v in pair.vertices)
    if pair.round is None:
        out.print(f"{one} and {two} are not separated by {pair.test}", soft_wrap=True)
        assert alike is not None
        _print_alike(alike, "a symmetry of the graph maps one to the other")
        return
    out.print(f"{one} and {two} are separated at round {pair.round:,}", soft_wrap=True)
    _print_sentence(explained.sentence(pair))
    _print_tuple_class(pair.tuple_class, explained, f"begin with {one}", f"begin with {two}")
    _print_formula(pair.formula, explained)
    trees = explained.unfoldings(pair)
    if trees is not None:
        out.print()
        out.print(unfolding_trees(trees, explained.setting.names))
    if pair.class_size is not None:
        others = counted(pair.class_size - 1, "other vertex", "other vertices")
        out.print()
        out.print(f"{one} shares its class of round {pair.round:,} with {others}", soft_wrap=True)
        _print_query(pair.class_formula, explained)


def print_graphs(
    names: tuple[str, str],
    explanation: GraphsExplanation,
    alike: Alike | None,
    explained: Explained,
) -> None:
    """Why two graphs are separated: numbers of vertices that satisfy a formula."""
    out = console()
    one, two = (shortened(name, _NAME) for name in names)
    _print_title(f"{one} and {two}", explanation.test, explanation.direction)
    if explanation.round is None:
        out.print(f"the graphs are not separated by {explanation.test}")
        assert alike is not None
        _print_alike(alike, "the graphs are isomorphic")
        return
    out.print(f"the graphs are separated at round {explanation.round:,}")
    _print_sentence(_graphs_sentence(explanation, explained, (one, two)))
    if explanation.tuple_class is not None:
        tuple_names = ", ".join(shortened(name, _NAME) for name in explanation.representative or ())
        counts = explanation.tuple_class.counts
        where = (one, two)[bool(explanation.in_second)]
        out.print(
            f"The class of ({tuple_names}) of {where} has {counts[0]:,} tuples in {one} and"
            f" {counts[1]:,} in {two}.",
            soft_wrap=True,
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
        f" {explanation.round:,}",
        soft_wrap=True,
    )
    words = explained.words(explanation.formula, "english").text
    _print_sentence(f"Its members, and no other vertices: what {words}.")
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
    console().print(Text(f"{printable(graph)}: {test}, direction {direction}", style="bold"))


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
    table.add_row("", Text(f"depth {formula.depth:,}, size {formula.size:,}", style="dim"))
    out.print()
    out.print(table)


def _print_query(formula: Formula | None, explained: Explained) -> None:
    query = explained.words(formula, "sparql")
    out = console()
    if query.text is None:
        out.print(Text(f"no SPARQL query: {query.why_not}", style="dim"))
        return
    out.print("SPARQL that selects exactly these vertices:")
    body: RenderableType = Group(*(Text(printable(line)) for line in query.text.splitlines()))
    out.print(Padding(body, (0, 0, 0, 2)), soft_wrap=True)


def _print_tuple_class(
    tuple_class: TupleClass | None, explained: Explained, first: str, second: str
) -> None:
    if tuple_class is None:
        return
    names = ", ".join(explained.name(v) for v in tuple_class.representative)
    one, two = tuple_class.counts
    out = console()
    out.print()
    out.print(
        f"The class of ({names}) has {one:,} tuples that {first} and {two:,} that {second}.",
        soft_wrap=True,
    )


def _print_members(explanation: ClassExplanation, explained: Explained) -> None:
    out = console()
    members = explanation.members.tolist()
    out.print("members")
    for v in members[:_MEMBERS]:
        out.print(f"  {explained.name(v)}", soft_wrap=True)
    if len(members) > _MEMBERS:
        out.print(f"  {len(members) - _MEMBERS:,} more; --json lists all of them")


def _nearest_table(explanation: ClassExplanation, explained: Explained) -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("nearest classes", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("round", justify="right", no_wrap=True)
    table.add_column(f"true here, not there")
    for near in explanation.nearest:
        text = explained.words(near.formula, "logic").text or ""
        table.add_row(
            shortened(explained.setting.names.vertex(near.vertex), 28),
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
            out.print(Text(f"skipped: {other.skipped}", style="dim"), soft_wrap=True)


def _graphs_sentence(
    explanation: GraphsExplanation, explained: Explained, names: tuple[str, str]
) -> str | None:
    if explanation.formula is None or explanation.counts is None:
        return None
    return english_graphs(explanation.formula, explained.setting, explanation.counts, names)
