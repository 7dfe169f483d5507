"""Which test is proven to see at least what another sees, on all graphs.

"T is below U" means: whenever T separates two graphs, so does U. The rules are data; everything
else follows from them by going from rule to rule. The tests are *not* a chain. In particular 1-wl
is not below 1-rwl, nor delta-K-lwl below K-rlwl: where two relations join the same vertices, a
test that counts distinct neighbours may see what one that counts arcs cannot.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """``lower`` is below ``upper`` for every K from ``least`` on; K+1 may be written in names."""

    lower: str
    upper: str
    why: str
    least: int = 2


RULES: tuple[Rule, ...] = (
    Rule("weak-rwl", "1-rwl", "the pairs (i, colour) tell the colours and how many have each i"),
    Rule("mean-rwl", "1-rwl", "how many have each (i, colour) tells which share of N_i(v) has it"),
    Rule("1-rwl", "2-rlwl", "the colour of (v, x) refines that of v, for every x"),
    Rule("K-rlwl", "K+1-rlwl", "the colour of (t, x) refines that of t, for every x"),
    Rule("1-wl", "delta-2-lwl", "the colour of (v, x) refines that of v, for every x"),
    Rule("delta-K-lwl", "delta-K+1-lwl", "the colour of (t, x) refines that of t, for every x"),
    Rule("1-rwl", "2-wl", "the colour of (v, w) tells the relations from v to w"),
    Rule("1-wl", "2-wl", "the colour of (v, w) tells whether w is a neighbour of v"),
    Rule("K-rlwl", "K-fwl", "the vector of colours for w tells the relations from each v_j to w"),
    Rule("delta-K-lwl", "K-fwl", "the vector of colours for w tells which v_j are its neighbours"),
    Rule("K-wl", "K-fwl", "a multiset of vectors tells the multiset of each component"),
    Rule("K-fwl", "K+1-wl", "Grohe 2021: both see what K+1 variables with counting express"),
    Rule("K+1-wl", "K-fwl", "Grohe 2021: both see what K+1 variables with counting express"),
    Rule("1-fwl", "2-rlwl", "an atomic type of a pair tells those of its vertices"),
    Rule("1-fwl", "2-wl", "an atomic type of a pair tells those of its vertices"),
)

_ALIASES = {"1-rlwl": "1-rwl", "delta-1-lwl": "1-wl"}
_NAME = re.compile(r"(delta-)?([0-9]+)(-(?:rlwl|lwl|wl|fwl))")


def is_below(lower: str, upper: str) -> bool:
    """Whether it is proven that ``upper`` separates whatever ``lower`` separates.

    >>> is_below("weak-rwl", "2-rlwl"), is_below("1-wl", "1-rwl")
    (True, False)
    """
    start, goal = _reduced(_ALIASES.get(lower, lower), _ALIASES.get(upper, upper))
    most = max(_arity(start), _arity(goal)) + 1
    seen, waiting = {start}, [start]
    while waiting:
        for following in _above(waiting.pop(), most) - seen:
            seen.add(following)
            waiting.append(following)
    return goal in seen


def _reduced(lower: str, upper: str) -> tuple[str, str]:
    """The same question for small K: from 2 on, rules only speak of a difference of at most 1."""
    low, high = sorted([_arity(lower), _arity(upper)])
    smaller = {low: min(low, 3)}
    smaller.setdefault(high, smaller[low] + min(high - low, 3))
    return _with_arity(lower, smaller), _with_arity(upper, smaller)


def _with_arity(test: str, smaller: dict[int, int]) -> str:
    match = _NAME.fullmatch(test)
    return test if match is None else f"{match[1] or ''}{smaller[int(match[2])]}{match[3]}"


def weakest(separating: list[str]) -> list[str]:
    """The tests among these that have none of the others below them, in the order given.

    Of tests that are proven to see the same, the first one is kept.
    """
    kept = []
    for place, test in enumerate(separating):
        others = [
            (before, other)
            for before, other in enumerate(separating)
            if other != test and is_below(other, test)
        ]
        if all(is_below(test, other) and place < before for before, other in others):
            kept.append(test)
    return kept


def _arity(test: str) -> int:
    match = _NAME.fullmatch(test)
    return 1 if match is None else int(match[2])


def _above(test: str, most: int) -> set[str]:
    """The tests that one rule puts above this one, up to a K."""
    found = set()
    for rule in RULES:
        for lower, upper in _instances(rule, _arity(test)):
            if lower == test and _arity(upper) <= most:
                found.add(upper)
    return found


def _instances(rule: Rule, k: int) -> list[tuple[str, str]]:
    if "K" not in rule.lower:
        return [(rule.lower, rule.upper)]
    values = [value for value in (k - 1, k) if value >= rule.least]
    return [(_with(rule.lower, value), _with(rule.upper, value)) for value in values]


def _with(pattern: str, k: int) -> str:
    return pattern.replace("K+1", str(k + 1)).replace("K", str(k))
