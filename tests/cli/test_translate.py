"""``wlkg translate``: what it writes and reports, what it refuses, and what becomes of models."""

from __future__ import annotations

import os
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused, run_process, words_of
from tests.gnn.models.formulas import random_rows
from tests.gnn.theorems.small_models import SMALL_GRAPH, assert_same, features, saved_model
from wlkg.gnn.checkpoints.saved_model import load_model, save_model
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.theorems.model_translation import GOALS


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    path = tmp_path / "mult.pt"
    save_model(path, saved_model("mult"))
    return path


# -- what it writes and reports -------------------------------------------------------------------


def test_the_command_writes_a_checkpoint_of_the_other_model(
    run_json: RunJson, checkpoint: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rgcn.pt"
    document = run_json("translate", checkpoint, "--to", "rgcn", "--out", out)
    assert document["schema"] == "wlkg/translate/1"
    assert document["checkpoint"] == str(checkpoint)
    before, after = load_model(str(checkpoint)), load_model(str(out))
    assert document["from"] == {
        "kind": "compgcn with mult",
        "layers": 2,
        "weights": count_parameters(before.build()),
    }
    assert document["to"] == {
        "kind": "rgcn",
        "layers": 2,
        "weights": count_parameters(after.build()),
    }
    assert document["graphs"] == 5
    assert 0 <= document["max_difference"] < 1e-12
    assert document["out"] == str(out)
    assert after.about == before.about
    x = random_rows(4, 2, seed=9)
    rows = []
    for saved in (before, after):
        model = saved.build()
        assert isinstance(model, VertexModel)
        rows.append(features(model, x, SMALL_GRAPH))
    assert_same(rows[1], rows[0])


def test_the_command_reports_what_it_did(run: Run, checkpoint: Path, tmp_path: Path) -> None:
    result = run("translate", checkpoint, "--to", "rgcn", "--out", tmp_path / "out.pt")
    assert result.exit_code == 0, result.output
    header, before, after, *_ = words_of(result.stdout)
    assert header == ["model", "layers", "weights"]
    assert before[:5] == ["compgcn", "with", "mult", "2", "64"]
    assert after[:2] == ["rgcn", "2"]
    assert "outputs on 5 random graphs differ by at most" in result.stdout
    assert "written to" in result.stdout
    unwritten = run("translate", checkpoint, "--to", "rgcn")
    assert unwritten.stdout.splitlines() == result.stdout.splitlines()[:4]


def test_without_out_nothing_is_written(
    run_json: RunJson, checkpoint: Path, tmp_path: Path
) -> None:
    assert run_json("translate", checkpoint, "--to", "rgcn")["out"] is None
    assert list(tmp_path.iterdir()) == [checkpoint]


def test_translated_checkpoints_are_translated_back(
    run_json: RunJson, checkpoint: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rgcn.pt"
    for goal, start, layers in (("rgcn", checkpoint, 2), ("mult", out, 4)):
        # The second run overwrites the file it reads.
        document = run_json("translate", start, "--to", goal, "--out", out)
        assert document["to"]["layers"] == layers
    assert load_model(str(out)).config.composition == "mult"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mult.pt", "rgcn.pt"]


def test_help_has_examples_and_fits_80_columns() -> None:
    done = run_process("translate", "--help", env={**os.environ, "COLUMNS": "80"})
    assert done.returncode == 0, done.stderr
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "  wlkg translate runs/seed-0.pt --to rgcn --out rgcn.pt\n" in done.stdout
    for goal in GOALS:
        assert goal in done.stdout


# -- what it refuses ------------------------------------------------------------------------------


def test_mistakes_end_with_a_message(run: Run, checkpoint: Path, tmp_path: Path) -> None:
    text = tmp_path / "x.txt"
    text.write_text("hello")
    missing = tmp_path / "no.pt"
    for arguments, message in (
        ((checkpoint, "--to", "plus"), "unknown goal 'plus'. Known: rgcn, mult"),
        ((checkpoint, "--to", "add"), "From mult: rgcn"),
        ((checkpoint, "--to", "mult"), "From mult: rgcn"),
        ((missing, "--to", "rgcn"), f"{missing}: "),
        ((tmp_path, "--to", "rgcn"), f"{tmp_path}: cannot be read"),
        ((checkpoint, "--to", "rgcn", "--max-memory", "lots"), "is not a memory size"),
        ((text, "--to", "rgcn"), f"{text}: not a checkpoint of wlkg"),
    ):
        assert_refused(run("translate", *arguments), message)
    too_large = run("translate", checkpoint, "--to", "rgcn", "--max-memory", "1k")
    assert_refused(too_large, "bytes", status=3)


def test_an_output_that_cannot_be_written_leaves_nothing_behind(
    run: Run, checkpoint: Path, tmp_path: Path
) -> None:
    missing, folder = tmp_path / "no" / "x.pt", tmp_path / "folder"
    folder.mkdir()
    for out, message in (
        (missing, f"{missing}: cannot be written: No such file"),
        (folder, "cannot be written"),
        (tmp_path / "x.pt.gz", "Give a name without .gz"),
    ):
        assert_refused(run("translate", checkpoint, "--to", "rgcn", "--out", out), message)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "mult.pt"]
    assert list(folder.iterdir()) == []


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """Let the system cut off every file that grows beyond this many bytes, like a full disk."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_translation_that_fails_leaves_an_older_file_as_it_was(
    run: Run, checkpoint: Path
) -> None:
    before = checkpoint.read_bytes()
    assert_refused(run("translate", checkpoint, "--to", "add", "--out", checkpoint), "From mult")
    with files_of_at_most(10):
        result = run("translate", checkpoint, "--to", "rgcn", "--out", checkpoint)
    assert_refused(result, "cannot be written: File too large", status=74)
    assert checkpoint.read_bytes() == before
    assert list(checkpoint.parent.iterdir()) == [checkpoint]


# -- what becomes of trained and constructed models -----------------------------------------------

#: Goal -> a goal to which its translation is translated next.
NEXT_GOAL = {"rgcn": "mult", "mult": "rgcn", "sub": "concat", "concat": "add"}


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    path = tmp_path / "g.tsv"
    triples = ["0 likes 1", "0 knows 1", "1 likes 2", "2 knows 0", "2 knows 2", "3 likes 4"]
    path.write_text("".join(triple.replace(" ", "\t") + "\n" for triple in triples))
    return path


@pytest.mark.parametrize(
    ("options", "goal"),
    [
        (["--model", "compgcn", "--no-norm"], "rgcn"),
        (["--model", "compgcn", "--composition", "concat"], "sub"),
        (["--model", "rgcn", "--layers", "1"], "mult"),
        (["--model", "compgcn", "--composition", "add", "--dtype", "float64"], "concat"),
    ],
)
def test_a_trained_model_is_translated_and_compared_with_its_test(
    run_json: RunJson, graph: Path, tmp_path: Path, options: list[str], goal: str
) -> None:
    classes, out = tmp_path / "classes.tsv", tmp_path / "out.pt"
    classes.write_text("vertex\tlabel\n0\tx\n1\ty\n2\tx\n3\ty\n")
    training = ("train", graph, "--targets", classes, "--epochs", 2)
    trained = tmp_path / "runs" / "seed-0.pt"
    run_json(*training, "--save", trained.parent, *options)
    document = run_json("translate", trained, "--to", goal, "--out", out)
    assert document["to"]["kind"] in (goal, f"compgcn with {goal}")
    translation = load_model(str(out))
    assert translation.about == load_model(str(trained)).about
    verdict = run_json("versus", graph, "--checkpoint", out)
    assert len(verdict["layers"]) == translation.config.layers
    # A readout is trained on top; the checkpoint then holds the same kind of model.
    with_readout = tmp_path / "more" / "seed-0.pt"
    run_json(*training, "--checkpoint", out, "--save", with_readout.parent)
    assert load_model(str(with_readout)).config == translation.config
    document = run_json("translate", with_readout, "--to", NEXT_GOAL[goal])
    assert document["max_difference"] < 1e-3


@pytest.mark.parametrize(
    ("options", "goal"),
    [
        (["--model", "rgcn", "--activation", "relu"], "mult"),
        (["--model", "compgcn", "--composition", "scale"], "rgcn"),
        (["--model", "compgcn", "--composition", "add"], "concat"),
        (["--model", "compgcn", "--composition", "concat", "--activation", "relu"], "add"),
    ],
)
def test_the_translation_of_a_witness_sees_the_same_classes(
    run_json: RunJson, graph: Path, tmp_path: Path, options: list[str], goal: str
) -> None:
    witness, out = tmp_path / "w.pt", tmp_path / "out.pt"

    def classes(checkpoint: Path) -> list[int]:
        layers = run_json("versus", graph, "--checkpoint", checkpoint)["layers"]
        return [layer["model_classes"] for layer in layers]

    run_json("witness", graph, "--out", witness, *options)
    run_json("translate", witness, "--to", goal, "--out", out)
    expected, translated = classes(witness), classes(out)
    # One or two layers of the translation for each layer of the witness.
    depth = len(translated) // load_model(str(witness)).config.layers
    assert translated[depth - 1 :: depth] == expected
    assert max(expected) > 1
