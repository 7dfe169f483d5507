"""What depends on the graph alone is computed once, however many draws and layers need it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

import wlkg
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.gnn.against_wl import setting as setting_module
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.api import OwnVersus, Versus, separated_by_model, versus, witness
from wlkg.gnn.bounds import Bound
from wlkg.gnn.config import CLASSIFIERS, ModelChoice
from wlkg.gnn.models import model_memory
from wlkg.gnn.own_models import own_memory
from wlkg.gnn.theorems import witness as witness_module
from wlkg.graph.relational_graph import RelationalGraph

every_model = pytest.mark.parametrize("model", sorted(CLASSIFIERS))

#: A path with a leaf: 1-rwl needs several rounds.
GRAPH = RelationalGraph.from_triples(
    [(str(i), "r", str(i + 1)) for i in range(7)] + [("2", "s", "leaf")]
)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often a test is refined, tuples are built, and memory is checked."""
    counts: Counter[str] = Counter()

    def count(place: Any, name: str) -> None:
        original = getattr(place, name)

        def counting(*arguments: Any, **options: Any) -> Any:
            counts[name] += 1
            return original(*arguments, **options)

        monkeypatch.setattr(place, name, counting)

    count(setting_module, "refine")
    count(setting_module, "tuple_inputs")
    for module in (model_memory, own_memory, witness_module):  # tests check their memory elsewhere
        count(module, "check_fits")
    return counts


def expected(model: str, checks: int = 1) -> dict[str, int]:
    counts = {"refine": 1, "check_fits": checks}
    return {**counts, "tuple_inputs": 1} if model == "k-rn" else counts


@every_model
@pytest.mark.parametrize("layers", [None, 2])
def test_random_weights_are_compared_with_one_run_of_the_test(
    model: str, layers: int | None, calls: Counter[str]
) -> None:
    result = versus(GRAPH, model, width=4, layers=layers, draws=3)
    assert isinstance(result, Versus)
    assert len(result.draws) == 3
    assert calls == expected(model)


@pytest.mark.parametrize("model", ["rgcn", "compgcn", "k-rn"])
def test_a_witness_is_built_from_the_run_that_it_is_compared_with(
    model: str, calls: Counter[str]
) -> None:
    choice = ModelChoice(model, activation="sign")
    assert versus(GRAPH, choice, weights="witness").bound_holds is True
    # The witness and the model that it becomes are checked once each.
    assert calls == expected(model, checks=2)


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_a_checkpoint_is_compared_with_one_run_of_the_test(
    model: str, tmp_path: Path, calls: Counter[str]
) -> None:
    witness(GRAPH, ModelChoice(model, activation="sign"), out=tmp_path / "w.pt")
    calls.clear()
    versus(GRAPH, checkpoint=str(tmp_path / "w.pt"))
    assert calls == expected(model)


@pytest.mark.parametrize("norm", [False, True])
def test_an_own_model_needs_one_run_of_each_test(norm: bool, calls: Counter[str]) -> None:
    def model(x: Tensor, edge_index: Tensor) -> list[Tensor]:
        source, target = edge_index
        degree = torch.bincount(target, minlength=len(x)).to(x.dtype) if norm else torch.ones(1)
        messages = x[source] / degree.expand(len(x))[source, None]
        return [x.index_add(0, target, messages)]

    graph = GRAPH.with_direction("undirected")
    result = versus(graph, model, draws=3)
    assert isinstance(result, OwnVersus)
    # With degrees of neighbours the first attempt fails, and layer t is held against round t + 1.
    assert result.later == int(norm)
    assert calls == {"refine": 4, "check_fits": 1}


@pytest.mark.parametrize(("direction", "rounds"), [("both", 2), ("out", 1)])
def test_an_own_model_refines_further_only_where_a_second_attempt_could_use_it(
    direction: Direction, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int | None] = []

    def refine(*arguments: Any, **options: Any) -> Any:
        asked.append(options["rounds"])
        return wlkg.refine(*arguments, **options)

    monkeypatch.setattr(setting_module, "refine", refine)
    versus(GRAPH, lambda x, edge_index: [x], direction=direction, draws=1)  # noqa: ARG005
    assert asked == [rounds] * 4


def test_tuples_of_graphs_are_built_once_for_all_draws(calls: Counter[str]) -> None:
    graphs = [wlkg.read("example:c6"), wlkg.read("example:2xc3")]
    assert separated_by_model(graphs, [(0, 1)], "k-rn", draws=3, dim=4, layers=2) == [True]
    assert calls == {"tuple_inputs": 1, "check_fits": 1}


def test_a_run_serves_every_smaller_number_of_rounds(calls: Counter[str]) -> None:
    setting = make_setting(GRAPH, device="cpu")
    first = setting.refined("1-rwl", rounds=1)
    assert not first.stable
    assert setting.refined("1-rwl", rounds=1) is first
    assert calls["refine"] == 1
    second = setting.refined("1-rwl", rounds=2)
    assert (second.rounds, calls["refine"]) == (2, 2)
    assert setting.refined("1-rwl", rounds=1) is second
    stable = setting.refined("1-rwl")
    assert stable.stable
    assert calls["refine"] == 3
    for rounds in (0, 1, 2, 100, None):
        assert setting.refined("1-rwl", rounds=rounds) is stable
    assert calls["refine"] == 3
    for rounds in range(5):
        alone = wlkg.refine(GRAPH, rounds=rounds)
        assert stable.history.partition(rounds) == alone.partition


def test_runs_of_other_tests_and_modes_are_their_own(calls: Counter[str]) -> None:
    setting = make_setting(GRAPH, device="cpu")
    for test in ("1-wl", "1-rwl"):
        for direction in DIRECTIONS:
            refinement = setting.refined(test, direction)
            assert (refinement.test, refinement.direction) == (test, direction)
            alone = wlkg.refine(GRAPH, test, direction)
            assert refinement.classes_per_round == alone.classes_per_round
    assert calls["refine"] == 2 * len(DIRECTIONS)
    assert setting.refined("1-rwl") is setting.refined("1-rwl", GRAPH.direction)


@pytest.mark.parametrize("direction", DIRECTIONS)
def test_a_setting_reads_the_graph_in_the_mode_asked_for(direction: Direction) -> None:
    setting = make_setting(GRAPH, direction=direction, device="cpu")
    assert setting.graph.direction == setting.coloured.direction == direction
    assert setting.arcs is GRAPH.arcs(direction)
    config = setting.completed(ModelChoice("rgcn", layers=1))
    assert config.relations == setting.arcs.num_relations
    assert config.inverses is (direction == "both")


def test_a_choice_is_completed_by_what_the_graph_decides() -> None:
    setting = make_setting(GRAPH, width=5, device="cpu")
    config = setting.completed(ModelChoice("compgcn", width=7, norm=False))
    assert (config.in_width, config.width, config.out_width) == (5, 7, 7)
    assert config.last_activation
    assert config.layers == setting.usual_layers(Bound("1-rwl", "both")) > 2
    assert setting.completed(ModelChoice("compgcn", layers=1)).layers == 1
