"""``wlkg symmetry``: orbits against classes."""

from __future__ import annotations

import csv
import math
import subprocess
import sys
from pathlib import Path

import pytest

import wlkg
from tests.analysis.symmetry.libraries import DEJAVU, needs_dejavu, needs_igraph, use_library
from tests.cli.running import Run, RunJson, assert_refused, words_of


@pytest.fixture
def family(tmp_path: Path) -> Path:
    """Two parents with three children each, who are alike, and a third with one."""
    path = tmp_path / "family.tsv"
    children = {"ann": 3, "bob": 3, "eve": 1}
    rows = [
        f"{name}\tparent\t{name}{i}\n" for name, count in children.items() for i in range(count)
    ]
    path.write_text("".join(rows))
    return path


@pytest.fixture
def cycles(tmp_path: Path) -> Path:
    """A cycle of six and two triangles, which 1-rwl cannot tell apart."""
    path = tmp_path / "cycles.json"
    wlkg.write(wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3")), path)
    return path


def test_a_complete_test_is_reported_with_what_it_means(run: Run, family: Path) -> None:
    result = run("symmetry", family)
    assert result.exit_code == 0
    assert result.stderr.startswith("next: wlkg certify ")
    assert "4 orbits of 10 vertices" in result.stdout
    assert ["1-rwl", "4", "4", "complete"] in words_of(result.stdout)
    text = " ".join(result.stdout.split())
    assert "so no invariant model of any kind separates more" in text
    assert "order of the group: 72" in text
    assert "8 vertices have a symmetric one; the largest orbit has 6" in text
    assert "rests on 1-rwl colours and swaps of equal parts" in text
    # The first line names the file, whose path is as long as it is.
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80


def test_the_document_has_the_keys_that_scripts_rely_on(run_json: RunJson, family: Path) -> None:
    document = run_json("symmetry", family)
    assert document["schema"] == "wlkg/symmetry/1"
    assert document["graph"] == str(family)
    assert (document["orbits"], document["classes"]) == (4, 4)
    assert (document["complete"], document["open_pair"]) == (True, None)
    assert document["group_order"] == 72
    assert document["group_order_log10"] == pytest.approx(math.log10(72))
    assert document["seconds"] >= 0
    assert (document["orbits_proven"], document["direction"]) == (True, "both")
    assert (document["generators"], document["cores"]) == (3, 0)
    assert document["tests"] == [
        {
            "test": "1-rwl",
            "classes": 4,
            "complete": True,
            "open_pair": None,
            "separated_by": None,
        }
    ]


@needs_igraph
def test_an_open_pair_is_named_with_a_test_that_separates_it(
    run: Run, run_json: RunJson, cycles: Path
) -> None:
    tests = ("--test", "1-rwl", "--test", "2-rlwl")
    document = run_json("symmetry", cycles, *tests)
    assert (document["orbits"], document["classes"], document["complete"]) == (2, 1, False)
    assert document["open_pair"] == ["1/0", "2/0"]
    assert [row["complete"] for row in document["tests"]] == [False, True]
    assert [row["separated_by"] for row in document["tests"]] == ["2-rlwl", None]
    assert document["group_order"] == 864
    assert "BLISS" in document["rests_on"]
    text = run("symmetry", cycles, *tests).stdout
    assert ["1-rwl", "1", "2", "not", "complete"] in words_of(text)
    assert "  1/0\n  2/0\n  2-rlwl separates them\n" in text


@needs_igraph
def test_a_pair_is_open_even_if_no_cheap_test_separates_it(
    run: Run, run_json: RunJson, cycles: Path
) -> None:
    result = run("symmetry", cycles, "--max-memory", "1k")
    assert (result.exit_code, result.stderr) == (0, "")
    assert "none of the stronger tests that are cheap here separates them\n" in result.stdout
    document = run_json("symmetry", cycles, "--max-memory", "1k")
    assert document["open_pair"] == ["1/0", "2/0"]
    assert document["tests"][0]["separated_by"] is None


@needs_igraph
@pytest.mark.parametrize("name", ["petersen", "rook", "shrikhande"])
def test_known_graphs_have_one_orbit(run_json: RunJson, name: str) -> None:
    document = run_json("symmetry", f"example:{name}")
    assert (document["orbits"], document["classes"], document["complete"]) == (1, 1, True)


def test_labels_and_directions_count(run_json: RunJson, family: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    vertices = wlkg.read(family).vertex_names
    labels.write_text("".join(f"{v}\t{'x' if v == 'ann0' else 'y'}\n" for v in vertices))
    assert run_json("symmetry", family, "--labels", labels)["group_order"] == 12
    document = run_json("symmetry", family, "--direction", "out")
    # A leaf sees nothing in mode out, but symmetries preserve whose leaf it is.
    assert (document["classes"], document["orbits"], document["complete"]) == (3, 4, False)
    assert document["tests"][0]["separated_by"] == "2-rlwl"


def test_orbits_are_written_to_a_file(run: Run, family: Path, tmp_path: Path) -> None:
    out = tmp_path / "orbits.csv"
    assert run("symmetry", family, "--orbits", out).exit_code == 0
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    orbit = {row["vertex"]: row["orbit"] for row in rows}
    assert len(rows) == 10
    assert orbit["ann"] == orbit["bob"] != orbit["eve"]
    assert orbit["ann0"] == orbit["bob2"] != orbit["eve0"]


def test_a_very_long_order_is_rounded(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "star.tsv"
    path.write_text("".join(f"hub\tr\t{i}\n" for i in range(2_000)))
    assert "order of the group: 3.3163e+5735\n" in run("symmetry", path).stdout
    document = run_json("symmetry", path)
    assert document["group_order"] == "3.3163e+5735"
    assert document["group_order_log10"] == pytest.approx(5735.52, abs=0.01)


def test_mistakes_are_refused_before_any_work(run: Run, family: Path, tmp_path: Path) -> None:
    assert_refused(run("symmetry", family, "--test", "9-xwl"), "unknown test '9-xwl'")
    message = "orbits are written as .csv, .json, .parquet, by suffix"
    assert_refused(run("symmetry", family, "--orbits", tmp_path / "out.txt"), message)
    assert run("symmetry", family, "--seconds", "-1").exit_code == 2
    assert_refused(
        run("symmetry", family, "--test", "2-rlwl", "--max-memory", "1k"), "1,000", status=3
    )


#: A program that runs ``wlkg`` as if no library for symmetries were installed.
WITHOUT = """
import wlkg.analysis.symmetry.libraries as libraries
libraries.find_spec = lambda name: None
from wlkg.cli import main
main()
"""


def test_without_a_library_hard_graphs_end_with_4_and_easy_ones_are_settled(family: Path) -> None:
    command = [sys.executable, "-c", WITHOUT, "symmetry"]
    hard = subprocess.run(
        [*command, "example:c6"], capture_output=True, text=True, timeout=60, check=False
    )
    assert (hard.returncode, hard.stdout) == (4, "")
    assert hard.stderr == (
        "error: finding the symmetries of this graph needs an optional part."
        " Install it with: pip install 'wlkg[symmetry]'\n"
    )
    easy = subprocess.run(
        [*command, str(family)], capture_output=True, text=True, timeout=60, check=False
    )
    assert easy.returncode == 0, easy.stderr
    assert "4 orbits of 10 vertices" in easy.stdout


@needs_dejavu
def test_dejavu_alone_proves_complete_but_no_order(
    run: Run, run_json: RunJson, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_library(monkeypatch, DEJAVU)
    document = run_json("symmetry", "example:petersen")
    assert (document["orbits"], document["complete"]) == (1, True)
    assert (document["orbits_proven"], document["group_order"]) == (True, None)
    assert "order of the group: not certain\n" in run("symmetry", "example:petersen").stdout


@needs_igraph
def test_without_time_the_answer_is_open(run: Run, run_json: RunJson) -> None:
    document = run_json("symmetry", "example:rook", "--seconds", 0)
    assert (document["complete"], document["open_pair"]) == (None, None)
    assert (document["orbits_proven"], document["group_order"]) == (False, None)
    result = run("symmetry", "example:rook", "--seconds", 0)
    assert result.exit_code == 0
    assert "at most 16 orbits of 16 vertices" in result.stdout
    assert "open, because some symmetries may not have been found" in result.stdout
