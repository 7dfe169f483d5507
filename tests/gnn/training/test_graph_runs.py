"""Training on whole graphs: mini-batches, resumed runs, and the hierarchy as a learning result."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.gnn.training.graph_tasks import graph_task, permuted_copies, random_graphs
from tests.gnn.training.tasks import CONFIG, small_task, weights_of
from wlkg.corpora import read_corpus
from wlkg.errors import InputError, UsageError
from wlkg.gnn.api import train_graphs
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run import TrainingRun
from wlkg.graph.relational_graph import RelationalGraph

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))
BATCHES = replace(CONFIG, epochs=6, batch=4)


# -- mini-batches ---------------------------------------------------------------------------------


def test_an_epoch_of_mini_batches_covers_every_training_graph_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = graph_task(random_graphs(20))
    drawn: list[np.ndarray[Any, Any]] = []
    true_batch = task.scorer.batch

    def batch(positions: np.ndarray[Any, Any]) -> Any:
        drawn.append(positions)
        return true_batch(positions)

    monkeypatch.setattr(task.scorer, "batch", batch)
    run = TrainingRun(task, BATCHES)
    steps: list[torch.Tensor] = []
    monkeypatch.setattr(run, "_step", steps.append)
    run.advance(None)
    train = task.split(BATCHES.seed).train.tolist()
    assert len(steps) == len(drawn) == -(-len(train) // 4)
    assert Counter(np.concatenate(drawn).tolist()) == Counter(train)
    assert max(map(len, drawn)) == 4


def test_one_batch_of_all_graphs_is_the_same_as_no_batches() -> None:
    task = graph_task(random_graphs(12), dtype="float64")
    whole = train_once(task, replace(CONFIG, epochs=5))
    batched = train_once(task, replace(CONFIG, epochs=5, batch=100))
    torch.testing.assert_close(whole.curves, batched.curves, equal_nan=True)


def test_batches_of_vertices_are_refused() -> None:
    with pytest.raises(UsageError, match="--batch is for --graphs"):
        train_once(small_task(), BATCHES)


@every_model
def test_a_run_in_mini_batches_is_resumed_with_the_same_bytes(model: str, tmp_path: Path) -> None:
    task = graph_task(random_graphs(12, vertices=3), model, readout="mlp")
    whole = train_once(task, BATCHES)
    train_once(task, replace(BATCHES, epochs=3), save=tmp_path)
    resumed = train_once(task, BATCHES, save=tmp_path, resume=True)
    assert weights_of(resumed.model) == weights_of(whole.model)
    assert torch.equal(resumed.curves.nan_to_num(), whole.curves.nan_to_num())


def test_a_run_with_another_readout_batch_or_corpus_is_not_resumed(tmp_path: Path) -> None:
    graphs = random_graphs(12)
    train_once(graph_task(graphs), BATCHES, save=tmp_path)
    with pytest.raises(InputError, match="model differs from this run's"):
        train_once(graph_task(graphs, readout="mean"), BATCHES, save=tmp_path, resume=True)
    with pytest.raises(InputError, match="training differs from this run's"):
        train_once(graph_task(graphs), replace(BATCHES, batch=5), save=tmp_path, resume=True)
    isolated = RelationalGraph.from_arrays([], [], [], num_vertices=1).with_labels(["x"])
    for other in ([*graphs[:-1], isolated], graphs[::-1]):
        with pytest.raises(InputError, match="differs from this run's"):
            train_once(graph_task(other), BATCHES, save=tmp_path, resume=True)


def test_a_frozen_model_learns_only_its_readout() -> None:
    task = graph_task(random_graphs(12), freeze=True)
    before, result = task.scorer.make(0), train_once(task, replace(CONFIG, epochs=3))
    assert result.frozen_parameters > 0
    after = result.model.state_dict()
    changed = {
        name for name, value in before.state_dict().items() if not torch.equal(value, after[name])
    }
    assert changed == {"readout.head.weight", "readout.head.bias"}


# -- the hierarchy as a learning result -----------------------------------------------------------


def accuracies(
    graphs: list[RelationalGraph], classes: list[str], model: str, **options: Any
) -> set[float | None]:
    """The accuracies at the end: on two thirds of the copies, and on the rest."""
    names = {str(place): name for place, name in enumerate(classes, 1)}
    cut = 2 * len(graphs) // 3 // 2 * 2
    training, holdout = (
        {key: names[key] for key in list(names)[part]} for part in (slice(cut), slice(cut, None))
    )
    done = train_graphs(
        graphs,
        training,
        holdout,
        ModelChoice(model, width=16, layers=3),
        readout="mlp",
        validation=0.0,
        epochs=80,
        learning_rate=0.005,
        **options,
    )
    last = done.results[0].last
    return {last.train_accuracy, last.test_accuracy}


@pytest.mark.parametrize("pair", [("c6", "2xc3"), ("cfi-g,k=2", "cfi-h,k=2")])
def test_an_rgcn_stays_at_chance_where_a_2_rn_learns_everything(pair: tuple[str, str]) -> None:
    graphs, classes = permuted_copies(*pair, count=3)
    for model in ("gnn", "rgcn", "rgcn-mlp", "compgcn"):
        assert accuracies(graphs, classes, model) == {0.5}
    assert accuracies(graphs, classes, "k-rn") == {1.0}


def test_a_2_rn_learns_pairs_of_brec_on_which_an_rgcn_stays_at_chance(data_dir: Path) -> None:
    (basic,) = read_corpus(data_dir / "brec" / "basic.npy").groups
    draw = np.random.default_rng(0)
    for pair in list(basic.pairs())[:2]:
        originals = [basic.graphs[place] for place in pair]
        graphs = [
            graph.permuted(draw.permutation(graph.num_vertices))
            for _ in range(3)
            for graph in originals
        ]
        classes = ["one", "two"] * 3
        assert accuracies(graphs, classes, "rgcn") == {0.5}
        assert accuracies(graphs, classes, "k-rn") == {1.0}
