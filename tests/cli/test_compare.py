"""``wlkg compare``: the verdicts of tests on two graphs, and the exit status."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused, words_of
from tests.needs_torch import needs_torch
from tests.places import EXAMPLE_GRAPHS
from wlkg.analysis.isomorphism import IsomorphismVerdict


def test_compare_shows_every_verdict_the_weakest_test_and_isomorphism(run: Run) -> None:
    result = run("compare", "example:c6", "example:2xc3")
    assert result.exit_code == 1
    assert result.stderr.startswith("next: ")
    words = words_of(result.stdout)
    for row in (
        ["example:c6", "example:2xc3"],
        ["vertices", "6", "6"],
        ["1-wl", "same", "0", "1"],
        ["weak-rwl", "same", "0", "1"],
        ["1-rwl", "same", "0", "1"],
        ["2-rlwl", "separated", "1", "2", "7"],
        ["3-rlwl", "not", "run"],
        ["6:", "0,", "1,", "2,", "...", "none"],
        ["none", "6:", "0,", "1,", "2,", "..."],
    ):
        assert row in words
    assert "not run: 3-rlwl, implied by 2-rlwl; --all runs it\n" in result.stdout
    assert "at round 1 of 2-rlwl, 2 colours of vertices are not equally" in result.stdout
    assert "weakest separating test: 2-rlwl" in result.stdout
    assert "the graphs are not isomorphic" in result.stdout
    assert "direction undirected" in result.stdout


def test_compare_as_json_has_the_keys_that_scripts_rely_on(run_json: RunJson) -> None:
    document = run_json("compare", "example:c6", "example:2xc3", "--all", status=1)
    assert document["schema"] == "wlkg/compare/1"
    assert document["graphs"] == ["example:c6", "example:2xc3"]
    assert document["direction"] == "undirected"
    keys = {"test", "separated", "round", "rounds", "classes", "skipped"}
    assert all(set(verdict) >= keys for verdict in document["verdicts"])
    assert [
        (verdict["test"], verdict["separated"], verdict["round"])
        for verdict in document["verdicts"]
    ] == [
        ("1-wl", False, None),
        ("weak-rwl", False, None),
        ("1-rwl", False, None),
        ("2-rlwl", True, 1),
        ("3-rlwl", True, 0),
    ]
    assert [verdict["classes"] for verdict in document["verdicts"]] == [1, 1, 1, 7, 31]
    assert {verdict["skipped"] for verdict in document["verdicts"]} == {None}
    assert (document["weakest"], document["isomorphic"]) == ("2-rlwl", False)
    assert document["isomorphism_rests_on"] == "2-rlwl separates the graphs"
    assert document["seconds"] >= 0


def test_compare_ends_with_0_if_no_test_separates(run: Run, run_json: RunJson) -> None:
    result = run("compare", "example:c6", "example:cycles-g")
    assert result.exit_code == 0
    assert "no test separates the graphs\nthe graphs are isomorphic\n" in result.stdout
    assert "isomorphism: a map, checked arc by arc\n" in result.stdout
    document = run_json("compare", "example:c6", "example:cycles-g")
    assert (document["weakest"], document["isomorphic"]) == (None, True)
    assert document["isomorphism_rests_on"] == "a map, checked arc by arc"


def test_compare_takes_several_tests(run: Run, run_json: RunJson) -> None:
    graphs = ("example:rook", "example:shrikhande")
    arguments = ("compare", *graphs, "--isomorphism-seconds", 600)  # enough on a busy machine
    tests = ("--test", "2-fwl", "--test", "1-wl", "--test", "delta-2-lwl")
    document = run_json(*arguments, *tests)
    assert [v["test"] for v in document["verdicts"]] == ["2-fwl", "1-wl", "delta-2-lwl"]
    assert (document["weakest"], document["isomorphic"]) == (None, False)
    assert run(*arguments, *tests, "--test", "3-rlwl").exit_code == 1


def test_compare_names_all_weakest_tests(run: Run) -> None:
    result = run("compare", "example:two-cycles-g", "example:two-cycles-h")
    assert "weakest separating test: 1-wl and 2-rlwl" in result.stdout


def test_compare_skips_what_does_not_fit_and_says_why(run: Run, run_json: RunJson) -> None:
    arguments = ("compare", "example:c6", "example:2xc3", "--max-memory", "1k")
    result = run(*arguments)
    assert result.exit_code == 0, "no test that was run separates"
    words = words_of(result.stdout)
    assert ["1-rwl", "same", "0", "1"] in words
    assert ["2-rlwl", "skipped"] in words
    assert "skipped: 2-rlwl on 6 and 6 vertices has 72 tuples and needs" in result.stdout
    document = run_json(*arguments)
    skipped = {v["test"]: v["skipped"] for v in document["verdicts"] if v["separated"] is None}
    assert list(skipped) == ["2-rlwl", "3-rlwl"]
    assert "432 tuples" in skipped["3-rlwl"]
    assert "more than the 1,000 allowed" in skipped["3-rlwl"]
    assert (document["weakest"], document["isomorphic"]) == (None, False)


def test_compare_says_when_isomorphism_was_not_decided(
    run: Run, run_json: RunJson, monkeypatch: pytest.MonkeyPatch
) -> None:
    time_limits = []

    def undecided(*_: object, seconds: float) -> IsomorphismVerdict:
        time_limits.append(seconds)
        return IsomorphismVerdict(None, "not decided in time")

    monkeypatch.setattr("wlkg.analysis.compare.decide_isomorphism", undecided)
    arguments = ("compare", "example:rook", "example:shrikhande", "--test", "1-rwl")
    text = run(*arguments, "--isomorphism-seconds", "0.5")
    assert text.exit_code == 0
    assert "whether the graphs are isomorphic is open\nisomorphism: not decided in time\n" in (
        text.stdout
    )
    document = run_json(*arguments)
    assert (document["isomorphic"], document["isomorphism_rests_on"]) == (
        None,
        "not decided in time",
    )
    assert time_limits == [0.5, 10.0]


def test_compare_reads_both_graphs_with_the_same_options(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    path = tmp_path / "c6.tsv"
    path.write_text("".join(f"{i}\tedge\t{(i + 1) % 6}\n" for i in range(6)))
    assert run("compare", path, "example:c6").exit_code == 2
    document = run_json("compare", path, "example:c6", "--direction", "undirected")
    assert (document["direction"], document["isomorphic"]) == ("undirected", True)
    labels = tmp_path / "labels.tsv"
    labels.write_text("".join(f"{i}\t{'red' if i < 3 else 'blue'}\n" for i in range(6)))
    document = run_json(
        "compare", "example:c6", "example:2xc3", "--labels", labels, "--all", status=1
    )
    assert [verdict["round"] for verdict in document["verdicts"][:3]] == [1, 1, 1]


def test_compare_notes_names_that_only_one_graph_has(
    run: Run, run_json: RunJson, people: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("ann\tloves\tbob\nbob\tis\tx\n")
    result = run("compare", people, other)
    assert result.exit_code == 1
    assert "1 relation only in the first graph: knows" in result.stdout
    assert "1 relation only in the second graph: loves" in result.stdout
    assert len(run_json("compare", people, other, status=1)["notes"]) == 2


def test_tests_that_are_not_run_have_a_verdict_that_says_why(run_json: RunJson) -> None:
    document = run_json("compare", "example:c6", "example:2xc3", status=1)
    last = document["verdicts"][-1]
    assert (last["test"], last["separated"], last["implied_by"]) == ("3-rlwl", None, "2-rlwl")
    assert last["skipped"].startswith("not run: 2-rlwl separates the graphs")
    (found,) = document["differences"]
    assert (found["test"], found["round"], found["colours"]) == ("2-rlwl", 1, 2)
    assert found["largest"][0] == {"counts": [6, 0], "vertices": [["0", "1", "2"], []]}


def test_tests_that_share_a_reason_share_a_line(run: Run, people: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("ann\tknows\tbob\nbob\tis\tx\n")
    text = run("compare", people, other).stdout
    assert "not run: 1-rwl, 2-rlwl, 3-rlwl, implied by weak-rwl; --all runs them" in text
    assert "not run" not in run("compare", people, other, "--all").stdout
    refused = run("compare", people, other, "--test", "1-rwl", "--all")
    assert_refused(refused, "--all has no effect: tests that you name are all run")


# -- names and vertices ---------------------------------------------------------------------------


@pytest.fixture
def towns(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "ulm.ttl", tmp_path / "bonn.ttl"]
    for path in paths:
        path.write_text(
            f'_:{path.stem} <http://a/in> "{path.stem}" ; <http://a/is> <http://a/b> .\n'
        )
    return paths


def test_names_are_compared_on_request_and_otherwise_not(
    run: Run, run_json: RunJson, towns: list[Path]
) -> None:
    ignored = "names of vertices are not compared (--names compares them)\n"
    text = run("compare", *towns)
    assert (text.exit_code, f"the graphs are isomorphic\n{ignored}" in text.stdout) == (0, True)
    document = run_json("compare", *towns)
    assert (document["names"], document["names_ignored"]) == (False, True)
    compared = run("compare", *towns, "--names")
    assert compared.exit_code == 1
    assert ignored not in compared.stdout
    assert '1 vertex name only in the first graph: "ulm"' in compared.stdout
    assert "the graphs are not isomorphic, names of vertices included\n" in compared.stdout
    assert words_of(compared.stdout).count(["1:", '"ulm"', "none"]) == 2, "1-wl and weak-rwl"
    same = run("compare", towns[0], towns[0], "--names").stdout
    assert "the graphs are isomorphic, names of vertices included\n" in same
    assert ignored not in run("compare", towns[0], towns[0]).stdout


def test_a_vertex_of_each_graph_can_be_compared(run: Run, run_json: RunJson) -> None:
    family = EXAMPLE_GRAPHS / "family.ttl"
    arguments = ("compare", family, family, "--vertices", ":dana", "f:finn")
    prefix = ("--prefix", "f=http://example.org/family#")
    document = run_json(*arguments, *prefix, status=1)
    assert document["vertices"] == [":dana", "f:finn"]
    assert [verdict["round"] for verdict in document["verdicts"]] == [1, 1, 1, None, None]
    text = run(*arguments, *prefix)
    assert text.exit_code == 1
    assert text.stdout.startswith(f":dana in {family}\nf:finn in {family}\n")
    assert "not run: 1-wl separates the vertices; --all runs it\n" in text.stdout
    assert run(*arguments, *prefix, "--exit-zero").exit_code == 0
    same = run("compare", family, family, "--vertices", "dana", "eli")
    assert (same.exit_code, "no test separates the vertices" in same.stdout) == (0, True)
    assert_refused(run(*arguments), "'f:finn'")
    for option in (("--names",), ("--model", "rgcn"), ("--html", "page.html"), ("--dim", "8")):
        refused = run("compare", family, family, "--vertices", "dana", "eli", *option)
        assert_refused(refused, f"{option[0]} has no effect: two vertices are compared")
    refused = run("compare", family, family, *prefix)
    assert_refused(refused, "--prefix has no effect: it is about --vertices")


# -- exit status ----------------------------------------------------------------------------------

DIFFERENT = ("example:c6", "example:2xc3")
SAME = ("example:c6", "example:cycles-g")


def without_seconds(text: str) -> str:
    return re.sub(r"[\d.]+ s\b|\"seconds\": [\d.e-]+", "", text)


@pytest.mark.parametrize("output", [(), ("--json",)])
def test_exit_zero_prints_the_same_and_ends_with_0(run: Run, output: tuple[str, ...]) -> None:
    usual = run("compare", *DIFFERENT, *output)
    zero = run("compare", *DIFFERENT, *output, "--exit-zero")
    assert (usual.exit_code, zero.exit_code) == (1, 0)
    text = re.sub(r"^exit status 1: .*\n", "", usual.stdout, flags=re.MULTILINE)
    assert without_seconds(zero.stdout) == without_seconds(text)
    assert "2-rlwl" in zero.stdout
    assert zero.stderr == usual.stderr


@pytest.mark.parametrize("options", [(), ("--exit-zero",)])
def test_graphs_that_no_test_separates_end_with_0(run: Run, options: tuple[str, ...]) -> None:
    assert run("compare", *SAME, *options).exit_code == 0


def test_exit_zero_does_not_hide_mistakes(run: Run) -> None:
    assert run("compare", "example:c6", "example:none", "--exit-zero").exit_code == 2


@pytest.mark.parametrize("test", ["1-wl", "1-rwl"])
def test_non_neighbours_add_classes_and_no_verdict(run_json: RunJson, test: str) -> None:
    pair = ("example:cycle", "example:cycles-h")
    document = run_json("compare", *pair, "--test", test, "--test", f"{test}-all", status=1)
    without, with_others = document["verdicts"]
    assert (without["round"], with_others["round"]) == (0, 0)
    assert (without["classes"], with_others["classes"]) == (1, 2)
    assert document["weakest"] == test


def test_1_rlwl_sees_loops_that_1_rwl_does_not(run_json: RunJson) -> None:
    pair = ("example:loops-swap-g", "example:loops-swap-h")
    document = run_json("compare", *pair, "--test", "1-rwl", "--test", "1-rlwl", status=1)
    assert [verdict["round"] for verdict in document["verdicts"]] == [None, 0]
    assert document["weakest"] == "1-rlwl"


# -- models ---------------------------------------------------------------------------------------


@needs_torch
def test_models_have_rows_beside_the_tests(run: Run, run_json: RunJson) -> None:
    arguments = ("compare", "example:c6", "example:2xc3", "--test", "1-rwl")
    models = ("--model", "rgcn", "--model", "k-rn")
    result = run(*arguments, *models)
    assert result.exit_code == 1, "a model separates"
    rows = words_of(result.stdout)
    assert ["rgcn", "random", "same", "0", "of", "3", "1-rwl", "holds"] in rows
    assert ["k-rn", "random", "separated", "1", "3", "of", "3", "2-rlwl", "holds"] in rows
    assert "no test separates the graphs" in result.stdout
    document = run_json(*arguments, *models, status=1)
    keys = ("model", "weights", "separated", "layer", "bound", "bound_holds", "draws")
    assert [[model[key] for key in keys] for model in document["models"]] == [
        ["rgcn", "random", False, None, "1-rwl", True, 3],
        ["k-rn", "random", True, 1, "2-rlwl", True, 3],
    ]
    assert run(*arguments, *models, "--exit-zero").exit_code == 0
    assert run(*arguments, "--model", "rgcn").exit_code == 0
    assert run_json(*arguments)["models"] == []


@needs_torch
def test_options_of_models_reach_them(run_json: RunJson) -> None:
    document = run_json(
        *("compare", "example:rook", "example:shrikhande", "--test", "1-rwl", "--model", "k-rn"),
        *(
            "--model",
            "gnn",
            "-k",
            3,
            "--dim",
            8,
            "--layers",
            1,
            "--draws",
            1,
            "--isomorphism-seconds",
            0,
        ),
        status=1,
    )
    model, other = document["models"]
    assert (model["bound"], model["separated"], model["draws"]) == ("3-rlwl", True, 1)
    assert (other["bound"], other["separated"]) == ("1-wl", False)


OWN = """
import torch

def triangles(x, edge_index):
    matrix = torch.zeros(len(x), len(x), dtype=x.dtype)
    matrix[edge_index[0], edge_index[1]] = 1
    return (matrix @ matrix @ matrix).diagonal()[:, None]

def numbers(x, edge_index):
    return torch.arange(len(x), dtype=x.dtype)[:, None] * torch.ones_like(x) + x
"""


@needs_torch
def test_a_model_that_violates_its_bound_is_named(run: Run, tmp_path: Path) -> None:
    own = tmp_path / "own.py"
    own.write_text(OWN)
    arguments = ("compare", "example:c6", "example:2xc3", "--test", "1-rwl", "--module")
    result = run(*arguments, f"{own}:triangles")
    assert result.exit_code == 1
    assert "own.py:triangles violates its bound: it separates the graphs, and 1-rwl does not" in (
        " ".join(result.stdout.split())
    )
    result = run(*arguments, f"{own}:numbers")
    assert "depends on more than the graph" in result.stdout


@needs_torch
def test_a_model_that_separates_isomorphic_graphs_gives_itself_away(
    run: Run, tmp_path: Path
) -> None:
    own = tmp_path / "own.py"
    own.write_text(
        "import torch\n"
        "def first(x, edge_index):\n"
        "    near = (edge_index[0] == 0) & (edge_index[1] == 1)\n"
        "    return x * (1 + near.sum()) * torch.arange(1, len(x) + 1, dtype=x.dtype)[:, None]\n"
    )
    for name, pairs in {"one": ["ab", "bc", "cd"], "two": ["ac", "cb", "bd"]}.items():
        rows = "".join(f"{pair[0]}\tr\t{pair[1]}\n" for pair in pairs)
        (tmp_path / f"{name}.tsv").write_text(rows)
    graphs = (tmp_path / "one.tsv", tmp_path / "two.tsv")
    result = run("compare", *graphs, "--test", "1-rwl", "--module", f"{own}:first")
    assert "the graphs are isomorphic" in result.stdout
    assert "violated" in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--model", "gcn"], "unknown model 'gcn'"),
        (["--module", "own.py"], "--module needs FILE.py:NAME, found 'own.py'"),
        (["--seed", "8"], "--seed has no effect: no weights are drawn"),
        (["--dtype", "float32"], "--dtype has no effect: no model is asked"),
        (["--model", "rgcn", "-k", "3"], "-k has no effect on rgcn. It is for k-rn"),
        (["--dim", "8"], "--dim has no effect: it is about --model"),
    ],
)
def test_bad_options_of_models_are_refused(run: Run, options: list[str], message: str) -> None:
    assert_refused(run("compare", "example:c6", "example:2xc3", *options), message)


@needs_torch
def test_a_model_that_does_not_fit_is_skipped(run: Run, run_json: RunJson) -> None:
    arguments = ("compare", "example:c6", "example:2xc3", "--test", "1-rwl", "--model", "k-rn")
    result = run(*arguments, "--max-memory", "1k")
    assert result.exit_code == 0
    assert ["k-rn", "random", "skipped"] in words_of(result.stdout)
    (model,) = run_json(*arguments, "--max-memory", "1k")["models"]
    assert (model["separated"], model["bound_holds"]) == (None, None)
    assert "more than the 1,000 allowed" in model["skipped"]


@needs_torch
def test_relations_that_a_saved_model_does_not_know_are_refused_or_skipped(
    run: Run, run_json: RunJson, tmp_path: Path
) -> None:
    for name, rows in {"one": "a r b\nb r c\n", "two": "a r b\nb s c\n"}.items():
        (tmp_path / f"{name}.tsv").write_text(rows.replace(" ", "\t"))
    saved = tmp_path / "witness.pt"
    assert run("witness", tmp_path / "one.tsv", "--out", saved).exit_code == 0
    graphs = ("compare", tmp_path / "one.tsv", tmp_path / "two.tsv", "--test", "1-rwl")
    assert_refused(run(*graphs, "--checkpoint", saved), "--unknown-relations skip")
    arguments = (*graphs, "--checkpoint", saved, "--unknown-relations", "skip")
    (model,) = run_json(*arguments, status=1)["models"]
    assert (model["separated"], model["bound_holds"]) == (True, True)
