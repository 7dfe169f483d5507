"""``wlkg counterexample``: families and lifts are shown, checked and written."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import wlkg
from tests.cli.running import Run, RunJson, assert_refused, words_of
from wlkg.analysis.counterexample import build, examine
from wlkg.analysis.isomorphism import isomorphic
from wlkg.examples import FAMILIES, Claim, Fact, example


def test_counterexample_lists_all_families(run: Run, run_json: RunJson) -> None:
    result = run("counterexample")
    assert result.exit_code == 0
    starts = {line.split()[0].partition(",")[0] for line in result.stdout.splitlines() if line}
    assert starts >= {*FAMILIES, "lift"}
    assert "cfi,k=2,r=1" in result.stdout
    document = run_json("counterexample")
    assert document["schema"] == "wlkg/counterexample/1"
    listed = document["counterexamples"]
    assert [entry["name"] for entry in listed] == list(FAMILIES)
    for entry in listed:
        assert set(entry) >= {"name", "parameters", "verdicts"}
        assert all({"test", "separated", "round"} <= set(claim) for claim in entry["verdicts"])


def test_counterexample_shows_graphs_and_claims(run: Run, run_json: RunJson) -> None:
    result = run("counterexample", "cfi", "-k", "3", "-r", "2")
    assert result.exit_code == 0
    words = words_of(result.stdout)
    for row in (
        ["cfi-g,k=3,r=2", "cfi-h,k=3,r=2"],
        ["vertices", "28", "28"],
        ["triples", "108", "108"],
        ["relations", "2", "2"],
        ["2-rlwl", "same"],
        ["3-rlwl", "separated", "at", "round", "2"],
    ):
        assert row in words
    assert "holds" not in result.stdout, "nothing was checked"
    document = run_json("counterexample", "cfi,r=2", "-k", "3")
    assert document["schema"] == "wlkg/counterexample/1"
    assert (document["name"], document["parameters"]) == ("cfi", {"k": 3, "r": 2})
    assert {"test": "3-rlwl", "separated": True, "round": 2} in document["verdicts"]
    assert (document["checked"], document["written"]) == (False, [])
    assert [graph["vertices"] for graph in document["graphs"]] == [28, 28]


def test_a_claim_may_be_about_a_vertex_of_each_graph(run: Run, run_json: RunJson) -> None:
    result = run("counterexample", "copies", "-n", "4", "--check")
    assert result.exit_code == 0
    assert "about vertex 0 of cycle,n=4,r=1 and vertex 0 of cycles-h,n=4,r=1\n" in result.stdout
    words = words_of(result.stdout)
    assert ["1-rwl", "same", "same", "yes"] in words
    assert ["1-rwl-all", *("separated at round 1 " * 2).split(), "yes"] in words
    assert run_json("counterexample", "copies")["vertices"] == ["0", "0"]


def test_counterexample_checks_its_claims(run: Run, run_json: RunJson) -> None:
    result = run("counterexample", "weak-rwl", "--check")
    assert result.exit_code == 0
    words = words_of(result.stdout)
    assert ["about", "the", "vertices", "v", "and", "w"] in words
    assert ["weak-rwl", "same", "same", "yes"] in words
    assert ["1-rwl", *["separated", "at", "round", "1"] * 2, "yes"] in words
    document = run_json("counterexample", "cfi", "--check")
    assert document["checked"] is True
    keys = {"test", "separated", "round", "rounds", "classes", "skipped"}
    for verdict in document["verdicts"]:
        assert set(verdict) >= keys
        assert verdict["holds"] is True
        assert verdict["claimed"]["test"] == verdict["test"]
    assert document["facts"]
    assert all(fact["holds"] for fact in document["facts"])


def test_counterexample_skips_claims_that_do_not_fit(run: Run) -> None:
    result = run("counterexample", "cycles", "--check", "--max-memory", "1k")
    assert result.exit_code == 0
    words = words_of(result.stdout)
    assert ["1-rwl", "same", "same", "yes"] in words
    assert ["2-fwl", "separated", "at", "round", "1", "skipped"] in words
    assert "skipped: 2-fwl on 6 and 6 vertices has 72 tuples" in result.stdout


def one_false_fact(*_: object) -> tuple[Fact, ...]:
    return (Fact("it is small", True), Fact("it is large", False))


@pytest.mark.parametrize(
    ("changes", "shown"),
    [
        (
            {"claims": lambda _: (Claim("2-rlwl", separated=True, round=7),)},
            r"2-rlwl +separated at round 7 +separated at round 1 +NO",
        ),
        ({"facts": one_false_fact}, "holds: it is small\nDOES NOT HOLD: it is large"),
    ],
)
def test_a_false_claim_or_fact_ends_with_status_1(
    run: Run, changes: dict[str, Any], shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FAMILIES, "cycles", replace(FAMILIES["cycles"], **changes))
    assert not examine(build("cycles", {})).hold
    result = run("counterexample", "cycles", "--check")
    assert result.exit_code == 1
    assert re.search(shown, result.stdout)
    assert run("counterexample", "cycles", "--check", "--json").exit_code == 1
    assert run("counterexample", "cycles").exit_code == 0, "nothing was checked"


# -- files ----------------------------------------------------------------------------------------


def test_counterexample_writes_its_graphs(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    folder = tmp_path / "graphs"
    arguments = ("counterexample", "cycles", "-n", "5", "--out", folder, "--format", "graphml")
    result = run(*arguments)
    assert result.exit_code == 0
    paths = [folder / "cycles-g-n5-r1.graphml", folder / "cycles-h-n5-r1.graphml"]
    assert [f"written: {path}" for path in paths] == result.stdout.splitlines()[-2:]
    assert run_json(*arguments)["written"] == [str(path) for path in paths]
    compared = run_json("compare", *paths, status=1)
    assert (compared["weakest"], compared["isomorphic"]) == ("2-rlwl", False)


def test_graphs_are_written_as_n_triples_by_default(run: Run, tmp_path: Path) -> None:
    result = run("counterexample", "cycles", "--out", tmp_path / "new")
    assert result.exit_code == 0, result.stderr
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert [name.rpartition(".")[0] for name in names] == ["cycles-g-n3-r1", "cycles-h-n3-r1"]
    for name in names:
        back = wlkg.read(tmp_path / "new" / name)
        assert isomorphic(back, example(name[:8]), "undirected") is True


@pytest.mark.parametrize("name", ["nt", "g6"])
def test_formats_may_be_named_by_their_suffixes(run: Run, name: str, tmp_path: Path) -> None:
    result = run("counterexample", "cycles", "--out", tmp_path, "--format", name)
    assert result.exit_code == 0, result.stderr
    assert {path.suffix for path in tmp_path.iterdir()} == {f".{name}"}
    assert all(wlkg.read(path).num_vertices == 6 for path in tmp_path.iterdir())


# -- lifts ----------------------------------------------------------------------------------------


def test_a_lift_of_any_graph_is_a_counterexample(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    path = tmp_path / "ring.ttl"
    path.write_text("@prefix : <a:> . :a :p :b . :b :p :c . :c :p :a ; :q 'x' .")
    result = run("counterexample", "lift", "--of", path)
    assert result.exit_code == 0
    words = words_of(result.stdout)
    assert ["vertices", "8", "8"] in words
    assert ["1-rwl", "same", "same", "yes"] in words
    assert "the weakest test of the ladder that separates them: 2-rlwl" in result.stdout
    document = run_json("counterexample", "lift", "--of", path, "--literals", "drop")
    assert document["parameters"] == {"of": str(path), "seed": 0}
    assert [graph["vertices"] for graph in document["graphs"]] == [6, 6]
    assert [v["separated"] for v in document["verdicts"]] == [False] * len(wlkg.TESTS) + [True]
    blind = run("counterexample", "lift", "--of", path, "--max-memory", "1k")
    assert blind.exit_code == 0
    assert "no test that fits into memory separates them" in blind.stdout


def test_the_seed_chooses_the_lift(run_json: RunJson, tmp_path: Path) -> None:
    texts = []
    for number, seed in enumerate(("3", "3", "4")):
        folder = tmp_path / str(number)
        options = ("--seed", seed, "--out", folder, "--format", "json")
        document = run_json("counterexample", "lift", "--of", "example:k33", *options)
        assert document["parameters"] == {"of": "example:k33", "seed": int(seed)}
        texts.append((folder / "lift.json").read_text())
    assert texts[0] == texts[1] != texts[2]


def test_a_piece_of_a_graph_is_lifted(run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "long.tsv"
    path.write_text("".join(f"v{i}\tr\tv{(i + 1) % 40}\n" for i in range(40)) + "v0\tr\tv2\n")
    document = run_json("counterexample", "lift", "--of", path, "--piece", "9")
    assert document["parameters"] == {"of": str(path), "seed": 0, "piece": 9}
    assert [graph["vertices"] for graph in document["graphs"]] == [18, 18]
    assert document["verdicts"][-1]["separated"]


def test_a_lift_of_a_forest_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tree.tsv"
    path.write_text("a\tr\tb\na\tr\tc\n")
    result = run("counterexample", "lift", "--of", path)
    assert result.exit_code == 2
    assert "forest" in result.stderr


# -- mistakes -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["nothing"], 2, "unknown family 'nothing'. Known: cycles, cfi"),
        (["cfi", "-k", "1"], 2, "k must be at least 2, found 1"),
        (["cfi,k=x"], 2, "k must be a whole number, found 'x'"),
        (["rook", "-r", "2"], 2, "family 'rook' takes no parameters, found 'r'"),
        (["lift"], 2, "wlkg counterexample lift --of GRAPH"),
        (["cfi", "--of", "example:c6"], 2, "wlkg counterexample lift --of GRAPH"),
        (["lift", "--of", "nothing.ttl"], 2, "nothing.ttl: no such file"),
        (["lift", "--of", "example:c6", "-k", "3"], 2, "lift takes --of, --seed and --piece"),
        (["lift", "--of", "example:c6,k=3"], 2, "unknown parameter of example 'c6': 'k'"),
        (["k33", "--out", "new", "--format", "word"], 2, "format 'word'. Known: ntriples"),
        (["k33", "--out", "file", "--format", "json"], 2, "file: the folder cannot be made"),
        (["k33", "--out", "file/new", "--format", "json"], 2, "the folder cannot be made"),
        (["weak-rwl", "--out", "new", "--format", "csv"], 2, "cannot hold vertex labels"),
        (["k33", "--check", "--max-memory", "much"], 2, "'much' is not a memory size"),
        (["cfi", "-k", "40"], 3, "22,539,988,371,048 vertices"),
        (["cycles", "-n", "900000", "-r", "900000"], 3, "Choose smaller parameters"),
    ],
)
def test_a_mistake_ends_in_one_line_on_stderr(
    run: Run,
    arguments: list[str],
    status: int,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("not a folder")
    assert_refused(run("counterexample", *arguments), message, status=status)
    assert Path("file").read_text() == "not a folder"


def test_a_parameter_that_is_not_a_number_is_refused_with_its_option(run: Run) -> None:
    result = run("counterexample", "cfi", "-k", "x")
    assert result.exit_code == 2
    assert "'-k'" in result.stderr


def test_the_remedy_for_a_refused_format_names_only_existing_options(
    run: Run, tmp_path: Path
) -> None:
    result = run("counterexample", "weak-rwl", "--out", tmp_path, "--format", "csv")
    usage = run("counterexample", "--help").stdout
    assert all(option in usage for option in re.findall(r"--[a-z-]+", result.stderr))
