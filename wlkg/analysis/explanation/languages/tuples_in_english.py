"""Formulas about tuples in English: clauses about x, y, ...

"for none of the `edge` neighbours x' of x, y is an `edge` neighbour of x'". While clauses are put
together, a mark stands for the vertex at each position, so that a clause about x can be turned into
one about x'.
"""

from __future__ import annotations

from wlkg.analysis.explanation.formulas import Formula, Relation, subformulas
from wlkg.analysis.explanation.languages.phrases import (
    at_least_words,
    listed,
    quoted,
)
from wlkg.analysis.explanation.languages.wording import Setting, definitions, variable


def tuples_in_english(formula: Formula, setting: Setting) -> str:
    """A clause about x, y, ...; for a large formula, with a line for each named set of tuples."""
    named = definitions(formula)
    clauses: dict[tuple[Formula, bool], str] = {}
    lines = []
    arity = max((p for part in subformulas(formula) for p in part.positions), default=2)
    whole = f"({', '.join(_mark(j) for j in range(1, arity + 1))})"
    for part in subformulas(formula):
        for truth in (True, False):
            clauses[part, truth] = _clause(part, truth, clauses, setting)
        if part in named:
            lines.append(f"{named[part]}: {whole} where {clauses[part, True]}")
            clauses[part, True] = f"{whole} is in {named[part]}"
            clauses[part, False] = f"{whole} is not in {named[part]}"
    text = "\n".join([clauses[formula, True], *lines])
    for position in range(1, arity + 1):
        text = text.replace(_mark(position), variable(position))
    return text


def _mark(position: int) -> str:
    """A character for private use."""
    return chr(0xE000 + position)


def _clause(
    part: Formula, truth: bool, clauses: dict[tuple[Formula, bool], str], setting: Setting
) -> str:
    if part.op == "not":
        return clauses[part.args[0], not truth]
    if part.op in ("and", "or"):
        texts = [_inside(arg, clauses[arg, truth]) for arg in part.args]
        return listed("and" if (part.op == "and") == truth else "or", texts)
    at = [_mark(position) for position in part.positions]
    if part.args:
        return _counted(part, truth, at[0], clauses, setting)
    return _atom(part, truth, at, setting)


def _atom(part: Formula, truth: bool, at: list[str], setting: Setting) -> str:
    word = "" if truth else "not "
    match part.op:
        case "true":
            return f"anything is {'allowed' if truth else 'excluded'}"
        case "label":
            return f"{at[0]} is {word}labelled {quoted(part.value or '')}"
        case "equal":
            return f"{at[0]} and {at[1]} are {'the same vertex' if truth else 'different vertices'}"
    assert part.relation is not None
    one, two = at if part.relation.inverse else reversed(at)
    name = _name(part.relation, setting)
    article = "an" if name[1:2].lower() in tuple("aeiou") else "a"
    return f"{one} is {word}{article} {name}neighbour of {two}"


def _counted(
    part: Formula,
    truth: bool,
    place: str,
    clauses: dict[tuple[Formula, bool], str],
    setting: Setting,
) -> str:
    assert part.relation is not None
    assert part.count is not None
    if part.op == "at_least":
        amount = at_least_words(part.count, negated=not truth)[0]
    elif part.count == 0:
        amount = "no" if truth else "at least 1"
    else:
        amount = f"{'' if truth else 'not '}exactly {part.count:,}"
    amount = "none" if amount == "no" else amount
    arg = part.args[0]
    those = _inside(arg, clauses[arg, True]) if arg.args else clauses[arg, True]
    # Whatever is primed inside gets one prime more.
    other, those = f"{place}'", those.replace(place, f"{place}'")
    name = "" if arg.op == "true" else f"{other} "
    group = f"{_name(part.relation, setting)}neighbours {name}of {place}"
    if part.relation.inverse:
        group = f"subjects {name}of {_name(part.relation, setting)}triples with object {place}"
    if arg.op == "true":
        return f"there are {amount} {group}" if amount != "none" else f"there are no {group}"
    return f"for {amount} of the {group}, {those}"


def _name(relation: Relation, setting: Setting) -> str:
    return "" if relation.name is None else f"{quoted(setting.names.relation(relation.name))} "


def _inside(part: Formula, text: str) -> str:
    return f"({text})" if part.args and part.op != "not" else text
