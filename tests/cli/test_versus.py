"""``wlkg versus``: what it prints, what it refuses, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from wlkg.cli import app

LAYER = {"layer", "wl_classes", "model_classes", "relation", "max_spread", "min_gap"}
FAMILY = "examples/graphs/family.ttl"

#: Models that need no more than PyTorch.
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


class Failing(Sum):
    def messages(self, x, edge_index, edge_type):
        return x @ self.weight[99999]


def short(x, edge_index, edge_type):
    return x[:2]


number = 7
"""


def run(*words: object) -> Any:
    return CliRunner().invoke(app, ["versus", *map(str, words)], prog_name="wlkg")


def document(*words: object, status: int = 0) -> dict[str, Any]:
    result = run(*words, "--json")
    assert result.exit_code == status, result.stderr
    content: dict[str, Any] = json.loads(result.stdout)
    return content


def refused(*words: object) -> str:
    result = run(*words)
    assert result.exit_code == 2
    assert not result.stdout
    assert "Traceback" not in result.stderr
    printed, error, message = result.stderr.partition("error: ")
    assert error
    assert printed in ("", "loading\n")
    text: str = message
    return text


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
def test_json_has_the_keys_that_scripts_rely_on(options: str, test: str) -> None:
    content = document(FAMILY, "--literals", "drop", "--dim", 32, *options.split())
    assert content["schema"] == "wlkg/versus/1"
    assert content["test"] == test
    assert content["bound_holds"] is True
    assert content["matches"] is True
    assert content["seconds"] > 0
    assert len(content["draws"]) == 3
    for number, layer in enumerate(content["layers"], 1):
        assert layer.keys() >= LAYER
        assert layer["layer"] == layer["round"] == number
        assert layer["relation"] == "equal"
        assert layer["wl_classes"] == layer["model_classes"]


def test_with_norm_layer_t_is_held_against_round_t_plus_1() -> None:
    content = document(FAMILY, "--model", "compgcn", "--layers", 2)
    assert content["rounds_later"] == 1
    assert [layer["round"] for layer in content["layers"]] == [2, 3]
    assert content["bound_holds"] is True
    text = run(FAMILY, "--model", "compgcn").stdout
    assert "layer t is bounded by round t + 1" in " ".join(text.split())


def test_what_a_narrow_model_loses_is_shown_by_two_vertices() -> None:
    words = (FAMILY, "--dim", 1, "--draws", 1)
    content = document(*words)
    assert content["bound_holds"] is True
    assert content["matches"] is False
    lossy = next(layer for layer in content["layers"] if layer["relation"] == "coarser")
    text = run(*words).stdout
    assert f"something is lost: layer {lossy['layer']} gives equal features to" in text
    assert all(name in text for name in lossy["merged"])


def test_what_cannot_be_decided_is_shown_by_two_vertices() -> None:
    # In float32 features are never known to be equal.
    words = (FAMILY, "--dim", 1, "--draws", 1, "--dtype", "float32")
    layer = next(layer for layer in document(*words)["layers"] if layer["relation"] == "undecided")
    text = run(*words).stdout
    assert f"undecided what is lost: layer {layer['layer']} is too close to rounding" in text
    assert all(name in text for name in layer["unclear"])


def test_the_text_says_what_is_lost_within_80_columns() -> None:
    text = run(FAMILY).stdout
    assert "the bound holds: no layer sees more than 1-rwl" in text
    assert "nothing is lost: every layer sees all that 1-rwl sees" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_same_seed_gives_the_same_answer_and_another_one_others() -> None:
    def of(seed: int) -> Any:
        content = document(FAMILY, "--seed", seed, "--draws", 1)
        return [layer["min_gap"] for layer in content["layers"]]

    assert of(3) == of(3)
    assert of(3) != of(4)


# -- own models ------------------------------------------------------------------------------------


def test_a_module_is_held_against_all_vertex_tests(models: Path) -> None:
    content = document(FAMILY, "--module", f"{models}:Sum")
    assert content["matches"] is True
    assert content["test"] == "1-rwl"
    assert [each["test"] for each in content["against"]] == [
        "1-wl",
        "weak-rwl",
        "mean-rwl",
        "1-rwl",
    ]
    assert "1-rwl" in content["matching_tests"]
    assert not any(content[key] for key in ("random", "identity_leak", "order_dependent"))
    assert content["warnings"] == []
    assert all(layer.keys() >= LAYER for layer in content["layers"])


def test_what_a_module_prints_stays_off_stdout(models: Path) -> None:
    result = run(FAMILY, "--module", f"{models}:Sum", "--json")
    assert "loading" in result.stderr
    json.loads(result.stdout)


def test_a_leak_is_a_violation_with_a_warning_that_fits_80_columns(models: Path) -> None:
    result = run(FAMILY, "--module", f"{models}:Leaking")
    assert result.exit_code == 1
    assert "the bound is violated: the model sees more than 1-rwl" in result.stdout
    assert "identity of vertices" in " ".join(result.stdout.split())
    lines = result.stdout.splitlines()[1:]  # the first has the path of the file
    assert max(map(len, lines)) <= 80
    assert document(FAMILY, "--module", f"{models}:Leaking", status=1)["identity_leak"] is True


def test_exit_zero_prints_the_same_and_ends_with_0(models: Path) -> None:
    violated = (FAMILY, "--module", f"{models}:Leaking")
    strict, lenient = run(*violated), run(*violated, "--exit-zero")
    assert (strict.exit_code, lenient.exit_code) == (1, 0)
    assert lenient.stdout == strict.stdout
    one, two = document(*violated, status=1), document(*violated, "--exit-zero")
    assert two["bound_holds"] is False
    assert {**one, "seconds": 0} == {**two, "seconds": 0}
    # It hides no other failure.
    assert run(FAMILY, "--exit-zero", "--layers", 0).exit_code == 2
    assert run(FAMILY, "--exit-zero").exit_code == 0


def test_an_error_of_the_module_is_shown_with_its_own_lines_only(models: Path) -> None:
    message = refused(FAMILY, "--module", f"{models}:Failing")
    assert "IndexError" in message
    assert "return x @ self.weight[99999]" in message
    assert "in messages" in message
    assert "/wlkg/gnn/" not in message


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("{folder}/none.py:Net", "none.py: no such file"),
        ("{folder}/models.py:Nett", "no 'Nett' in this file. It has: "),
        ("{folder}/models.py:number", "is of type int, expected a torch.nn.Module"),
        ("{folder}/models.py:short", "has the shape (2, 64). Expected a tensor of vertex features"),
        ("{folder}/models.py", "needs FILE.py:NAME"),
    ],
)
def test_a_module_that_cannot_be_used_is_refused(models: Path, spec: str, words: str) -> None:
    assert words in refused(FAMILY, "--module", spec.format(folder=models.parent))


def test_code_runs_only_when_it_is_asked_for_by_name(models: Path) -> None:
    models.write_text("raise SystemExit('it ran')")
    assert run(FAMILY).exit_code == 0
    assert "it ran" in refused(FAMILY, "--module", f"{models}:Net")


# -- usage ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("--weights constructed", "unknown kind of weights 'constructed'. Known: random, witness"),
        ("--model gcn", "unknown model 'gcn'. Known: rgcn, rgcn-mlp, compgcn, k-rn"),
        ("--test 1-rwl", "--test is for --module"),
        ("--module m.py:Net --weights witness", "--module brings its own weights"),
        ("--module m.py:Net --checkpoint w.pt", "--module brings its own weights"),
        ("--checkpoint w.pt --weights witness", "two ways to say the same"),
        ("--checkpoint w.pt", "w.pt: "),
        ("--layers 0", "layers must be at least 1"),
        ("--dim 0", "width must be at least 1"),
        ("--module m.py:Net --test 5-foo", "unknown test '5-foo'"),
        ("--features numbers.tsv", "numbers.tsv"),
        ("--dtype float8", "float8"),
        ("--device abacus", "abacus"),
    ],
)
def test_mistakes_of_usage_end_with_2_and_a_remedy(options: str, words: str) -> None:
    assert words in refused(FAMILY, *options.split())


def test_too_large_a_model_is_refused_with_its_numbers() -> None:
    result = run(FAMILY, "--dim", 100_000_000, "--max-memory", "1G")
    assert result.exit_code == 3
    assert "features of" in result.stderr


def test_real_data_is_seen_exactly_as_the_test_sees_it(data_dir: Path) -> None:
    content = document(data_dir / "aifb" / "aifb_stripped.nt.gz", "--layers", 4, "--draws", 1)
    counts = [(layer["wl_classes"], layer["model_classes"]) for layer in content["layers"]]
    assert counts == [(n, n) for n in (1491, 5997, 7367, 7399)]
