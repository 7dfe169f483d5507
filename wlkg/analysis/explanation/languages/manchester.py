"""Formulas as OWL class expressions in Manchester syntax, where there is one.

``worksFor min 2 (inverse author exactly 1 owl:Thing)``. OWL reads data as incomplete: a reasoner
infers "exactly" and "not" only from further axioms. Over the data as they are (closed world,
different names for different things) the expression means what the formula means.
"""

from __future__ import annotations

from wlkg.analysis.explanation.formulas import Formula, Relation, subformulas
from wlkg.analysis.explanation.languages.wording import Setting, Wording
from wlkg.graph.terms import relation_iri

#: Larger formulas, written as a tree, are not written out.
LARGEST_EXPRESSION = 2000

_WHY_NOT = {
    "label": "OWL classes do not know the labels of vertices",
    "degree": "OWL has no count over all properties",
    "share_at_least": "OWL has no shares of neighbours",
    "share_exactly": "OWL has no shares of neighbours",
}


def manchester(formula: Formula, setting: Setting) -> Wording:
    """The class expression, or why there is none."""
    parts = subformulas(formula)
    why_not = _why_not(formula, parts, setting)
    if why_not is not None:
        return Wording(None, why_not)
    texts: dict[Formula, str] = {}
    for part in parts:
        texts[part] = _text(part, [_inside(arg, texts[arg]) for arg in part.args], setting)
    return Wording(texts[formula])


def _why_not(formula: Formula, parts: list[Formula], setting: Setting) -> str | None:
    if any(part.positions for part in parts):
        return "OWL classes are sets of vertices, and the formula is about tuples"
    for part in parts:
        if part.op in _WHY_NOT:
            return _WHY_NOT[part.op]
        if part.relation is not None and part.relation.name is None:
            return "OWL has no count over all properties"
    if setting.graph.direction == "undirected" and any(part.relation for part in parts):
        return "OWL has no count over a property and its inverse together"
    if formula.size > LARGEST_EXPRESSION:
        return f"the formula is too large: size {formula.size:,}"
    return None


def _text(part: Formula, args: list[str], setting: Setting) -> str:
    match part.op:
        case "true":
            return "owl:Thing"
        case "not":
            return f"not {args[0]}"
        case "and" | "or":
            return f" {part.op} ".join(args)
    assert part.relation is not None
    relation = _property(part.relation, setting)
    if part.op == "loop":
        return f"{relation} Self"
    word = "min" if part.op == "at_least" else "exactly"
    return f"{relation} {word} {part.count} {args[0]}"


def _property(relation: Relation, setting: Setting) -> str:
    iri = relation_iri(relation.name or "")
    pieces = setting.names.prefixed(iri[1:-1])
    name = iri if pieces is None else ":".join(pieces)
    return f"inverse {name}" if relation.inverse else name


def _inside(arg: Formula, text: str) -> str:
    return text if arg.op == "true" else f"({text})"
