"""Small samples of what people have: knowledge graphs with literals, blank nodes and targets."""

from __future__ import annotations

from collections.abc import Callable

from wlkg.examples.rdf_building import COMMON, rdf_graph
from wlkg.examples.university import university_targets
from wlkg.graph.relational_graph import RelationalGraph

_FAMILY = {"": "http://example.org/family#", "foaf": COMMON["foaf"], "xsd": COMMON["xsd"]}

#: What is to be learned about a sample: tables of vertices and classes by their file's ending.
TARGETS: dict[str, Callable[[], dict[str, list[tuple[str, str]]]]] = {
    "university": university_targets,
}
#: The header of such a table.
TARGETS_HEADER = ("person", "label_group")


def family() -> RelationalGraph:
    """Two marriages, their children, and what is said about them."""
    people = {
        ":ada": (('"Ada"@en',), "1962", (":dana", ":eli")),
        ":ben": (('"Ben"@en', '"Ben"@de'), "1960", (":dana", ":eli")),
        ":cleo": (('"Cleo"',), None, (":finn",)),
        ":dana": (('"Dana"',), "1990", ()),
        ":eli": (('"Eli"',), "1990", ()),
        ":finn": (('"Finn"',), None, ()),
    }
    triples = []
    for person, (names, born, children) in people.items():
        triples.append((person, "rdf:type", "foaf:Person"))
        triples += [(person, "foaf:name", name) for name in names]
        triples += [] if born is None else [(person, ":born", f'"{born}"^^xsd:gYear')]
        triples += [(person, ":parent", child) for child in children]
    for marriage, spouses in (("_:first", (":ada", ":ben")), ("_:second", (":cleo",))):
        triples.append((marriage, "rdf:type", ":Marriage"))
        triples += [(marriage, ":spouse", spouse) for spouse in spouses]
        triples.append((marriage, ":place", '"Ulm"'))
    return rdf_graph(triples, {**_FAMILY, "rdf": COMMON["rdf"]})


def traffic() -> RelationalGraph:
    """Lines between four stops: parallel relations, a loop and an isolated vertex."""
    lines = [
        ("station", "tram", "harbour"),
        ("station", "bus", "harbour"),
        ("harbour", "ferry", "museum"),
        ("museum", "bus", "station"),
        ("museum", "bus", "museum"),
    ]
    return RelationalGraph.from_triples(lines, vertices=["depot"])
