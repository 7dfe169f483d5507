"""C-MPNN on the command line: versus and witness take it, and other commands say what they take."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused
from tests.needs_torch import needs_torch

INSTEAD = "Use one of gnn, rgcn, rgcn-mlp, compgcn, k-rn"


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "sources.txt"
    path.write_text("0\n2\n")
    return path


@pytest.mark.parametrize(
    "arguments",
    [
        ("train", "no-such-graph.nt", "--targets", "t.tsv"),
        ("compare", "no-such-graph.nt", "no-such-graph.nt"),
        ("hierarchy", "no-such-folder"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_commands_about_vertices_and_graphs_refuse_it_before_reading(
    run: Run, arguments: tuple[str, ...]
) -> None:
    assert_refused(run(*arguments, "--model", "c-mpnn"), INSTEAD)


@needs_torch
def test_a_saved_c_mpnn_is_compared_and_nothing_else(run: Run, tmp_path: Path) -> None:
    saved = tmp_path / "witness.pt"
    arguments = ("witness", "example:one-triple", "--model", "c-mpnn", "--out", saved)
    assert run(*arguments).exit_code == 0
    result = run("versus", "example:one-triple", "--checkpoint", saved)
    assert result.exit_code == 0
    assert "every layer sees all that rawl2 sees" in result.stdout
    assert_refused(run("predict", saved, "example:one-triple"), INSTEAD)
    assert_refused(run("compare", "example:c6", "example:2xc3", "--checkpoint", saved), INSTEAD)
    assert_refused(run("translate", saved, "--to", "rgcn"), "wlkg versus --checkpoint")
    assert_refused(run("explain", "example:one-triple", "--checkpoint", saved), INSTEAD)
    targets = tmp_path / "targets.tsv"
    targets.write_text("entity\tlabel\n0\ta\n1\tb\n")
    assert_refused(
        run("train", "example:one-triple", "--targets", targets, "--checkpoint", saved), INSTEAD
    )


@needs_torch
def test_a_study_refuses_it(run: Run, tmp_path: Path) -> None:
    study = tmp_path / "study.toml"
    (tmp_path / "t.tsv").write_text("entity\tlabel\n0\ta\n1\tb\n")
    study.write_text(
        'graph = "example:one-triple"\ntargets = "t.tsv"\n[[models]]\nmodel = "c-mpnn"\n'
    )
    assert_refused(run("reproduce", study, "--out", tmp_path / "out"), INSTEAD)


@needs_torch
def test_versus_names_pairs_and_sources(run_json: RunJson, sources: Path) -> None:
    whole = run_json("versus", "example:one-triple", "--model", "c-mpnn", "--dim", "8")
    assert whole["test"] == "rawl2"
    assert whole["layers"][0]["merged"] == ["(0, 0)", "(1, 1)"]
    some = run_json(
        "versus", "example:one-triple", "--model", "c-mpnn", "--dim", "8", "--sources", sources
    )
    assert some["sources"] == 2
    assert some["layers"][0]["merged"] == ["(0, 2)", "(2, 0)"]


@needs_torch
def test_what_does_not_fit_is_refused_with_the_remedy(run: Run) -> None:
    result = run("versus", "example:c6", "--model", "c-mpnn", "--max-memory", "20k")
    assert result.exit_code == 3
    assert "compare fewer than 6 sources (--sources)" in result.stderr


@needs_torch
def test_sources_are_not_for_models_of_vertices(run: Run, sources: Path) -> None:
    result = run("versus", "example:one-triple", "--model", "rgcn", "--sources", sources)
    assert_refused(result, "Leave --sources out")


@needs_torch
def test_pna_is_not_for_models_of_vertices(run: Run) -> None:
    result = run("versus", "example:c6", "--model", "rgcn", "--aggregation", "pna")
    assert_refused(result, "--aggregation pna is for c-mpnn: rgcn has sum and mean")
