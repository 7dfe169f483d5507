"""The tables of tests, and which test a name means.

A vertex test colours vertices; a tuple test colours K-tuples of vertices, for the K in its name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal, get_args

from wlkg.errors import UsageError, unknown_name


@dataclass(frozen=True)
class Test:
    """A vertex test: what a vertex sees of its arcs."""

    summary: str
    #: What it bounds, in the paper's terms.
    bounds: str
    sees_relations: bool
    sees_degrees: bool
    #: Of the neighbours under a relation, only which share of them has which colour.
    sees_shares: bool = False

    __test__ = False  # not a pytest class


#: What a tuple sees: for each position the tuples with a neighbour there instead, or with any
#: vertex there instead; or, for each vertex, the tuples with it in the first, second, ... place.
Looks = Literal["local", "everywhere", "vectors"]


@dataclass(frozen=True)
class TupleTest:
    """A tuple test: what a K-tuple sees."""

    summary: str
    bounds: str
    looks: Looks
    sees_relations: bool
    arity: int = 2


TESTS: dict[str, Test] = {
    "1-wl": Test(
        "own colour, multiset of colours of the set of neighbours; relations forgotten",
        "plain GNNs",
        sees_relations=False,
        sees_degrees=False,
    ),
    "weak-rwl": Test(
        "own colour, multiset of neighbour colours over all arcs, number of arcs in each relation",
        "CompGCN with addition, subtraction or concatenation",
        sees_relations=False,
        sees_degrees=True,
    ),
    "1-rwl": Test(
        "own colour, multiset of (relation, neighbour colour)",
        "R-GCN; CompGCN with multiplication or circular correlation",
        sees_relations=True,
        sees_degrees=False,
    ),
    "mean-rwl": Test(
        "own colour, for each relation the relative frequencies of neighbour colours",
        "R-GCN and CompGCN with mean aggregation",
        sees_relations=True,
        sees_degrees=False,
        sees_shares=True,
    ),
}

TUPLE_TESTS: dict[str, TupleTest] = {
    "K-rlwl": TupleTest(
        "own colour; for each position j the multiset of (relation i, colour with v_j replaced by"
        " w), w in N_i(v_j)",
        "K-RN",
        looks="local",
        sees_relations=True,
    ),
    "delta-K-lwl": TupleTest(
        "as K-rlwl, relations forgotten",
        "local K-GNNs",
        looks="local",
        sees_relations=False,
    ),
    "K-wl": TupleTest(
        "oblivious: for each position j the multiset of colours with v_j replaced by any w",
        "K-GNNs, (K-1)-fwl",
        looks="everywhere",
        sees_relations=True,
    ),
    "K-fwl": TupleTest(
        "folklore: the multiset over all w of the K colours with v_1, ..., v_K replaced by w",
        "K-dimensional folklore GNNs",
        looks="vectors",
        sees_relations=True,
    ),
}

DEFAULT_TEST = "1-rwl"

#: Tests of 1-tuples that are vertex tests by definition.
_VERTEX_TESTS = {"1-rlwl": "1-rwl", "delta-1-lwl": "1-wl"}

_TUPLE_NAME = re.compile(r"(?P<delta>delta-)?(?P<arity>[0-9]{1,9})-(?P<kind>rlwl|lwl|wl|fwl)")


def find_test(name: str) -> Test | TupleTest:
    """The test of that name, or an error that lists the tests."""
    found = TESTS.get(_VERTEX_TESTS.get(name, name))
    if found is not None:
        return found
    match = _TUPLE_NAME.fullmatch(name)
    template = None
    if match is not None and not match["arity"].startswith("0"):
        template = TUPLE_TESTS.get(f"{match['delta'] or ''}K-{match['kind']}")
    if match is None or template is None:
        known = ", ".join([*TESTS, *TUPLE_TESTS])
        raise UsageError(f"unknown test {name!r}. Known: {known}, where K is 1, 2, 3, ...")
    return replace(template, arity=int(match["arity"]))


Direction = Literal["both", "undirected", "out", "in"]


DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def check_direction(direction: str) -> Direction:
    """The direction mode of that name, or an error that lists the modes."""
    for known in DIRECTIONS:
        if direction == known:
            return known
    raise unknown_name("direction", direction, DIRECTIONS)


LITERAL_POLICIES = ("shared", "occurrence", "drop")


def check_literal_policy(policy: str) -> str:
    """The policy itself, or an error that lists the policies."""
    if policy not in LITERAL_POLICIES:
        raise unknown_name("literal policy", policy, LITERAL_POLICIES)
    return policy
