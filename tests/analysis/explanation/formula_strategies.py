"""Random formulas about vertices and about tuples."""

from __future__ import annotations

from hypothesis import strategies as st

from wlkg.analysis.explanation import formulas as f

counts = st.integers(0, 3)
shares = st.fractions(0, 1, max_denominator=3)
label_names = st.sampled_from(["red", "green", "blue", "", "no such label"])


def vertex_formulas(
    relations: list[f.Relation], *, any_relation: bool = True
) -> st.SearchStrategy[f.Formula]:
    """Random formulas about a vertex; ``any_relation``: a relation of null may occur."""
    missing = f.Relation("no such relation")
    relation = st.sampled_from([*relations, missing, *([f.ANY] if any_relation else [])])
    named = st.sampled_from([*relations, missing])
    atoms = st.one_of(
        st.just(f.TRUE),
        label_names.map(f.label),
        relation.map(f.loop),
        st.builds(f.degree, named, counts),
    )

    def larger(parts: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        several = st.lists(parts, max_size=3)
        return st.one_of(
            parts.map(f.negation),
            several.map(f.conjunction),
            several.map(f.disjunction),
            st.builds(f.at_least, counts, relation, parts),
            st.builds(f.exactly, counts, relation, parts),
            st.builds(f.share_at_least, shares, relation, parts),
            st.builds(f.share_exactly, shares, relation, parts),
        )

    return st.recursive(atoms, larger, max_leaves=6)


def tuple_formulas(relations: list[f.Relation], arity: int) -> st.SearchStrategy[f.Formula]:
    """Random formulas about a tuple."""
    relation = st.sampled_from([*relations, f.Relation("no such relation")])
    position = st.integers(1, arity)
    atoms = st.one_of(
        st.just(f.TRUE),
        st.builds(f.label, label_names, position),
        st.builds(f.edge, relation, position, position),
        st.builds(f.equal, position, position),
    )

    def larger(parts: st.SearchStrategy[f.Formula]) -> st.SearchStrategy[f.Formula]:
        several = st.lists(parts, max_size=3)
        return st.one_of(
            parts.map(f.negation),
            several.map(f.conjunction),
            several.map(f.disjunction),
            st.builds(f.at_least, counts, relation, parts, position),
            st.builds(f.exactly, counts, relation, parts, position),
        )

    return st.recursive(atoms, larger, max_leaves=6)
