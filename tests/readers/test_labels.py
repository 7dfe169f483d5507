"""Labels by kind, by type, and from a table."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from tests.strategies import labels_by_name
from wlkg import RelationalGraph
from wlkg.errors import GraphError, InputError
from wlkg.graph.terms import RDF_TYPE


def test_labels_by_kind_are_the_kinds_of_rdf_terms() -> None:
    graph = RelationalGraph.from_triples([("http://e/a", "p", '"x"@en'), ("_:b", "p", "plain")])
    assert labels_by_name(wlkg.label(graph, "kind")) == {
        "http://e/a": "iri",
        '"x"@en': "literal",
        "_:b": "blank",
        "plain": "name",
    }


def test_labels_by_type_are_the_sets_of_types() -> None:
    rows = [("x", "T"), ("x", "S"), ("y", "S"), ("y", "T"), ("z", "S"), ("q", "S T"), ("q", "S")]
    graph = RelationalGraph.from_triples(
        [(v, RDF_TYPE, t) for v, t in rows] + [("x", "r", "untyped")]
    )
    labels = labels_by_name(wlkg.label(graph, "type"))
    assert labels["x"] == labels["y"] == "S T"
    assert labels["z"] == "S"
    assert labels["untyped"] == labels["S"] == ""
    assert len({labels[v] for v in "xzq"}) == 3


def test_a_type_with_a_space_is_not_two_types() -> None:
    graph = RelationalGraph.from_triples(
        [("one", RDF_TYPE, "S T"), ("two", RDF_TYPE, "S"), ("two", RDF_TYPE, "T")]
    )
    labels = labels_by_name(wlkg.label(graph, "type"))
    assert labels["one"] != labels["two"]


def test_labels_by_type_need_the_relation() -> None:
    with pytest.raises(GraphError, match=r"no relation http://www.w3.org"):
        wlkg.label(RelationalGraph.from_triples([("a", "type", "b")]), "type")


@pytest.mark.parametrize(
    "text",
    [
        "a\tred\nb\tblue",
        "Vertex\tLabel\r\nb\tblue\r\n\r\na\tred\r\n",
        "\ufeffnode\tcolour\na\tred\na\tred\nb\tblue\n",
        "<a>\tred\nb\tblue\n",
    ],
)
def test_labels_are_read_from_a_table(text: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_bytes(text.encode())
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    assert labels_by_name(wlkg.label(graph, path)) == {"a": "red", "b": "blue"}


def test_a_vertex_that_is_called_like_a_column_is_labelled(tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_text("name\tclass\nb\tblue\n")
    graph = RelationalGraph.from_triples([("name", "r", "b")])
    assert labels_by_name(wlkg.label(graph, path)) == {"name": "class", "b": "blue"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a\tred\nb", "line 2: expected 2 tab-separated fields .* found 1"),
        (b"a\tred\tx\nb\tred", "line 1: .* found 3"),
        (b"a\tred\nb\tred\na\tblue", "line 3: a second label for 'a': 'red' and 'blue'"),
        (b"a\tred", "1 vertex has no label: b. Every vertex needs one"),
        (
            b"a\tx\nb\tx\nc\tx\nd\tx\ne\tx\nf\tx",
            "line 3: 4 names are not vertices of the graph: c, d, e, ...",
        ),
        (b"a\tred\nb\t\xff", "line 2, column 3: byte 0xff is not UTF-8"),
        (b"", "the file is empty"),
    ],
)
def test_a_bad_table_of_labels_is_refused(text: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "labels.tsv"
    path.write_bytes(text)
    with pytest.raises(InputError, match=message):
        wlkg.label(RelationalGraph.from_triples([("a", "r", "b")]), path)


@pytest.mark.parametrize(
    ("given", "meant"), [("kinds", "kind"), ("Type", "type"), ("types", "type")]
)
def test_a_misspelt_choice_is_recognised(given: str, meant: str) -> None:
    with pytest.raises(InputError, match=rf"no such file\. Did you mean --labels {meant}\?"):
        wlkg.label(wlkg.read("example:c6"), given)


def test_a_file_may_be_called_like_a_misspelt_choice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kinds").write_text("".join(f"{v}\t{v % 2}\n" for v in range(6)))
    assert wlkg.label(wlkg.read("example:c6"), "kinds").label_names == ("0", "1")
