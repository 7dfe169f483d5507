"""Labels in queries.

A label is put as a condition on the term or its types where that selects exactly the vertices that
have the label: ``isIRI``, ``isBlank`` and ``isLiteral`` for labels by kind, the set of ``rdf:type``
objects for labels by type. Any other label is the list of its vertices, if none is a blank node.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from wlkg.analysis.explanation.languages.sparql_terms import NotInSparqlError, Terms
from wlkg.arrays import Int64Array
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import RDF_TYPE, kind

_KINDS = {"iri": "isIRI", "blank": "isBlank", "literal": "isLiteral"}
#: The most vertices that a query lists.
_MOST_LISTED = 5000


@dataclass(frozen=True)
class LabelPattern:
    """What to count, and the condition on the counts, that a label stands for."""

    condition: str
    opposite: str
    #: Whether the condition may be true of vertices that occur in no branch.
    without_branches: bool = False
    branches: list[list[str]] = field(default_factory=list)


def label_pattern(
    value: str,
    graph: RelationalGraph,
    terms: Terms,
    variable: str,
    new: Callable[[str], str],
) -> LabelPattern:
    """The pattern for the vertices with a label; ``new`` makes variables."""
    members = _members(graph, value)
    if not len(members):
        return LabelPattern("false", "true")
    if value in _KINDS and _is_kind(graph, value, members):
        test = f"{_KINDS[value]}({variable})"
        return LabelPattern(test, f"!{test}", without_branches=True)
    types = _exact_types(graph, members)
    if types is not None:
        return _types_pattern(graph, types, terms, variable, new)
    if len(members) > _MOST_LISTED:
        raise NotInSparqlError(
            f"the label {value!r} is not in the RDF data, and {len(members):,} vertices have it"
        )
    listed = " ".join(terms.vertex(v) for v in members.tolist())
    mark = new("l")
    return LabelPattern(
        f"COUNT({mark}) > 0",
        f"COUNT({mark}) = 0",
        branches=[[f"VALUES {variable} {{ {listed} }}", f"BIND (true AS {mark})"]],
    )


def _members(graph: RelationalGraph, value: str) -> Int64Array:
    if graph.labels is None:
        return np.arange(graph.num_vertices if value == "" else 0)
    ids = {name: i for i, name in enumerate(graph.label_names)}
    return np.flatnonzero(graph.labels == ids.get(value, -1))


def _is_kind(graph: RelationalGraph, value: str, members: Int64Array) -> bool:
    """Whether exactly the terms of a kind have the label. Names are written as IRIs."""
    is_member = np.zeros(graph.num_vertices, dtype=bool)
    is_member[members] = True
    return all(
        (("iri" if (k := kind(name)) == "name" else k) == value) == member
        for name, member in zip(graph.vertex_names, is_member.tolist(), strict=True)
    )


def _exact_types(graph: RelationalGraph, members: Int64Array) -> list[int] | None:
    """The types of the members, if no other vertex has exactly these and all can be named."""
    if RDF_TYPE not in graph.relation_names:
        return None
    rows = graph.relation == graph.relation_names.index(RDF_TYPE)
    head, tail = graph.head[rows], graph.tail[rows]
    types = tail[head == members[0]]
    has_type = np.isin(tail, types)
    size = graph.num_vertices
    number = np.bincount(head, minlength=size)
    shared = np.bincount(head[has_type], minlength=size)
    exact = np.flatnonzero((number == len(types)) & (shared == len(types)))
    named = [v for v in types.tolist() if kind(graph.vertex_names[v]) in ("iri", "name")]
    if not np.array_equal(exact, members) or len(named) < len(types):
        return None
    return named


def _types_pattern(
    graph: RelationalGraph,
    types: list[int],
    terms: Terms,
    variable: str,
    new: Callable[[str], str],
) -> LabelPattern:
    relation, every = terms.relation(RDF_TYPE), new("t")
    branches = [[f"{variable} {relation} {every} ."]]
    if graph.literals == "drop":
        branches[0].append(f"FILTER (!isLiteral({every}))")
    conditions = [f"COUNT(DISTINCT {every}) = {len(types)}"]
    opposites = [f"COUNT(DISTINCT {every}) != {len(types)}"]
    for v in types:
        mark = new("l")
        branches.append([f"{variable} {relation} {terms.vertex(v)} .", f"BIND (true AS {mark})"])
        conditions.append(f"COUNT({mark}) > 0")
        opposites.append(f"COUNT({mark}) = 0")
    return LabelPattern(
        f"({' && '.join(conditions)})",
        f"({' || '.join(opposites)})",
        without_branches=not types,
        branches=branches,
    )
