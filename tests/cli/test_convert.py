"""``wlkg convert``: a graph in another format."""

from __future__ import annotations

from pathlib import Path

import pytest

import wlkg
from tests.cli.running import Run, RunJson


def test_convert_writes_what_info_then_reads(run: Run, people: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.nt.gz"
    result = run("convert", people, target)
    assert result.exit_code == 0
    assert result.stdout == f"{target}: 3 vertices, 3 triples, 2 relations\n"
    assert wlkg.read(target) == wlkg.read(people)


def test_convert_as_json_names_what_was_lost(
    run_json: RunJson, people: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.csv"
    document = run_json("convert", people, target, "--labels", "kind", "--lossy")
    assert document["schema"] == "wlkg/convert/1"
    assert (document["triples"], document["lost"]) == (3, ["vertex labels"])


def test_convert_notes_on_stderr_what_is_lost(run: Run, tmp_path: Path) -> None:
    result = run("convert", "example:c6", tmp_path / "c6.tsv")
    assert result.exit_code == 0
    assert "note: not kept: that edges are undirected" in result.stderr
    assert wlkg.read(tmp_path / "c6.tsv").num_triples == 12


def test_a_refused_conversion_leaves_nothing_behind(run: Run, people: Path, tmp_path: Path) -> None:
    for target, message in (
        ("out.g6", "graph6 cannot hold"),
        ("out.doc", "cannot tell the format"),
    ):
        result = run("convert", people, tmp_path / target)
        assert result.exit_code == 2
        assert message in result.stderr
        assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["people.tsv"]


@pytest.mark.parametrize("suffix", [".ttl", ".trig", ".n3", ".rdf", ".ttl.gz"])
def test_convert_writes_rdf(run: Run, people: Path, tmp_path: Path, suffix: str) -> None:
    target = tmp_path / f"out{suffix}"
    assert run("convert", people, target).exit_code == 0
    assert wlkg.read(target) == wlkg.read(people)


def test_convert_replaces_a_file_only_if_it_is_told_to(
    run: Run, people: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.nt"
    target.write_text("mine")
    result = run("convert", people, target)
    assert (result.exit_code, target.read_text()) == (2, "mine")
    assert "the file exists. Pass --force to replace it" in result.stderr
    assert run("convert", people, target, "--force").exit_code == 0
    assert wlkg.read(target) == wlkg.read(people)


def test_convert_never_replaces_its_own_input(run: Run, people: Path, tmp_path: Path) -> None:
    before = people.read_bytes()
    link = tmp_path / "link.tsv"
    link.symlink_to(people)
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "train.txt").write_bytes(before)
    for source, target in ((people, people), (people, link), (folder, folder / "train.txt")):
        result = run("convert", source, target, "--force")
        assert result.exit_code == 2
        assert "this is the input itself" in result.stderr
    assert people.read_bytes() == before


def test_convert_still_writes_to_a_device(run: Run, people: Path) -> None:
    assert run("convert", people, "/dev/null", "--to", "nt").exit_code == 0
