"""``wlkg versus``: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import Result

from tests.cli.running import Run, RunJson
from tests.places import EXAMPLE_GRAPHS

LAYER = {"layer", "wl_classes", "model_classes", "relation", "max_spread", "min_gap"}
FAMILY = EXAMPLE_GRAPHS / "family.ttl"

#: Models that need only PyTorch.
MODELS = """
import torch
from torch import nn

print("loading")


class Sum(nn.Module):
    def __init__(self, in_channels, num_relations):
        super().__init__()
        self.root = nn.Parameter(torch.randn(in_channels, 16))
        self.weight = nn.Parameter(torch.randn(num_relations, in_channels, 16))

    def messages(self, x, edge_index, edge_type):
        return torch.einsum("ei,eio->eo", x[edge_index[0]], self.weight[edge_type])

    def forward(self, x, edge_index, edge_type):
        sent = self.messages(x, edge_index, edge_type)
        received = torch.zeros(len(x), 16, dtype=x.dtype).index_add(0, edge_index[1], sent)
        return [torch.relu(x @ self.root + received)]


class Leaking(Sum):
    def forward(self, x, edge_index, edge_type):
        layers = super().forward(x, edge_index, edge_type)
        return [h + torch.arange(len(x))[:, None] for h in layers]


class Offset(Sum):
    def forward(self, x, edge_index, edge_type):
        return [h + 1e14 for h in super().forward(x, edge_index, edge_type)]


class Failing(Sum):
    def messages(self, x, edge_index, edge_type):
        return x @ self.weight[99999]


def short(x, edge_index, edge_type):
    return x[:2]


number = 7
"""


def refusal(result: Result) -> str:
    """The message of a run that ended with status 2; the file of models may print on stderr."""
    assert result.exit_code == 2
    assert not result.stdout
    assert "Traceback" not in result.stderr
    printed, error, message = result.stderr.partition("error: ")
    assert error
    assert printed in ("", "loading\n")
    return message


@pytest.fixture
def models(tmp_path: Path) -> Path:
    path = tmp_path / "models.py"
    path.write_text(MODELS)
    return path


# -- the models of the table ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "test"),
    [
        ("--model rgcn", "1-rwl"),
        ("--model rgcn-mlp", "1-rwl"),
        ("--model rgcn --aggregation mean", "mean-rwl"),
        ("--model compgcn --no-norm", "1-rwl"),
        ("--model compgcn --composition add --no-norm --no-direction", "weak-rwl"),
        ("--model compgcn --composition corr --no-norm --no-direction", "1-rwl"),
        ("--model k-rn -k 2 --dim 16", "2-rlwl"),
    ],
)
def test_json_has_the_keys_that_scripts_rely_on(run_json: RunJson, options: str, test: str) -> None:
    document = run_json("versus", FAMILY, "--literals", "drop", "--dim", 32, *options.split())
    assert document["schema"] == "wlkg/versus/1"
    assert document["test"] == test
    assert document["bound_holds"] is True
    assert document["matches"] is True
    assert document["seconds"] > 0
    assert len(document["draws"]) == 3
    for number, layer in enumerate(document["layers"], 1):
        assert layer.keys() >= LAYER
        assert layer["layer"] == layer["round"] == number
        assert layer["relation"] == "equal"
        assert layer["wl_classes"] == layer["model_classes"]


def test_with_norm_a_layer_is_compared_with_the_next_round(run: Run, run_json: RunJson) -> None:
    document = run_json("versus", FAMILY, "--model", "compgcn", "--layers", 2)
    assert document["rounds_later"] == 1
    assert [layer["round"] for layer in document["layers"]] == [2, 3]
    assert document["bound_holds"] is True
    text = run("versus", FAMILY, "--model", "compgcn").stdout
    assert "layer t is bounded by round t + 1" in " ".join(text.split())


def test_two_vertices_show_what_a_narrow_model_loses(run: Run, run_json: RunJson) -> None:
    arguments = ("versus", FAMILY, "--dim", 1, "--draws", 1)
    document = run_json(*arguments)
    assert document["bound_holds"] is True
    assert document["matches"] is False
    lossy = next(layer for layer in document["layers"] if layer["relation"] == "coarser")
    text = run(*arguments, "--full-names").stdout
    assert f"something is lost: layer {lossy['layer']} gives equal features to" in text
    assert all(name in text for name in lossy["merged"])


def test_two_vertices_show_what_cannot_be_decided(
    run: Run, run_json: RunJson, models: Path
) -> None:
    arguments = ("versus", FAMILY, "--module", f"{models}:Offset", "--draws", 1)
    layers = run_json(*arguments)["layers"]
    layer = next(layer for layer in layers if layer["relation"] == "undecided")
    text = run(*arguments, "--full-names").stdout
    assert f"what is lost is undecided: layer {layer['layer']} is too close to rounding" in text
    assert all(name in text for name in layer["unclear"])


def test_the_text_says_what_is_lost_within_80_columns(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(FAMILY.parent)
    text = run("versus", FAMILY.name).stdout
    assert "the bound holds: no layer sees more than 1-rwl" in text
    assert "nothing is lost: every layer sees all that 1-rwl sees" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_same_seed_gives_the_same_numbers_and_another_seed_others(run_json: RunJson) -> None:
    def gaps(seed: int) -> list[float]:
        document = run_json("versus", FAMILY, "--seed", seed, "--draws", 1)
        return [layer["min_gap"] for layer in document["layers"]]

    assert gaps(3) == gaps(3)
    assert gaps(3) != gaps(4)


# -- a user's own model ---------------------------------------------------------------------------


def test_a_module_is_compared_with_all_vertex_tests(run_json: RunJson, models: Path) -> None:
    document = run_json("versus", FAMILY, "--module", f"{models}:Sum")
    assert document["matches"] is True
    assert document["test"] == "1-rwl"
    tests = [verdict["test"] for verdict in document["against"]]
    assert tests == ["1-wl", "weak-rwl", "mean-rwl", "1-rwl"]
    assert "1-rwl" in document["matching_tests"]
    assert not any(document[key] for key in ("random", "identity_leak", "order_dependent"))
    assert document["warnings"] == []
    assert all(layer.keys() >= LAYER for layer in document["layers"])


def test_what_a_module_prints_stays_off_stdout(run: Run, models: Path) -> None:
    result = run("versus", FAMILY, "--module", f"{models}:Sum", "--json")
    assert "loading" in result.stderr
    json.loads(result.stdout)


def test_a_leak_is_a_violation_with_a_warning_that_fits_80_columns(
    run: Run, run_json: RunJson, models: Path
) -> None:
    result = run("versus", FAMILY, "--module", f"{models}:Leaking")
    assert result.exit_code == 1
    # One verdict, then its reasons.
    assert "no test bounds the model: its features depend on more than the graph" in result.stdout
    for contradiction in ("holds", "nothing is lost", "equal", "sees more than"):
        assert contradiction not in result.stdout
    assert "identity of vertices" in " ".join(result.stdout.split())
    lines = result.stdout.splitlines()[1:]  # the first contains the path of the file
    assert max(map(len, lines)) <= 80
    document = run_json("versus", FAMILY, "--module", f"{models}:Leaking", status=1)
    assert document["identity_leak"] is True
    assert document["bound_holds"] is document["matches"] is False
    assert document["matching_tests"] == document["bounding_tests"] == []
    for against in document["against"]:
        assert against["bound_holds"] is against["matches"] is False


def test_exit_zero_prints_the_same_and_ends_with_0(
    run: Run, run_json: RunJson, models: Path
) -> None:
    violated = ("versus", FAMILY, "--module", f"{models}:Leaking")
    strict, lenient = run(*violated), run(*violated, "--exit-zero")
    assert (strict.exit_code, lenient.exit_code) == (1, 0)
    assert strict.stdout == f"{lenient.stdout}exit status 1: the bound is violated\n"
    one, two = run_json(*violated, status=1), run_json(*violated, "--exit-zero")
    assert two["bound_holds"] is False
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    # It hides no other failure.
    assert run("versus", FAMILY, "--exit-zero", "--layers", 0).exit_code == 2
    assert run("versus", FAMILY, "--exit-zero").exit_code == 0


def test_an_error_of_the_module_is_shown_with_only_its_own_lines(run: Run, models: Path) -> None:
    message = refusal(run("versus", FAMILY, "--module", f"{models}:Failing"))
    assert "IndexError" in message
    assert "return x @ self.weight[99999]" in message
    assert "in messages" in message
    assert "/wlkg/gnn/" not in message


def test_an_error_of_the_module_keeps_its_lines_and_controls_no_terminal(
    run: Run, models: Path
) -> None:
    models.write_text("raise ValueError('a\\nb\\x1b[2J\\tc')\n")
    lines = refusal(run("versus", FAMILY, "--module", f"{models}:Net")).split("\n")
    assert lines[-3:] == ["  ValueError: a", r"    b\x1b[2J\tc", ""]
    # A line break within a name does not start a line.
    forged = run("versus", "a name\nerror: forged")
    assert forged.stderr == "error: a name\\nerror: forged: no such file\n"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{folder}/none.py:Net", "none.py: no such file"),
        ("{folder}/models.py:Nett", "no 'Nett' in this file. It has: "),
        ("{folder}/models.py:number", "is of type int, expected a torch.nn.Module"),
        ("{folder}/models.py:short", "has the shape (2, 64). Expected a tensor of vertex features"),
        ("{folder}/models.py", "needs FILE.py:NAME"),
    ],
)
def test_a_module_that_cannot_be_used_is_refused(
    run: Run, models: Path, spec: str, message: str
) -> None:
    assert message in refusal(run("versus", FAMILY, "--module", spec.format(folder=models.parent)))


def test_code_runs_only_if_the_user_names_it(run: Run, models: Path) -> None:
    models.write_text("raise SystemExit('it ran')")
    assert run("versus", FAMILY).exit_code == 0
    assert "it ran" in refusal(run("versus", FAMILY, "--module", f"{models}:Net"))


# -- usage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--weights constructed", "unknown kind of weights 'constructed'. Known: random, witness"),
        ("--model gcn", "unknown model 'gcn'. Known: gnn, rgcn, rgcn-mlp, compgcn, k-rn"),
        ("--test 1-rwl", "--test is for --module"),
        ("--module m.py:Net --weights witness", "--module brings its own weights"),
        ("--module m.py:Net --checkpoint w.pt", "--module brings its own weights"),
        ("--checkpoint w.pt --weights witness", "both set the weights"),
        ("--checkpoint w.pt", "w.pt: "),
        ("--layers 0", "layers must be at least 1"),
        ("--dim 0", "width must be at least 1"),
        ("--module m.py:Net --test 5-foo", "unknown test '5-foo'"),
        ("--features numbers.tsv", "numbers.tsv"),
        ("--dtype float8", "float8"),
        ("--device abacus", "abacus"),
    ],
)
def test_bad_usage_ends_with_2_and_a_remedy(run: Run, options: str, message: str) -> None:
    assert message in refusal(run("versus", FAMILY, *options.split()))


def test_a_model_that_is_too_large_is_refused_with_its_numbers(run: Run) -> None:
    result = run("versus", FAMILY, "--dim", 100_000_000, "--max-memory", "1G")
    assert result.exit_code == 3
    assert "features of" in result.stderr


def test_overflow_is_an_error_without_a_traceback(run: Run) -> None:
    result = run("versus", "example:petersen", "--dtype", "float32", "--layers", 300)
    assert isinstance(result.exception, SystemExit)
    message = " ".join(refusal(result).split())
    assert "are too large for their floating-point type" in message
    assert "Use fewer --layers" in message


def test_on_real_data_the_model_has_exactly_the_classes_of_the_test(
    run_json: RunJson, data_dir: Path
) -> None:
    document = run_json(
        "versus", data_dir / "aifb" / "aifb_stripped.nt.gz", "--layers", 4, "--draws", 1
    )
    counts = [(layer["wl_classes"], layer["model_classes"]) for layer in document["layers"]]
    assert counts == [(n, n) for n in (1491, 5997, 7367, 7399)]
