"""Which test is proven to separate everything that another test separates, on all graphs.

"T is below U" means: whenever T separates two graphs, so does U. The rules are data; everything
else follows by chaining them. They say nothing about vertices of different graphs, where 1-wl-all
separates more than 1-wl. The tests do *not* form a chain. In particular, 1-wl is not below
1-rwl, nor delta-K-lwl below K-rlwl: where two relations join the same two vertices, a test that
counts distinct neighbours may see what a test that counts arcs cannot. Nor is 1-rlwl below 1-rwl:
only the start colours of 1-rlwl tell two vertices with a loop each from two that are joined to each
other.

The rules hold in every direction mode. A test of link prediction sees more in mode ``both`` than in
mode ``in``, but rawl2 in mode ``both`` and rwl2 in mode ``in`` each separate what the other does
not: see the triple r(0, 1) on three vertices in `tests/refinement/test_link_tests.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Rule:
    """``lower`` is below ``upper`` for every K >= ``least``; names may contain K or K+1."""

    lower: str
    upper: str
    why: str
    least: int = 2


RULES: tuple[Rule, ...] = (
    Rule("weak-rwl", "1-rwl", "pairs (i, colour) determine the colours and degrees by relation"),
    Rule("mean-rwl", "1-rwl", "the count of each (i, colour) determines its share of N_i(v)"),
    Rule("1-wl", "1-wl-all", "1-wl-all sees all that 1-wl sees, and more"),
    Rule("1-wl-all", "1-wl", "it adds the graphs' histograms of 1-wl (see `whole_graph`)"),
    Rule("1-rwl", "1-rwl-all", "1-rwl-all sees all that 1-rwl sees, and more"),
    Rule("1-rwl-all", "1-rwl", "it adds the graphs' histograms of 1-rwl (see `whole_graph`)"),
    Rule("1-rwl", "1-rlwl", "the same rounds from finer start colours, which see loops too"),
    Rule("1-wl", "delta-1-lwl", "the same rounds from finer start colours, which see loops too"),
    Rule("K-rlwl", "K+1-rlwl", "the colour of (t, x) refines that of t, for every x", least=1),
    Rule(
        "delta-K-lwl",
        "delta-K+1-lwl",
        "the colour of (t, x) refines that of t, for every x",
        least=1,
    ),
    Rule("1-rlwl", "2-wl", "the colour of (v, w) determines the relations from v to w"),
    Rule("delta-1-lwl", "2-wl", "the colour of (v, w) determines whether w is a neighbour of v"),
    Rule("K-rlwl", "K-fwl", "the vector of colours for w determines the relations from v_j to w"),
    Rule("delta-K-lwl", "K-fwl", "the vector of colours for w determines which v_j are neighbours"),
    Rule("K-wl", "K-fwl", "a multiset of vectors determines the multiset of each component"),
    Rule("K-fwl", "K+1-wl", "Grohe 2021: both see what K+1 variables with counting express"),
    Rule("K+1-wl", "K-fwl", "Grohe 2021: both see what K+1 variables with counting express"),
    Rule("1-rwl", "rawl2", "the colour of (u, v) refines that of v, for every u"),
    Rule("rawl2", "rwl2", "rwl2 sees all that rawl2 sees, and more"),
    Rule("rawl2", "rawl2-all", "rawl2-all sees all that rawl2 sees, and more"),
    Rule("rawl2-all", "2-fwl", "the vectors for all w hold the colours of (u, w) and relations"),
    Rule("rwl2", "2-rlwl", "the same rounds from finer start colours, which see relations too"),
    Rule("1-fwl", "1-rlwl", "1-fwl only counts the atomic types that 1-rlwl starts with"),
)

_TUPLE_NAME = re.compile(r"(delta-)?([0-9]+)(-(?:rlwl|lwl|wl|fwl))")


def is_below(lower: str, upper: str) -> bool:
    """Whether it is proven that ``upper`` separates whatever ``lower`` separates.

    >>> is_below("weak-rwl", "2-rlwl"), is_below("1-wl", "1-rwl")
    (True, False)
    """
    start, goal = _with_small_arities(lower, upper)
    largest = max(_arity(start), _arity(goal)) + 1
    reached, waiting = {start}, [start]
    while waiting:
        for test in _directly_above(waiting.pop(), largest) - reached:
            reached.add(test)
            waiting.append(test)
    return goal in reached


def weakest(separating: list[str]) -> list[str]:
    """The given tests that have no other given test below them, in the given order.

    Of tests that are proven to separate the same graphs, only the first is kept.
    """
    kept = []
    for place, test in enumerate(separating):
        below = [
            (other_place, other)
            for other_place, other in enumerate(separating)
            if other != test and is_below(other, test)
        ]
        if all(is_below(test, other) and place < other_place for other_place, other in below):
            kept.append(test)
    return kept


def _with_small_arities(lower: str, upper: str) -> tuple[str, str]:
    """The same question for small K, with the same answer.

    From K = 2 on the rules are the same for every K, and each changes K by at most 1. So for large
    K only the difference of the two arities matters.
    """
    low, high = sorted([_arity(lower), _arity(upper)])
    small = {low: min(low, 3)}
    small.setdefault(high, small[low] + min(high - low, 3))
    return _with_arity(lower, small), _with_arity(upper, small)


def _with_arity(test: str, small: dict[int, int]) -> str:
    match = _TUPLE_NAME.fullmatch(test)
    return test if match is None else f"{match[1] or ''}{small[int(match[2])]}{match[3]}"


def _arity(test: str) -> int:
    match = _TUPLE_NAME.fullmatch(test)
    return 1 if match is None else int(match[2])


def _directly_above(test: str, largest: int) -> set[str]:
    """The tests of arity at most ``largest`` that a single rule puts above this test."""
    return {
        upper
        for rule in RULES
        for lower, upper in _instances(rule, _arity(test))
        if lower == test and _arity(upper) <= largest
    }


def _instances(rule: Rule, arity: int) -> list[tuple[str, str]]:
    """The rule for every K at which its lower test may have this arity, which is K or K+1."""
    if "K" not in rule.lower:
        return [(rule.lower, rule.upper)]
    values = [k for k in (arity - 1, arity) if k >= rule.least]
    return [(_at(rule.lower, k), _at(rule.upper, k)) for k in values]


def _at(pattern: str, k: int) -> str:
    return pattern.replace("K+1", str(k + 1)).replace("K", str(k))
