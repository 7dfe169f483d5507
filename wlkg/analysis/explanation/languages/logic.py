"""Formulas as compact logic.

=====================================  ============================================================
``⊤``                                  true
``label="x"``                          the label
``¬a``, ``a ∧ b``, ``a ∨ b``           not, and, or
``≥2 r.a``, ``=2 r.a``                 at least, exactly 2 of the r-neighbours satisfy a
``r⁻``, ``∗``                          against the direction of r; any relation
``≥2/3 r.a``                           there are r-neighbours, and at least 2/3 of them satisfy a
``deg(r)=2``, ``loop(r)``              the number of r-neighbours; the vertex is its own r-neighbour
``r(x, y)``, ``x = y``, ``≥2 x:r.a``   tuples: y is an r-neighbour of x; the same vertex; at least 2
                                       of the r-neighbours of x, in its place, satisfy a
=====================================  ============================================================

A large formula is written as definitions, one per line, the whole formula last. Where there are too
many, those in the middle are left out, and a line says how many.
"""

from __future__ import annotations

import json
from functools import cache

from wlkg.analysis.explanation.formulas import Formula, Relation, subformulas
from wlkg.analysis.explanation.languages.wording import (
    MOST_DEFINITIONS,
    Setting,
    Wording,
    definitions,
    variable,
)

_JOINTS = {"and": " ∧ ", "or": " ∨ "}
_SIGNS = {"at_least": "≥", "share_at_least": "≥", "exactly": "=", "share_exactly": "="}
#: Parts that need no brackets below a quantifier or a negation.
_SHORT = ("true", "label", "loop", "degree", "edge")


def logic(formula: Formula, setting: Setting) -> Wording:
    """The formula as logic, on one line, or on several if it is large."""
    relation = cache(lambda named: relation_text(named, setting))
    named = definitions(formula)
    texts: dict[Formula, str] = {}
    lines: list[str] = []
    for part in subformulas(formula):
        args = [named.get(arg) or _bracketed(part, arg, texts[arg]) for arg in part.args]
        text = _text(part, args, relation(part.relation) if part.relation is not None else "")
        if part in named:
            lines.append(f"{named[part]} := {text}")
            text = named[part]
        texts[part] = text
    return Wording("\n".join([*without_middle(lines), texts[formula]]))


def without_middle(lines: list[str]) -> list[str]:
    """The first and last definitions of a long list, and a line about those left out."""
    if len(lines) <= MOST_DEFINITIONS:
        return lines
    half = MOST_DEFINITIONS // 2
    left_out = len(lines) - 2 * half
    return [*lines[:half], f"... ({left_out:,} more definitions)", *lines[-half:]]


def relation_text(relation: Relation, setting: Setting) -> str:
    """A relation in short, with a mark if it is inverse."""
    if relation.name is None:
        return "∗"
    return setting.names.relation(relation.name) + ("⁻" if relation.inverse else "")


def _bracketed(part: Formula, arg: Formula, text: str) -> str:
    """The text of a part inside another: in brackets, where it could be misread."""
    joined = part.op in ("and", "or")
    if arg.op in _SHORT or (arg.op == "not" and arg.args[0].op in _SHORT):
        return text
    if joined and arg.op not in ("and", "or"):
        return text
    return f"({text})"


def _text(part: Formula, args: list[str], relation: str) -> str:
    """A formula from the texts of its parts."""
    if part.op in _JOINTS:
        return _JOINTS[part.op].join(args)
    if part.op == "not":
        return f"¬{args[0]}"
    at = [variable(position) for position in part.positions]
    if part.op not in _SIGNS:
        return _atom(part, relation, at)
    amount = f"{part.count}"
    if part.share is not None:
        amount = f"{part.share.numerator}/{part.share.denominator}"
    place = f"{at[0]}:" if at else ""
    return f"{_SIGNS[part.op]}{amount} {place}{relation}.{args[0]}"


def _atom(part: Formula, relation: str, at: list[str]) -> str:
    match part.op:
        case "true":
            return "⊤"
        case "label":
            whose = f"({at[0]})" if at else ""
            return f"label{whose}={json.dumps(part.value, ensure_ascii=False)}"
        case "loop":
            return f"loop({relation})"
        case "degree":
            return f"deg({relation})={part.count}"
        case "edge":
            return f"{relation}({at[0]}, {at[1]})"
    return f"{at[0]} = {at[1]}"
