"""``wlkg hierarchy``: its tables, its document, and how it ends."""

from __future__ import annotations

import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.analysis.hierarchy.samples import REGULAR, by_size
from tests.cli.running import Run, RunJson, words_of
from tests.loaded_modules import HEAVY, NUMERIC, command, modules_after
from tests.needs_torch import needs_torch
from wlkg import RelationalGraph
from wlkg.analysis.hierarchy.table import DEFAULT_TESTS
from wlkg.readers.graph6 import encode_graph6


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    """A folder with two groups: four graphs of 6 vertices, and two of 16."""
    folder = tmp_path / "corpus"
    folder.mkdir()
    for name, graphs in {"small": REGULAR[:4], "strong": REGULAR[4:]}.items():
        lines = [encode_graph6(graph) for graph in graphs]
        (folder / f"{name}.g6").write_bytes(b"\n".join(lines) + b"\n")
    return folder


def test_the_table_has_tests_as_rows_and_groups_as_columns(run: Run, corpus: Path) -> None:
    tests = ("weak-rwl", "1-fwl", "2-fwl", "3-rlwl")
    result = run("hierarchy", corpus, *(word for test in tests for word in ("--test", test)))
    assert result.exit_code == 0, result.output
    rows = words_of(result.stdout)
    assert rows[1:6] == [
        ["test", "small", "strong", "all", "by", "round"],
        ["weak-rwl", "4/6", "0/1", "4/7", "1"],
        ["1-fwl", "0/6", "0/1", "0/7"],
        ["2-fwl", "6/6", "0/1", "6/7", "1"],
        ["3-rlwl", "6/6", "1/1", "7/7", "1"],
    ]
    missed = "small#1/small#2, small#3/small#4, strong#1/strong#2"
    assert f"\nweak-rwl misses {missed}\n2-fwl misses strong#1/strong#2\n" in result.stdout
    assert "1-fwl misses" not in result.stdout  # too many to list
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80


def test_the_document_has_the_keys_that_scripts_rely_on(run_json: RunJson, corpus: Path) -> None:
    document = run_json("hierarchy", corpus, "--test", "2-fwl", "--pairing", "consecutive")
    assert document["schema"] == "wlkg/hierarchy/1"
    assert document["seconds"] >= 0
    sizes = [(g["group"], g["graphs"], g["pairs"], g["pairing"]) for g in document["groups"]]
    assert sizes == [("small", 4, 2, "consecutive"), ("strong", 2, 1, "consecutive")]
    (row,) = document["rows"]
    assert (row["test"], row["kind"], row["separated"], row["total"]) == ("2-fwl", "test", 2, 3)
    small, strong = row["cells"]
    keys = {"group", "separated", "total", "skipped", "undecided", "rounds", "missed"}
    assert keys <= set(small)
    assert (small["separated"], small["rounds"], small["missed"]) == (2, 1, [])
    assert (strong["separated"], strong["rounds"]) == (0, None)
    assert strong["missed"] == ["strong#1/strong#2"]


def test_many_groups_are_rows_and_very_wide_tables_are_lists(run: Run, tmp_path: Path) -> None:
    content = b"\n".join(encode_graph6(graph) for graph in REGULAR[:2])
    for number in range(12):
        (tmp_path / f"group-{number:02}.g6").write_bytes(content)
    result = run("hierarchy", tmp_path)
    rows = words_of(result.stdout)
    assert rows[1] == ["group", *DEFAULT_TESTS]
    assert rows[2] == ["group-00", "0/1", "0/1", "0/1", "1/1", "1/1"]
    assert rows[14] == ["all", "0/12", "0/12", "0/12", "12/12", "12/12"]
    many = [f"delta-{k}-lwl" for k in (1, 2, 3)] + [f"{k}-rlwl" for k in (1, 2, 3)]
    many += ["1-fwl", "2-fwl", "1-wl", "2-wl", "3-wl"]
    result = run("hierarchy", tmp_path, *(word for name in many for word in ("--test", name)))
    rows = words_of(result.stdout)
    assert rows[1] == ["group", "test", "separated", "by", "round"]
    assert rows[2] == ["group-00", "delta-1-lwl", "0/1"]
    assert rows[3] == ["group-00", "delta-2-lwl", "1/1", "1"]
    assert ["all", "3-wl", "12/12", "0"] in rows
    assert max(map(len, result.stdout.splitlines()[1:])) <= 80


def test_skipped_pairs_are_marked_with_the_reason(run: Run, corpus: Path) -> None:
    result = run("hierarchy", corpus, "--test", "2-fwl", "--max-memory", "10k")
    assert result.exit_code == 0
    assert ["2-fwl", "6/6", "0/1*", "6/7*", "1"] in words_of(result.stdout)
    assert "* 2-fwl: 1 skipped: 2-fwl on 16 and 16 vertices has 512 tuples" in result.stdout


def test_file_names_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    (tmp_path / "\x1b[31mred.g6").write_bytes(b"A_\nA?\nA_")
    result = run("hierarchy", tmp_path, "--test", "1-wl")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "1-wl misses" in result.stdout


#: The module from which the command takes ``separated_by_model``.
HOME_OF_MODELS = "wlkg.gnn.api"


@pytest.fixture
def model_stub(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """Replaces the models, also without PyTorch; the list holds the arguments of each call."""
    calls = []

    def separated_by_model(
        graphs: Sequence[RelationalGraph],
        pairs: Sequence[tuple[int, int]],
        model: str,
        **options: Any,
    ) -> list[bool | None]:
        calls.append({"name": model, **options})
        return by_size(graphs, pairs)

    stub = types.ModuleType(HOME_OF_MODELS)
    stub.separated_by_model = separated_by_model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, HOME_OF_MODELS, stub)
    return calls


def test_models_have_rows_beside_the_tests(
    run: Run, run_json: RunJson, corpus: Path, model_stub: list[dict[str, Any]]
) -> None:
    options = ("--test", "1-wl", "--model", "rgcn", "--model", "k-rn", "-k", "3", "--seed", "7")
    result = run("hierarchy", corpus, *options, "--draws", "5")
    assert result.exit_code == 0, result.output
    rows = words_of(result.stdout)
    assert ["rgcn,", "random", "weights", "0/6", "0/1?", "0/7?"] in rows
    assert "? k-rn, random weights: 1 undecided: too close to rounding" in result.stdout
    expected = {"k": 3, "draws": 5, "seed": 7, "max_memory": None}
    # All models judge the first group, then the second.
    assert model_stub == [{"name": n, **expected} for n in ("rgcn", "k-rn") * 2]
    document = run_json("hierarchy", corpus, *options)
    assert [row["kind"] for row in document["rows"]] == ["test", "model", "model"]
    assert document["rows"][1]["cells"][1]["undecided"] == 1
    assert document["rows"][1]["undecided"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--test", "9-xl"], "unknown test '9-xl'"),
        (["--model", "gat"], "unknown model 'gat'. Known: gnn, rgcn, rgcn-mlp, compgcn, k-rn"),
        (["--pairing", "rows"], "unknown pairing 'rows'. Known: consecutive, all"),
        (["--max-memory", "much"], "'much' is not a memory size"),
        (["--direction", "up"], "direction"),
    ],
)
def test_wrong_options_end_with_a_message(
    run: Run, arguments: list[str], message: str, corpus: Path, model_stub: list[dict[str, Any]]
) -> None:
    result = run("hierarchy", corpus, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not model_stub


def test_bad_input_ends_with_a_message(run: Run, corpus: Path) -> None:
    (corpus / "odd.npy").write_bytes(b"no array")
    result = run("hierarchy", corpus)
    assert result.exit_code == 2
    assert f"error: {corpus / 'odd.npy'}: not a NumPy array" in result.stderr
    assert run("hierarchy", corpus / "small.g6").exit_code == 0
    assert run("hierarchy", corpus / "none.g6").exit_code == 2


def test_skipped_files_are_noted_on_stderr(run: Run, corpus: Path) -> None:
    (corpus / "README.md").write_text("words")
    result = run("hierarchy", corpus, "--test", "1-wl")
    assert "note: 1 file of unknown format skipped" in result.stderr
    assert "README" not in result.stdout


@needs_torch
def test_random_weights_separate_the_same_pairs_as_their_tests(
    run_json: RunJson, corpus: Path
) -> None:
    tests = ("--test", "1-rwl", "--test", "2-rlwl")
    rows = run_json("hierarchy", corpus, *tests, "--model", "rgcn", "--model", "k-rn")["rows"]
    separated = [[cell["separated"] for cell in row["cells"]] for row in rows]
    assert separated == [[4, 0], [6, 0]] * 2
    assert [row["undecided"] for row in rows] == [0] * 4


def test_help_and_the_tests_load_no_gnn_library(corpus: Path) -> None:
    assert not modules_after(command("hierarchy", "--help")) & (HEAVY | NUMERIC)
    modules = modules_after(command("hierarchy", corpus, "--test", "1-wl"))
    assert "numpy" in modules
    assert not modules & {"torch", "rdflib"}


@needs_torch
def test_a_model_that_does_not_fit_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "two.g6"
    path.write_bytes(b"E?Bw\nEwCW\n")
    for model in ("rgcn", "k-rn"):
        result = run("hierarchy", path, "--test", "1-wl", "--model", model, "--max-memory", "1k")
        assert result.exit_code == 3
        assert "more than the 1,000 allowed" in result.stderr
