"""Benchmark folders: train, valid and test, or the id files of OpenKE."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

import pytest

import wlkg
from tests.text_inputs import triples_of
from wlkg.errors import InputError, UsageError

TRAIN, VALID, TEST = ("a", "r", "b"), ("b", "r", "c"), ("c", "s", "d")


def fill(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, text in files.items():
        (folder / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return folder


@pytest.fixture
def splits(tmp_path: Path) -> Path:
    files = {"train.txt": TRAIN, "valid.txt": VALID, "test.txt": TEST}
    return fill(tmp_path, {name: "\t".join(row) + "\n" for name, row in files.items()})


@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ("train", {TRAIN}),
        ("valid", {VALID}),
        ("train,valid", {TRAIN, VALID}),
        (" test , train ", {TRAIN, TEST}),
        ("train,valid,test", {TRAIN, VALID, TEST}),
    ],
)
def test_the_chosen_splits_form_one_graph(
    splits: Path, wanted: str, expected: set[tuple[str, str, str]]
) -> None:
    assert triples_of(splits, splits=wanted) == expected


def test_train_is_read_by_default(splits: Path) -> None:
    assert triples_of(splits) == {TRAIN}


@pytest.mark.parametrize("wanted", ["", ",", "dev", "train,dev"])
def test_unknown_splits_are_refused(splits: Path, wanted: str) -> None:
    with pytest.raises(UsageError, match="--splits takes any of train,valid,test"):
        wlkg.read(splits, splits=wanted)


def test_splits_may_have_other_formats_and_be_compressed(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        "train.tsv.gz": gzip.compress(b"a\tr\tb\n"),
        "valid.csv": '"b",r,c\n',
        "test.txt": "c s d",
    }
    fill(tmp_path, files)
    assert triples_of(tmp_path, splits="train,valid,test") == {TRAIN, VALID, TEST}


def test_options_apply_to_every_split_and_notes_come_from_every_split(splits: Path) -> None:
    fill(splits, {"train.txt": "# x\nb\tr\ta\n", "valid.txt": "head\ttail\trelation\nb\tc\tr\n"})
    graph = wlkg.read(splits, splits="train,valid")
    assert set(graph.named_triples()) == {("b", "r", "a"), VALID}
    assert len(graph.notes) == 2
    assert triples_of(splits, columns="t,r,h") == {TRAIN}


def test_a_triple_in_two_splits_is_counted_once(splits: Path) -> None:
    fill(splits, {"valid.txt": "a\tr\tb\n"})
    graph = wlkg.read(splits, splits="train,valid")
    assert (graph.num_triples, graph.duplicates) == (1, 1)


def test_a_missing_split_is_refused(splits: Path) -> None:
    (splits / "valid.txt").unlink()
    with pytest.raises(InputError, match=r"there is no valid\.txt, valid\.tsv or valid\.csv"):
        wlkg.read(splits, splits="train,valid")


def test_any_other_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"A folder must hold train\.txt, or entity2id\.txt"):
        wlkg.read(tmp_path)


def test_an_error_names_the_file_in_the_folder(splits: Path) -> None:
    fill(splits, {"train.txt": "a\tr\tb\na\tb\n"})
    with pytest.raises(InputError) as caught:
        wlkg.read(splits)
    assert (caught.value.path, caught.value.line) == (str(splits / "train.txt"), 2)
    fill(splits, {"train.txt": "a\tr^-1\tb\n"})
    with pytest.raises(InputError, match="reserved suffix"):
        wlkg.read(splits)


# -- OpenKE ---------------------------------------------------------------------------------------

OPENKE: dict[str, str | bytes] = {
    "entity2id.txt": "4\nbob\t1\nann\t0\n10\t3\n9 lives\t2\n",
    "relation2id.txt": "2\nlikes\t0\nknows\t1\n",
    "train2id.txt": "2\n0 1 1\n1\t0\t0\n",
    "valid2id.txt": "1\n2 0 1\n",
}


@pytest.fixture
def openke(tmp_path: Path) -> Path:
    return fill(tmp_path, OPENKE)


def test_openke_folders_are_read_by_name_with_isolated_entities(openke: Path) -> None:
    graph = wlkg.read(openke)
    assert set(graph.named_triples()) == {("ann", "knows", "bob"), ("bob", "likes", "ann")}
    assert list(graph.vertex_names) == ["10", "9 lives", "ann", "bob"]
    assert [graph.vertex_names[i] for i in graph.isolated] == ["10", "9 lives"]
    assert ("9 lives", "knows", "ann") in triples_of(openke, splits="train,valid")


def test_openke_folders_may_have_carriage_returns_and_blank_lines(openke: Path) -> None:
    before = wlkg.read(openke)
    fill(openke, {n: str(t).replace("\n", "\r\n") + "\r\n" for n, t in OPENKE.items()})
    assert wlkg.read(openke) == before


@pytest.mark.parametrize("space", ["\x1c", "\x1f", "\x0b", "\x85", "\xa0", "\u2003", "\u3000"])
def test_openke_numbers_may_stand_between_any_white_space(openke: Path, space: str) -> None:
    before = wlkg.read(openke)
    for name in ("train2id.txt", "entity2id.txt"):
        count, rest = str(OPENKE[name]).split("\n", 1)
        fill(openke, {name: f"{space}{count}{space}\n{rest}"})
    assert wlkg.read(openke) == before


@pytest.mark.parametrize(
    ("name", "text", "line", "message"),
    [
        (
            "train2id.txt",
            "2\n0 1 1\n0 4 1\n",
            3,
            r"entity 4 does not lie in 0 \.\. 3.*head tail rel",
        ),
        ("train2id.txt", "1\n0 1 2\n", 2, r"relation 2 does not lie in 0 \.\. 1"),
        ("train2id.txt", f"1\n0 1 {'9' * 5000}\n", 2, "expected head, tail and relation as num"),
        ("train2id.txt", "1\n0 -1 1\n", 2, "expected head, tail and relation as numbers"),
        ("train2id.txt", "1\n0 1\n", 2, "expected head, tail and relation as numbers, found '0 1'"),
        ("train2id.txt", "1\n0 1 1 1\n", 2, "expected head, tail and relation as numbers"),
        ("train2id.txt", "3\n0 1 1\n", 1, "announces 3 lines, but 1 follow"),
        ("train2id.txt", "0 1 1\n", 1, "expected the number of lines, found '0 1 1'"),
        ("train2id.txt", "9" * 5000 + "\n0 1 1\n", 1, "expected the number of lines"),
        ("train2id.txt", "0\n", None, "the folder holds no triple"),
        ("train2id.txt", b"1\n0 \xff 1\n", 2, "byte 0xff is not UTF-8"),
        ("entity2id.txt", "2\nann\t0\nbob\t0\n", 3, "the number 0 or name 'bob' occurs twice"),
        ("entity2id.txt", "2\nann\t0\nann\t1\n", 3, "the number 1 or name 'ann' occurs twice"),
        ("entity2id.txt", "2\nann\t0\nbob\t2\n", 3, r"number 2 .* does not lie in 0 \.\. 1"),
        ("entity2id.txt", "1\nann\tx\n", 2, "expected a name and its number"),
        ("entity2id.txt", f"1\nann\t{'9' * 5000}\n", 2, "expected a name and its number"),
        ("entity2id.txt", "1\nann\n", 2, "expected a name and its number"),
        ("entity2id.txt", "1\n\t0\n", 2, "an empty name"),
        ("entity2id.txt", "", None, "the file is empty"),
        ("relation2id.txt", "2\nlikes\t0\nknows^-1\t1\n", None, "reserved suffix"),
    ],
)
def test_a_wrong_openke_file_is_refused_with_the_place(
    openke: Path, name: str, text: str | bytes, line: int | None, message: str
) -> None:
    fill(openke, {name: text})
    with pytest.raises(InputError, match=message) as caught:
        wlkg.read(openke)
    assert caught.value.line == line
    if line is not None:
        assert caught.value.path == str(openke / name)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize("name", ["relation2id.txt", "train2id.txt"])
def test_a_missing_openke_file_is_refused(openke: Path, name: str) -> None:
    (openke / name).unlink()
    with pytest.raises(InputError, match=rf"{name}: no such file"):
        wlkg.read(openke)


# -- real data ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "vertices", "triples", "relations"),
    [("WN18RR", 40_559, 86_835, 11), ("FB15k-237", 14_505, 272_115, 237)],
)
def test_benchmarks_have_their_published_sizes(
    data_dir: Path, name: str, vertices: int, triples: int, relations: int
) -> None:
    graph = wlkg.read(data_dir / "kg" / name)
    sizes = (graph.num_vertices, graph.num_triples, graph.num_relations)
    assert sizes == (vertices, triples, relations)
    everything = wlkg.read(data_dir / "kg" / name, splits="train,valid,test")
    assert everything.num_triples > triples
