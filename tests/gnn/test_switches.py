"""Every switch against every model: it changes the model, or it is refused."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import Any

import pytest
from torch import nn

from tests.places import ROOT
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.judging import random_run
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.config import MODELS, ModelChoice, ModelConfig
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.switches import SWITCHES, applying
from wlkg.graph.relational_graph import RelationalGraph

#: A vertex with two neighbours in a relation, and vertices with one.
GRAPH = RelationalGraph.from_arrays([0, 0, 1, 3], [0, 0, 1, 0], [1, 2, 3, 2], num_vertices=4)
#: For each switch a value that is not its default.
OTHER: dict[str, Any] = {
    "layers": 3,
    "width": 6,
    "aggregation": "mean",
    "composition": "concat",
    "bias": True,
    "direction": False,
    "norm": False,
    "relation_update": False,
    "query_message": True,
    "global_readout": True,
    "k": 1,
    "update": "mlp",
    "last_activation": True,
}
every_case = pytest.mark.parametrize(
    ("model", "name"), [(model, name) for model in MODELS for name in SWITCHES]
)


def test_the_table_has_every_switch_and_every_model() -> None:
    chosen_by_users = {field.name for field in fields(ModelChoice)} - {"model", "activation"}
    assert set(SWITCHES) == set(OTHER) == chosen_by_users
    for switch in SWITCHES.values():
        assert set(switch.models) <= set(MODELS)
        assert set(switch.conditions) <= set(switch.models)
    assert all(set(MODELS) == set(SWITCHES[name].models) for name in ("layers", "width"))


def conditions_of(model: str, name: str) -> dict[str, Any]:
    """What must be chosen besides, so that a switch applies."""
    condition = SWITCHES[name].conditions.get(model)
    return {} if condition is None else {condition.switch: condition.value}


def completed(choice: ModelChoice) -> ModelConfig:
    return choice.completed(
        in_width=choice.width, out_width=3, relations=4, inverses=True, layers=2
    )


def signature(choice: ModelChoice) -> tuple[object, ...]:
    """What a user can see of a model: its bound, its number of parameters, its outputs."""
    config = completed(choice)
    setting = make_setting(GRAPH, width=choice.width, device="cpu")
    arrangement = Arrangement.as_given(setting.arcs)
    outputs = [random_run(setting, config, seed)(arrangement) for seed in range(3)]
    model: nn.Module
    if config.conditional:
        model = ConditionalModel(config)
    else:
        model = TupleModel(config, 4) if config.model == "k-rn" else VertexModel(config)
    return (
        bound_of(config, "both"),
        count_parameters(model),
        [rows.round(9).tolist() for layers in outputs for rows in layers],
    )


@every_case
def test_a_switch_that_applies_changes_the_model_and_another_is_refused(
    model: str, name: str
) -> None:
    switch = SWITCHES[name]
    if model in switch.models:
        before = ModelChoice(model, width=4, layers=2, **conditions_of(model, name))
        assert signature(before) != signature(replace(before, **{name: OTHER[name]}))
        return
    if model in switch.fixed:
        before = ModelChoice(model, width=4, layers=2)
        assert signature(before) == signature(replace(before, **{name: switch.fixed[model]}))
        return
    with pytest.raises(UsageError) as error:
        ModelChoice(model, **{name: OTHER[name]})
    assert str(error.value).startswith(f"{switch.option} has no effect on {model}. It is for ")
    assert error.value.exit_code == 2


def test_means_of_normalised_messages_are_refused_with_the_remedy() -> None:
    with pytest.raises(UsageError, match=r"--aggregation has no effect on compgcn with norm.*Add"):
        ModelChoice("compgcn", aggregation="mean")
    assert ModelChoice("compgcn", aggregation="mean", norm=False).aggregation == "mean"


def test_choices_are_reduced_to_those_that_apply() -> None:
    for model in MODELS:
        kept = applying(model, **OTHER)
        assert set(kept) == {name for name in OTHER if model in SWITCHES[name].models}
        ModelChoice(model, **kept)


def test_the_page_about_models_shows_the_table() -> None:
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    match = re.search(r"<!-- switches -->\n\n(.*?)\n\n<!-- /switches -->", page, re.DOTALL)
    assert match is not None
    rows = [
        f"| option | what it changes | {' | '.join(MODELS)} |",
        "|---|---|" + "---|" * len(MODELS),
    ]
    for switch in SWITCHES.values():
        marks = [_mark(switch.models, switch.conditions, model) for model in MODELS]
        rows.append(f"| `{switch.option}` | {switch.summary} | {' | '.join(marks)} |")
    assert match[1].splitlines() == rows


def _mark(models: Any, conditions: Any, model: str) -> str:
    if model in conditions:
        return f"with `{conditions[model].option}`"
    return "yes" if model in models else ""
