"""``freeze``: the model stays as it is, and only a map from its features is learned."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from tests.gnn.training.tasks import CONFIG, SETS, random_graph, small_task, weights_of
from wlkg.errors import InputError
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import CLASSIFIERS
from wlkg.gnn.models.parameters import count_parameters
from wlkg.gnn.models.readout_model import ReadoutModel
from wlkg.gnn.models.tuple_model import TupleModel
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run_file import checkpoint_path
from wlkg.gnn.training.task import make_task

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))


@every_model
def test_a_frozen_model_keeps_its_random_weights_and_learns_a_map(model: str) -> None:
    task = small_task(model, freeze=True)
    before = task.scorer.make(0)
    result = train_once(task, CONFIG)
    after = result.model
    assert isinstance(before, ReadoutModel)
    assert isinstance(after, ReadoutModel)
    assert weights_of(after.body) == weights_of(before.body)
    assert weights_of(after.head) != weights_of(before.head)
    assert result.last.loss < float(result.curves[0, 0])
    assert weights_of(task.scorer.make(1)) != weights_of(before)


@every_model
def test_only_what_is_learned_counts_as_parameters(model: str) -> None:
    result = train_once(small_task(model, freeze=True), replace(CONFIG, epochs=1))
    assert isinstance(result.model, ReadoutModel)
    features = 8 if isinstance(result.model.body, TupleModel) else 4
    assert result.parameters == (features + 1) * 3
    assert result.frozen_parameters == count_parameters(result.model.body)
    assert train_once(small_task(model), replace(CONFIG, epochs=0)).frozen_parameters == 0


@every_model
def test_the_features_of_a_frozen_model_are_computed_once(
    model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, computed = [], ReadoutModel._computed_features

    def counted(self: ReadoutModel, *inputs: object) -> torch.Tensor:
        calls.append(inputs)
        return computed(self, *inputs)

    monkeypatch.setattr(ReadoutModel, "_computed_features", counted)
    train_once(small_task(model, freeze=True), CONFIG)
    assert len(calls) == 1


def test_a_frozen_run_is_resumed_but_not_as_a_run_that_learns_everything(tmp_path: Path) -> None:
    frozen = small_task(freeze=True)
    train_once(frozen, CONFIG, save=tmp_path)
    more = replace(CONFIG, epochs=40)
    resumed = train_once(frozen, more, save=tmp_path, resume=True)
    assert weights_of(resumed.model) == weights_of(train_once(frozen, more).model)
    initial = load_model(str(checkpoint_path(tmp_path, 0)))
    whole, fixed = (
        make_task(random_graph(), SETS, initial, freeze=freeze) for freeze in (False, True)
    )
    train_once(whole, CONFIG, save=tmp_path)
    with pytest.raises(InputError, match="training differs from this run's"):
        train_once(fixed, CONFIG, save=tmp_path, resume=True)


def test_the_model_of_a_checkpoint_may_be_frozen_too(tmp_path: Path) -> None:
    train_once(small_task(), CONFIG, save=tmp_path)
    initial = load_model(str(checkpoint_path(tmp_path, 0)))
    result = train_once(make_task(random_graph(), SETS, initial, freeze=True), CONFIG)
    assert isinstance(result.model, ReadoutModel)
    assert weights_of(result.model.body) == weights_of(initial.build())
    assert result.parameters == (3 + 1) * 3
