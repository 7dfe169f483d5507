"""``wlkg pairs``: which pairs of vertices a test separates."""

from __future__ import annotations

from pathlib import Path

import wlkg
from tests.cli.running import Run, RunJson, words_of
from tests.places import EXAMPLE_GRAPHS


def test_pairs_are_listed_with_names_and_rounds(run_json: RunJson) -> None:
    document = run_json("pairs", EXAMPLE_GRAPHS / "weak-rwl.json", "--not-by", "weak-rwl")
    assert document["schema"] == "wlkg/pairs/1"
    assert document["count"] == 1
    assert document["pairs"] == [["v", "w", 1]]


def test_among_restricts_to_named_vertices(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.txt"
    chosen.write_text("v\nu1\r\n")
    graph = EXAMPLE_GRAPHS / "weak-rwl.json"
    document = run_json("pairs", graph, "--among", chosen)
    assert document["pairs"] == [["u1", "v", 0]]
    chosen.write_text("v\nnobody\nnothing\n")
    result = run("pairs", graph, "--among", chosen)
    assert result.exit_code == 2
    assert "2 names are not vertices of the graph: nobody, nothing" in result.stderr


def test_pairs_that_only_a_tuple_test_separates_are_listed(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    union = wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    path = tmp_path / "both.json"
    wlkg.write(union, path)
    options = ("--test", "2-rlwl", "--not-by", "1-rwl")
    document = run_json("pairs", path, *options, "--limit", "50")
    assert (document["test"], document["not_by"], document["exact"]) == ("2-rlwl", "1-rwl", True)
    assert document["count"] == 36
    history = wlkg.refine(union, "2-rlwl").vertices
    assert {(v, w): t for v, w, t in document["pairs"]} == {
        (f"1/{v}", f"2/{w}"): history.separated_at(v, 6 + w) for v in range(6) for w in range(6)
    }
    blind = run_json("pairs", path, "--test", "2-rlwl", "--not-by", "2-wl")
    assert (blind["count"], len(blind["pairs"])) == (36, 20)
    text = run("pairs", path, *options).stdout
    assert text.startswith("36 vertex pairs that 2-rlwl separates and 1-rwl does not\n")


def test_pairs_that_are_not_separated_are_counted_and_listed(run: Run, run_json: RunJson) -> None:
    document = run_json("pairs", "example:c6", "--same", "--limit", "2")
    assert (document["same"], document["count"]) == (True, 15)
    assert document["pairs"] == [["0", "1", None], ["0", "2", None]]
    assert run_json("pairs", "example:c6")["same"] is False
    text = run("pairs", "example:c6", "--same", "--limit", "2").stdout
    assert words_of(text)[1:] == [
        ["0", "1"],
        ["0", "2"],
        ["13", "more;", "--limit", "lists", "more", "of", "them"],
    ]
    assert text.startswith("15 vertex pairs that 1-rwl does not separate\n")
    both = run("pairs", EXAMPLE_GRAPHS / "weak-rwl.json", "--same", "--not-by", "weak-rwl").stdout
    assert both == "0 vertex pairs that neither 1-rwl nor weak-rwl separates\n"
    weak = run_json("pairs", EXAMPLE_GRAPHS / "weak-rwl.json", "--same", "--test", "weak-rwl")
    assert weak["pairs"] == [["v", "w", None]]
