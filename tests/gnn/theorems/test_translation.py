"""Translated models against the models they come from: equal outputs on every graph."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.gnn.models.formulas import (
    around,
    dense_features,
    num_relations,
    random_rows,
    randomised,
    seeds,
)
from tests.gnn.theorems.small_models import (
    SMALL_GRAPH,
    assert_same,
    config_of,
    features,
    saved_model,
)
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import TooLargeError, UsageError, WlkgError
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import AGGREGATIONS, ModelConfig
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.gnn.theorems import checkpoint_translation
from wlkg.gnn.theorems.checkpoint_translation import translate_checkpoint
from wlkg.gnn.theorems.model_translation import GOALS, TRANSLATIONS, translate_model
from wlkg.graph.relational_graph import RelationalGraph

#: Source and goal -> the number of layers for each layer of the source, by the theorems.
DEPTH = {
    ("mult", "rgcn"): 1,
    ("scale", "rgcn"): 1,
    ("corr", "rgcn"): 1,
    ("rotate", "rgcn"): 1,
    ("rgcn", "mult"): 2,
    ("add", "concat"): 1,
    ("sub", "concat"): 1,
    ("add", "sub"): 1,
    ("sub", "add"): 1,
    ("concat", "add"): 2,
    ("concat", "sub"): 2,
}
every_pair = pytest.mark.parametrize(("source", "goal"), sorted(DEPTH))
KINDS = ["rgcn", "rgcn-mlp", *sorted(COMPOSITIONS)]


def kind_of(model: VertexModel) -> str:
    config = model.config
    return config.composition if config.model == "compgcn" else config.model


def test_every_translation_is_tested() -> None:
    offered = {
        (source, goal)
        for translation in TRANSLATIONS
        for source, goal in itertools.product(translation.sources, translation.goals)
        if source != goal
    }
    assert offered == set(DEPTH)
    assert {goal for _, goal in DEPTH} == set(GOALS)


# -- equal outputs --------------------------------------------------------------------------------


@st.composite
def configs(draw: st.DrawFn, kind: str, graph: RelationalGraph) -> ModelConfig:
    """Models of a kind for a graph, with every switch, and widths that differ from each other."""
    layers = draw(st.integers(1, 3))
    width = st.sampled_from([2, 4]) if kind == "rotate" else st.integers(1, 3)
    between = draw(st.lists(width, min_size=layers - 1, max_size=layers - 1))
    on = st.booleans()
    return config_of(
        kind,
        in_width=draw(width),
        width=draw(width),
        out_width=draw(st.integers(1, 3)),
        relations=num_relations(graph),
        layers=layers,
        aggregation=draw(st.sampled_from(AGGREGATIONS)),
        bias=draw(on),
        direction=draw(on),
        inverses=graph.direction == "both",
        # R-GCN has no norm, whatever the switch says.
        norm=draw(on) and (kind == "rgcn" or (kind, "rgcn") not in DEPTH),
        relation_update=draw(on),
        own_vectors=draw(on),
        last_activation=draw(on),
        hidden_widths=tuple(between) if draw(on) else (),
    )


@every_pair
def test_a_translation_equals_the_formula_of_the_model_it_comes_from(
    source: str, goal: str
) -> None:
    @given(data=st.data(), graph=relational_graphs(), seed=seeds)
    @settings(max_examples=60)
    def check(data: st.DataObject, graph: RelationalGraph, seed: int) -> None:
        config = data.draw(configs(source, graph))
        model = randomised(VertexModel(config), seed)
        x = random_rows(graph.num_vertices, config.in_width, seed=seed)
        made = translate_model(model, goal)
        assert kind_of(made) == goal
        depth = DEPTH[source, goal]
        assert made.config.layers == len(made.layers) == depth * config.layers
        with torch.no_grad():
            expected = dense_features(model, x, around(graph))
        # h^(t) of the one is h^(2t) of the other, layer by layer.
        assert_same(features(made, x, graph)[depth - 1 :: depth], expected)
        assert_same(features(model, x, graph), expected)

    check()


@pytest.mark.parametrize(("source", "goal"), [pair for pair in sorted(DEPTH) if DEPTH[pair] == 1])
@given(data=st.data(), graph=relational_graphs(), seed=seeds)
@settings(max_examples=20)
def test_signs_are_kept_where_no_layers_are_added(
    source: str, goal: str, data: st.DataObject, graph: RelationalGraph, seed: int
) -> None:
    config = replace(data.draw(configs(source, graph)), activation="sign", last_activation=True)
    model = randomised(VertexModel(config), seed)
    x = random_rows(graph.num_vertices, config.in_width, seed=seed)
    made = translate_model(model, goal)
    assert made.config.activation == "sign"
    expected = features(model, x, graph)
    assert all(torch.isin(rows.abs(), torch.tensor([0.0, 1.0]).double()).all() for rows in expected)
    assert_same(features(made, x, graph), expected)


@given(data=st.data(), graph=relational_graphs(), seed=seeds)
@settings(max_examples=40)
def test_translations_of_translations_are_still_equal(
    data: st.DataObject, graph: RelationalGraph, seed: int
) -> None:
    kind = data.draw(st.sampled_from(sorted({source for source, _ in DEPTH})))
    config = data.draw(configs(kind, graph).map(lambda c: replace(c, layers=1, hidden_widths=())))
    model = made = randomised(VertexModel(config), seed)
    x = random_rows(graph.num_vertices, config.in_width, seed=seed)
    depth = 1
    for _ in range(3):
        goals = [goal for source, goal in sorted(DEPTH) if source == kind]
        goal = data.draw(st.sampled_from(goals))
        made, depth, kind = translate_model(made, goal), depth * DEPTH[kind, goal], goal
    assert made.config.layers == depth
    assert_same(features(made, x, graph)[-1:], features(model, x, graph)[-1:])


@pytest.mark.parametrize(("there", "back"), [("add", "sub"), ("sub", "add")])
def test_exchanging_addition_and_subtraction_twice_changes_no_number(there: str, back: str) -> None:
    model = randomised(VertexModel(config_of(there, direction=True, bias=True, norm=True)), 3)
    twice = translate_model(translate_model(model, back), there)
    assert twice.config == replace(model.config, relation_update=False)
    expected = model.state_dict()
    assert twice.state_dict().keys() == expected.keys()
    for name, value in twice.state_dict().items():
        assert torch.equal(value, expected[name])


# -- layers that copy -----------------------------------------------------------------------------


@pytest.mark.parametrize("aggregation", AGGREGATIONS)
@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("direction", [False, True])
@pytest.mark.parametrize("goal", ["add", "sub"])
def test_a_layer_that_makes_room_passes_on_features_and_nothing_else(
    goal: str, direction: bool, norm: bool, aggregation: Any
) -> None:
    config = config_of(
        "concat", direction=direction, norm=norm, aggregation=aggregation, inverses=True, bias=True
    )
    model = randomised(VertexModel(config), 1)
    x = random_rows(4, 2, seed=1)
    assert (x < 0).any()
    first, second, third, _ = features(translate_model(model, goal), x, SMALL_GRAPH)
    nothing = torch.zeros(4, 2, dtype=torch.float64)
    assert torch.equal(first, torch.cat([x.clamp(min=0), (-x).clamp(min=0), nothing], dim=1))
    room = torch.zeros(4, 4, dtype=torch.float64)
    assert torch.equal(third, torch.cat([second, room], dim=1))


def test_a_layer_that_copies_has_a_copy_for_each_relation() -> None:
    model = randomised(VertexModel(config_of("rgcn", bias=True, inverses=True)), 1)
    made = translate_model(model, "mult")
    assert made.config.widths == [2, 4 * 2 * 2, 4, 4 * 4, 3]
    x = random_rows(4, 2, seed=1)
    first, second, third, last = features(made, x, SMALL_GRAPH)
    both = torch.cat([x.clamp(min=0), (-x).clamp(min=0)], dim=1)
    assert torch.equal(first, both.repeat(1, 4))
    assert torch.equal(third, second.repeat(1, 4))
    # The last layer ends without a ReLU, as that of the R-GCN does.
    assert (last < 0).any()


# -- what a translation does not do ---------------------------------------------------------------


@every_pair
def test_a_translation_shares_no_memory_and_disturbs_nothing(source: str, goal: str) -> None:
    model = randomised(VertexModel(config_of(source, bias=True)), 2)
    before = {name: value.clone() for name, value in model.state_dict().items()}
    random_state = torch.get_rng_state()
    made = translate_model(model, goal)
    assert torch.equal(torch.get_rng_state(), random_state)
    with torch.no_grad():
        for parameter in made.parameters():
            assert parameter.requires_grad
            parameter.fill_(math.nan)
    for name, value in model.state_dict().items():
        assert torch.equal(value, before[name])


@every_pair
def test_a_translation_keeps_the_floating_point_type(source: str, goal: str) -> None:
    made = translate_model(VertexModel(config_of(source)).float(), goal)
    assert {parameter.dtype for parameter in made.parameters()} == {torch.float32}


def test_a_translation_that_does_not_fit_is_refused_before_it_is_made() -> None:
    with torch.device("meta"):
        model = VertexModel(config_of("rgcn", relations=2_000))
    with pytest.raises(TooLargeError, match=r"weights and needs [\d,]+ bytes") as caught:
        translate_model(model, "mult", max_memory=10**8)
    assert caught.value.exit_code == 3
    small = VertexModel(config_of("rgcn"))
    with pytest.raises(TooLargeError):
        translate_model(small, "mult", max_memory=1000)
    assert translate_model(small, "mult", max_memory=100_000).config.layers == 4


# -- refusals -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "goal"),
    [(s, g) for s, g in itertools.product(KINDS, GOALS) if (s, g) not in DEPTH],
)
def test_what_no_theorem_gives_is_refused_with_what_is_possible(source: str, goal: str) -> None:
    model = VertexModel(config_of(source))
    with pytest.raises(UsageError, match=f"no translation from {source} to {goal}") as caught:
        translate_model(model, goal)
    goals = sorted(goal for start, goal in DEPTH if start == source)
    _, possible = str(caught.value).split(f"{source} to {goal}. ")
    if goals:
        assert possible == f"From {source}: {', '.join(goals)}"
    else:
        known = possible.removeprefix("Translations exist from ").split(", ")
        assert sorted(known) == sorted({start for start, _ in DEPTH})


def test_an_unknown_goal_is_answered_with_the_known_goals() -> None:
    with pytest.raises(UsageError) as caught:
        translate_model(VertexModel(config_of("mult")), "plus")
    assert str(caught.value) == "unknown goal 'plus'. Known: rgcn, mult, add, sub, concat"


@pytest.mark.parametrize("source", [source for source, goal in sorted(DEPTH) if goal == "rgcn"])
def test_an_rgcn_cannot_normalise(source: str) -> None:
    with pytest.raises(UsageError, match=r"R-GCN cannot: only models without it \(--no-norm\)"):
        translate_model(VertexModel(config_of(source, norm=True)), "rgcn")


@pytest.mark.parametrize(("source", "goal"), [pair for pair in sorted(DEPTH) if DEPTH[pair] == 2])
def test_signs_cannot_be_copied(source: str, goal: str) -> None:
    with pytest.raises(
        UsageError, match=r"has sign\. Translate a model made with --activation relu"
    ):
        translate_model(VertexModel(config_of(source, activation="sign")), goal)


# -- the check on random graphs -------------------------------------------------------------------


@every_pair
@pytest.mark.parametrize("names", [0, 2])
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_checked_translation_says_how_far_outputs_differ(
    source: str, goal: str, names: int, direction: Direction
) -> None:
    translated = translate_checkpoint(saved_model(source, direction, names), goal)
    assert translated.graphs == 5
    assert 0 <= translated.max_difference < 1e-12
    assert kind_of(translated.after) == goal
    assert translated.num_weights == (
        count_parameters(translated.before),
        count_parameters(translated.after),
    )


def broken(change: Callable[[VertexModel], None]) -> Callable[..., VertexModel]:
    def translate(model: VertexModel, goal: str, **more: Any) -> VertexModel:
        made = translate_model(model, goal, **more)
        with torch.no_grad():
            change(made)
        return made

    return translate


@every_pair
@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_wrong_translation_is_detected(
    source: str, goal: str, direction: Direction, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = saved_model(source, direction)
    # Only the matrix, or the vector, of the last relation.
    last = "layers.0.weight" if goal == "rgcn" else f"layers.{DEPTH[source, goal] - 1}.vectors"

    def change(model: VertexModel) -> None:
        model.get_parameter(last)[-1] *= 1 + 1e-5

    monkeypatch.setattr(checkpoint_translation, "translate_model", broken(change))
    with pytest.raises(WlkgError, match="outputs of the translation differ by"):
        translate_checkpoint(saved, goal)


@pytest.mark.parametrize("place", range(5))
def test_a_difference_that_is_not_a_number_is_noticed(
    place: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        checkpoint_translation,
        "_difference",
        lambda *given: math.nan if given[-1] == place else 0.0,
    )
    with pytest.raises(WlkgError, match="overflow"):
        translate_checkpoint(saved_model("add"), "sub")


def test_a_model_that_overflows_is_refused_with_the_reason() -> None:
    saved = saved_model("mult", layers=3)
    large = {name: 1e150 * value for name, value in saved.weights.items()}
    with pytest.raises(WlkgError, match="overflow, so the translation cannot be checked"):
        translate_checkpoint(replace(saved, weights=large), "rgcn")


def test_outputs_that_are_all_zero_after_a_last_relu_are_equal() -> None:
    saved = saved_model("concat", last_activation=True, bias=True)
    dead = {**saved.weights, "layers.1.bias": torch.full((3,), -1e6, dtype=torch.float64)}
    assert translate_checkpoint(replace(saved, weights=dead), "add").max_difference == 0.0
    nothing = {name: torch.zeros_like(value) for name, value in saved.weights.items()}
    assert translate_checkpoint(replace(saved, weights=nothing), "add").max_difference == 0.0


def test_single_precision_is_checked_by_its_own_measure() -> None:
    saved = saved_model("mult")
    rough = {name: value.float() for name, value in saved.weights.items()}
    translated = translate_checkpoint(replace(saved, weights=rough), "rgcn")
    assert 1e-12 < translated.max_difference < 1e-4


def test_a_k_rn_is_not_translated() -> None:
    with pytest.raises(UsageError, match="translations from rgcn and compgcn"):
        translate_checkpoint(saved_model("k-rn"), "rgcn")
