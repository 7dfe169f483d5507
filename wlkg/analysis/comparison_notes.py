"""Remarks on a comparison: names that only one graph has, and names that are not compared."""

from __future__ import annotations

from wlkg.graph.name_labels import ANONYMOUS, has_names, own_names
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import counted, first_few


def notes_about(one: RelationalGraph, two: RelationalGraph, *, names: bool) -> tuple[str, ...]:
    """Relations, labels and, if they are compared, names of vertices that only one graph has."""
    notes = [
        *_only_in_one("relation", set(one.relation_names), set(two.relation_names)),
        *_only_in_one("label", set(one.label_names), set(two.label_names)),
    ]
    if (one.labels is None) != (two.labels is None):
        which = "first" if one.labels is None else "second"
        notes.append(f"the {which} graph has no labels: its vertices get the empty label")
    if names:
        first, second = (set(own_names(graph)) - {ANONYMOUS} for graph in (one, two))
        notes += _only_in_one("vertex name", first, second)
    return tuple(notes)


def _only_in_one(what: str, first: set[str], second: set[str]) -> list[str]:
    notes = []
    for which, missing in (("first", first - second), ("second", second - first)):
        if missing:
            names = counted(len(missing), what, f"{what}s")
            notes.append(f"{names} only in the {which} graph: {first_few(sorted(missing))}")
    return notes


def names_matter(one: RelationalGraph, two: RelationalGraph) -> bool:
    """Whether vertices have names, and the graphs are not the same with all names."""
    return (has_names(one) or has_names(two)) and one != two
