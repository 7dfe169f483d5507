from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

import wlkg
from tests.studies.toy import toy_study
from wlkg.errors import InputError, UsageError
from wlkg.studies.dataset import data_digest, load_dataset, paper_files, without_relations
from wlkg.studies.find import find_study
from wlkg.studies.paper_data import PAPER


def write_collection(folder: Path, name: str, graph: str) -> None:
    """A made-up data set in the form of the collection, with labels in the graph."""
    paper, base = PAPER[name], "http://example.org/"
    folder.mkdir(parents=True, exist_ok=True)
    triples = [f"<{base}e{i}> <{base}knows> <{base}e{(3 * i + 1) % 8}> ." for i in range(8)]
    triples += [f"<{base}e{i}> <{paper.label_relations[0]}> <{base}c{i % 2}> ." for i in range(8)]
    content = ("\n".join(triples) + "\n").encode()
    (folder / graph).write_bytes(gzip.compress(content) if graph.endswith(".gz") else content)
    for file, rows in ((paper.targets, range(6)), (paper.holdout, range(6, 8))):
        header = f"{paper.entity_column}\tid\t{paper.label_column}\n"
        body = "".join(f"{base}e{i}\t{i}\t{base}c{i % 2}\n" for i in rows)
        (folder / file).write_text(header + body)


@pytest.mark.parametrize("name", PAPER)
@pytest.mark.parametrize("inner", [False, True])
def test_files_of_the_collection_are_found_and_labels_left_out(
    tmp_path: Path, name: str, inner: bool
) -> None:
    graph = PAPER[name].graphs[1 if inner else 0]
    write_collection(tmp_path / name if inner else tmp_path, name, graph)
    files = paper_files(name, str(tmp_path))
    assert Path(files.graph).name == graph
    dataset = load_dataset(files)
    assert dataset.graph.relation_names == ("http://example.org/knows",)
    assert dataset.graph.num_vertices == 8
    assert (len(dataset.targets), dataset.num_classes) == (6, 2)
    assert dataset.holdout is not None
    assert len(dataset.holdout) == 2


def test_every_missing_file_is_named_with_where_it_comes_from(tmp_path: Path) -> None:
    write_collection(tmp_path, "am", "am_stripped.nt.gz")
    (tmp_path / "am_stripped.nt.gz").unlink()
    (tmp_path / "testSet.tsv").unlink()
    with pytest.raises(InputError) as caught:
        paper_files("am", str(tmp_path))
    text = str(caught.value)
    assert "there is no am_stripped.nt.gz or 5 other names, no testSet.tsv, neither here" in text
    assert "Ristoski" in text
    assert "--data" in text


def test_unknown_studies_and_missing_options_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        UsageError, match=r"unknown study 'aibf'\. Known: aifb, am, mutag, bgs, or a"
    ):
        find_study("aibf", "data")
    with pytest.raises(UsageError, match="aifb needs --data DIR"):
        find_study("aifb")
    toy_study(tmp_path)
    with pytest.raises(UsageError, match="--quick is for the paper's studies"):
        find_study(str(tmp_path / "toy.toml"), quick=True)


def test_quick_is_marked_and_smaller(tmp_path: Path) -> None:
    write_collection(tmp_path, "aifb", "aifb_stripped.nt.gz")
    study = find_study("aifb", str(tmp_path), quick=True)
    assert study.departures == ("quick", "widths 2, 4, 16, 64", "1,000 epochs", "3 seeds")
    write_collection(tmp_path, "bgs", "bgs_stripped.nt.gz")
    assert find_study("bgs", str(tmp_path), quick=True).departures == (
        "quick",
        "20 epochs",
        "3 seeds",
    )


def test_the_digest_is_of_contents_and_reading_not_of_names(tmp_path: Path) -> None:
    files = toy_study(tmp_path).data
    digest = data_digest(files)
    moved = tmp_path / "moved.tsv"
    Path(files.graph).rename(moved)
    assert data_digest(replace(files, graph=str(moved))) == digest
    assert data_digest(replace(files, graph=str(moved), literals="drop")) != digest
    moved.write_text(moved.read_text() + "v1\ta\tv1\n")
    assert data_digest(replace(files, graph=str(moved))) != digest


def test_only_vertices_that_lose_all_their_triples_go_with_a_relation() -> None:
    triples = [("a", "x", "b"), ("b", "y", "c"), ("a", "y", "b")]
    graph = wlkg.RelationalGraph.from_triples(triples)
    rest = without_relations(graph, ["y", "unknown"])
    assert list(rest.named_triples()) == [("a", "x", "b")]
    assert set(rest.vertex_names) == {"a", "b"}
    assert without_relations(graph, ["unknown"]) is graph
