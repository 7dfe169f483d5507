"""``wlkg witness``: what it writes and refuses, and what other commands make of its checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused, words_of
from tests.gnn.theorems.constructions import Kind, every_kind
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint

UNDIRECTED = ("--direction", "undirected")
#: With two colours at most 4 vertices are right, and training uses 8 of the 9.
ROUND_1 = 4 / 8


@dataclass(frozen=True)
class Line:
    """A path of 9 vertices, each labelled with its distance to the nearer end, as 1-rwl sees it."""

    graph: Path
    targets: Path


@pytest.fixture
def line(tmp_path: Path) -> Line:
    line = Line(graph=tmp_path / "line.tsv", targets=tmp_path / "targets.tsv")
    line.graph.write_text("".join(f"v{i}\tr\tv{i + 1}\n" for i in range(8)))
    rows = [f"v{i}\tfar-{min(i, 8 - i)}\n" for i in range(9)]
    line.targets.write_text("entity\tlabel\n" + "".join(rows))
    return line


def options_of(kind: Kind) -> tuple[str, ...]:
    composition = ("--composition", kind.composition) if kind.model in ("compgcn", "k-rn") else ()
    return ("--model", kind.model, *composition, "--activation", kind.activation)


# -- what it writes and reports -------------------------------------------------------------------


@every_kind
def test_versus_reads_the_checkpoint_and_finds_every_layer_equal(
    run_json: RunJson, kind: Kind, line: Line, tmp_path: Path
) -> None:
    out = tmp_path / "w.pt"
    document = run_json("witness", line.graph, *UNDIRECTED, *options_of(kind), "--out", out)
    assert document["schema"] == "wlkg/witness/1"
    assert set(document) >= {
        "model", "config", "test", "direction", "layers", "weights", "largest", "verified", "out"
    }  # fmt: skip
    assert (document["model"], document["test"]) == (kind.model, kind.test)
    assert document["verified"] is True
    assert (document["direction"], document["out"]) == ("undirected", str(out))
    assert document["config"]["activation"] == kind.activation
    refinement = run_json("refine", line.graph, *UNDIRECTED, "--test", kind.test)
    counts = refinement["classes_per_round"]
    widths = list(counts)
    if kind.composition == "rotate":
        widths[:-1] = [count + count % 2 for count in counts[:-1]]
    assert document["layers"] == [
        {"layer": t, "classes": count, "width": width}
        for t, (count, width) in enumerate(zip(counts, widths, strict=True))
    ]
    saved = load_checkpoint(out)["model"]
    in_layers = [value for name, value in saved.items() if name.startswith("layers.")]
    assert document["weights"] == sum(value.numel() for value in in_layers)
    versus = run_json("versus", line.graph, *UNDIRECTED, "--checkpoint", out)
    assert (versus["bound_holds"], versus["matches"]) == (True, True)
    assert [layer["relation"] for layer in versus["layers"]] == ["equal"] * (len(counts) - 1)
    assert [layer["model_classes"] for layer in versus["layers"]] == counts[1:]


def test_the_file_has_the_same_bytes_for_the_same_seed(
    run: Run, line: Line, tmp_path: Path
) -> None:
    def written(name: str, seed: int) -> bytes:
        out = tmp_path / name
        assert run("witness", line.graph, "--seed", seed, "--out", out).exit_code == 0
        return out.read_bytes()

    first = written("a.pt", seed=3)
    assert written("b.pt", seed=3) == first
    assert written("c.pt", seed=4) != first


def test_the_text_shows_classes_and_widths(run: Run, line: Line, tmp_path: Path) -> None:
    out = tmp_path / "w.pt"
    result = run("witness", line.graph, *UNDIRECTED, "--layers", 2, "--out", out)
    assert words_of(result.stdout)[1:5] == [
        ["layer", "classes", "width"],
        ["0", "1", "1"],
        ["1", "2", "2"],
        ["2", "3", "3"],
    ]
    assert ": rgcn, sign, simulating 1-rwl" in result.stdout
    assert "every layer t equals round t of 1-rwl" in result.stdout
    assert out.exists()


@pytest.mark.parametrize(
    ("options", "name"),
    [
        (["--model", "rgcn-mlp"], "rgcn-mlp, sign, simulating 1-rwl"),
        (["--model", "gnn", "--activation", "relu"], "gnn, relu, simulating 1-wl"),
        (["--model", "compgcn", "--composition", "mlp2"], "compgcn with mlp2, sign, simulating"),
        (["--model", "k-rn", "-k", "1"], "1-rn with mult, sign, simulating 1-rlwl"),
        (["--model", "k-rn", "--update", "mlp"], "2-rn with mult and an MLP as update, sign"),
    ],
)
def test_the_text_names_what_the_model_consists_of(
    run: Run, options: list[str], name: str, line: Line
) -> None:
    result = run("witness", line.graph, "--layers", 1, *options)
    assert f"line.tsv: {name}" in result.stdout


# -- what it refuses ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "status", "message"),
    [
        (["--max-memory", "1k"], 3, "a witness for 1, 3, 5, 7, 9 classes has 372 weights"),
        (["--model", "k-rn", "--composition", "add"], 2, "no construction for k-rn with add"),
        (["--activation", "tanh"], 2, "unknown activation 'tanh'. Known: relu, sign"),
        (["--aggregation", "mean"], 2, "aggregate by mean"),
        (["--features", "labels"], 2, "the graph has no labels"),
        (["--model", "k-rn", "-k", "0"], 2, "k must be at least 1, found 0"),
        (["--layers", "0"], 2, "layers must be at least 1, found 0"),
    ],
)
def test_the_command_refuses_and_writes_nothing(
    run: Run, options: list[str], status: int, message: str, line: Line, tmp_path: Path
) -> None:
    out = tmp_path / "w.pt"
    assert_refused(run("witness", line.graph, *options, "--out", out), message, status=status)
    assert not out.exists()


# -- training on top of it ------------------------------------------------------------------------


def readout_accuracy(run_json: RunJson, line: Line, out: Path, *options: str) -> float:
    """The accuracy of a readout, trained on top of a witness, on the vertices it is trained on."""
    run_json("witness", line.graph, *UNDIRECTED, *options, "--out", out)
    training = ("--targets", line.targets, "--checkpoint", out, "--epochs", 50, "--lr", 0.1)
    accuracy: float = run_json("train", line.graph, *UNDIRECTED, *training)["train_accuracy"]
    return accuracy


@pytest.mark.parametrize(
    "options",
    [
        ("--model", "gnn"),
        ("--model", "rgcn"),
        ("--model", "rgcn-mlp"),
        ("--model", "compgcn", "--composition", "scale"),
        ("--model", "compgcn", "--composition", "rotate"),
        ("--model", "compgcn", "--composition", "mlp2"),
        ("--model", "compgcn", "--composition", "add"),
        ("--model", "k-rn"),
        ("--model", "k-rn", "-k", "1", "--update", "mlp"),
    ],
    ids=" ".join,
)
def test_training_on_top_of_a_witness_reaches_the_ceiling_of_its_test(
    run_json: RunJson, options: tuple[str, ...], line: Line, tmp_path: Path
) -> None:
    assert readout_accuracy(run_json, line, tmp_path / "w.pt", *options) == 1.0


def test_with_fewer_layers_it_reaches_the_ceiling_of_that_round(
    run_json: RunJson, line: Line, tmp_path: Path
) -> None:
    one_layer = ("--model", "rgcn", "--layers", "1")
    assert 0 < readout_accuracy(run_json, line, tmp_path / "w.pt", *one_layer) <= ROUND_1
    rounds = run_json("ceiling", line.graph, *UNDIRECTED, "--targets", line.targets)["rounds"]
    assert [row["correct"] for row in rounds][1::3] == [4, 9]


def test_rotate_takes_labels_of_an_even_number_or_a_table_with_a_column_of_zeros(
    run: Run, run_json: RunJson, line: Line, tmp_path: Path
) -> None:
    rotate = ("--model", "compgcn", "--composition", "rotate", "--layers", 2)
    refused = run("witness", line.graph, *UNDIRECTED, *rotate, "--labels", line.targets)
    assert_refused(refused, "these have 5 columns: give them as a table (--features FILE.tsv)")
    table, out = tmp_path / "features.tsv", tmp_path / "w.pt"
    rows = [["1" if min(i, 8 - i) == k else "0" for k in range(6)] for i in range(9)]
    table.write_text("".join(f"v{i}\t" + "\t".join(row) + "\n" for i, row in enumerate(rows)))
    features = ("--features", table)
    run_json("witness", line.graph, *UNDIRECTED, *rotate, *features, "--out", out)
    versus = run_json("versus", line.graph, *UNDIRECTED, *features, "--checkpoint", out)
    assert versus["matches"] is True


@pytest.mark.parametrize("composition", ["rotate", "corr", "mlp2"])
def test_versus_constructs_weights_itself(run_json: RunJson, composition: str, line: Line) -> None:
    model = ("--model", "compgcn", "--composition", composition, "--activation", "relu")
    versus = run_json("versus", line.graph, *UNDIRECTED, *model, "--weights", "witness")
    assert (versus["bound_holds"], versus["matches"]) == (True, True)
    assert [layer["model_classes"] for layer in versus["layers"]] == [2, 3, 4, 5]


@pytest.mark.parametrize("composition", ["corr", "mlp2"])
def test_with_relu_a_witness_reaches_the_ceiling_if_it_is_frozen(
    run_json: RunJson, composition: str, line: Line, tmp_path: Path
) -> None:
    out = tmp_path / "w.pt"
    model = ("--model", "compgcn", "--composition", composition, "--activation", "relu")
    run_json("witness", line.graph, *UNDIRECTED, *model, "--out", out)
    training = ("--targets", line.targets, "--checkpoint", out, "--epochs", 200, "--lr", 0.1)
    document = run_json("train", line.graph, *UNDIRECTED, *training, "--freeze")
    assert document["train_accuracy"] == 1.0


def test_labels_start_the_witness_and_its_checkpoint_asks_for_them(
    run_json: RunJson, line: Line, tmp_path: Path
) -> None:
    out = tmp_path / "w.pt"
    graph = (line.graph, *UNDIRECTED, "--labels", line.targets)
    document = run_json("witness", *graph, "--layers", 2, "--out", out)
    assert [layer["classes"] for layer in document["layers"]] == [5, 5, 5]
    assert run_json("versus", *graph, "--checkpoint", out)["matches"] is True
    training = run_json(
        "train", *graph, "--features", "labels", "--targets", line.targets,
        "--checkpoint", out, "--epochs", 50, "--lr", 0.1,
    )  # fmt: skip
    assert training["train_accuracy"] == 1.0
