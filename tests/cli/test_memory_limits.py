"""Every command refuses work that does not fit into memory, in the same words, with status 3."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused
from tests.needs_torch import needs_torch

REFUSAL = re.compile(
    r"error: .* has .* and needs [\d,]+ bytes of memory, more than the [\d,]+ allowed\."
    r" Allow more with --max-memory, or [^\n]*\n"
)

MODULE = """
import torch

class Sum(torch.nn.Module):
    def __init__(self, in_width, width):
        super().__init__()
        self.map = torch.nn.Linear(in_width, width)

    def forward(self, x, edge_index, edge_type):
        y = self.map(x)
        return torch.zeros_like(y).index_add(0, edge_index[1], y[edge_index[0]])

class Greedy(torch.nn.Module):
    def forward(self, x, edge_index, edge_type):
        return torch.zeros(10**9, 10**9)
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A ring of 40 vertices that all have a label of their own, and classes of some."""
    folder = tmp_path_factory.mktemp("memory")
    names = [f"v{number}" for number in range(40)]
    ring = "".join(f"{a}\tr\t{b}\n" for a, b in zip(names, names[1:] + names[:1], strict=True))
    (folder / "ring.tsv").write_text(ring)
    (folder / "labels.tsv").write_text("".join(f"{name}\t{name}\n" for name in names))
    rows = "".join(f"{name}\t{'xy'[place % 2]}\n" for place, name in enumerate(names[:20]))
    (folder / "targets.tsv").write_text(f"entity\tlabel\n{rows}")
    (folder / "graphs.g6").write_bytes(b"E?Bw\nEwCW\nE?Bw\nEwCW\n")
    graphs = "".join(f"graphs.g6#{place}\t{'xy'[place % 2]}\n" for place in range(1, 5))
    (folder / "graphs.tsv").write_text(f"graph\tlabel\n{graphs}")
    (folder / "own.py").write_text(MODULE)
    return folder


@pytest.fixture(scope="module")
def checkpoint(run: Run, folder: Path) -> Path:
    """A model that was trained with one-hot labels."""
    result = run("train", *RING, "--targets", "targets.tsv", *LABELS, *BRIEFLY, "--save", ".")
    assert result.exit_code == 0, result.output
    return folder / "seed-0.pt"


RING = ("ring.tsv",)
LABELS = ("--features", "labels", "--labels", "labels.tsv")
BRIEFLY = ("--epochs", 1)
TRAIN = ("train", *RING, "--targets", "targets.tsv", *BRIEFLY)
GRAPHS = ("graphs.g6", "--graphs", "--targets", "graphs.tsv")


@pytest.fixture(autouse=True, scope="module")
def _in_the_folder(folder: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        yield


@pytest.mark.parametrize(
    "arguments",
    [
        ("refine", *RING, "--test", "2-rlwl", "--tuples", "out.csv"),
        ("pairs", *RING, "--test", "2-rlwl"),
        ("pairs", *RING, "--labels", "labels.tsv", "--limit", 10**9),
        ("ceiling", *RING, "--targets", "targets.tsv", "--test", "2-fwl"),
        ("ceiling", *GRAPHS, "--test", "3-rlwl"),
    ],
)
def test_tests_and_lists_that_do_not_fit_are_refused(
    run: Run, arguments: tuple[object, ...], folder: Path
) -> None:
    before = sorted(folder.iterdir())
    assert_words(run, *arguments)
    assert sorted(folder.iterdir()) == before


def test_histories_of_graphs_that_do_not_fit_are_refused(run: Run) -> None:
    result = run("ceiling", *GRAPHS, "--max-memory", "10")
    assert_refused(result, "a history of 4 graphs has up to", status=3)
    assert run("ceiling", *GRAPHS, "--max-memory", "1k").exit_code == 0


@needs_torch
@pytest.mark.parametrize("model", ["rgcn", "compgcn", "k-rn"])
def test_models_that_do_not_fit_are_refused(run: Run, model: str) -> None:
    choice = ("--model", model)
    assert_words(run, *TRAIN, *choice)
    assert_words(run, *TRAIN, *choice, "--freeze")
    assert_words(run, "train", *GRAPHS, *BRIEFLY, *choice)
    assert_words(run, "versus", *RING, *choice)
    assert_words(run, "hierarchy", "graphs.g6", "--test", "1-wl", *choice)
    composition = () if model == "rgcn" else ("--composition", "mult")
    witness = ("witness", *RING, "--labels", "labels.tsv", *choice, *composition)
    assert_words(run, *witness, "--out", "out.pt")
    assert not Path("out.pt").exists()


@needs_torch
@pytest.mark.parametrize(
    "arguments",
    [
        (*TRAIN, *LABELS),
        ("versus", *RING, *LABELS),
        ("versus", *RING, *LABELS, "--module", "own.py:Sum"),
        ("witness", *RING, *LABELS),
        ("predict", "seed-0.pt", *RING, *LABELS),
        ("versus", *RING, *LABELS, "--checkpoint", "seed-0.pt"),
        (*TRAIN, *LABELS, "--checkpoint", "seed-0.pt"),
    ],
)
@pytest.mark.usefixtures("checkpoint")
def test_one_hot_labels_that_do_not_fit_are_refused(
    run: Run, arguments: tuple[object, ...]
) -> None:
    message = "a table of one-hot labels, 40 columns wide, has 40 rows and needs 12,800 bytes"
    assert message in assert_words(run, *arguments, limit="12k")


@needs_torch
def test_own_models_that_do_not_fit_are_refused_or_skipped(run: Run, run_json: RunJson) -> None:
    own = ("--module", "own.py:Sum", "--dim", 10**6)
    message = assert_words(run, "versus", *RING, *own, limit="1G")
    assert "an own model with 2 layers on 40 vertices has features of about 120,000,000" in message
    arguments = ("compare", "example:c6", "example:2xc3", "--test", "1-rwl", *own)
    (model,) = run_json(*arguments, "--max-memory", "1G")["models"]
    assert model["separated"] is None
    assert "more than the 1,000,000,000 allowed" in model["skipped"]


@needs_torch
def test_an_own_model_that_takes_more_than_there_is_ends_with_status_3(run: Run) -> None:
    result = run("versus", *RING, "--module", "own.py:Greedy")
    assert_refused(result, "not enough memory", status=3)


@needs_torch
def test_many_epochs_take_no_memory_before_they_come(run_json: RunJson) -> None:
    arguments = ("train", *RING, "--targets", "targets.tsv", "--epochs", 10**15, "--patience", 1)
    assert run_json(*arguments)["runs"][0]["last"]["epoch"] < 10**6


def assert_words(run: Run, *arguments: object, limit: str = "100") -> str:
    """Check that a command is refused in the usual words; returns them."""
    result = run(*arguments, "--max-memory", limit)
    assert result.exit_code == 3, result.output
    assert result.stdout == ""
    assert REFUSAL.fullmatch(result.stderr), result.stderr
    return result.stderr
