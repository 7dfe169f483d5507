"""`wlkg.train`: targets by name, several seeds, and settings that are refused."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

import wlkg
from tests.gnn.training.tasks import random_graph, small_task, weights_of
from wlkg.errors import UsageError
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.train_config import TrainConfig


def classes_of(low: int, high: int) -> dict[str, str]:
    return {str(v): "xyz"[v % 3] for v in range(low, high)}


def test_targets_are_given_by_name_and_seeds_follow_each_other() -> None:
    training = wlkg.train(
        random_graph(),
        {**classes_of(0, 20), "nobody": "x"},
        classes_of(20, 30),
        epochs=4,
        seeds=2,
        seed=3,
    )
    assert training.task.sets.training.missing == ("nobody",)
    assert training.task.classes == ("x", "y", "z")
    assert training.config == TrainConfig(
        epochs=4, learning_rate=0.001, weight_decay=0.0005, seed=3
    )
    assert [result.seed for result in training.results] == [3, 4]
    for result in training.results:
        expected = train_once(small_task(), replace(training.config, seed=result.seed))
        assert weights_of(result.model) == weights_of(expected.model)
        assert result.last == expected.last


def test_the_direction_of_a_call_replaces_that_of_the_graph() -> None:
    graph, targets = random_graph(), classes_of(0, 20)
    turned = wlkg.train(graph.with_direction("out"), targets, epochs=3)
    training = wlkg.train(graph, targets, epochs=3, direction="out")
    assert training.task.about.direction == "out"
    assert training.task.fingerprint == turned.task.fingerprint
    assert weights_of(training.results[0].model) == weights_of(turned.results[0].model)


def test_a_choice_is_completed_by_the_graph_the_features_and_the_classes() -> None:
    choice = ModelChoice("compgcn", width=5, composition="add", norm=False)
    training = wlkg.train(
        random_graph(), classes_of(0, 20), model=choice, features="labels", epochs=0
    )
    config = training.task.config
    assert (config.in_width, config.width, config.out_width) == (3, 5, 3)
    assert (config.relations, config.inverses, config.layers) == (6, True, 2)
    assert (config.composition, config.norm) == ("add", False)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"epochs": -1}, "epochs must be at least 0, found -1"),
        ({"learning_rate": -0.1}, "learning rate must be at least 0, found -0.1"),
        ({"learning_rate": math.nan}, "learning rate must be at least 0, found nan"),
        ({"weight_decay": -1.0}, "weight decay must be at least 0, found -1.0"),
        ({"patience": 0}, "patience must be at least 1, found 0"),
        ({"seed": -1}, "seed must be at least 0, found -1"),
        ({"seeds": 0}, "seeds must be at least 1, found 0"),
    ],
)
def test_numbers_that_are_out_of_range_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError) as caught:
        wlkg.train(random_graph(), classes_of(0, 20), **options)
    assert str(caught.value) == message


def test_targets_that_the_graph_does_not_have_cannot_be_trained_on() -> None:
    with pytest.raises(UsageError, match="there is no target to train on"):
        wlkg.train(random_graph(), {"nobody": "x", "nowhere": "y"})
