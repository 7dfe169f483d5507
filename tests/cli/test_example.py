"""``wlkg example``: the built-in graphs, listed and written."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from tests.cli.running import Run, RunJson
from wlkg.examples import EXAMPLES


def test_all_graphs_are_listed_under_their_headings(run: Run) -> None:
    result = run("example")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "samples of knowledge graphs"
    names = {line.split()[0].partition(",")[0] for line in lines if line.strip()}
    assert set(EXAMPLES) <= names
    assert len({example.group for example in EXAMPLES.values()}) == 6
    assert all(example.group in lines for example in EXAMPLES.values())
    assert not [line for line in lines if line.endswith(" ")]


def test_the_list_as_json(run_json: RunJson) -> None:
    document = run_json("example")
    assert document["schema"] == "wlkg/example/1"
    entries = {entry["name"]: entry for entry in document["examples"]}
    assert set(entries) == set(EXAMPLES)
    assert entries["university"]["targets"] is True
    assert (entries["c6"]["vertices"], entries["c6"]["parameters"]) == (6, {"r": 1})
    one = run_json("example", "example:cfi-g,k=3")["examples"]
    assert [(entry["name"], entry["vertices"]) for entry in one] == [("cfi-g,k=3", 28)]


@pytest.mark.parametrize("suffix", [".ttl", ".nt.gz", ".tsv", ".csv", ".rdf", ".parquet", ".json"])
def test_a_sample_is_written_in_any_format(run: Run, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"family{suffix}"
    result = run("example", "family", "-o", target)
    assert result.exit_code == 0
    assert result.stdout == f"{target}: 21 vertices, 29 triples, 6 relations\n"
    assert wlkg.read(target) == wlkg.read("example:family")


def test_targets_are_written_beside_the_graph_and_can_be_used(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    target = tmp_path / "university.ttl.gz"
    result = run("example", "university", "-o", target, "--targets")
    assert result.exit_code == 0
    train, test = tmp_path / "university.train.tsv", tmp_path / "university.test.tsv"
    assert result.stdout.splitlines()[1:] == [f"{train}: for --targets", f"{test}: for --holdout"]
    document = run_json("ceiling", target, "--targets", train, "--holdout", test)
    assert document["schema"].startswith("wlkg/ceiling/")


def test_labels_go_to_a_table_if_the_format_has_none(run: Run, tmp_path: Path) -> None:
    target, labels = tmp_path / "w.tsv", tmp_path / "w.labels.tsv"
    assert run("example", "weak-rwl", "-o", target).exit_code == 0
    graph = wlkg.label(wlkg.read(target, direction="undirected"), labels)
    assert wlkg.refine(graph).classes == wlkg.refine(wlkg.read("example:weak-rwl")).classes == 4
    assert run("example", "weak-rwl", "-o", tmp_path / "w.json").exit_code == 0
    assert wlkg.read(tmp_path / "w.json") == wlkg.read("example:weak-rwl")


def test_files_that_exist_are_not_replaced(run: Run, tmp_path: Path) -> None:
    (tmp_path / "university.test.tsv").write_text("mine")
    arguments = ("example", "university", "-o", tmp_path / "university.ttl", "--targets")
    result = run(*arguments)
    assert result.exit_code == 2
    assert "university.test.tsv: the file exists. Pass --force" in result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["university.test.tsv"]
    assert run(*arguments, "--force").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "unknown example 'nobody'. Known: family, traffic, university"),
        (["c6", "-o", "c6.nt", "--targets"], "example 'c6' has no targets"),
        (["c6", "--targets"], "nothing is written without -o FILE"),
        (["-o", "c6.nt"], "which graph? wlkg example lists their names"),
        (["c6", "-o", "c6.doc"], "cannot tell the format"),
        (["cfi-g,k=1", "-o", "c.nt"], "k must be at least 2"),
        (["traffic", "-o", "t.ttl"], "cannot hold isolated vertices (1: depot)"),
    ],
)
def test_what_cannot_be_written_is_refused(
    run: Run, arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("example", *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert list(tmp_path.iterdir()) == []
