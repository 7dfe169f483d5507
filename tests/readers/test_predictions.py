"""Tables of predictions: headers, further columns, quoted cells, and names that are no vertices."""

from __future__ import annotations

from pathlib import Path

import pytest

from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.predictions import read_predictions

GRAPH = RelationalGraph.from_triples(
    [
        ("http://example.org/anna", "http://example.org/knows", "http://example.org/bert"),
        ("http://example.org/anna", "http://example.org/says", '"hello, you"@en'),
    ]
)


def read(folder: Path, text: str, name: str = "predictions.tsv") -> dict[str, str]:
    path = folder / name
    path.write_text(text)
    targets = read_predictions(GRAPH, str(path), {"ex": "http://example.org/"})
    names = [GRAPH.vertex_names[v].rpartition("/")[2] for v in targets.vertices.tolist()]
    return dict(zip(names, targets.labels, strict=True))


@pytest.mark.parametrize("header", ["", "vertex\tclass\n", "Node\tPrediction\n"])
def test_a_header_may_be_left_out(tmp_path: Path, header: str) -> None:
    text = f"{header}http://example.org/anna\tA\n<http://example.org/bert>\tB\n"
    assert read(tmp_path, text) == {"anna": "A", "bert": "B"}


def test_the_header_finds_the_columns(tmp_path: Path) -> None:
    text = "probability\tclass\tvertex\n0.9\tA\thttp://example.org/anna\n"
    assert read(tmp_path, text) == {"anna": "A"}


def test_names_may_be_prefixed(tmp_path: Path) -> None:
    assert read(tmp_path, "ex:anna\tA\nbert\tB\n") == {"anna": "A", "bert": "B"}


def test_cells_of_a_csv_may_be_quoted(tmp_path: Path) -> None:
    text = 'vertex,class,probability\n"""hello, you""@en",A,1.0\n'
    assert read(tmp_path, text, "predictions.csv") == {'"hello, you"@en': "A"}


def test_a_vertex_may_be_repeated_with_the_same_class_only(tmp_path: Path) -> None:
    assert read(tmp_path, "ex:anna\tA\nhttp://example.org/anna\tA\n") == {"anna": "A"}
    with pytest.raises(InputError, match="line 2: a second class for 'ex:anna': 'A' and 'B'"):
        read(tmp_path, "http://example.org/anna\tA\nex:anna\tB\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("\n", "the file of predictions is empty"),
        ("vertex\tclass\n", "no predictions below the header"),
        ("http://example.org/anna\n", "line 1: expected a vertex and its class, found 1 field"),
        ("ex:anna\tA\nex:bert\n", "line 2: expected 2 tab-separated fields"),
        (
            "ex:anna\tA\nex:berta\tB\n",
            "line 2: 1 name is not a vertex of the graph: ex:berta. The nearest names: ex:bert",
        ),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(tmp_path, text)


def test_a_csv_with_rows_of_different_widths_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="line 2: expected 2 comma-separated fields"):
        read(tmp_path, "ex:anna,A\nex:bert\n", "predictions.csv")


def test_a_line_that_is_not_csv_is_an_input_error(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_bytes(b"ann,x\na\rb,x\n")
    with pytest.raises(InputError, match="line 2: not a line of CSV"):
        read_predictions(RelationalGraph.from_triples([("ann", "r", "bob")]), str(path))
