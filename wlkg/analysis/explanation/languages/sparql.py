"""Formulas as SPARQL 1.1 queries that return exactly the vertices that satisfy them.

A formula is a Boolean combination of counts. Its query collects what is to be counted in the
branches of one ``UNION``, each with a variable of its own, groups by vertex, and combines the
counts in ``HAVING``. ``≥2 worksFor.(=1 author⁻.⊤)`` becomes::

    SELECT DISTINCT ?v WHERE {
      { SELECT ?u1 WHERE {
          ?u2 ex:author ?u1 .
        } GROUP BY ?u1 HAVING (COUNT(DISTINCT ?u2) = 1) }
      ?v ex:worksFor ?u1 .
    } GROUP BY ?v HAVING (COUNT(DISTINCT ?u1) >= 2)

So "not" and "none" are counts too: there is no ``MINUS`` or ``OPTIONAL`` whose scope could go
wrong, every inner query stands on its own and is evaluated once, and no two branches are joined.
Only a formula that is true of vertices where nothing is counted needs a further branch, which lists
the vertices that may qualify: all subjects and objects, or, inside, all neighbours.

The inner query comes first because some engines (rdflib) evaluate joins from left to right.

What is not exact: engines that store numbers and dates by value (oxigraph), or normalise literals
when they load them (rdflib), merge literals that are different RDF terms, such as ``"1"`` and
``"01"`` of type ``xsd:integer``. The query asks the default graph: data that were read from named
graphs must be there too.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import TRUE, Formula, Relation, subformulas
from wlkg.analysis.explanation.languages.sparql_labels import LabelPattern, label_pattern
from wlkg.analysis.explanation.languages.sparql_terms import NotInSparqlError, Terms
from wlkg.analysis.explanation.languages.wording import Setting, Wording
from wlkg.catalogue import VertexTest

#: Larger and deeper formulas get no query: engines parse queries recursively.
LARGEST_QUERY = 2000
DEEPEST_QUERY = 25

_NEGATED = {">=": "<", "<": ">=", "=": "!=", "!=": "="}


def sparql(formula: Formula, setting: Setting) -> Wording:
    """The query for the vertices that satisfy a formula, or why there is none."""
    try:
        _check(formula, setting)
        terms = Terms(setting)
        lines = _Writer(setting, terms).query(formula)
    except NotInSparqlError as error:
        return Wording(None, str(error))
    return Wording("\n".join([*terms.declarations(), *lines]))


def _check(formula: Formula, setting: Setting) -> None:
    graph, test = setting.graph, setting.test
    if not isinstance(test, VertexTest) or any(part.positions for part in subformulas(formula)):
        raise NotInSparqlError("the formula is about tuples, and a query returns single vertices")
    if test.sees_all:
        raise NotInSparqlError(f"{test.name} also counts vertices that are not neighbours")
    if graph.literals == "occurrence":
        raise NotInSparqlError(
            "each occurrence of a literal is a vertex of its own, which RDF does not have. "
            "Read the graph with --literals shared or drop"
        )
    if formula.size > LARGEST_QUERY or formula.depth > DEEPEST_QUERY:
        raise NotInSparqlError(
            f"the formula is too large for a query: size {formula.size:,}, depth {formula.depth:,}"
        )
    if len(graph.isolated):
        holds = Vertices.seen_by(test, graph).holds(formula)
        count = int(np.count_nonzero(holds[graph.isolated]))
        if count:
            raise NotInSparqlError(
                f"{count:,} of the vertices have no triple, and RDF has no such vertices"
            )


Lines = list[str]


def _indented(lines: Lines) -> Lines:
    return ["  " + line for line in lines]


@dataclass
class _Layer:
    """The query for one variable: its branches, and what has been counted already."""

    variable: str
    branches: list[Lines] = field(default_factory=list)
    counts: dict[tuple[Relation, Formula], str] = field(default_factory=dict)
    labels: dict[str, LabelPattern] = field(default_factory=dict)


@dataclass(frozen=True)
class _Condition:
    """A condition on counts, its opposite, and whether they may be true if nothing is counted."""

    text: str
    opposite: str
    may_hold_of_nothing: bool
    may_fail_of_nothing: bool
    #: Whether the texts need brackets inside "and", inside "or".
    joined_by: str = ""

    def negated(self) -> _Condition:
        return _Condition(
            self.opposite,
            self.text,
            self.may_fail_of_nothing,
            self.may_hold_of_nothing,
            _OTHER[self.joined_by],
        )


_OTHER = {"": "", "&&": "||", "||": "&&"}


class _Writer:
    """Writes one query."""

    def __init__(self, setting: Setting, terms: Terms) -> None:
        self._setting = setting
        self._terms = terms
        self._direction = setting.graph.direction
        self._drops = setting.graph.literals == "drop"
        self._used = 0

    def query(self, formula: Formula) -> Lines:
        """The whole query."""
        if formula is TRUE:
            return ["SELECT DISTINCT ?v WHERE {", *_indented(_union(self._everything("?v"))), "}"]
        return self._selection("SELECT DISTINCT ?v WHERE {", formula, "?v", None)

    def _new(self, letter: str) -> str:
        self._used += 1
        return f"?{letter}{self._used}"

    # -- one variable -----------------------------------------------------------------------------

    def _selection(
        self, opening: str, formula: Formula, variable: str, along: Relation | None
    ) -> Lines:
        """The query for the values of a variable that satisfy a formula.

        ``along`` is the relation over which the variable is reached; None means all vertices.
        """
        layer = _Layer(variable)
        condition = self._condition(formula, layer)
        branches = layer.branches
        if condition.may_hold_of_nothing:
            branches = [*self._candidates(variable, along), *branches]
        # Even "at least 1" is written down: where nothing is counted, rdflib makes an empty group.
        closing = f"}} GROUP BY {variable} HAVING ({condition.text})"
        return [opening, *_indented(_union(branches)), closing]

    def _candidates(self, variable: str, along: Relation | None) -> list[Lines]:
        if along is None:
            return self._everything(variable)
        return [lines for lines, _ in self._arcs(self._new("x"), along, variable)]

    def _everything(self, variable: str) -> list[Lines]:
        """All vertices: subjects and objects."""
        other, relation = self._new("x"), self._new("p")
        return [
            self._triple(variable, relation, other),
            self._triple(other, relation, variable),
        ]

    # -- conditions -------------------------------------------------------------------------------

    def _condition(self, formula: Formula, layer: _Layer) -> _Condition:
        """The condition that a formula puts on the counts of a layer."""
        conditions: dict[Formula, _Condition] = {}
        waiting = [formula]
        while waiting:
            part = waiting[-1]
            if part.op not in ("and", "or", "not"):
                conditions[part] = self._atom(part, layer)
                waiting.pop()
                continue
            missing = [arg for arg in part.args if arg not in conditions]
            if missing:
                waiting.extend(reversed(missing))
                continue
            args = [conditions[arg] for arg in part.args]
            conditions[part] = args[0].negated() if part.op == "not" else _joined(part.op, args)
            waiting.pop()
        return conditions[formula]

    def _atom(self, part: Formula, layer: _Layer) -> _Condition:
        match part.op:
            case "true":
                return _Condition("true", "false", True, False)
            case "label":
                return self._label(part, layer)
            case "loop":
                return self._loop(part, layer)
        if part.share is not None:
            return self._share(part, layer)
        count = self._count(part, part.args[0] if part.args else TRUE, layer)
        return _compared(count, ">=" if part.op == "at_least" else "=", part.count or 0)

    def _share(self, part: Formula, layer: _Layer) -> _Condition:
        """There are d > 0 neighbours, and c of them satisfy: q c >= p d, or q c = p d."""
        assert part.share is not None
        have, every = (self._count(part, arg, layer) for arg in (part.args[0], TRUE))
        sign = ">=" if part.op == "share_at_least" else "="
        p, q = part.share.numerator, part.share.denominator
        left, right = (f"{number} * {count}" for number, count in ((q, have), (p, every)))
        some = _Condition(f"{every} > 0", f"{every} = 0", False, True)
        enough = _Condition(
            f"{left} {sign} {right}", f"{left} {_NEGATED[sign]} {right}", True, False
        )
        return _joined("and", [some, enough])

    def _loop(self, part: Formula, layer: _Layer) -> _Condition:
        assert part.relation is not None
        if not self._setting.has_direction(part.relation):
            return _Condition("false", "true", False, True)
        mark, vertex = self._new("l"), layer.variable
        relation = self._new("p")
        if part.relation.name is not None:
            relation = self._terms.relation(part.relation.name)
        layer.branches.append([f"{vertex} {relation} {vertex} .", f"BIND (true AS {mark})"])
        return _compared(f"COUNT({mark})", ">=", 1)

    def _label(self, part: Formula, layer: _Layer) -> _Condition:
        value = part.value or ""
        if value not in layer.labels:
            layer.labels[value] = label_pattern(
                value, self._setting.graph, self._terms, layer.variable, self._new
            )
        pattern = layer.labels[value]
        layer.branches += [branch for branch in pattern.branches if branch not in layer.branches]
        return _Condition(pattern.condition, pattern.opposite, pattern.without_branches, True)

    # -- counts -----------------------------------------------------------------------------------

    def _count(self, part: Formula, arg: Formula, layer: _Layer) -> str:
        """The number of neighbours under a relation that satisfy a formula, as an expression."""
        relation = part.relation
        assert relation is not None
        if not self._setting.has_direction(relation):
            return "0"
        if (relation, arg) not in layer.counts:
            layer.counts[relation, arg] = self._new_count(relation, arg, layer)
        return layer.counts[relation, arg]

    def _new_count(self, relation: Relation, arg: Formula, layer: _Layer) -> str:
        neighbour = self._new("u")
        inner: Lines = []
        if arg is not TRUE:
            opening = f"{{ SELECT {neighbour} WHERE {{"
            inner = self._selection(opening, arg, neighbour, relation)
            inner[-1] += " }"
            inner = [inner[0], *_indented(inner[1:])]
        counted = []
        for lines, variable in self._arcs(layer.variable, relation, neighbour):
            layer.branches.append([*inner, *lines])
            counted.append(variable)
        if relation.name is None and self._setting.counts_arcs:
            # Each solution is one arc: a triple occurs once, and so does each inner solution.
            total = " + ".join(f"COUNT({variable})" for variable in counted)
            return f"({total})" if len(counted) > 1 else total
        return f"COUNT(DISTINCT {neighbour})"

    def _arcs(self, vertex: str, relation: Relation, neighbour: str) -> list[tuple[Lines, str]]:
        """Patterns for the arcs of a relation, each with the variable of the relation."""
        if relation.name is None:
            return self._all_arcs(vertex, neighbour)
        name = self._terms.relation(relation.name)
        if self._direction == "undirected":
            lines = [f"{vertex} {name}|^{name} {neighbour} ."]
            if self._drops:
                lines.append(f"FILTER (!isLiteral({vertex}) && !isLiteral({neighbour}))")
            return [(lines, "")]
        ends = (neighbour, vertex) if relation.inverse else (vertex, neighbour)
        return [(self._triple(ends[0], name, ends[1]), "")]

    def _all_arcs(self, vertex: str, neighbour: str) -> list[tuple[Lines, str]]:
        out, back = self._new("p"), self._new("p")
        outgoing = self._triple(vertex, out, neighbour)
        incoming = self._triple(neighbour, back, vertex)
        if self._direction == "undirected" and self._setting.counts_arcs:
            # A pair of opposite triples, and a loop, is one arc.
            incoming.append(f"FILTER NOT EXISTS {{ {vertex} {back} {neighbour} }}")
        patterns = {"out": [(outgoing, out)], "in": [(incoming, back)]}
        return patterns.get(self._direction, [(outgoing, out), (incoming, back)])

    def _triple(self, subject: str, relation: str, term: str) -> Lines:
        """A triple pattern, without literals where the graph has none."""
        lines = [f"{subject} {relation} {term} ."]
        return [*lines, f"FILTER (!isLiteral({term}))"] if self._drops else lines


def _compared(count: str, sign: str, number: int) -> _Condition:
    holds_of_nothing = number <= 0 if sign == ">=" else number == 0
    return _Condition(
        f"{count} {sign} {number}",
        f"{count} {_NEGATED[sign]} {number}",
        holds_of_nothing,
        not holds_of_nothing,
    )


def _joined(op: str, args: list[_Condition]) -> _Condition:
    every = op == "and"
    sign, other = ("&&", "||") if every else ("||", "&&")
    combine, dual = (all, any) if every else (any, all)
    return _Condition(
        f" {sign} ".join(_bracketed(arg.text, arg.joined_by, sign) for arg in args),
        f" {other} ".join(_bracketed(arg.opposite, _OTHER[arg.joined_by], other) for arg in args),
        combine(arg.may_hold_of_nothing for arg in args),
        dual(arg.may_fail_of_nothing for arg in args),
        sign,
    )


def _bracketed(text: str, joined_by: str, sign: str) -> str:
    return f"({text})" if joined_by not in ("", sign) else text


def _union(branches: list[Lines]) -> Lines:
    """Branches as one group; nothing at all if there are none."""
    if len(branches) == 1:
        return branches[0]
    lines: Lines = []
    for branch in branches:
        lines += ["UNION {" if lines else "{", *_indented(branch), "}"]
    return lines
