"""Options of models on the command line: one that would have no effect is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Run, assert_refused
from tests.needs_torch import needs_torch
from wlkg.gnn.config import MODELS
from wlkg.gnn.switches import SWITCHES

#: For each switch its option as users may give it; defaults are refused too.
GIVEN: dict[str, list[tuple[str, ...]]] = {
    "layers": [("--layers", "1")],
    "width": [("--dim", "8")],
    "aggregation": [("--aggregation", "sum"), ("--aggregation", "mean")],
    "composition": [("--composition", "mult")],
    "bias": [("--bias",), ("--no-bias",)],
    "direction": [("--no-direction",), ("--direction-weights",)],
    "norm": [("--no-norm",), ("--norm",)],
    "relation_update": [("--no-relation-update",), ("--relation-update",)],
    "query_message": [("--query-message",), ("--no-query-message",)],
    "global_readout": [("--global-readout",), ("--no-global-readout",)],
    "k": [("-k", "2")],
    "update": [("--update", "linear"), ("--update", "mlp")],
}
CASES = [(model, name, option) for model in MODELS for name in GIVEN for option in GIVEN[name]]


def test_every_switch_of_versus_is_tried() -> None:
    assert set(GIVEN) == set(SWITCHES) - {"last_activation"}


@pytest.mark.parametrize(
    ("model", "option"),
    [(model, option) for model, name, option in CASES if model not in SWITCHES[name].models],
)
def test_an_option_that_is_not_for_the_model_is_refused(
    run: Run, model: str, option: tuple[str, ...]
) -> None:
    result = run("versus", "no-such-graph.nt", "--model", model, *option)
    assert_refused(result, f"{option[0]} has no effect on {model}. It is for ")


@needs_torch
@pytest.mark.parametrize(
    ("model", "name", "option"), [case for case in CASES if case[0] in SWITCHES[case[1]].models]
)
def test_an_option_that_is_for_the_model_is_accepted(
    run: Run, model: str, name: str, option: tuple[str, ...]
) -> None:
    condition = SWITCHES[name].conditions.get(model)
    more = () if condition is None else (condition.option,)
    arguments = ["example:c6", "--model", model, "--draws", 1, "--dim", 4, *option, *more]
    assert run("versus", *arguments).exit_code == 0
    if condition is not None:
        result = run("versus", "no-such-graph.nt", "--model", model, *option)
        assert_refused(result, f"Add {condition.option}")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["versus", "g", "--activation", "relu"], "--activation has no effect: it is for"),
        (["versus", "g", "--checkpoint", "m.pt", "--dim", "4"], "--dim has no effect"),
        (["versus", "g", "--checkpoint", "m.pt", "--model", "rgcn"], "--model has no effect"),
        (["versus", "g", "--checkpoint", "m.pt", "--draws", "4"], "--draws has no effect"),
        (["versus", "g", "--module", "m.py:N", "--no-bias"], "--no-bias has no effect"),
        (["versus", "g", "--weights", "witness", "--dim", "4"], "--dim has no effect: the widths"),
        (["witness", "g", "--dtype", "float64"], "--dtype has no effect"),
        (["train", "g", "--targets", "t", "--checkpoint", "m.pt", "-k", "2"], "-k has no effect"),
        (["versus", "g", "--unknown-relations", "skip"], "it is about --checkpoint"),
        (["compare", "g", "h", "--unknown-relations", "skip"], "it is about --checkpoint"),
        (["train", "g", "--targets", "t", "--unknown-relations", "skip"], "about --checkpoint"),
        (["hierarchy", "g", "--draws", "2"], "--draws has no effect: it is about --model"),
        (["hierarchy", "g", "--model", "rgcn", "-k", "3"], "-k has no effect: it is about"),
        (
            ["train", "g", "--targets", "t", "--checkpoint", "m.pt", "--last-activation"],
            "--last-activation has no effect: --checkpoint brings its own model",
        ),
        (
            ["train", "g", "--targets", "t", "--model", "k-rn", "--no-compress"],
            "--no-compress has no effect: k-RN has a row for every tuple",
        ),
    ],
)
def test_other_options_without_effect_are_refused(
    run: Run, arguments: list[str], message: str
) -> None:
    assert_refused(run(*arguments), message)


@needs_torch
def test_last_activation_is_not_for_k_rn(run: Run, tmp_path: Path) -> None:
    graph, targets = tmp_path / "g.tsv", tmp_path / "t.tsv"
    graph.write_text("a\tr\tb\nb\tr\tc\n")
    targets.write_text("entity\tlabel\na\tx\nb\ty\n")
    result = run("train", graph, "--targets", targets, "--model", "k-rn", "--last-activation")
    assert_refused(result, "--last-activation has no effect on k-rn")
