"""Models of whole graphs on disk: read back, predicting, and refused where they do not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.gnn.training.graph_tasks import graph_task, random_graphs
from tests.gnn.training.tasks import CONFIG, random_graph, small_task
from wlkg.errors import InputError, TooLargeError, UsageError
from wlkg.gnn.api import predict, predict_graphs, train, translate, versus
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model, save_model
from wlkg.gnn.config import CLASSIFIERS, READOUTS
from wlkg.gnn.models.graph_model import GraphModel
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run_file import checkpoint_path
from wlkg.graph.relational_graph import RelationalGraph

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))
SHORT = replace(CONFIG, epochs=3)


def saved_run(folder: Path, model: str = "rgcn", **options: Any) -> tuple[str, torch.Tensor]:
    """The checkpoint of a short run on twelve graphs, and its scores of them."""
    folder.mkdir(exist_ok=True)
    task = graph_task(random_graphs(12, vertices=3), model, **options)
    result = train_once(task, SHORT, save=folder)
    with torch.no_grad():
        return str(checkpoint_path(folder, 0)), task.scorer.scores(result.model)


@pytest.mark.parametrize("readout", READOUTS)
@every_model
def test_predictions_on_the_training_graphs_are_those_of_the_run(
    model: str, readout: str, tmp_path: Path
) -> None:
    path, scores = saved_run(tmp_path, model, readout=readout)
    predictions = predict_graphs(path, random_graphs(12, vertices=3))
    assert predictions.names == tuple(f"#{place}" for place in range(1, 13))
    assert predictions.classes == ("even", "odd")
    assert np.array_equal(predictions.predicted, scores.argmax(dim=1).numpy())
    expected = torch.softmax(scores.double(), dim=1).numpy()
    np.testing.assert_array_equal(predictions.probabilities, expected)


@every_model
def test_some_graphs_in_another_order_have_the_same_classes(model: str, tmp_path: Path) -> None:
    path, scores = saved_run(tmp_path, model, dtype="float64")
    graphs = random_graphs(12, vertices=3)
    # All three relations and both labels occur, whatever their order.
    chosen = [7, 3, 2, 11, 0]
    predictions = predict_graphs(path, [graphs[place] for place in chosen])
    expected = torch.softmax(scores, dim=1)[chosen].numpy()
    np.testing.assert_allclose(predictions.probabilities, expected, rtol=1e-9)


def test_a_random_start_vector_is_saved_with_the_model(tmp_path: Path) -> None:
    path, scores = saved_run(tmp_path, features="glorot")
    predictions = predict_graphs(path, random_graphs(12, vertices=3))
    expected = torch.softmax(scores.double(), dim=1).numpy()
    np.testing.assert_array_equal(predictions.probabilities, expected)


def test_a_saved_model_is_written_and_read_again(tmp_path: Path) -> None:
    path, scores = saved_run(tmp_path, "k-rn", readout="mlp")
    saved = load_model(path)
    save_model(tmp_path / "again.pt", saved)
    again = load_model(str(tmp_path / "again.pt"))
    assert (again.items, again.classes, again.config.readout) == ("graphs", ("even", "odd"), "mlp")
    assert isinstance(again.graph_model(), GraphModel)
    predictions = predict_graphs(again, random_graphs(12, vertices=3))
    assert np.array_equal(predictions.predicted, scores.argmax(dim=1).numpy())


def test_graphs_with_new_relations_are_refused_or_lose_them(tmp_path: Path) -> None:
    path, _ = saved_run(tmp_path)
    new = RelationalGraph.from_triples([("u", "new", "v")]).with_labels(["x", "y"])
    graphs = [*random_graphs(2), new]
    with pytest.raises(InputError, match="1 relation is new to the model"):
        predict_graphs(path, graphs)
    predictions = predict_graphs(path, graphs, unknown_relations="skip")
    assert predictions.left_out.relations == ("new",)
    assert len(predictions.labels) == 3


def test_checkpoints_of_the_other_kind_are_refused(tmp_path: Path) -> None:
    path, _ = saved_run(tmp_path / "graphs")
    with pytest.raises(InputError, match=r"learned classes of graphs, not of vertices\. For whole"):
        predict(path, random_graphs(1)[0])
    with pytest.raises(UsageError, match="a model of whole graphs cannot be translated"):
        translate(path, "compgcn")
    (tmp_path / "vertices").mkdir()
    train_once(small_task(), SHORT, save=tmp_path / "vertices")
    with pytest.raises(InputError, match=r"learned classes of vertices, not of graphs\. Make one"):
        predict_graphs(str(checkpoint_path(tmp_path / "vertices", 0)), random_graphs(3))
    with pytest.raises(UsageError, match="nothing to predict"):
        predict_graphs(path, [])
    with pytest.raises(TooLargeError, match="more than the 100 allowed"):
        predict_graphs(path, random_graphs(12), max_memory=100)


def test_the_body_of_a_model_of_graphs_is_a_model_of_vertices(tmp_path: Path) -> None:
    path, _ = saved_run(tmp_path / "graphs", features="constant")
    assert versus(random_graph(), checkpoint=path).bound_holds is True
    targets = {str(vertex): "xy"[vertex % 2] for vertex in range(10)}
    train(random_graph(), targets, checkpoint=path, epochs=2, save=str(tmp_path / "more"))
    predictions = predict(tmp_path / "more" / "seed-0.pt", random_graph())
    assert predictions.classes == ("x", "y")


@pytest.mark.parametrize("change", ["missing", "shape", "extra", "no readout", "max", "classes"])
def test_a_readout_that_does_not_fit_is_refused(change: str, tmp_path: Path) -> None:
    path, _ = saved_run(tmp_path)
    content = load_checkpoint(Path(path))
    weights, config = content["model"], content["identity"]["model"]
    if change == "missing":
        del weights["readout.head.bias"]
    elif change == "shape":
        weights["readout.head.bias"] = torch.zeros(3)
    elif change == "extra":
        weights["readout.hidden"] = torch.zeros(4, 8)
    elif change in ("no readout", "max"):
        config["readout"] = "" if change == "no readout" else change
    else:
        content["classes"] = ("even",)
    save_checkpoint(Path(path), content)
    with pytest.raises(InputError, match="does not hold a model that fits its own description"):
        load_model(path)
