"""Predictions: those of the run itself on its own graph, and sensible ones on other graphs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.gnn.training.tasks import CONFIG, SETS, N, random_graph, small_task, targets_of
from wlkg.errors import GraphError, InputError, TooLargeError, UsageError, WlkgError
from wlkg.gnn.api import witness
from wlkg.gnn.checkpoints.saved_model import SavedModel, load_model, save_model
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.prediction import Predictions, predict_classes
from wlkg.gnn.training.results import TrainResult
from wlkg.gnn.training.run_file import checkpoint_path
from wlkg.gnn.training.task import Task, make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))
SHORT = replace(CONFIG, epochs=5)


def trained(folder: Path, task: Task) -> tuple[TrainResult, SavedModel]:
    """A short run, and the model in its checkpoint."""
    folder.mkdir(exist_ok=True)
    result = train_once(task, SHORT, save=folder)
    return result, load_model(str(checkpoint_path(folder, 0)))


def assert_own_predictions(predictions: Predictions, task: Task, result: TrainResult) -> None:
    """Check that targets have the very scores of the run, and so its accuracies."""
    with torch.no_grad():
        scores = task.scorer.scores(result.model)
    assert np.array_equal(
        predictions.probabilities, torch.softmax(scores.double(), dim=1).detach().numpy()
    )
    assert predictions.classes == task.classes
    correct, total = predictions.correct(targets_of(20, 30))
    assert (correct / total, total) == (result.last.test_accuracy, 10)


# -- on the graph of the run ----------------------------------------------------------------------


@every_model
@pytest.mark.parametrize("freeze", [False, True])
@pytest.mark.parametrize(
    "options", [{}, {"features": "labels", "dtype": "float64"}, {"features": "glorot"}]
)
def test_targets_of_the_run_have_the_same_bits_as_in_training(
    model: str, freeze: bool, options: dict[str, Any], tmp_path: Path
) -> None:
    if model == "k-rn" and options.get("features") == "glorot":
        pytest.skip("a k-RN starts with vectors of atomic types")
    task = small_task(model, freeze=freeze, **options)
    result, saved = trained(tmp_path, task)
    predictions = predict_classes(saved, random_graph(), SETS.items)
    assert_own_predictions(predictions, task, result)


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_a_model_that_was_trained_from_a_checkpoint_predicts_with_its_new_readout(
    model: str, tmp_path: Path
) -> None:
    _, first = trained(tmp_path, small_task(model))
    task = make_task(random_graph(), SETS, first)
    result, saved = trained(tmp_path / "second", task)
    assert saved.head is not None
    assert_own_predictions(predict_classes(saved, random_graph(), SETS.items), task, result)
    # Written and read again, it is still the same model.
    save_model(tmp_path / "copy.pt", saved)
    copied = load_model(str(tmp_path / "copy.pt"))
    assert_own_predictions(predict_classes(copied, random_graph(), SETS.items), task, result)


@every_model
def test_all_vertices_and_without_compression_have_the_same_probabilities(
    model: str, tmp_path: Path
) -> None:
    _, saved = trained(tmp_path, small_task(model, dtype="float64"))
    some = predict_classes(saved, random_graph(), SETS.items)
    for compress in (True, False):
        every = wlkg.predict(saved, random_graph(), compress=compress)
        assert every.vertices.tolist() == list(range(N))
        np.testing.assert_allclose(every.probabilities, some.probabilities, rtol=1e-9)
        np.testing.assert_allclose(every.probabilities.sum(axis=1), 1)
        assert every.labels == some.labels
    assert sum(every.counts.values()) == N


def test_vertices_are_chosen_by_name_in_the_given_order(tmp_path: Path) -> None:
    _, saved = trained(tmp_path, small_task())
    every = wlkg.predict(saved, random_graph())
    some = wlkg.predict(checkpoint_path(tmp_path, 0), random_graph(), ["7", "3"])
    assert some.vertex_names == ["7", "3"]
    assert some.labels == (every.labels[7], every.labels[3])
    assert some.certainties.tolist() == pytest.approx(some.probabilities.max(axis=1).tolist())
    assert some.correct(Targets(np.array([3, 5]), (some.labels[1], "x"))) == (1, 1)
    with pytest.raises(GraphError, match="no vertex is called 'nobody'"):
        wlkg.predict(saved, random_graph(), ["nobody"])


# -- on other graphs ------------------------------------------------------------------------------


@every_model
@settings(max_examples=8)
@given(seed=st.integers(0, 10**6))
def test_a_renamed_copy_with_relations_in_another_order_has_the_same_classes(
    model: str, scratch: Path, seed: int
) -> None:
    folder = scratch / model
    if not folder.exists():
        trained(folder, small_task(model, dtype="float64", features="labels"))
    saved = load_model(str(checkpoint_path(folder, 0)))
    graph, draw = random_graph(), np.random.default_rng(seed)
    order, relations = draw.permutation(N), draw.permutation(3)
    place = np.argsort(order)
    copy = RelationalGraph.from_arrays(
        place[graph.head],
        np.argsort(relations)[graph.relation],
        place[graph.tail],
        vertex_names=[f"copy of {v}" for v in order],
        relation_names=["abc"[i] for i in relations],
        labels=np.asarray(graph.labels)[order],
        label_names=graph.label_names,
    )
    here, there = predict_classes(saved, graph), predict_classes(saved, copy)
    np.testing.assert_allclose(there.probabilities, here.probabilities[order], rtol=1e-6)
    clear = np.sort(here.probabilities, axis=1)
    decided = (clear[:, -1] - clear[:, -2] > 1e-6)[order]
    assert there.vertex_names == [f"copy of {v}" for v in order]
    assert (there.predicted == here.predicted[order])[decided].all()


@every_model
def test_added_vertices_far_away_do_not_change_the_others(model: str, tmp_path: Path) -> None:
    if model == "k-rn":
        pytest.skip("a k-RN sums over all tuples, so that every vertex counts")
    _, saved = trained(tmp_path, small_task(model, dtype="float64"))
    graph = random_graph()
    more = wlkg.disjoint_union(graph, graph.induced(np.arange(5)))
    here, there = predict_classes(saved, graph), predict_classes(saved, more)
    assert len(there.vertices) == N + 5
    np.testing.assert_allclose(there.probabilities[:N], here.probabilities, rtol=1e-9)


@every_model
def test_a_graph_with_fewer_relations_and_with_new_ones_is_predicted(
    model: str, tmp_path: Path
) -> None:
    _, saved = trained(tmp_path, small_task(model, dtype="float64"))
    graph = random_graph()
    fewer = graph.with_relations(["c", "a"])
    expected = predict_classes(saved, fewer)
    renamed = RelationalGraph.from_arrays(
        graph.head, graph.relation, graph.tail, num_vertices=N, relation_names=["a", "new", "c"]
    )
    if model == "gnn":
        # It does not look at relations, so none is new.
        same = predict_classes(saved, renamed)
        assert not same.left_out.relations
        assert np.array_equal(same.probabilities, predict_classes(saved, graph).probabilities)
        return
    with pytest.raises(InputError, match=r"1 relation is new to the model, with .* triples: new"):
        predict_classes(saved, renamed)
    there = predict_classes(saved, renamed, unknown_relations="skip")
    assert there.left_out.relations == ("new",)
    np.testing.assert_allclose(there.probabilities, expected.probabilities, rtol=1e-9)


# -- what is refused ------------------------------------------------------------------------------


def test_models_without_classes_and_of_other_items_are_refused(tmp_path: Path) -> None:
    witness(random_graph(), ModelChoice("rgcn", activation="sign"), out=tmp_path / "w.pt")
    with pytest.raises(InputError, match=r"w\.pt: the checkpoint has no names of classes.*wlkg tr"):
        wlkg.predict(tmp_path / "w.pt", random_graph())
    _, saved = trained(tmp_path, small_task())
    with pytest.raises(InputError, match="classes of graphs, not of vertices"):
        wlkg.predict(replace(saved, items="graphs"), random_graph())


def test_a_graph_without_vertices_and_numbers_that_overflow_are_refused(tmp_path: Path) -> None:
    _, saved = trained(tmp_path, small_task())
    with pytest.raises(UsageError, match="no vertices"):
        wlkg.predict(saved, RelationalGraph.from_triples([]))
    huge = replace(saved, weights={name: value * 1e30 for name, value in saved.weights.items()})
    with pytest.raises(WlkgError, match=r"not finite numbers: they overflow float32\. Use --dtype"):
        wlkg.predict(huge, random_graph())
    assert np.isfinite(wlkg.predict(huge, random_graph(), dtype="float64").probabilities).all()


@every_model
def test_a_prediction_that_does_not_fit_into_memory_is_refused(model: str, tmp_path: Path) -> None:
    _, saved = trained(tmp_path, small_task(model))
    with pytest.raises(TooLargeError, match="more than the 1,000 allowed"):
        wlkg.predict(saved, random_graph(), max_memory=1000)
