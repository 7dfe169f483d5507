"""What a formula means, straight from the definition: JSON documents, triples by name, sets.

Shares nothing with `wlkg.analysis.explanation.evaluation`. A formula is a nested document. It is
true or false of a vertex, or of a tuple of vertices of one graph.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from wlkg.graph.relational_graph import RelationalGraph

#: (relation, inverse, neighbour): "inverse" is part of the arc only where the mode tells it apart.
Arc = tuple[str, bool, int]
Document = Mapping[str, Any]


class Meaning:
    """Formulas about a graph in its own direction mode."""

    def __init__(self, graph: RelationalGraph, *, distinct_neighbours: bool = False) -> None:
        """``distinct_neighbours``: a relation of null means distinct neighbours, not arcs."""
        self._distinct = distinct_neighbours
        self._labels = dict.fromkeys(range(graph.num_vertices), "")
        if graph.labels is not None:
            self._labels = {v: graph.label_names[i] for v, i in enumerate(graph.labels.tolist())}
        self._arcs: dict[int, set[Arc]] = {v: set() for v in range(graph.num_vertices)}
        for h, r, t in graph.named_triples():
            head, tail = graph.vertex(h), graph.vertex(t)
            if graph.direction in ("both", "out", "undirected"):
                self._arcs[head].add((r, False, tail))
            if graph.direction in ("both", "in"):
                self._arcs[tail].add((r, True, head))
            if graph.direction == "undirected":
                self._arcs[tail].add((r, False, head))

    def vertices(self, formula: Document) -> set[int]:
        """The vertices of which a formula is true."""
        return {v for v in self._arcs if self.holds(formula, (v,))}

    def neighbours(self, vertex: int, formula: Document) -> list[int]:
        """The neighbours that a formula looks at, each as often as it counts."""
        arcs = self._arcs[vertex]
        if formula["relation"] is None:
            assert formula["inverse"] is False
            seen = [u for _, _, u in arcs]
            return sorted(set(seen)) if self._distinct else seen
        wanted = (formula["relation"], formula["inverse"])
        return [u for relation, inverse, u in arcs if (relation, inverse) == wanted]

    def holds(self, formula: Document, item: tuple[int, ...]) -> bool:
        """Whether a formula is true of a tuple; a vertex is a tuple of one."""
        match formula["op"]:
            case "true":
                return True
            case "not":
                return not self.holds(formula["arg"], item)
            case "and":
                return all(self.holds(arg, item) for arg in formula["args"])
            case "or":
                return any(self.holds(arg, item) for arg in formula["args"])
        return self._sees(formula, item) if "arg" in formula else self._atom(formula, item)

    def _atom(self, formula: Document, item: tuple[int, ...]) -> bool:
        one, two = (item[p - 1] for p in formula.get("positions", (1, 1)))
        match formula["op"]:
            case "label":
                at = formula.get("position", 1) - 1
                return bool(self._labels[item[at]] == formula["value"])
            case "degree":
                return len(self.neighbours(one, formula)) == int(formula["count"])
            case "equal":
                return bool(one == two)
            case "edge" | "loop":
                return two in self.neighbours(one, formula)
        raise AssertionError(f"unknown atom {formula['op']!r}")

    def _sees(self, formula: Document, item: tuple[int, ...]) -> bool:
        place = formula.get("position", 1) - 1
        seen = self.neighbours(item[place], formula)
        moved = [(*item[:place], u, *item[place + 1 :]) for u in seen]
        count = sum(self.holds(formula["arg"], other) for other in moved)
        match formula["op"]:
            case "at_least":
                return count >= int(formula["count"])
            case "exactly":
                return count == int(formula["count"])
            case "share_at_least":
                return bool(seen) and Fraction(count, len(seen)) >= Fraction(formula["share"])
            case "share_exactly":
                return bool(seen) and Fraction(count, len(seen)) == Fraction(formula["share"])
        raise AssertionError(f"unknown operator {formula['op']!r}")


def depth(formula: Document) -> int:
    """The number of rounds that a formula looks ahead."""
    below = [formula["arg"]] if "arg" in formula else formula.get("args", [])
    looks = formula["op"] in ("at_least", "exactly", "share_at_least", "share_exactly", "degree")
    return int(looks) + max(map(depth, below), default=0)


def size(formula: Document) -> int:
    """The number of operators and atoms."""
    below = [formula["arg"]] if "arg" in formula else formula.get("args", [])
    return 1 + sum(map(size, below))
