"""What users choose by name: WL tests, direction modes and literal policies.

A vertex test colours vertices; a tuple test colours K-tuples of vertices, for the K in its name.
Every choice has a table here, and a function that finds an entry or raises an error that lists the
table. The command line, the documentation and the tests of the project all read these tables.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from wlkg.display import Brief
from wlkg.errors import UsageError, unknown_name

# -- vertex tests ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class VertexTest(Brief):
    """A vertex test: what a vertex sees of its arcs."""

    #: Left out of comparisons: they are about what the test does.
    name: str = field(compare=False)
    summary: str
    #: What it bounds, in the paper's terms.
    bounds: str
    sees_relations: bool
    sees_degrees: bool
    #: Under each relation, a vertex sees relative frequencies of colours instead of counts.
    sees_shares: bool = False
    #: A vertex also sees the colours of all vertices of its graph, and so of its non-neighbours.
    sees_all: bool = False
    #: A vertex starts with its atomic type: its label, and the relations in which it has a loop.
    starts_with_loops: bool = False


TESTS: dict[str, VertexTest] = {
    test.name: test
    for test in (
        VertexTest(
            name="1-wl",
            summary="own colour, multiset of colours of the set of neighbours; relations forgotten",
            bounds="plain GNNs",
            sees_relations=False,
            sees_degrees=False,
        ),
        VertexTest(
            name="weak-rwl",
            summary="own colour, multiset of neighbour colours over all arcs, number of arcs in"
            " each relation",
            bounds="CompGCN with addition, subtraction or concatenation",
            sees_relations=False,
            sees_degrees=True,
        ),
        VertexTest(
            name="1-rwl",
            summary="own colour, multiset of (relation, neighbour colour)",
            bounds="R-GCN; CompGCN with multiplication or circular correlation",
            sees_relations=True,
            sees_degrees=False,
        ),
        VertexTest(
            name="mean-rwl",
            summary="own colour, for each relation the relative frequencies of neighbour colours",
            bounds="R-GCN and CompGCN with mean aggregation",
            sees_relations=True,
            sees_degrees=False,
            sees_shares=True,
        ),
        VertexTest(
            name="1-wl-all",
            summary="as 1-wl, and the multiset of colours of all vertices that are not neighbours",
            bounds="plain GNNs with a global readout or virtual node in every layer",
            sees_relations=False,
            sees_degrees=False,
            sees_all=True,
        ),
        VertexTest(
            name="1-rwl-all",
            summary="as 1-rwl, and for each relation the multiset of colours of all vertices that"
            " are not neighbours",
            bounds="R-GCN and CompGCN with a global readout or virtual node in every layer",
            sees_relations=True,
            sees_degrees=False,
            sees_all=True,
        ),
    )
}

DEFAULT_TEST = "1-rwl"

# -- tuple tests ----------------------------------------------------------------------------------

#: Which tuples a tuple sees. ``local``: for each position, the tuples with a neighbour of the
#: vertex in its place. ``everywhere``: the same with any vertex. ``vectors``: for each vertex, the
#: K tuples with that vertex in the first, second, ... position, seen together.
Looks = Literal["local", "everywhere", "vectors"]


@dataclass(frozen=True)
class TupleTest(Brief):
    """A tuple test: what a K-tuple sees."""

    name: str = field(compare=False)
    summary: str
    bounds: str
    looks: Looks
    sees_relations: bool
    #: K. The table holds every test for K = 2.
    arity: int = 2
    #: How many vertices, from the first on, are never replaced by others.
    fixed: int = 0
    #: Whether a tuple starts with its atomic type, or only with its labels and equalities.
    starts_with_relations: bool = True
    #: A tuple also sees all tuples that differ from it in the last vertex only.
    sees_all: bool = False


TUPLE_TESTS: dict[str, TupleTest] = {
    test.name: test
    for test in (
        TupleTest(
            name="K-rlwl",
            summary="own colour; for each position j the multiset of (relation i, colour with v_j"
            " replaced by w), w in N_i(v_j)",
            bounds="K-RN",
            looks="local",
            sees_relations=True,
        ),
        TupleTest(
            name="delta-K-lwl",
            summary="as K-rlwl, relations forgotten",
            bounds="local K-GNNs",
            looks="local",
            sees_relations=False,
        ),
        TupleTest(
            name="K-wl",
            summary="oblivious: for each position j the multiset of colours with v_j replaced by"
            " any w",
            bounds="K-GNNs, (K-1)-fwl",
            looks="everywhere",
            sees_relations=True,
        ),
        TupleTest(
            name="K-fwl",
            summary="folklore: the multiset over all w of the K colours with v_1, ..., v_K replaced"
            " by w",
            bounds="K-dimensional folklore GNNs",
            looks="vectors",
            sees_relations=True,
        ),
    )
}

#: The tests of link prediction. They colour pairs of a source u and any vertex v, and start with
#: [u = v] and the labels.
PAIR_TESTS: dict[str, TupleTest] = {
    test.name: test
    for test in (
        TupleTest(
            name="rawl2",
            summary="own colour; the multiset of (relation i, colour of (u, w)), w in N_i(v)",
            bounds="conditional message passing: C-MPNN, NBFNet, A*Net",
            looks="local",
            sees_relations=True,
            fixed=1,
            starts_with_relations=False,
        ),
        TupleTest(
            name="rawl2-all",
            summary="as rawl2, and the multiset of colours of (u, w) for all vertices w",
            bounds="conditional message passing with a global readout in every layer",
            looks="local",
            sees_relations=True,
            fixed=1,
            starts_with_relations=False,
            sees_all=True,
        ),
        TupleTest(
            name="rwl2",
            summary="as rawl2, and the multiset of (relation i, colour of (w, v)), w in N_i(u)",
            bounds="conditional message passing that updates the source, too",
            looks="local",
            sees_relations=True,
            starts_with_relations=False,
        ),
    )
}

# -- foundation models ----------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundationModel(Brief):
    """A model that first colours the relations, given the relation of the query.

    What it says of entities is a test of two stages: rawl2 whose arcs carry the colours of their
    relations instead of names.
    """

    name: str
    summary: str
    bounds: str


FOUNDATION_MODELS: dict[str, FoundationModel] = {
    model.name: model
    for model in (
        FoundationModel(
            name="ultra",
            summary="pairs of relations that share a head, a tail, or the tail of one and the head"
            " of the other",
            bounds="ULTRA, with any weights: the names of relations do not matter",
        ),
        FoundationModel(
            name="motif",
            summary="as ultra, and triples of relations along paths of three edges",
            bounds="MOTIF with 3-paths, with any weights: the names of relations do not matter",
        ),
    )
}


def find_foundation_model(name: str) -> FoundationModel:
    """The foundation model of that name, in any case of letters, or an error that lists them."""
    model = FOUNDATION_MODELS.get(name.lower())
    if model is None:
        raise unknown_name("foundation model", name, FOUNDATION_MODELS)
    return model


# -- finding a test -------------------------------------------------------------------------------

#: The names of all tests in one line, for help texts.
TEST_CHOICES = (
    " or ".join(", ".join([*TESTS, *PAIR_TESTS, *TUPLE_TESTS]).rsplit(", ", 1)) + ", as in 2-rlwl"
)

#: The local tuple tests for K = 1. A 1-tuple sees what a vertex sees in the vertex test, but starts
#: with its atomic type; on graphs without loops the two are the same.
SINGLE_VERTEX_TESTS: dict[str, VertexTest] = {
    name: replace(TESTS[vertex_test], name=name, starts_with_loops=True)
    for name, vertex_test in (("1-rlwl", "1-rwl"), ("delta-1-lwl", "1-wl"))
}

_TUPLE_NAME = re.compile(r"(?P<delta>delta-)?(?P<arity>[0-9]{1,9})-(?P<kind>rlwl|lwl|wl|fwl)")


def find_test(name: str) -> VertexTest | TupleTest:
    """The test of that name, in any case of letters, or an error that lists the tests.

    >>> find_test("3-rlwl").arity, find_test("3-RLWL").name
    (3, '3-rlwl')
    """
    plain = name.lower()
    vertex_test = TESTS.get(plain) or SINGLE_VERTEX_TESTS.get(plain)
    if vertex_test is not None:
        return vertex_test
    if plain in PAIR_TESTS:
        return PAIR_TESTS[plain]
    match = _TUPLE_NAME.fullmatch(plain)
    template = None
    if match is not None and not match["arity"].startswith("0"):
        template = TUPLE_TESTS.get(f"{match['delta'] or ''}K-{match['kind']}")
    if match is None or template is None:
        known = ", ".join([*TESTS, *PAIR_TESTS, *TUPLE_TESTS])
        raise UsageError(f"unknown test {name!r}. Known: {known}, where K is 1, 2, 3, ...")
    return replace(template, name=plain, arity=int(match["arity"]))


# -- direction modes and literal policies ---------------------------------------------------------

#: How triples become arcs (see `wlkg.graph.arcs`).
Direction = Literal["both", "undirected", "out", "in"]

DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


def check_direction(direction: str) -> Direction:
    """The direction mode of that name, or an error that lists the modes."""
    for known in DIRECTIONS:
        if direction == known:
            return known
    raise unknown_name("direction", direction, DIRECTIONS)


#: How RDF literals become vertices: one per distinct literal, one per triple, or none at all.
LITERAL_POLICIES = ("shared", "occurrence", "drop")


def check_literal_policy(policy: str) -> str:
    """The policy itself, or an error that lists the policies."""
    if policy not in LITERAL_POLICIES:
        raise unknown_name("literal policy", policy, LITERAL_POLICIES)
    return policy
