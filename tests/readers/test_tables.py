"""The one reader of vertex tables: separators, widths, unknown names and missing vertices."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.labels import read_labels
from wlkg.readers.tables import assign, assign_vertices, read_table, read_vertices, separator_of
from wlkg.readers.targets import read_targets

GRAPH = RelationalGraph.from_triples([("a", "r", "b"), ("c\td", "r", "<e>")])


def _written(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    data = text.encode()
    path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
    return str(path)


@pytest.mark.parametrize(
    ("path", "separator"),
    [
        ("t.csv", ","),
        ("T.CSV", ","),
        ("t.csv.gz", ","),
        ("t.csv.zst", ","),
        ("t.tsv", "\t"),
        ("t.csv.tsv", "\t"),
        ("t.csv.tsv.gz", "\t"),
        ("a.csv.d/t.tsv", "\t"),
        ("a.csv/t", "\t"),
        ("t.csv.d", "\t"),
        ("-", "\t"),
    ],
)
def test_only_the_suffix_of_the_file_chooses_the_separator(path: str, separator: str) -> None:
    assert separator_of(path) == separator


@pytest.mark.parametrize("name", ["a.csv.d/t.tsv", "a.csv.d/t.tsv.gz", "t.csv.tsv"])
def test_targets_in_a_tsv_are_read_wherever_it_lies(tmp_path: Path, name: str) -> None:
    path = _written(tmp_path / name, "entity\tclass\na\tx\nb\ty\n")
    assert read_targets(GRAPH, path).labels == ("x", "y")


def test_targets_in_a_compressed_csv_are_split_at_commas(tmp_path: Path) -> None:
    path = _written(tmp_path / "t.csv.gz", "entity,class\na,x\nb,y\n")
    assert read_targets(GRAPH, path).labels == ("x", "y")


def test_rows_have_numbers_and_blank_lines_are_skipped(tmp_path: Path) -> None:
    table = read_table(_written(tmp_path / "t", "a\tx\r\n\r\n \nb\ty"))
    assert [(row.line, list(row.cells)) for row in table.rows] == [(1, ["a", "x"]), (4, ["b", "y"])]
    assert [row.line for row in table.below_header().rows] == [4]


@pytest.mark.parametrize(
    ("separator", "text", "message"),
    [
        ("\t", "a\tx\nb\n", "line 2: expected 2 tab-separated fields as in line one, found 1"),
        (",", "a,x\nb,y,z\n", "line 2: expected 2 comma-separated fields as in line one, found 3"),
    ],
)
def test_all_rows_have_the_same_width(
    tmp_path: Path, separator: str, text: str, message: str
) -> None:
    path = _written(tmp_path / "t", text)
    with pytest.raises(InputError, match=message):
        read_table(path, separator=separator, layout="as in line one")


def test_without_a_separator_a_line_is_a_name(tmp_path: Path) -> None:
    path = _written(tmp_path / "t", "c\td\nb\n<e>\nb\n")
    names = [GRAPH.vertex_names[v] for v in read_vertices(GRAPH, path).tolist()]
    assert names == ["c\td", "b", "<e>"]


def test_no_vertices_may_be_named(tmp_path: Path) -> None:
    assert read_vertices(GRAPH, _written(tmp_path / "t", "\n")).tolist() == []


def test_unknown_names_are_collected_with_their_rows(tmp_path: Path) -> None:
    table = read_table(_written(tmp_path / "t", "1\ta\n2\tnobody\n3\tb\n"))
    assignment = assign(table, GRAPH.find_vertex, lambda row: row.cells[0], noun="number", column=1)
    assert assignment.values == {GRAPH.vertex("a"): "1", GRAPH.vertex("b"): "3"}
    assert [row.line for row in assignment.unknown] == [2]


def test_unknown_vertices_are_refused_with_the_first_line(tmp_path: Path) -> None:
    path = _written(tmp_path / "t", "a\nx\nb\ny\n")
    with pytest.raises(InputError, match=r"t, line 2: 2 names are not vertices of the graph: x, y"):
        read_vertices(GRAPH, path)
    path = _written(tmp_path / "t", "a\nx\n")
    with pytest.raises(InputError, match="line 2: 1 name is not a vertex of the graph: x"):
        read_vertices(GRAPH, path)


def test_missing_vertices_are_listed_before_the_remedy(tmp_path: Path) -> None:
    path = _written(tmp_path / "t", "b\tx\n")
    missing = r"3 vertices have no label: <e>, a, c\td\. Every vertex needs one"
    with pytest.raises(InputError, match=missing):
        read_labels(GRAPH, path)
    numbers = RelationalGraph.from_arrays([0], [0], [1], num_vertices=9)
    path = _written(tmp_path / "t", "0\tx\n")
    with pytest.raises(InputError, match=r"no label: 1, 2, 3, \.\.\. Every vertex needs one"):
        read_labels(numbers, path)


def test_a_long_value_is_shortened_in_the_message(tmp_path: Path) -> None:
    table = read_table(_written(tmp_path / "t", f"a\t{'x' * 500}\na\ty\n"))
    with pytest.raises(InputError) as caught:
        assign_vertices(GRAPH, table, lambda row: row.cells[1], noun="label")
    assert "line 2: a second label for 'a': 'xxx" in str(caught.value)
    assert str(caught.value).endswith("xxx... and 'y'")
    assert len(caught.value.message) < 150


def test_a_table_of_labels_is_split_at_tabs_whatever_its_suffix(tmp_path: Path) -> None:
    graph = RelationalGraph.from_triples([("a,b", "r", "c")])
    path = _written(tmp_path / "labels.csv", "a,b\tx,y\nc\tz\n")
    assert read_labels(graph, path) == ["x,y", "z"]
