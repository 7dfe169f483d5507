"""Models on a second device: whatever they compute stays there, and is what a CPU computes.

No GPU is needed: `tests.refinement.engines.other_device` has a device that fails where a GPU would.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from tests.gnn.training.graph_tasks import graph_task, random_graphs
from tests.gnn.training.tasks import SETS, random_graph, small_task
from tests.refinement.engines.other_device import OTHER, Elsewhere, OtherDevice
from wlkg.gnn.against_wl import rounding, setting
from wlkg.gnn.against_wl.judging import Versus, versus_random
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import CLASSIFIERS, MODELS, ModelChoice
from wlkg.gnn.models import relation_products, sums
from wlkg.gnn.training import graph_task as graph_tasks
from wlkg.gnn.training import task as tasks
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.run import TrainingRun
from wlkg.gnn.training.task import Task, make_task
from wlkg.gnn.training.train_config import TrainConfig

CONFIG = TrainConfig(epochs=3, learning_rate=0.01, weight_decay=0.0005)
every_model = pytest.mark.parametrize("model", sorted(MODELS))
every_classifier = pytest.mark.parametrize("model", sorted(CLASSIFIERS))
#: With products of sparse matrices, as on CUDA, or with sums of rows, as on MPS.
with_and_without_sparse = pytest.mark.parametrize("sparse", [True, False])


@pytest.fixture
def _replaced_weights() -> Iterator[None]:
    """Weights that are moved are replaced: memory of one device cannot become that of another."""
    torch.__future__.set_overwrite_module_params_on_conversion(True)
    yield
    torch.__future__.set_overwrite_module_params_on_conversion(False)


def _choose_the_other_device(patch: pytest.MonkeyPatch, *, sparse: bool) -> None:
    """From now on, this is the device that models run on."""
    for module in (tasks, graph_tasks, setting):
        patch.setattr(module, "find_device", lambda _name, _dtype: OTHER)
    if sparse:
        patch.setattr(sums, "_SPARSE_DEVICES", ("cpu", OTHER.type))


def _assert_trains_there(make: Callable[[], Task], config: TrainConfig, here: Tensor) -> set[str]:
    """Train on the other device, where every epoch gives the numbers of the CPU."""
    with OtherDevice(prepares=True):
        run = TrainingRun(make(), config)
        run._curves_so_far()  # the curves are kept in the main memory
    assert all(isinstance(weight, Elsewhere) for weight in run._model.parameters())
    mode = OtherDevice()
    with mode:
        for _ in range(config.epochs):
            run.advance(None)
        run.finish()
    assert torch.allclose(run._curves[: config.epochs + 1], here, rtol=1e-9, equal_nan=True)
    return mode.operations


@with_and_without_sparse
@every_classifier
@pytest.mark.usefixtures("_replaced_weights")
def test_a_model_of_vertices_trains_on_its_device(
    monkeypatch: pytest.MonkeyPatch, model: str, sparse: bool
) -> None:
    def make() -> Task:
        return small_task(model, dtype="float64")

    here = train_once(make(), CONFIG).curves
    _choose_the_other_device(monkeypatch, sparse=sparse)
    operations = _assert_trains_there(make, CONFIG, here)
    assert "aten.addcdiv_.default" in operations  # the optimiser was there, too


@with_and_without_sparse
@every_classifier
@pytest.mark.parametrize("batch", [None, 3])
@pytest.mark.usefixtures("_replaced_weights")
def test_a_model_of_graphs_trains_on_its_device(
    monkeypatch: pytest.MonkeyPatch, model: str, batch: int | None, sparse: bool
) -> None:
    graphs = random_graphs(8, vertices=3)
    config = replace(CONFIG, batch=batch)

    def make() -> Task:
        return graph_task(graphs, model, readout="mlp", dtype="float64")

    here = train_once(make(), config).curves
    _choose_the_other_device(monkeypatch, sparse=sparse)
    _assert_trains_there(make, config, here)


@pytest.mark.parametrize("composition", sorted(COMPOSITIONS))
@pytest.mark.usefixtures("_replaced_weights")
def test_every_composition_stays_on_its_device(
    monkeypatch: pytest.MonkeyPatch, composition: str
) -> None:
    def make() -> Task:
        choice = ModelChoice("compgcn", width=4, composition=composition)
        return make_task(random_graph(), SETS, choice, dtype="float64")

    here = train_once(make(), CONFIG).curves
    _choose_the_other_device(monkeypatch, sparse=True)
    _assert_trains_there(make, CONFIG, here)


@every_model
@pytest.mark.usefixtures("_replaced_weights")
def test_a_model_meets_its_test_on_its_device(monkeypatch: pytest.MonkeyPatch, model: str) -> None:
    def judged() -> Versus:
        given = make_setting(random_graph().induced(range(12)))
        return versus_random(given, given.completed(ModelChoice(model, width=4, layers=2)))

    here = judged()
    _choose_the_other_device(monkeypatch, sparse=True)
    # A mode belongs to one thread, so the two runs go on in turn.
    monkeypatch.setattr(rounding, "_next_of_both", lambda *runs: [next(run, None) for run in runs])
    with OtherDevice(prepares=True) as mode:
        there = judged()
    assert [layer.model_classes for layer in there.layers] == [
        layer.model_classes for layer in here.layers
    ]
    assert mode.operations


def test_large_blocks_of_products_stay_on_their_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(relation_products, "_COPIES", 0)
    rows, matrices = torch.rand(7, 3, dtype=torch.float64), torch.rand(4, 3, 2, dtype=torch.float64)
    relation = torch.tensor([0, 0, 1, 1, 1, 3, 3])
    expected = relation_products.relation_products(rows, relation, matrices)
    with OtherDevice():
        there = relation_products.relation_products(
            rows.to(OTHER), relation.to(OTHER), matrices.to(OTHER)
        )
        assert torch.equal(there.cpu(), expected)
