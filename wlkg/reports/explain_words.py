"""What explanations are put into words with: the graph, the test and the prefixes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wlkg.analysis.explanation.asked import without_whole_graph
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.graphs import GraphsExplanation
from wlkg.analysis.explanation.languages import (
    LANGUAGES,
    Setting,
    Wording,
    english_graphs,
    english_pair,
)
from wlkg.analysis.explanation.pair import PairExplanation
from wlkg.analysis.explanation.unfolding import Unfolding, unfolding
from wlkg.catalogue import TupleTest, VertexTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import in_sentence
from wlkg.reports.presentation import presentation
from wlkg.reports.terminal import console

#: In a sentence on a terminal.
_LONGEST_NAME = 60


def report_setting(
    graph: RelationalGraph, test: VertexTest | TupleTest, prefixes: Mapping[str, str] | None
) -> Setting:
    """What the formulas of a report are worded with; only a terminal gets cut names."""
    full = presentation().full_names
    is_cut = not (console().is_pipe or full)
    return Setting(
        graph, test, prefixes, full_names=full, longest_name=_LONGEST_NAME if is_cut else None
    )


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
        return report_setting(self.graph, seen, self.prefixes)

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
        return in_sentence(self.setting.names.vertex(vertex), console())

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

    def graphs_sentence(self, explanation: GraphsExplanation, names: tuple[str, str]) -> str | None:
        """How many vertices, or tuples, of two graphs satisfy a formula, in English."""
        if explanation.formula is None or explanation.counts is None:
            return None
        return english_graphs(explanation.formula, self.setting, explanation.counts, names)

    def unfolding(self, pair: PairExplanation) -> Unfolding | None:
        """The unfolding trees of two vertices where they part; None for tests of tuples."""
        if pair.formula is None or not isinstance(self.setting.test, VertexTest):
            return None
        return unfolding(pair.formula, self.vertices, *pair.vertices)
