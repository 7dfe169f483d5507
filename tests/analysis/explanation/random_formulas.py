"""Random formulas over the relations and labels of a graph, in the logic of a test."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import (
    ANY,
    TRUE,
    Formula,
    Relation,
    at_least,
    conjunction,
    degree,
    disjunction,
    exactly,
    label,
    loop,
    negation,
    share_at_least,
    share_exactly,
)
from wlkg.catalogue import VertexTest
from wlkg.graph.relational_graph import RelationalGraph

#: A relation that no graph has.
MISSING = Relation("urn:missing")


def formulas(
    graph: RelationalGraph, test: VertexTest, max_leaves: int = 6
) -> st.SearchStrategy[Formula]:
    """Formulas in the logic of a test; some are trivially true or false."""
    named = [relation for relation in Vertices.seen_by(test, graph).relations if relation.name]
    relations = st.sampled_from([*named, MISSING])
    counted = relations if test.sees_relations else st.just(ANY)
    atoms = [st.just(TRUE), st.builds(loop, st.one_of(relations, st.just(ANY)))]
    atoms.append(st.builds(label, st.sampled_from([*graph.label_names, "", "no such label"])))
    if test.sees_degrees:
        atoms.append(st.builds(degree, relations, st.integers(0, 3)))
    return st.recursive(
        st.one_of(atoms), lambda inner: _larger(inner, counted, test), max_leaves=max_leaves
    )


def _larger(
    inner: st.SearchStrategy[Formula], relations: st.SearchStrategy[Relation], test: VertexTest
) -> st.SearchStrategy[Formula]:
    several = st.lists(inner, min_size=2, max_size=3)
    joined = [
        st.builds(negation, inner),
        st.builds(conjunction, several),
        st.builds(disjunction, several),
    ]
    if test.sees_shares:
        share = st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)])
        looks = [st.builds(op, share, relations, inner) for op in (share_at_least, share_exactly)]
    else:
        count = st.integers(0, 3)
        looks = [st.builds(op, count, relations, inner) for op in (at_least, exactly)]
    return st.one_of(*joined, *looks, *looks)
