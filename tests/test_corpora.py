"""Corpora: which files form which groups and pairs, and what is refused."""

from __future__ import annotations

import errno
import gzip
import io
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from wlkg import corpora
from wlkg.corpora import Group, read_corpus
from wlkg.errors import InputError, TooLargeError, UsageError, WlkgError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.graph6 import encode_graph6
from wlkg.readers.npy import read_array
from wlkg.readers.source import Source

NAMES = ("c6", "2xc3", "rook", "shrikhande", "petersen", "k33")
GRAPHS = [wlkg.read(f"example:{name}") for name in NAMES]
LINES = [encode_graph6(graph) for graph in GRAPHS]
TEXTS = [line.decode() for line in LINES]


def shape_of(graph: RelationalGraph) -> tuple[int, int]:
    return graph.num_vertices, graph.num_triples


SHAPES = [shape_of(graph) for graph in GRAPHS]


def save(path: Path, entries: object) -> Path:
    np.save(path, np.array(entries))
    return path


def only_group(path: Path, **options: Any) -> Group:
    (group,) = read_corpus(path, **options).groups
    return group


# -- arrays ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "entries",
    [
        np.array(TEXTS),
        np.array(LINES),
        np.array(TEXTS).reshape(3, 2),
        np.array(LINES).reshape(3, 2),
        np.asfortranarray(np.array(TEXTS).reshape(3, 2)),
        np.array(TEXTS).astype(">U40"),
        np.array([f">>graph6<<{text}\n" for text in TEXTS]),
    ],
)
def test_an_array_of_graph6_is_a_group_of_consecutive_pairs(
    entries: np.ndarray[tuple[int, ...], np.dtype[np.generic]], tmp_path: Path
) -> None:
    np.save(tmp_path / "six.npy", entries)
    group = only_group(tmp_path / "six.npy")
    assert group.name == "six"
    assert [shape_of(graph) for graph in group.graphs] == SHAPES
    assert group.pairing == "consecutive"
    assert list(group.pairs()) == [(0, 1), (2, 3), (4, 5)]
    assert group.num_pairs == 3


def test_a_header_of_the_second_version_and_a_compressed_array_are_read(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.array(TEXTS), version=(2, 0))
    (tmp_path / "six.npy.gz").write_bytes(gzip.compress(buffer.getvalue()))
    group = only_group(tmp_path / "six.npy.gz")
    assert (group.name, len(group.graphs)) == ("six", 6)


def test_all_pairs_of_an_array_are_taken_on_request(tmp_path: Path) -> None:
    group = only_group(save(tmp_path / "five.npy", TEXTS[:5]), pairing="all")
    assert list(group.pairs()) == list(combinations(range(5), 2))
    assert group.num_pairs == 10


def test_an_odd_number_of_entries_is_refused_with_the_remedy(tmp_path: Path) -> None:
    path = save(tmp_path / "five.npy", TEXTS[:5])
    with pytest.raises(InputError, match=r"five\.npy: 5 graphs .* odd\. .* use --pairing all"):
        read_corpus(path)


def header(text: str) -> bytes:
    body = text.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(body).to_bytes(2, "little") + body


def test_pickled_objects_are_refused_and_never_loaded(tmp_path: Path) -> None:
    entries = np.array([TEXTS[0], LINES[0]], dtype=object)
    np.save(tmp_path / "evil.npy", entries, allow_pickle=True)
    with pytest.raises(InputError, match="pickled Python objects, which are never loaded"):
        read_corpus(tmp_path / "evil.npy")


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (np.arange(4), "expected an array of graph6 texts, found numbers or records"),
        (np.array(TEXTS).reshape(2, 3), r"shape \(N,\) or \(N, 2\), found \(2, 3\)"),
        (np.array(TEXTS[:4]).reshape(2, 2, 1), r"found \(2, 2, 1\)"),
        (np.array(TEXTS[0]), r"found \(\)"),
        (np.array([], dtype="U4"), "the array is empty"),
        (np.array([TEXTS[0], "\x07"]), "entry 2: not graph6, sparse6 or digraph6"),
        (np.array([TEXTS[:2], [TEXTS[2], ""]]), "entry 2, 2: not graph6"),
        (np.array([TEXTS[0], "é"]), "entry 2: not ASCII"),
    ],
)
def test_other_arrays_are_refused_with_what_was_found(
    entries: np.ndarray[tuple[int, ...], np.dtype[np.generic]], message: str, tmp_path: Path
) -> None:
    np.save(tmp_path / "other.npy", entries)
    with pytest.raises(InputError, match=message) as caught:
        read_corpus(tmp_path / "other.npy")
    assert str(caught.value).startswith(str(tmp_path / "other.npy"))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"C~\nBw\n", "not a NumPy array"),
        (b"PK\x03\x04 an npz", "not a NumPy array"),
        (b"\x93NUMPY\x03\x00", "not a NumPy array"),
        (header("{'descr': '<U4'}"), "header is damaged"),
        (header("{'descr': ('S3', (2,)), 'fortran_order': False, 'shape': (1,)}"), "records"),
        (header("{[]: 1}"), "header is damaged"),
        (header("{('"), "header is damaged"),
        (header("(" * 100), "header is damaged"),
        (
            header("{'descr': 'S3', 'fortran_order': False, 'shape': (1000000000000,)}") + b"A_\0",
            "the header announces 3,000,000,000,000 bytes of text, but 3 follow",
        ),
        (header("{'descr': 'S3', 'fortran_order': False, 'shape': (-1, 2)}"), r"found \(-1, 2\)"),
    ],
)
def test_damaged_arrays_are_input_errors(data: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.npy"
    path.write_bytes(data)
    with pytest.raises(InputError, match=message):
        read_corpus(path)


def test_an_array_that_python_2_wrote_is_read_without_a_warning(tmp_path: Path) -> None:
    text = "{'descr': '|S2', 'fortran_order': False, 'shape': (2L,), }"
    (tmp_path / "old.npy").write_bytes(header(text) + b"A_A?")
    assert [shape_of(g) for g in only_group(tmp_path / "old.npy").graphs] == [(2, 1), (2, 0)]


@given(st.data())
def test_changed_bytes_never_cause_another_kind_of_error(
    scratch: Path, data: st.DataObject
) -> None:
    path = save(scratch / "fuzz.npy", LINES[:2])
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    path.write_bytes(content[: data.draw(st.integers(len(content) - 40, len(content)))])
    with suppress(WlkgError):
        read_corpus(path)


def test_graphs_of_an_array_are_decoded_one_by_one(tmp_path: Path) -> None:
    path = save(tmp_path / "two.npy", [TEXTS[0], "\x07"])
    graphs = read_array(Source(str(path)))
    assert shape_of(next(graphs)) == SHAPES[0]
    with pytest.raises(InputError, match="entry 2"):
        next(graphs)


# -- files and folders ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["many.g6", "many.g6.gz", "many.v2.g6"])
def test_a_file_of_many_graphs_is_a_group_of_all_pairs(name: str, tmp_path: Path) -> None:
    content = b"\n".join(LINES)
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    group = only_group(tmp_path / name)
    assert group.name == name.removesuffix(".gz").removesuffix(".g6")
    assert group.pairing == "all"
    assert group.num_pairs == 15
    assert only_group(tmp_path / name, pairing="consecutive").num_pairs == 3


def test_a_file_without_a_known_suffix_keeps_its_whole_name(tmp_path: Path) -> None:
    (tmp_path / "sr16.622").write_bytes(b"\n".join(LINES))
    assert only_group(tmp_path / "sr16.622", format="g6").name == "sr16.622"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an array, a file of three graphs, two files of one, a subfolder and more."""
    place = tmp_path / "corpus"
    (place / "pairs").mkdir(parents=True)
    save(place / "array.npy", TEXTS[:4])
    (place / "many.g6").write_bytes(b"\n".join(LINES[:3]))
    (place / "one.g6").write_bytes(LINES[4])
    wlkg.write(GRAPHS[5], place / "two.graphml")
    for name, graph in zip(("b", "a"), GRAPHS[:2], strict=True):
        wlkg.write(graph, place / "pairs" / f"{name}.graphml")
    (place / "README.md").write_text("no graph")
    (place / ".hidden.g6").write_text("no graph")
    return place


def test_a_folder_has_a_group_for_each_corpus_file_and_subfolder(folder: Path) -> None:
    corpus = read_corpus(folder, direction="undirected")
    groups = [
        (group.name, group.pairing, [shape_of(graph) for graph in group.graphs])
        for group in corpus.groups
    ]
    assert groups == [
        ("array", "consecutive", SHAPES[:4]),
        ("many", "all", SHAPES[:3]),
        ("pairs", "all", [SHAPES[1], SHAPES[0]]),
        ("corpus", "all", SHAPES[4:]),
    ]
    readme = folder / "README.md"
    assert corpus.notes == (f"1 file of unknown format skipped: {readme}",)


def test_groups_with_the_same_name_are_named_after_their_files(tmp_path: Path) -> None:
    save(tmp_path / "same.npy", TEXTS[:2])
    (tmp_path / "same.g6").write_bytes(b"\n".join(LINES[:3]))
    (tmp_path / "other.g6").write_bytes(b"\n".join(LINES[:3]))
    names = [group.name for group in read_corpus(tmp_path).groups]
    assert names == ["other", "same.g6", "same.npy"]


def test_pairing_overrides_the_default_of_every_group(folder: Path) -> None:
    (folder / "many.g6").write_bytes(b"\n".join(LINES[:4]))
    corpus = read_corpus(folder, direction="undirected", pairing="consecutive")
    assert [group.num_pairs for group in corpus.groups] == [2, 2, 1, 1]
    corpus = read_corpus(folder, direction="undirected", pairing="all")
    assert [group.num_pairs for group in corpus.groups] == [6, 6, 1, 1]


def test_graphs_of_a_group_must_share_a_direction(tmp_path: Path) -> None:
    (tmp_path / "mixed.g6").write_bytes(b"A_\n&A_\n")
    with pytest.raises(InputError, match=r"modes: both and undirected\. .*--direction"):
        read_corpus(tmp_path / "mixed.g6")
    graphs = only_group(tmp_path / "mixed.g6", direction="out").graphs
    assert [graph.direction for graph in graphs] == ["out", "out"]


def test_the_requested_direction_applies_to_arrays_too(tmp_path: Path) -> None:
    path = save(tmp_path / "two.npy", TEXTS[:2])
    assert {graph.direction for graph in only_group(path).graphs} == {"undirected"}
    assert {graph.direction for graph in only_group(path, direction="in").graphs} == {"in"}


def test_graphs_are_labelled_on_request(tmp_path: Path) -> None:
    path = save(tmp_path / "two.npy", TEXTS[:2])
    (tmp_path / "labels.tsv").write_text("".join(f"{v}\t{v % 2}\n" for v in range(6)))
    group = only_group(path, labels=str(tmp_path / "labels.tsv"))
    assert [graph.label_names for graph in group.graphs] == [("0", "1")] * 2


def test_equal_notes_of_readers_are_given_once(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / f"{name}.tsv").write_text("# comment\nx\tr\ty\n")
    (note,) = read_corpus(tmp_path).notes
    assert note.startswith("1 lines that start with '#' were skipped")


# -- what is refused ------------------------------------------------------------------------------


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    for name in ("none.npy", "none.g6", "none"):
        with pytest.raises(InputError, match="no such file"):
            read_corpus(tmp_path / name)


def test_a_single_graph_is_refused(tmp_path: Path) -> None:
    (tmp_path / "one.g6").write_bytes(LINES[0])
    with pytest.raises(InputError, match="only one graph, so there is no pair"):
        read_corpus(tmp_path / "one.g6")
    with pytest.raises(InputError, match="only one graph, so there is no pair"):
        read_corpus(tmp_path)


def test_folders_without_graphs_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the folder holds no graphs\. Known suffixes: \.npy "):
        read_corpus(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: there are no graphs, so there is no pair"):
        read_corpus(tmp_path)


def test_an_array_in_a_subfolder_is_refused_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "raw").mkdir()
    path = save(tmp_path / "raw" / "basic.npy", TEXTS[:2])
    with pytest.raises(InputError, match=r"Pass the folder .*raw itself") as caught:
        read_corpus(tmp_path)
    assert caught.value.path == str(path)


def test_an_unknown_pairing_is_refused_with_the_known_names(tmp_path: Path) -> None:
    path = save(tmp_path / "two.npy", TEXTS[:2])
    with pytest.raises(UsageError, match=r"unknown pairing 'rows'\. Known: consecutive, all"):
        read_corpus(path, pairing="rows")


def test_an_unreadable_folder_is_an_input_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(_: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "iterdir", refused)
    with pytest.raises(InputError, match="cannot be opened: Permission denied"):
        read_corpus(tmp_path)


@pytest.mark.parametrize(("limit", "value"), [("MAX_GRAPHS", 3), ("MAX_VERTICES", 20)])
def test_a_corpus_beyond_the_limits_is_refused(
    limit: str, value: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(tmp_path / "four.npy", TEXTS[:4])
    read_corpus(path)
    monkeypatch.setattr(corpora, limit, value)
    with pytest.raises(TooLargeError, match="the corpus has more than"):
        read_corpus(path)


@pytest.mark.parametrize(("name", "pairs"), [("basic", 60), ("regular", 50), ("extension", 100)])
def test_the_groups_of_brec_are_read(name: str, pairs: int, data_dir: Path) -> None:
    assert only_group(data_dir / "brec" / f"{name}.npy").num_pairs == pairs


def test_strongly_regular_graphs_are_read(data_dir: Path) -> None:
    pairs = {group.name: group.num_pairs for group in read_corpus(data_dir / "sr").groups}
    assert pairs == {"sr16622": 1, "sr251256": 105}
