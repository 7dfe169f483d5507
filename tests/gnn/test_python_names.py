"""What Python users reach at the top level, and how results show themselves in one or two lines."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import wlkg
from wlkg.errors import UsageError

TWO_LINES = 160


@pytest.fixture(scope="module")
def graph() -> wlkg.RelationalGraph:
    return wlkg.read("examples/graphs/family.ttl")


@pytest.fixture(scope="module")
def training(graph: wlkg.RelationalGraph, tmp_path_factory: Any) -> tuple[Any, Path]:
    folder = tmp_path_factory.mktemp("runs")
    names = graph.vertex_names
    targets = {names[0]: "red", names[1]: "blue", names[2]: "red", names[3]: "blue"}
    done = wlkg.train(graph, targets, epochs=2, seeds=2, save=str(folder))
    return done, folder / "seed-0.pt"


def shown(result: object) -> str:
    text = repr(result)
    assert len(text) <= TWO_LINES
    assert "\n" not in text
    return text


def test_training_and_what_it_saves(
    training: tuple[Any, Path], graph: wlkg.RelationalGraph
) -> None:
    done, checkpoint = training
    assert shown(done).startswith("Training(rgcn, 2 epochs, 2 seeds, mean train accuracy 0.")
    predictions = wlkg.predict(checkpoint, graph)
    assert shown(predictions).startswith("Predictions(21 vertices, ")
    translated = wlkg.translate(checkpoint, "compgcn")
    assert shown(translated).startswith("Translated(rgcn to compgcn, ")


def test_versus_and_witness(graph: wlkg.RelationalGraph) -> None:
    assert shown(wlkg.versus(graph, "rgcn", width=16, draws=1)) == (
        "Versus(against 1-rwl, bound_holds=True, matches=True, layers: equal, equal)"
    )
    own = wlkg.versus(graph, lambda x, edge_index: x + len(edge_index), draws=1)
    assert shown(own).startswith("OwnVersus('<lambda>', depth 0 inferred, bound_holds=True, 1-wl:")
    built = wlkg.witness(graph)
    assert shown(built).startswith("Witness(rgcn with 2 layers equals 1-rwl, 18 classes, ")
    choice = wlkg.ModelChoice("rgcn", activation="sign")
    assert wlkg.witness(graph, choice).classes_per_round == built.classes_per_round


def test_counterexamples(graph: wlkg.RelationalGraph) -> None:
    pair = wlkg.counterexample("cfi", k=2)
    assert shown(pair) == "Counterexample(cfi, k=2, r=1: cfi-g,k=2,r=1 / cfi-h,k=2,r=1, 11 claims)"
    assert shown(pair.check()) == "Findings(11 claims, 5 facts, hold=True)"
    lifted = wlkg.counterexample("lift", of=graph, seed=3)
    assert lifted.parameters["seed"] == 3
    assert "6 claims" in shown(lifted)
    assert lifted.check().hold


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": "lift"}, "lift needs a graph"),
        ({"name": "cfi", "piece": 3}, "are for 'lift'"),
        ({"name": "cfy"}, "cfy"),
    ],
)
def test_counterexamples_that_do_not_exist(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        wlkg.counterexample(**arguments)
