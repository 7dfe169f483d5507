"""Tables of targets: which column is which, and clear errors."""

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


def test_columns_are_recognised_by_their_titles_and_by_known_vertices(tmp_path: Path) -> None:
    text = "id\tperson\tlabel_affiliation\r\n9\ta\tx\r\n8\tb\ty\r\n7\tzed\tx\r\n"
    targets = read_targets(GRAPH, _written(tmp_path, text))
    assert [GRAPH.vertex_names[v] for v in targets.vertices.tolist()] == ["a", "b"]
    assert targets.labels == ("x", "y")
    assert targets.classes == ("x", "y")
    assert targets.missing == ("zed",)


def test_columns_may_be_named(tmp_path: Path) -> None:
    path = _written(tmp_path, "one\ttwo\tthree\n1\ta\tb\n2\tc\td\n")
    targets = read_targets(GRAPH, path, entity_column="one", label_column="three")
    assert [GRAPH.vertex_names[v] for v in targets.vertices.tolist()] == ["1", "2"]
    assert targets.labels == ("b", "d")


def test_a_csv_is_split_at_commas(tmp_path: Path) -> None:
    targets = read_targets(GRAPH, _written(tmp_path, "entity,class\na,x\nb,y\n", "t.csv"))
    assert targets.labels == ("x", "y")


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


def test_a_missing_column_is_refused_with_the_list_of_columns(tmp_path: Path) -> None:
    path = _written(tmp_path, "entity\tlabel\na\tx\n")
    with pytest.raises(InputError, match="no column is called 'person', found entity, label"):
        read_targets(GRAPH, path, entity_column="person")


def test_the_benchmark_files_of_aifb_are_read_unchanged(data_dir: Path) -> None:
    graph = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")
    sizes = {"trainingSet": 140, "testSet": 36, "completeDataset": 176}
    for name, count in sizes.items():
        targets = read_targets(graph, str(data_dir / "aifb" / f"{name}.tsv"))
        assert len(targets) == count
        assert len(targets.classes) == 4
        assert not targets.missing


def test_empty_names_are_shown_as_such(tmp_path: Path) -> None:
    graph = wlkg.read("example:c6")
    path = tmp_path / "targets.tsv"
    for text, message in (
        ("person\t\nx\ty\n", r"no column of labels among person, ''\. Name it"),
        ("person\tlabel\n\tb\n\tc\n", r"none of the 2 entities is a vertex of the graph: '', ''\."),
    ):
        path.write_text(text)
        with pytest.raises(InputError, match=message):
            read_targets(graph, str(path))
