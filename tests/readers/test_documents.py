"""GraphML, GEXF and node-link JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from wlkg import RelationalGraph
from wlkg.errors import InputError

GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="d0" for="edge" attr.name="relation" attr.type="string"/>
<key id="d1" for="node" attr.name="colour"/>
<graph edgedefault="{mode}">
<node id="a"><data key="d1">red</data></node>
<node id="b"><data key="d1">red</data></node>
<node id="c"><data key="d1">blue</data></node>
<edge source="a" target="b"><data key="d0">knows</data></edge>
<edge source="a" target="b"><data key="d0">likes</data></edge>
<edge source="b" target="b"><data key="d0">likes</data></edge>
</graph></graphml>"""

GEXF = """<gexf xmlns="http://www.gexf.net/1.2draft" version="1.2">
<graph defaultedgetype="{mode}">
<attributes class="edge"><attribute id="0" title="relation" type="string"/></attributes>
<attributes class="node"><attribute id="1" title="colour" type="string"/></attributes>
<nodes>
<node id="a" label="A"><attvalues><attvalue for="1" value="red"/></attvalues></node>
<node id="b" label="B"><attvalues><attvalue for="1" value="red"/></attvalues></node>
<node id="c" label="C"><attvalues><attvalue for="1" value="blue"/></attvalues></node>
</nodes>
<edges>
<edge source="a" target="b"><attvalues><attvalue for="0" value="knows"/></attvalues></edge>
<edge source="a" target="b"><attvalues><attvalue for="0" value="likes"/></attvalues></edge>
<edge source="b" target="b"><attvalues><attvalue for="0" value="likes"/></attvalues></edge>
</edges></graph></gexf>"""


def node_link(edges: str, mode: str) -> str:
    nodes = {"a": "red", "b": "red", "c": "blue"}
    rows = [("a", "knows", "b"), ("a", "likes", "b"), ("b", "likes", "b")]
    return json.dumps(
        {
            "directed": mode == "directed",
            "nodes": [{"id": name, "colour": colour} for name, colour in nodes.items()],
            edges: [{"source": h, "target": t, "relation": r, "key": 0} for h, r, t in rows],
        }
    )


DOCUMENTS = {
    "graphml": lambda mode: GRAPHML.format(mode=mode),
    "gexf": lambda mode: GEXF.format(mode=mode),
    "edges.json": lambda mode: node_link("edges", mode),
    "links.json": lambda mode: node_link("links", mode),
}


def read_text(tmp_path: Path, name: str, text: str | bytes, **options: Any) -> RelationalGraph:
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return wlkg.read(path, **options)


@pytest.mark.parametrize("name", DOCUMENTS)
@pytest.mark.parametrize("mode", ["directed", "undirected"])
def test_parallel_edges_loops_isolated_vertices_and_labels_are_read(
    name: str, mode: str, tmp_path: Path
) -> None:
    text = DOCUMENTS[name](mode)
    expected = RelationalGraph.from_triples(
        [("a", "knows", "b"), ("a", "likes", "b"), ("b", "likes", "b")],
        vertices=["c"],
        direction="both" if mode == "directed" else "undirected",
    )
    graph = read_text(tmp_path, f"g.{name}", text)
    assert graph == expected
    assert graph.notes == (
        "node attributes colour were not used (--label-attribute NAME uses one)",
    )
    labelled = read_text(tmp_path, f"g.{name}", text, label_attribute="colour")
    assert labelled == expected.with_labels(["red", "red", "blue"])


@pytest.mark.parametrize("name", DOCUMENTS)
def test_another_attribute_may_carry_the_relation(name: str, tmp_path: Path) -> None:
    text = DOCUMENTS[name]("directed").replace("relation", "says")
    graph = read_text(tmp_path, f"g.{name}", text, relation_attribute="says")
    assert graph.relation_names == ("knows", "likes")
    unnamed = read_text(tmp_path, f"g.{name}", text)
    assert unnamed.relation_names == ("edge",)
    assert unnamed.duplicates == 1
    assert unnamed.notes[0] == (
        "edge attributes says were not used (--relation-attribute NAME uses one)"
    )


def test_keys_that_networkx_wrote_to_json_are_relations(tmp_path: Path) -> None:
    network: nx.MultiDiGraph[str] = nx.MultiDiGraph()
    network.add_edge("a", "b", key="knows")
    network.add_edge("a", "b", key="likes")
    network.add_edge("b", "a")
    text = json.dumps(nx.node_link_data(network, edges="edges"))
    graph = read_text(tmp_path, "g.json", text)
    assert set(graph.named_triples()) == {
        ("a", "knows", "b"),
        ("a", "likes", "b"),
        ("b", "edge", "a"),
    }


def test_ids_of_graphml_edges_are_relations_only_if_they_repeat(tmp_path: Path) -> None:
    graphml = (
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
        '<node id="a"/><node id="b"/>'
        '<edge id="knows" source="a" target="b"/><edge id="likes" source="a" target="b"/>'
        "MORE</graph></graphml>"
    )
    unique = read_text(tmp_path, "g.graphml", graphml.replace("MORE", ""))
    assert (unique.relation_names, unique.duplicates) == (("edge",), 1)
    repeated = graphml.replace("MORE", '<edge id="likes" source="b" target="a"/>')
    assert read_text(tmp_path, "g.graphml", repeated).relation_names == ("knows", "likes")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_missing_attribute_is_refused(name: str, tmp_path: Path) -> None:
    text = DOCUMENTS[name]("directed")
    with pytest.raises(InputError, match=r"3 of 3 edges have no attribute 'x'; .* relation"):
        read_text(tmp_path, f"g.{name}", text, relation_attribute="x")
    with pytest.raises(InputError, match=r"3 of 3 nodes have no attribute 'x': a, ..."):
        read_text(tmp_path, f"g.{name}", text, label_attribute="x")


def test_a_relation_on_only_some_edges_is_refused(tmp_path: Path) -> None:
    for value in ("{}", '{"relation": null}'):
        edge = '{"source": "a", "target": "b", ' + value[1:]
        text = (
            '{"nodes": [{"id": "a"}, {"id": "b"}], "edges": ['
            f"{edge.replace(', }', '}')}, "
            '{"source": "b", "target": "a", "relation": "r"}]}'
        )
        with pytest.raises(InputError, match="1 of 2 edges have no attribute 'relation'"):
            read_text(tmp_path, "g.json", text)


@pytest.mark.parametrize("name", ["graphml", "gexf"])
@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE x [<!ENTITY e "boom">]>',
        '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/hostname">]>',
        '<!DOCTYPE x [<!ENTITY % e SYSTEM "http://localhost/e.dtd"> %e;]>',
        '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>',
    ],
)
def test_entities_are_refused_before_anything_is_expanded(
    name: str, declaration: str, tmp_path: Path
) -> None:
    text = declaration + "\n" + DOCUMENTS[name]("directed").replace('id="a"', 'id="&e;"', 1)
    with pytest.raises(InputError, match="declares the XML entity"):
        read_text(tmp_path, f"g.{name}", text)


@pytest.mark.parametrize("name", ["graphml", "gexf"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not xml", "line 1, column"),
        ("<a><b></a>", r"line 1, column 9: not a \w+ document: mismatched tag"),
        ("<a/>", r"not a \w+ document|no vertex"),
        ("<!-- only a comment -->", "no XML element|no element"),
    ],
)
def test_a_broken_xml_document_is_refused(
    name: str, text: str, message: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        read_text(tmp_path, f"g.{name}", text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"nodes": [', "line 1, column 12: not JSON"),
        (b"\xff\xfe\xff", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('{"nodes": [{"id": %s}], "edges": []}' % ("9" * 5000), "not JSON: Exceeds the limit"),
        ("[]", 'expected an object with "nodes"'),
        ('{"nodes": {}}', 'expected an object with "nodes"'),
        ('{"nodes": [{"id": 1}]}', "not node-link JSON: KeyError: 'edges'"),
        ('{"nodes": [{"id": 1}], "edges": 5}', "not node-link JSON: 'int' object"),
        ('{"nodes": [{"id": 1}], "edges": null}', "not node-link JSON"),
        ('{"nodes": [{"id": 1}], "edges": [3]}', "not node-link JSON"),
        ('{"nodes": [1], "edges": []}', "not node-link JSON"),
        ('{"nodes": [{"id": {}}], "edges": []}', "not node-link JSON"),
        ('{"nodes": [{"id": null}], "edges": []}', "not node-link JSON"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1}]}', "KeyError: 'target'"),
        ('{"nodes": [], "edges": []}', "no vertex"),
        ('{"nodes": [{"id": ""}], "edges": []}', "empty name"),
        ('{"nodes": [{"id": 1}, {"id": "1"}], "edges": []}', "same text"),
        ('{"nodes": [{"id": "\\ud800"}], "edges": []}', "surrogate"),
        (
            '{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 1, "relation": "r^-1"}]}',
            "reserved suffix",
        ),
    ],
)
def test_broken_node_link_json_is_refused(text: str | bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        read_text(tmp_path, "g.json", text)


def test_edges_by_position_are_not_mistaken_for_edges_by_id(tmp_path: Path) -> None:
    text = '{"nodes": [{"id": "a"}, {"id": "b"}], "links": [{"source": 0, "target": 1}]}'
    with pytest.raises(InputError, match='2 entries under "nodes", but 4 different nodes in all'):
        read_text(tmp_path, "g.json", text)


@pytest.mark.parametrize("suffix", ["json", "graphml", "gexf"])
@given(data=st.binary(max_size=60))
def test_any_bytes_load_or_are_refused(
    suffix: str, data: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(wlkg.WlkgError):
        read_text(tmp_path_factory.getbasetemp(), f"fuzz.{suffix}", data)


SHREDS = st.recursive(
    st.none() | st.booleans() | st.integers(-1, 2) | st.sampled_from(["", "a", "b"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "source", "target", "relation"]), inner)
    ),
    max_leaves=4,
)
RECORDS = st.fixed_dictionaries(
    {},
    optional={"id": SHREDS, "source": SHREDS, "target": SHREDS, "relation": SHREDS, "key": SHREDS},
)


@given(
    st.fixed_dictionaries(
        {"nodes": st.lists(RECORDS | SHREDS, max_size=3) | SHREDS},
        optional={
            "edges": st.lists(RECORDS | SHREDS, max_size=3) | SHREDS,
            "links": SHREDS,
            "directed": SHREDS,
            "multigraph": SHREDS,
            "graph": SHREDS,
        },
    )
)
def test_any_json_of_about_the_right_shape_loads_or_is_refused(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]
) -> None:
    try:
        graph = read_text(tmp_path_factory.getbasetemp(), "fuzz.json", json.dumps(document))
    except InputError:
        return
    assert graph.num_vertices == len(document["nodes"])


def test_a_document_written_by_networkx_is_read(tmp_path: Path) -> None:
    network: nx.DiGraph[str] = nx.DiGraph([("a", "b"), ("b", "c")])
    nx.write_gexf(network, tmp_path / "g.gexf")
    nx.write_graphml(network, tmp_path / "g.graphml")
    expected = RelationalGraph.from_networkx(network)
    for name in ("g.gexf", "g.graphml"):
        graph = wlkg.read(tmp_path / name)
        assert graph == expected
        assert graph.notes == ()
