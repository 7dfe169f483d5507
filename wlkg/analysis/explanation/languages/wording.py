"""What every language needs to word a formula: the graph, the test, and names in short."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from wlkg.analysis.explanation.formulas import Formula, Relation, subformulas
from wlkg.catalogue import TupleTest, VertexTest
from wlkg.graph.prefixes import ShortNames
from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True, eq=False)
class Setting:
    """The graph that formulas are about, and the test that sees it."""

    graph: RelationalGraph
    test: VertexTest | TupleTest
    #: Prefixes beside those of the graph's file and the common ones.
    more_prefixes: Mapping[str, str] | None = None
    #: Whether names are as long as in the input; otherwise they are shortened.
    full_names: bool = False
    #: Longer names are cut in sentences; None if no name is.
    longest_name: int | None = 60

    @cached_property
    def names(self) -> ShortNames:
        return ShortNames(self.graph, self.more_prefixes, full=self.full_names)

    @property
    def counts_arcs(self) -> bool:
        """Whether the null relation means all arcs; otherwise it means distinct neighbours."""
        test = self.test
        return test.sees_relations or (isinstance(test, VertexTest) and test.sees_degrees)

    def has_direction(self, relation: Relation) -> bool:
        """Whether the direction mode of the graph has relations of this direction."""
        if relation.name is None or self.graph.direction == "both":
            return True
        return relation.inverse == (self.graph.direction == "in")


@dataclass(frozen=True)
class Wording:
    """A formula in a language, or why the language has no words for it."""

    text: str | None
    why_not: str | None = None


def variable(position: int) -> str:
    """The name of the vertex at a position of a tuple, counted from 1."""
    return "xyz"[position - 1] if position <= 3 else f"x{position}"


# -- formulas that are too large to write in one piece --------------------------------------------

#: Larger formulas, written as a tree, get definitions.
LARGEST_IN_ONE_PIECE = 40
#: With more definitions than this, those in the middle are left out.
MOST_DEFINITIONS = 30


def definitions(formula: Formula) -> dict[Formula, str]:
    """The parts of a large formula that get a name, children first, with names A1, A2, ...

    These are the parts that occur more than once, and further ones so that no piece is large.
    """
    if formula.size <= LARGEST_IN_ONE_PIECE:
        return {}
    parts = subformulas(formula)
    uses: dict[Formula, int] = {}
    for part in parts:
        for arg in part.args:
            uses[arg] = uses.get(arg, 0) + 1
    named: dict[Formula, str] = {}
    #: The size of each part as it is written, with names for the parts that have one.
    written: dict[Formula, int] = {}
    for part in parts:
        size = 1 + sum(1 if arg in named else written[arg] for arg in part.args)
        written[part] = size
        shared = uses.get(part, 0) > 1 and size > 2
        if part is not formula and (shared or size > LARGEST_IN_ONE_PIECE // 2):
            named[part] = f"A{len(named) + 1}"
    return named
