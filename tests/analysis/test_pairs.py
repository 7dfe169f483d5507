"""Pairs that one test separates and another does not."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import wlkg
from tests.places import EXAMPLE_GRAPHS
from tests.strategies import relational_graphs
from wlkg.analysis.pairs import separated_pairs
from wlkg.catalogue import TESTS
from wlkg.cli import app
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine

names = st.sampled_from(sorted(TESTS))


@given(graph=relational_graphs(), test=names, not_by=st.none() | names, data=st.data())
def test_pairs_are_those_of_a_search_over_all_pairs(
    graph: RelationalGraph, test: str, not_by: str | None, data: st.DataObject
) -> None:
    by, other = refine(graph, test), None if not_by is None else refine(graph, not_by)
    vertices = list(range(graph.num_vertices))
    among = data.draw(st.none() | st.lists(st.sampled_from(vertices))) if vertices else None
    limit = data.draw(st.none() | st.integers(0, 5))
    chosen = vertices if among is None else sorted(set(among))
    expected = []
    for v, w in itertools.combinations(chosen, 2):
        first = by.history.separated_at(v, w)
        if first is not None and (other is None or other.history.separated_at(v, w) is None):
            expected.append((v, w, first))
    restricted = None if among is None else np.array(among, dtype=np.int64)
    separated = separated_pairs(by, other, among=restricted, limit=limit)
    assert separated.count == len(expected)
    assert list(separated.pairs) == expected[:limit]


def test_a_huge_class_is_counted_without_being_listed() -> None:
    n = 200_000
    spokes = np.arange(1, n)
    star = RelationalGraph.from_arrays(
        spokes * 0, spokes * 0, spokes, num_vertices=n, direction="undirected"
    )
    separated = separated_pairs(refine(star), limit=2)
    assert separated.count == n - 1
    assert separated.pairs == ((0, 1, 1), (0, 2, 1))
    assert separated_pairs(refine(star, "1-rwl"), refine(star, "1-wl"), limit=5).pairs == ()


def _run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(words))
    return result.exit_code, result.stdout, result.stderr


def test_the_command_names_the_pairs_and_rounds() -> None:
    code, out, _ = _run(
        "pairs", str(EXAMPLE_GRAPHS / "weak-rwl.json"), "--not-by", "weak-rwl", "--json"
    )
    document = json.loads(out)
    assert code == 0
    assert document["schema"] == "wlkg/pairs/1"
    assert document["count"] == 1
    assert document["pairs"] == [["v", "w", 1]]


def test_among_restricts_to_named_vertices(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.txt"
    chosen.write_text("v\nu1\r\n")
    graph = str(EXAMPLE_GRAPHS / "weak-rwl.json")
    document = json.loads(_run("pairs", graph, "--among", str(chosen), "--json")[1])
    assert document["pairs"] == [["u1", "v", 0]]
    chosen.write_text("v\nnobody\nnothing\n")
    code, _, err = _run("pairs", graph, "--among", str(chosen))
    assert code == 2
    assert "2 names are not vertices of the graph: nobody, nothing" in err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["pairs", "example:c6", "--test", "3-magic"], "1-wl, weak-rwl, 1-rwl"),
        (["pairs", "example:c6", "--not-by", "3-magic"], "1-wl, weak-rwl, 1-rwl"),
        (["refine", "example:c6", "--test", "3-magic"], "1-wl, weak-rwl, 1-rwl"),
        (["refine", "example:c6", "--rounds", "-1"], "negative"),
        (["refine", "example:c6", "--colours", "colours.xls"], ".csv, .json, .parquet"),
        (["refine", "example:c6", "--colours", "no/such/folder/c.csv"], "no such folder"),
        (["refine", "example:c6", "--direction", "sideways"], "both, undirected, out, in"),
    ],
)
def test_bad_arguments_end_with_one_line_and_status_2(words: list[str], message: str) -> None:
    code, out, err = _run(*words)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_colours_are_written_with_names(tmp_path: Path, suffix: str) -> None:
    import pyarrow.csv
    import pyarrow.parquet

    target = tmp_path / f"colours.{suffix}"
    code, out, _ = _run("refine", str(EXAMPLE_GRAPHS / "weak-rwl.json"), "--colours", str(target))
    assert code == 0
    assert "stable at round 1" in out
    if suffix == "json":
        rows = json.loads(target.read_text())
    elif suffix == "csv":
        rows = pyarrow.csv.read_csv(target).to_pylist()
    else:
        rows = pyarrow.parquet.read_table(target).to_pylist()
    graph = wlkg.read(EXAMPLE_GRAPHS / "weak-rwl.json")
    colours = refine(graph).partition.colours.tolist()
    assert rows == [
        {"vertex": name, "colour": colour}
        for name, colour in zip(graph.vertex_names, colours, strict=True)
    ]
    assert [path.name for path in tmp_path.iterdir()] == [target.name]


def test_refine_prints_the_keys_that_scripts_rely_on() -> None:
    document = json.loads(_run("refine", "example:c6", "--json")[1])
    assert document.pop("seconds") >= 0
    assert document == {
        "schema": "wlkg/refine/1",
        "graph": "example:c6",
        "test": "1-rwl",
        "direction": "undirected",
        "rounds": 0,
        "stable": True,
        "exact": True,
        "proof": "every round was checked without hashing",
        "arity": 1,
        "classes": 1,
        "classes_per_round": [1],
        "distinguishable_pairs": 0,
        "indistinguishable_pairs": 15,
        "vertex_classes": 1,
    }


def test_the_text_of_refine_fits_80_columns_and_shows_rounds_classes_and_members() -> None:
    code, out, _ = _run("refine", str(EXAMPLE_GRAPHS / "family.ttl"))
    assert code == 0
    assert max(map(len, out.splitlines())) <= 80
    for part in ("round", "pairs told apart", "stable at round", "largest classes", "exact"):
        assert part in out
