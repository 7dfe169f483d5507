"""Formulas of graded modal logic: what a WL test can say about a vertex or a tuple of vertices.

===================  ===============================  ==============================================
op                   fields                           true of v, or of (v_1, ..., v_K), if
===================  ===============================  ==============================================
true                                                  always
label                value                            the label of v is ``value``
loop                 relation                         v is in N_R(v); R null: under any relation
degree               relation, count                  |N_R(v)| = ``count``
edge                 relation, positions [i, j]       v_j is in N_R(v_i); R null: under any relation
equal                positions [i, j]                 v_i = v_j
not                  arg                              ``arg`` is not true of v
and, or              args                             all of them, or one of them, are true of v
at_least, exactly    relation, count, arg             ``count`` neighbours in N_R(v) satisfy ``arg``
share_at_least,      relation, share p/q, arg         N_R(v) is not empty and p/q of it satisfies
share_exactly                                         ``arg``
===================  ===============================  ==============================================

A relation R is a name and ``inverse``: N_R(v) is made of the tails of triples with head v, or, if
inverse, of the heads of triples with tail v. So direction mode ``in`` has inverse relations only.
In mode ``undirected`` N_R(v) has both kinds, and ``inverse`` is never set. A relation of null means
all arcs for weak-rwl, and all distinct neighbours for 1-wl. On tuples, ``position`` j says which
vertex is replaced by a neighbour, and whose label is meant.

The vertex tests and their formulas: t rounds see exactly what formulas of depth t express.

=========  =========================================================================================
1-rwl      label, not, and, or, at_least, exactly
weak-rwl   the same with relation null, and degree (which has depth 1)
1-wl       the same with relation null
mean-rwl   label, not, and, or, share_at_least, share_exactly
K-rlwl     the same as 1-rwl with positions; edge and equal at depth 0
=========  =========================================================================================

Equal formulas are one object (`Formula` values are interned), so comparing is comparing identity,
shared parts are stored once, and every walk visits each part once, children first
(`subformulas`). Nothing here recurses: a formula may be as deep as a run has rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any, NamedTuple
from weakref import WeakValueDictionary


class Relation(NamedTuple):
    """A relation to look along: its name, and whether against its direction."""

    name: str | None
    inverse: bool = False


#: All arcs, or all distinct neighbours, whatever their relations.
ANY = Relation(None)


class Modality(NamedTuple):
    """A way to look at others: along a relation, and from which position of a tuple."""

    relation: Relation
    position: int | None = None


class Formula:
    """A node: an operator, its fields, and the formulas below it. Made by the functions below."""

    __slots__ = (
        "__weakref__",
        "args",
        "count",
        "depth",
        "op",
        "positions",
        "relation",
        "share",
        "size",
        "value",
    )

    op: str
    args: tuple[Formula, ...]
    relation: Relation | None
    count: int | None
    share: Fraction | None
    value: str | None
    #: Positions in a tuple, counted from 1; empty for formulas about single vertices.
    positions: tuple[int, ...]
    #: The number of rounds that are needed to see what the formula says.
    depth: int
    #: The number of nodes of the formula written out as a tree.
    size: int

    def __repr__(self) -> str:
        return f"Formula({self.op}, size {self.size}, depth {self.depth})"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled as a flat program: a deep formula would exhaust the stack."""
        return from_program, (program(self),)


_Key = tuple[Any, ...]
_interned: WeakValueDictionary[_Key, Formula] = WeakValueDictionary()
_LOOKING = frozenset({"at_least", "exactly", "share_at_least", "share_exactly"})


def _formula(
    op: str,
    args: tuple[Formula, ...] = (),
    *,
    relation: Relation | None = None,
    count: int | None = None,
    share: Fraction | None = None,
    value: str | None = None,
    positions: tuple[int, ...] = (),
) -> Formula:
    """The one formula with these fields. Its parts are kept alive by it, so their ids are keys."""
    key = (op, tuple(map(id, args)), relation, count, share, value, positions)
    formula = _interned.get(key)
    if formula is None:
        formula = Formula()
        formula.op, formula.args, formula.relation = op, args, relation
        formula.count, formula.share, formula.value = count, share, value
        formula.positions = positions
        below = max((arg.depth for arg in args), default=0)
        formula.depth = below + (op in _LOOKING or op == "degree")
        formula.size = 1 + sum(arg.size for arg in args)
        _interned[key] = formula
    return formula


# -- building: each function simplifies what is trivially simpler ---------------------------------

TRUE = _formula("true")
FALSE = _formula("not", (TRUE,))


def label(value: str, position: int | None = None) -> Formula:
    """The label of the vertex, or of the vertex at a position, is ``value``."""
    return _formula("label", value=value, positions=_at(position))


def loop(relation: Relation) -> Formula:
    """The vertex has a loop."""
    return _formula("loop", relation=relation)


def degree(relation: Relation, count: int) -> Formula:
    """The vertex has exactly ``count`` arcs of a relation: an atom of weak-rwl."""
    return _formula("degree", relation=relation, count=count)


def edge(relation: Relation, one: int, two: int) -> Formula:
    """The vertex at position ``two`` is a neighbour of the vertex at position ``one``."""
    return _formula("edge", relation=relation, positions=(one, two))


def equal(one: int, two: int) -> Formula:
    """The same vertex is at both positions."""
    return _formula("equal", positions=(one, two))


def negation(arg: Formula) -> Formula:
    """Not ``arg``."""
    return arg.args[0] if arg.op == "not" else _formula("not", (arg,))


def conjunction(args: Iterable[Formula]) -> Formula:
    """All of the formulas; each once, in the given order."""
    return _joined("and", args, neutral=TRUE, absorbing=FALSE)


def disjunction(args: Iterable[Formula]) -> Formula:
    """At least one of the formulas; each once, in the given order."""
    return _joined("or", args, neutral=FALSE, absorbing=TRUE)


def _joined(op: str, args: Iterable[Formula], *, neutral: Formula, absorbing: Formula) -> Formula:
    parts: dict[Formula, None] = {}
    denied: set[Formula] = set()
    for arg in args:
        for part in arg.args if arg.op == op else (arg,):
            opposite = part.args[0] if part.op == "not" else None
            if part is absorbing or part in denied or opposite in parts:
                return absorbing
            if part is not neutral:
                parts[part] = None
            if opposite is not None:
                denied.add(opposite)
    if not parts:
        return neutral
    return next(iter(parts)) if len(parts) == 1 else _formula(op, tuple(parts))


def at_least(count: int, relation: Relation, arg: Formula, position: int | None = None) -> Formula:
    """At least ``count`` neighbours satisfy ``arg``."""
    if count <= 0:
        return TRUE
    if arg is FALSE:
        return FALSE
    return _formula("at_least", (arg,), relation=relation, count=count, positions=_at(position))


def exactly(count: int, relation: Relation, arg: Formula, position: int | None = None) -> Formula:
    """Exactly ``count`` neighbours satisfy ``arg``."""
    if arg is FALSE:
        return TRUE if count == 0 else FALSE
    return _formula("exactly", (arg,), relation=relation, count=count, positions=_at(position))


def share_at_least(share: Fraction, relation: Relation, arg: Formula) -> Formula:
    """There are neighbours, and at least this share of them satisfies ``arg``."""
    return _formula("share_at_least", (arg,), relation=relation, share=share)


def share_exactly(share: Fraction, relation: Relation, arg: Formula) -> Formula:
    """There are neighbours, and exactly this share of them satisfies ``arg``."""
    return _formula("share_exactly", (arg,), relation=relation, share=share)


def _at(position: int | None) -> tuple[int, ...]:
    return () if position is None else (position,)


# -- walking --------------------------------------------------------------------------------------


def subformulas(*formulas: Formula) -> list[Formula]:
    """All distinct parts of the formulas and the formulas themselves, children first."""
    order: dict[Formula, None] = {}
    waiting = list(reversed(formulas))
    while waiting:
        formula = waiting[-1]
        if formula in order:
            waiting.pop()
            continue
        missing = [arg for arg in formula.args if arg not in order]
        if missing:
            waiting.extend(reversed(missing))
        else:
            order[waiting.pop()] = None
    return list(order)


# -- as data --------------------------------------------------------------------------------------

#: Deeper formulas, and larger ones, are not written out as nested JSON.
DEEPEST_TREE = 200
LARGEST_TREE = 200_000


def document(formula: Formula) -> dict[str, Any] | None:
    """The formula as nested JSON; None if it is too deep or, written as a tree, too large."""
    if formula.size > LARGEST_TREE:
        return None
    height: dict[Formula, int] = {}
    nodes: dict[Formula, dict[str, Any]] = {}
    for part in subformulas(formula):
        height[part] = 1 + max((height[arg] for arg in part.args), default=0)
        nodes[part] = _node(part, [nodes[arg] for arg in part.args])
    return nodes[formula] if height[formula] <= DEEPEST_TREE else None


def program(formula: Formula) -> list[dict[str, Any]]:
    """The formula as a list of nodes that refer to earlier nodes by number; the last is the whole.

    Shared parts are written once, and nothing is nested however deep the formula is.
    """
    number: dict[Formula, int] = {}
    lines = []
    for part in subformulas(formula):
        lines.append(_node(part, [number[arg] for arg in part.args]))
        number[part] = len(number)
    return lines


def _node(part: Formula, args: list[Any]) -> dict[str, Any]:
    """One node as JSON; its parts are already JSON."""
    node: dict[str, Any] = {"op": part.op}
    if part.value is not None:
        node["value"] = part.value
    if part.count is not None:
        node["count"] = part.count
    if part.share is not None:
        node["share"] = f"{part.share.numerator}/{part.share.denominator}"
    if part.relation is not None:
        node["relation"], node["inverse"] = part.relation
    if len(part.positions) == 1:
        node["position"] = part.positions[0]
    elif part.positions:
        node["positions"] = list(part.positions)
    if part.op in ("and", "or"):
        node["args"] = args
    elif args:
        node["arg"] = args[0]
    return node


def from_program(lines: Iterable[Mapping[str, Any]]) -> Formula:
    """The formula of a `program`."""
    formulas: list[Formula] = []
    for line in lines:
        formulas.append(_from_node(line, [formulas[i] for i in _args(line)]))
    return formulas[-1]


def _args(node: Mapping[str, Any]) -> Iterator[Any]:
    yield from node.get("args", ())
    if "arg" in node:
        yield node["arg"]


def _from_node(node: Mapping[str, Any], args: list[Formula]) -> Formula:
    position = node.get("position")
    positions = tuple(node.get("positions", ())) or _at(position)
    relation = Relation(node["relation"], node["inverse"]) if "relation" in node else None
    share = Fraction(node["share"]) if "share" in node else None
    return _formula(
        node["op"],
        tuple(args),
        relation=relation,
        count=node.get("count"),
        share=share,
        value=node.get("value"),
        positions=positions,
    )
