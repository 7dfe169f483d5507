"""``wlkg generate``: a graph of any size, straight to a file."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from tests.cli.running import Run, RunJson, assert_refused


def test_a_family_is_written_and_its_size_printed(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "grid.nt.gz"
    result = run("generate", "grid", "--vertices", 12, "--width", 4, "-o", target)
    assert result.exit_code == 0
    assert result.stdout == f"{target}: 12 vertices, 17 triples, 1 relation\n"
    assert f"next: wlkg refine {target} --direction undirected" in result.stderr
    assert wlkg.read(target).num_triples == 17


def test_a_real_graph_is_followed(run_json: RunJson, tmp_path: Path) -> None:
    target = tmp_path / "like.tsv"
    options = ("--vertices", 5000, "--seed", 3, "-o", target)
    document = run_json("generate", "--like", "example:university", *options)
    assert document["schema"] == "wlkg/generate/1"
    assert (document["family"], document["like"]) == ("like", "example:university")
    graph = wlkg.read(target)
    assert (document["vertices"], document["triples"]) == (graph.num_vertices, graph.num_triples)
    assert graph.relation_names == wlkg.read("example:university").relation_names
    assert document["seed"] == 3


def test_repeated_triples_are_noted(run: Run, tmp_path: Path, people: Path) -> None:
    result = run("generate", "--like", people, "--vertices", 6, "-o", tmp_path / "g.tsv")
    (tmp_path / "h.tsv").write_text("a\tr\tc\na\tr\td\nb\tr\tc\nb\tr\td\n")
    notes = [
        run("generate", "--like", tmp_path / "h.tsv", "--vertices", 4, "--seed", seed, "-o",
            tmp_path / f"{seed}.tsv").stderr
        for seed in range(6)
    ]  # fmt: skip
    assert result.exit_code == 0
    assert any("note: left out: 2 repeated triples" in text for text in notes)


def test_files_are_replaced_only_on_demand_and_never_the_input(
    run: Run, people: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.tsv"
    target.write_text("mine")
    path = ("generate", "path", "--vertices", 3, "-o", target)
    assert_refused(run(*path), "the file exists. Pass --force to replace it")
    assert target.read_text() == "mine"
    assert run(*path, "--force").exit_code == 0
    assert target.read_text() == "0\tedge\t1\n1\tedge\t2\n"
    own = run("generate", "--like", people, "--vertices", 9, "-o", people, "--force")
    assert_refused(own, "this is the input itself")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("path", "--vertices", "3", "-o", "g.json"), "cannot be written piece by piece"),
        (("path", "--vertices", "3", "-o", "g.tsv.xz"), "the only compression for output is .gz"),
        (("path", "-o", "g.tsv"), "path needs --vertices"),
        (("-o", "g.tsv", "--vertices", "3"), "name a family"),
        (("path", "--like", "example:c6", "-o", "g.tsv", "--vertices", "3"), "name a family"),
        (("--like", "none.nt", "-o", "g.tsv", "--vertices", "3"), "no such file"),
    ],
)
def test_mistakes_are_refused_and_leave_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert_refused(run("generate", *words), message)
    assert not list(tmp_path.iterdir())
