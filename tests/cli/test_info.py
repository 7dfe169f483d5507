"""``wlkg info``: what was loaded."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, run_process, words_of

KEYS = {"vertices", "triples", "relations", "self_loops", "duplicates", "seconds"}


def test_info_shows_what_was_loaded(run: Run, people: Path) -> None:
    result = run("info", people)
    assert result.exit_code == 0
    words = words_of(result.stdout)
    for fact in (["vertices", "3"], ["relations", "2"], ["self-loops", "1"], ["labels", "0"]):
        assert any(line[:2] == fact for line in words)
    assert ["triples", "3", "1", "duplicate", "dropped"] in words
    assert any(line[:2] == ["knows", "2"] for line in words)
    assert "note: 1 lines that start with '#' were skipped" in result.stderr


def test_info_as_json_has_the_keys_that_scripts_rely_on(run_json: RunJson, people: Path) -> None:
    document = run_json("info", people)
    assert document["schema"] == "wlkg/info/1"
    assert set(document) >= KEYS
    counts = [document[key] for key in ("vertices", "triples", "relations")]
    assert counts == [3, 3, 2]
    assert (document["self_loops"], document["duplicates"]) == (1, 1)
    assert document["triples_per_relation"] == {"knows": 2, "is": 1}
    assert document["seconds"] >= 0


def test_info_on_several_graphs_is_a_table(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "three.g6"
    path.write_bytes(b"A_\nBw\nC~\n")
    result = run("info", f"{path}#all")
    assert result.exit_code == 0
    assert [line.split()[:3] for line in result.stdout.splitlines()[-3:]] == [
        ["#1", "2", "1"],
        ["#2", "3", "3"],
        ["#3", "4", "6"],
    ]
    document = run_json("info", f"{path}#all")
    assert [graph["triples"] for graph in document["graphs"]] == [1, 3, 6]


@pytest.mark.parametrize("path", ["aifb/aifb_stripped.nt.gz", "kg/WN18RR", "kg/FB15k-237"])
def test_info_counts_the_benchmarks(run_json: RunJson, path: str, data_dir: Path) -> None:
    expected = {
        "aifb/aifb_stripped.nt.gz": [8285, 29043, 45],
        "kg/WN18RR": [40559, 86835, 11],
        "kg/FB15k-237": [14505, 272115, 237],
    }
    document = run_json("info", data_dir / path)
    assert [document[key] for key in ("vertices", "triples", "relations")] == expected[path]


@pytest.mark.parametrize("example", ["example:c6", "example:2xc3,r=2"])
def test_info_knows_the_examples(run_json: RunJson, example: str) -> None:
    document = run_json("info", example)
    assert document["vertices"] == 6
    assert document["direction"] == "undirected"
    assert document["relations"] == (2 if "r=2" in example else 1)


def test_two_runs_give_the_same_json_whatever_the_hash_seed(tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(
        "@prefix : <http://e/> . "
        + " ".join(f':v{i} :p{i % 3} :v{i * 7 % 11}, [ :q "{i}" ] .' for i in range(11))
    )
    texts = []
    for seed in ("1", "2"):
        done = run_process(
            "info", path, "--json", "--labels", "kind", env=os.environ | {"PYTHONHASHSEED": seed}
        )
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        texts.append([line for line in lines if not line.startswith('  "seconds"')])
        assert len(texts[-1]) == len(lines) - 1
    assert texts[0] == texts[1]
