"""Tables of targets: columns found by header, and clear errors."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import read_targets

GRAPH = RelationalGraph.from_triples([("a", "r", "b"), ("c", "r", "d"), ("1", "r", "2")])


def _written(folder: Path, text: str, name: str = "t.tsv") -> str:
    path = folder / name
    path.write_bytes(text.encode())
    return str(path)


def test_columns_are_found_by_header_and_by_what_are_vertices(tmp_path: Path) -> None:
    text = "id\tperson\tlabel_affiliation\r\n9\ta\tx\r\n8\tb\ty\r\n7\tzed\tx\r\n"
    found = read_targets(GRAPH, _written(tmp_path, text))
    assert [GRAPH.vertex_names[v] for v in found.vertices.tolist()] == ["a", "b"]
    assert found.labels == ("x", "y")
    assert found.classes == ("x", "y")
    assert found.missing == ("zed",)


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = _written(tmp_path, "one\ttwo\tthree\n1\ta\tb\n2\tc\td\n")
    found = read_targets(GRAPH, path, entity_column="one", label_column="three")
    assert [GRAPH.vertex_names[v] for v in found.vertices.tolist()] == ["1", "2"]
    assert found.labels == ("b", "d")


def test_a_csv_is_split_at_commas(tmp_path: Path) -> None:
    found = read_targets(GRAPH, _written(tmp_path, "entity,class\na,x\nb,y\n", "t.csv"))
    assert found.labels == ("x", "y")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("entity\tlabel\n", "no target below the header"),
        ("entity\tkind\na\tx\n", "no column of labels among entity, kind. Name it with"),
        ("label\nx\n", "no column of entities"),
        (
            "entity\tlabel\na\tx\ty\n",
            "line 2: expected 2 tab-separated fields as in the header, found 3",
        ),
        ("entity\tlabel\nq\tx\nz\ty\n", "none of the 2 entities is a vertex of the graph: q, z"),
        ("entity\tlabel\na\tx\na\ty\n", "line 3: a second label for 'a': 'x' and 'y'"),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_the_place(
    tmp_path: Path, text: str, message: str
) -> None:
    with pytest.raises(InputError) as caught:
        read_targets(GRAPH, _written(tmp_path, text))
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_a_column_that_is_not_there_is_refused_with_those_that_are(tmp_path: Path) -> None:
    path = _written(tmp_path, "entity\tlabel\na\tx\n")
    with pytest.raises(InputError, match="no column is called 'person', found entity, label"):
        read_targets(GRAPH, path, entity_column="person")


def test_the_benchmark_files_of_aifb_are_read_as_they_are(data_dir: Path) -> None:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")
    sizes = {"trainingSet": 140, "testSet": 36, "completeDataset": 176}
    for name, count in sizes.items():
        found = read_targets(graph, str(data_dir / "aifb" / f"{name}.tsv"))
        assert len(found) == count
        assert len(found.classes) == 4
        assert not found.missing
