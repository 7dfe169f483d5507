"""Parquet tables of triples."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import wlkg
from wlkg import RelationalGraph
from wlkg.errors import InputError, UsageError
from wlkg.graph.triple_table import TripleTable
from wlkg.readers import parquet as reader
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Source

TRIPLES = [("a", "knows", "b"), ("b", "knows", "NA"), ("b", "likes", " x")]
EXPECTED = RelationalGraph.from_triples(TRIPLES)
HEADS, RELATIONS, TAILS = ([triple[j] for triple in TRIPLES] for j in range(3))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "table.parquet"


def read_table(path: Path, content: Any, **options: Any) -> RelationalGraph:
    pq.write_table(pa.table(content), path)
    return wlkg.read(path, **options)


@pytest.mark.parametrize("names", [("head", "relation", "tail"), ("S", "P", "O"), ("x", "y", "z")])
def test_common_titles_or_else_the_first_three_columns_are_used(
    names: tuple[str, str, str], path: Path
) -> None:
    columns = dict(zip(names, (HEADS, RELATIONS, TAILS), strict=True))
    assert read_table(path, columns) == EXPECTED


def test_common_titles_are_recognised_in_any_order_among_others(path: Path) -> None:
    columns = {"weight": [0.5] * 3, "target": TAILS, "source": HEADS, "type": RELATIONS}
    assert read_table(path, columns) == EXPECTED


def test_columns_may_be_chosen_by_name_or_position(path: Path) -> None:
    columns = {"a.b": TAILS, "c": [1.0] * 3, "d e": HEADS, "f": RELATIONS}
    by_name = "head=d e,relation=f,tail=a.b"
    assert read_table(path, columns, columns=by_name) == EXPECTED
    assert wlkg.read(path, columns="tail,_,head,relation") == EXPECTED


def test_two_columns_mean_a_single_relation(path: Path) -> None:
    graph = read_table(path, {"from": HEADS, "to": TAILS})
    assert graph == RelationalGraph.from_triples([(h, "edge", t) for h, _, t in TRIPLES])


def test_whole_numbers_are_names(path: Path) -> None:
    columns = {
        "head": pa.array([10, 9], pa.int64()),
        "relation": pa.array([0, 1], pa.uint8()),
        "tail": pa.array([-1, 9], pa.int16()),
    }
    assert read_table(path, columns) == RelationalGraph.from_triples([(10, 0, -1), (9, 1, 9)])


def test_dictionaries_and_large_strings_are_text(path: Path) -> None:
    columns = {
        "head": pa.array(HEADS).dictionary_encode(),
        "relation": pa.array(RELATIONS, pa.large_string()),
        "tail": TAILS,
    }
    assert read_table(path, columns) == EXPECTED


def test_tables_of_many_batches_are_read_completely(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "_ROWS", 2)
    assert read_table(path, {"head": HEADS, "relation": RELATIONS, "tail": TAILS}) == EXPECTED
    with pytest.raises(InputError, match="row 3: column 'tail' is null"):
        read_table(path, {"head": HEADS, "tail": ["a", "b", None]})


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"head": ["a", None], "tail": ["b", "c"]}, "row 2: column 'head' is null"),
        ({"head": ["a"], "tail": pa.nulls(1)}, "row 1: column 'tail' is null"),
        ({"head": ["a", "b"], "tail": ["b", ""]}, "row 2: column 'tail' is empty"),
        ({"head": [0.5], "tail": ["b"]}, "'head' holds double, expected text or whole numbers"),
        ({"head": [True], "tail": ["b"]}, "'head' holds bool"),
        ({"head": [["a"]], "tail": ["b"]}, "'head' holds list"),
        ({"head": [{"x": "a"}], "tail": ["b"]}, "'head' holds struct"),
        ({"head": ["a"]}, "expected 2 or 3 columns, found 1: head"),
        ({"head": pa.array([], pa.string()), "tail": pa.array([], pa.string())}, "no triple"),
        ({"head": ["a"], "relation": ["r^-1"], "tail": ["b"]}, "reserved suffix"),
    ],
)
def test_a_table_that_does_not_hold_names_is_refused(
    columns: Any, message: str, path: Path
) -> None:
    with pytest.raises(InputError, match=message):
        read_table(path, columns)


def test_a_column_name_that_occurs_twice_is_refused(path: Path) -> None:
    arrays = [pa.array(["a"]), pa.array(["r"]), pa.array(["b"])]
    pq.write_table(pa.Table.from_arrays(arrays, names=["x", "x", "y"]), path)
    with pytest.raises(InputError, match="several columns are called 'x'"):
        wlkg.read(path)


def test_text_that_is_not_utf8_is_refused(path: Path) -> None:
    buffers = [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")]
    bad = pa.Array.from_buffers(pa.string(), 1, buffers)
    with pytest.raises(InputError, match="UTF8"):
        read_table(path, {"head": bad, "tail": ["b"]})


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("head=nobody,tail=tail", InputError, "no column 'nobody'. The columns are: head, tail"),
        ("head,relation,tail", InputError, "expected 3 columns, found 2: head, tail"),
        ("head,_", UsageError, "must say where head and tail are"),
    ],
)
def test_a_wrong_choice_of_columns_is_refused(
    spec: str, error: type[Exception], message: str, path: Path
) -> None:
    with pytest.raises(error, match=message):
        read_table(path, {"head": HEADS, "tail": TAILS}, columns=spec)


@pytest.mark.parametrize(
    "content", [b"", b"PAR1", b"head,relation,tail\n" * 9, b"PAR1\0\0\0\0PAR1"]
)
def test_a_file_that_is_not_parquet_is_refused(content: bytes, path: Path) -> None:
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a readable Parquet file"):
        wlkg.read(path)


def test_a_truncated_file_is_refused(path: Path) -> None:
    read_table(path, {"head": HEADS, "tail": TAILS})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match="not a readable Parquet file"):
        wlkg.read(path)


def test_a_compressed_file_is_decompressed(path: Path, tmp_path: Path) -> None:
    read_table(path, {"head": HEADS, "relation": RELATIONS, "tail": TAILS})
    packed = tmp_path / "table.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert wlkg.read(packed) == EXPECTED


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        wlkg.read(tmp_path / "nothing.parquet")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(InputError, match="folder"):
        wlkg.read(tmp_path / "folder.parquet", format="parquet")


class Recorder:
    """Progress that counts how often work began and ended."""

    def __init__(self) -> None:
        self.open = 0
        self.amounts: list[int] = []

    def start(self, what: str, total: int | None, unit: str) -> None:  # noqa: ARG002
        self.open += 1

    def done(self, amount: int) -> None:
        self.amounts.append(amount)

    def count(self, number: int, what: str) -> None: ...

    def say(self, text: str) -> None: ...

    def finish(self) -> None:
        self.open -= 1


def test_progress_counts_rows_and_ends_even_on_failure(path: Path) -> None:
    progress = Recorder()
    read_table(path, {"head": HEADS, "tail": TAILS}, progress=progress)
    assert (progress.open, progress.amounts) == (0, [3])
    with pytest.raises(InputError):
        read_table(path, {"head": ["a"], "tail": [""]}, progress=progress)
    assert progress.open == 0


def test_a_table_is_read_in_small_blocks_where_memory_is_short(tmp_path: Path) -> None:
    path = tmp_path / "graph.parquet"
    columns = {
        name: [f"{name}{row}" for row in range(1000)] for name in ("head", "relation", "tail")
    }
    pq.write_table(pa.table(columns), path, row_group_size=300)
    sizes: list[int] = []

    class Sizes(TripleTable):
        def add(self, heads: pa.Array, relations: pa.Array, tails: pa.Array) -> None:
            sizes.append(len(heads))
            super().add(heads, relations, tails)

    reader.add_parquet(Source(str(path), most_at_once=64 * 200), ReadOptions(), Sizes())
    assert sizes == [200, 100, 200, 100, 200, 100, 100]
