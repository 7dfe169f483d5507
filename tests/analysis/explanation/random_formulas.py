"""Random formulas over the relations and labels of a graph, in the logic of a test."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

from wlkg.analysis.explanation.evaluation import relations_of
from wlkg.analysis.explanation.formulas import (
    ANY,
    TRUE,
    Formula,
    Relation,
    at_least,
    conjunction,
    degree,
    disjunction,
    exactly,
    label,
    loop,
    negation,
    share_at_least,
    share_exactly,
)
from wlkg.catalogue import VertexTest
from wlkg.graph.relational_graph import RelationalGraph

#: A relation that no graph has.
MISSING = Relation("urn:missing")
SHARES = (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1))
COUNTS = (0, 1, 1, 2, 3)


class RandomFormulas:
    """Formulas in the logic of a test; some are trivially true or false."""

    def __init__(self, graph: RelationalGraph, test: VertexTest, chance: random.Random) -> None:
        self.test = test
        self.chance = chance
        self.labels: Sequence[str] = [*graph.label_names, "", "no such label"]
        known = test.sees_relations or test.sees_degrees
        self.relations = [*relations_of(graph), MISSING] if known else [ANY]

    def formula(self, size: int) -> Formula:
        """A formula with about as many nodes."""
        choose = self.chance.choice
        if size <= 1:
            return self._atom()
        op = choose(("not", "and", "or", "look", "look", "look"))
        if op == "not":
            return negation(self.formula(size - 1))
        if op == "look":
            return self._look(self.formula(size - 1))
        parts = [self.formula(size // 3) for _ in range(choose((2, 3)))]
        return conjunction(parts) if op == "and" else disjunction(parts)

    def _atom(self) -> Formula:
        choose = self.chance.choice
        ops = ["true", "true", "label", "loop"] + ["degree"] * self.test.sees_degrees
        match choose(ops):
            case "label":
                return label(choose(self.labels))
            case "loop":
                return loop(choose([*self.relations, ANY]))
            case "degree":
                return degree(choose(self.relations), choose(COUNTS))
        return TRUE

    def _look(self, arg: Formula) -> Formula:
        choose = self.chance.choice
        relation = choose(self.relations) if self.test.sees_relations else ANY
        if self.test.sees_shares:
            return choose((share_at_least, share_exactly))(choose(SHARES), relation, arg)
        return choose((at_least, exactly))(choose(COUNTS), relation, arg)


def random_formula(
    graph: RelationalGraph, test: VertexTest, seed: int, size: int | None = None
) -> Formula:
    """A formula that depends on the seed only."""
    chance = random.Random(seed)
    size = chance.randint(1, 10) if size is None else size
    return RandomFormulas(graph, test, chance).formula(size)
