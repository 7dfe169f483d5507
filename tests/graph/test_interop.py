"""Conversion to and from networkx, rdflib and PyTorch Geometric."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
import rdflib
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from tests.strategies import relational_graphs
from wlkg import RelationalGraph, WlkgError
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import GraphError
from wlkg.graph.names import canonical_order

torch = pytest.importorskip("torch")
Data = pytest.importorskip("torch_geometric.data").Data
HeteroData = pytest.importorskip("torch_geometric.data").HeteroData


def in_canonical_form(graph: RelationalGraph) -> RelationalGraph:
    """The graph as a reader would number it: canonical order, used names only, lower end first."""
    rows = [
        (*sorted((h, t)), r) if graph.direction == "undirected" else (h, t, r)
        for h, r, t in graph.named_triples()
    ]
    result = RelationalGraph.from_triples(
        [(h, r, t) for h, t, r in rows],
        vertices=graph.vertex_names,
        direction="undirected" if graph.direction == "undirected" else "both",
    )
    if graph.labels is None:
        return result
    labels = [graph.label_names[i] for i in graph.labels.tolist()]
    return result.with_labels(dict(zip(graph.vertex_names, labels, strict=True)))


# -- networkx -----------------------------------------------------------------------------------


@given(relational_graphs())
def test_a_graph_survives_networkx(graph: RelationalGraph) -> None:
    network = graph.to_networkx()
    assert network.is_directed() == (graph.direction != "undirected")
    if graph.labels is not None and not graph.num_vertices:
        return  # without a vertex, labels leave no trace
    assert RelationalGraph.from_networkx(network) == in_canonical_form(graph)


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_any_networkx_graph_is_read_with_its_nodes_as_text(kind: Any) -> None:
    network = kind([(10, 9), (9, 9)])
    network.add_node((1, "x"))
    graph = RelationalGraph.from_networkx(network)
    assert graph.vertex_names == ("9", "10", "(1, 'x')")
    assert graph.relation_names == ("edge",)
    assert graph.direction == ("both" if network.is_directed() else "undirected")
    rows = set(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))
    assert rows == {(1, 0) if network.is_directed() else (0, 1), (0, 0)}


def test_networkx_attributes_carry_relations_and_labels() -> None:
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    network.add_node("a", colour=1)
    network.add_node("b", colour=2)
    network.add_edge("a", "b", says="x")
    network.add_edge("a", "b", says="y")
    network.add_edge("a", "b", says="y")
    graph = RelationalGraph.from_networkx(
        network, relation_attribute="says", label_attribute="colour"
    )
    assert graph == RelationalGraph.from_triples([("a", "x", "b"), ("a", "y", "b")]).with_labels(
        ["1", "2"]
    )
    assert graph.duplicates == 1


def test_keys_of_a_networkx_multigraph_are_relations_unless_they_are_numbers() -> None:
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    network.add_edge("a", "b", key="knows")
    network.add_edge("a", "b", key="likes")
    graph = RelationalGraph.from_networkx(network)
    assert list(graph.named_triples()) == [("a", "knows", "b"), ("a", "likes", "b")]
    assert graph.notes == ()
    network.add_edge("b", "a", key=np.int64(7))
    mixed = RelationalGraph.from_networkx(network)
    assert ("b", "edge", "a") in set(mixed.named_triples())
    assert mixed.notes == ("the relation 'edge' holds 1 edge with a number for a key",)


def test_what_is_dropped_from_a_networkx_graph_is_noted() -> None:
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    network.add_edge("a", "b", key="k", relation="knows", since=1990)
    nx.set_node_attributes(network, {"a": "red", "b": "red"}, "colour")
    assert RelationalGraph.from_networkx(network).notes == (
        "edge attributes since were not used",
        "keys were not used: 1 edge with a key that differs from the relation",
        "node attributes colour were not used (--label-attribute NAME uses one)",
    )
    network.add_edge("a", "b", relation="knows")
    assert RelationalGraph.from_networkx(network).duplicates == 1


def test_networkx_nodes_of_the_same_text_are_refused() -> None:
    with pytest.raises(GraphError, match="same text, such as 1 and '1'"):
        RelationalGraph.from_networkx(nx.Graph([(1, "1")]))


# -- rdflib -------------------------------------------------------------------------------------

TURTLE = """@prefix : <http://e/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:a :p :b, "x", "x"@en, "x"^^xsd:string, "01"^^xsd:integer, 5, 1.50, true, "a\\"b\\n\\u0007é"@de-AT .
:a a :T . _:q :p :a . :b :knows _:q, _:q .
<urn:wlkg:name:plain> :p <http://e/%C3%A9> .
"""


def test_an_rdflib_graph_equals_the_same_turtle_read_from_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(TURTLE)
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    graph = rdflib.Graph().parse(path)
    blank = next(s for s in graph.subjects() if isinstance(s, rdflib.BNode))
    expected = wlkg.read(path)
    converted = RelationalGraph.from_rdflib(graph)
    rename = {f"_:{blank}": "_:q"}
    rows = {tuple(rename.get(n, n) for n in row) for row in converted.named_triples()}
    assert rows == set(expected.named_triples())
    assert converted.num_vertices == expected.num_vertices


LITERALS = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=5).map(rdflib.Literal),
    st.sampled_from(["en", "de-at"]).map(lambda tag: rdflib.Literal("x", lang=tag)),
    st.sampled_from(["01", "1", "+1", "x"]).map(
        lambda text: rdflib.Literal(text, datatype=rdflib.XSD.integer, normalize=False)
    ),
)
NODES = st.sampled_from([rdflib.URIRef(f"http://e/{c}") for c in "abé"]) | st.sampled_from(
    [rdflib.BNode("b1"), rdflib.BNode("anon1")]
)


@given(st.lists(st.tuples(NODES, st.sampled_from([rdflib.RDF.type]), NODES | LITERALS)))
def test_a_graph_survives_rdflib(triples: list[Any]) -> None:
    given = rdflib.Graph()
    for triple in triples:
        given.add(triple)
    graph = RelationalGraph.from_rdflib(given)
    assert graph.num_triples == len(given)
    back = graph.to_rdflib()
    assert set(back) == set(given)
    assert RelationalGraph.from_rdflib(back) == graph


@given(relational_graphs(labels=False))
def test_plain_names_survive_rdflib(graph: RelationalGraph) -> None:
    back = RelationalGraph.from_rdflib(graph.to_rdflib())
    rows = set(graph.named_triples())
    if graph.direction == "undirected":
        rows |= {(t, r, h) for h, r, t in rows}
    assert set(back.named_triples()) == rows


def test_a_literal_that_is_a_head_too_stays_one_vertex() -> None:
    graph = RelationalGraph.from_triples([('"x"', "p", "a"), ("a", "p", '"x"')])
    back = graph.to_rdflib()
    assert len(set(back.all_nodes())) == 2
    assert RelationalGraph.from_rdflib(back) == graph


def test_all_graphs_of_an_rdflib_dataset_are_merged() -> None:
    dataset = rdflib.Dataset()
    a, p, b = (rdflib.URIRef(f"http://e/{x}") for x in "apb")
    dataset.default_graph.add((a, p, b))
    dataset.graph(rdflib.URIRef("http://e/g")).add((a, p, b))
    dataset.graph(rdflib.URIRef("http://e/h")).add((b, p, rdflib.Literal("x")))
    graph = RelationalGraph.from_rdflib(dataset)
    assert set(graph.named_triples()) == {
        ("http://e/a", "http://e/p", "http://e/b"),
        ("http://e/b", "http://e/p", '"x"'),
    }
    assert graph.duplicates == 1


def test_rdflib_literals_follow_the_policy(tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text('@prefix : <http://e/> . :a :p "x" . :b :p "x" . :a :p :b .')
    graph = rdflib.Graph().parse(path)
    for policy in ("shared", "occurrence", "drop"):
        converted = RelationalGraph.from_rdflib(graph, literals=policy)
        assert converted == wlkg.read(path, literals=policy)
    with pytest.raises(WlkgError, match="unknown literal policy 'all'"):
        RelationalGraph.from_rdflib(graph, literals="all")


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    ("term", "message"),
    [
        (rdflib.Literal("x", datatype=rdflib.URIRef("not an iri")), "rdflib literal"),
        (rdflib.Variable("x"), "unknown kind"),
        (rdflib.URIRef("_:b"), "URIRef that is not an IRI"),
        (rdflib.URIRef('"x"'), "URIRef that is not an IRI"),
        (rdflib.URIRef(""), "empty name"),
    ],
)
def test_rdflib_terms_that_are_not_valid_rdf_are_refused(term: Any, message: str) -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("http://e/a"), rdflib.RDF.type, term))
    with pytest.raises(GraphError, match=message):
        RelationalGraph.from_rdflib(graph)


def test_triple_terms_cannot_be_converted_to_rdflib() -> None:
    name = "<<( <http://e/a> <http://e/p> <http://e/b> )>>"
    graph = RelationalGraph.from_triples([("http://e/a", "http://e/says", name)])
    with pytest.raises(GraphError, match="rdflib has no triple terms"):
        graph.to_rdflib()


# -- PyTorch Geometric --------------------------------------------------------------------------


@given(relational_graphs())
def test_a_graph_survives_pyg(graph: RelationalGraph) -> None:
    data = graph.to_pyg()
    assert data.num_nodes == graph.num_vertices
    assert RelationalGraph.from_pyg(data) == graph


@pytest.mark.parametrize("direction", DIRECTIONS)
@given(graph=relational_graphs())
def test_pyg_edges_under_a_direction_mode_are_the_arcs(
    direction: Direction, graph: RelationalGraph
) -> None:
    data, arcs = graph.to_pyg(direction), graph.arcs(direction)
    owner = np.repeat(np.arange(graph.num_vertices), np.diff(arcs.offsets))
    assert data.edge_index.tolist() == [arcs.neighbour.tolist(), owner.tolist()]
    assert data.edge_type.tolist() == arcs.relation.tolist()
    assert data.relation_names == list(arcs.relation_names)
    if direction != "both":
        assert np.array_equal(RelationalGraph.from_pyg(data).arcs().neighbour, arcs.neighbour)


def test_plain_pyg_data_has_one_relation_and_numbers_for_names() -> None:
    data = Data(edge_index=torch.tensor([[0, 1, 1], [1, 2, 2]]), num_nodes=4)
    graph = RelationalGraph.from_pyg(data)
    assert graph == RelationalGraph.from_arrays([0, 1], [0, 0], [1, 2], num_vertices=4)
    assert graph.duplicates == 1
    typed = Data(edge_index=data.edge_index, edge_type=torch.tensor([2, 0, 1]), num_nodes=3)
    assert RelationalGraph.from_pyg(typed).relation_names == ("0", "1", "2")


def test_hetero_data_has_types_as_labels_and_relations() -> None:
    data = HeteroData()
    data["paper"].num_nodes = 2
    data["author"].num_nodes = 2
    data["author", "writes", "paper"].edge_index = torch.tensor([[0, 1], [1, 1]])
    data["paper", "cites", "paper"].edge_index = torch.tensor([[0], [1]])
    graph = RelationalGraph.from_pyg(data)
    assert set(graph.named_triples()) == {
        ("author/0", "author/writes/paper", "paper/1"),
        ("author/1", "author/writes/paper", "paper/1"),
        ("paper/0", "paper/cites/paper", "paper/1"),
    }
    assert graph.labels is not None
    assert [graph.label_names[i] for i in graph.labels] == ["paper"] * 2 + ["author"] * 2


def without_edges() -> Any:
    data = HeteroData()
    data["a"].num_nodes = 1
    data["a", "r", "a"].weight = torch.zeros(1)
    return data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (Data(num_nodes=2), "edge_index must have two rows of vertex numbers, found nothing"),
        (Data(edge_index=torch.zeros(3, 2, dtype=torch.long), num_nodes=1), "the shape"),
        (Data(edge_index=torch.zeros(2, dtype=torch.long), num_nodes=1), "the shape"),
        (Data(edge_index=torch.zeros(2, 3), num_nodes=1), "must hold integers, found float32"),
        (Data(edge_index=torch.tensor([[0], [5]]), num_nodes=3), "vertex id 5 does not lie in"),
        (
            Data(edge_index=torch.tensor([[0], [0]]), edge_type=torch.tensor([0, 1]), num_nodes=1),
            "same length, found 1, 2, 1",
        ),
        (without_edges(), "a/r/a must have two rows of vertex numbers, found nothing"),
    ],
)
def test_pyg_data_that_is_not_a_graph_is_refused(data: Any, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        RelationalGraph.from_pyg(data)


def test_arcs_with_inverse_relations_are_not_accepted_as_triples() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    with pytest.raises(GraphError, match="reserved suffix"):
        RelationalGraph.from_pyg(graph.to_pyg("both"))


def test_reading_pyg_data_needs_no_torch() -> None:
    program = """
import sys, types, numpy
from wlkg.graph import RelationalGraph
class Tensor(numpy.ndarray):
    def detach(self): return self
    def cpu(self): return self
    def numpy(self): return numpy.asarray(self)
class Data(types.SimpleNamespace):
    def __contains__(self, key): return hasattr(self, key)
index = numpy.array([[0, 1], [1, 2]]).view(Tensor)
graph = RelationalGraph.from_pyg(Data(edge_index=index, num_nodes=3))
assert graph.num_triples == 2
assert not {"torch", "torch_geometric"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_names_from_all_libraries_are_in_canonical_order() -> None:
    names = ["b", "10", "9", "a"]
    network: nx.DiGraph[str] = nx.DiGraph([(name, "9") for name in names])
    graphs = [RelationalGraph.from_networkx(network), RelationalGraph.from_triples(
        (name, "edge", "9") for name in names
    )]  # fmt: skip
    assert all(list(graph.vertex_names) == canonical_order(names) for graph in graphs)


@pytest.mark.parametrize("policy", ["drop", "occurrence"])
def test_an_iri_that_encodes_a_quoted_name_is_not_a_literal_in_rdflib_either(policy: str) -> None:
    graph = rdflib.Graph()
    quoted = rdflib.URIRef("urn:wlkg:name:%22x%22")
    graph.add((rdflib.URIRef("http://a"), rdflib.URIRef("http://b"), quoted))
    triples = list(RelationalGraph.from_rdflib(graph, literals=policy).named_triples())
    assert triples == [("http://a", "http://b", '"x"')]
