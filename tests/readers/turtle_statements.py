"""Statements of Turtle for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

HEX = "0123456789abcdef0123456789abcdef"
LABELS = ["x", "anon1", "anon2_", "b.c", "é", HEX, HEX[:24], HEX[:23]]
IRIS = ["<a:a>", "<a:b>", "<a:%2Fé>", "<urn:wlkg:name:a%20b>", "<http://e:8/?q#f>"]
LITERALS = ['"x"', '"x"@EN', '"x\\ny"', "1", f'"_:{HEX}"', f'"\\u005f:{HEX[::-1]}"']

nodes = st.one_of(
    st.sampled_from(IRIS),
    st.sampled_from([f"_:{label}" for label in LABELS]),
    st.just("[]"),
)
triple_terms = st.tuples(nodes.filter(lambda node: node != "[]"), nodes).map(
    lambda ends: f"<<( {ends[0]} <p:p> {ends[1].replace('[]', '_:x')} )>>"
)
things = st.one_of(nodes, nodes, st.sampled_from(LITERALS), triple_terms)
objects = st.recursive(
    things,
    lambda inner: st.one_of(
        inner.map("[ <p:q> {} ]".format),
        st.lists(inner, max_size=3).map(" ".join).map("({})".format),
    ),
    max_leaves=4,
)
#: Statements of Turtle with blank nodes of all kinds.
documents = st.lists(st.tuples(nodes, objects).map("{0[0]} <p:p> {0[1]} .".format), min_size=1)
