"""Constructed weights of a C-MPNN: every layer equals its round of rawl2."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.gnn.theorems.exact_layers import classes_of, numbered
from tests.oracles import refine_tuples_slowly
from tests.strategies import relational_graphs
from wlkg.catalogue import DIRECTIONS
from wlkg.errors import TooLargeError, UsageError
from wlkg.gnn.against_wl.judging import Versus, model_run
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.api import versus, witness
from wlkg.gnn.config import Activation, ModelChoice
from wlkg.gnn.theorems.encodings import ENCODINGS
from wlkg.gnn.theorems.witness import CONSTRUCTED, build_witness
from wlkg.gnn.theorems.witness_numbers import CHOOSING
from wlkg.graph.relational_graph import RelationalGraph

COMPOSITIONS = CONSTRUCTED["c-mpnn"] or ()


@pytest.mark.parametrize("composition", COMPOSITIONS)
@pytest.mark.parametrize("activation", sorted(ENCODINGS))
@given(
    graph=relational_graphs(max_vertices=5).filter(lambda graph: graph.num_vertices > 0),
    direction=st.sampled_from(DIRECTIONS),
    query_message=st.booleans(),
    layers=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
@settings(max_examples=25)
def test_every_layer_equals_its_round(
    graph: RelationalGraph, direction: wlkg.Direction, query_message: bool, layers: int, seed: int,
    composition: str, activation: Activation,
) -> None:  # fmt: skip
    if composition in CHOOSING:
        graph = replace(graph, labels=None, label_names=())
    choice = ModelChoice(
        "c-mpnn", layers=layers, composition=composition, query_message=query_message,
        activation=activation,
    )  # fmt: skip
    setting = make_setting(graph, width=1, direction=direction, device="cpu")
    built = build_witness(setting, choice, seed=seed)
    rounds = refine_tuples_slowly([setting.coloured], "rawl2", direction)
    for arrangement in (
        Arrangement.as_given(setting.arcs), Arrangement.random(setting.arcs, seed)
    ):  # fmt: skip
        for t, rows in enumerate(model_run(setting, built.model)(arrangement), 1):
            colours = rounds[min(t, len(rounds) - 1)]
            assert classes_of(rows.tolist()) == numbered(colours)
            assert built.classes_per_round[t] == len(set(colours))


def test_a_saved_witness_matches_its_test(tmp_path: Path) -> None:
    graph, path = wlkg.read("examples/graphs/family.ttl"), tmp_path / "witness.pt"
    witness(graph, ModelChoice("c-mpnn", composition="scale", activation="relu"), out=path)
    result = versus(graph, checkpoint=str(path))
    assert isinstance(result, Versus)
    assert result.bound.test == "rawl2"
    assert result.matches
    assert [layer.model_classes for layer in result.layers] == [59, 163, 269, 329]


@pytest.mark.parametrize(
    ("choice", "message"),
    [
        (ModelChoice("c-mpnn", composition="add"), "no construction for c-mpnn with add. Known: "),
        (ModelChoice("c-mpnn", global_readout=True), "Use --no-global-readout"),
        (ModelChoice("c-mpnn", aggregation="pna"), "Use --aggregation sum"),
    ],
)
def test_what_has_no_construction_is_refused(choice: ModelChoice, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        witness(wlkg.read("example:c6"), choice)


def test_a_gate_and_labels_do_not_go_together() -> None:
    graph = wlkg.read("example:c6").with_label_ids([0, 1, 0, 1, 0, 1])
    with pytest.raises(UsageError, match=r"with mlp and labels\. Use --features constant, or mult"):
        witness(graph, ModelChoice("c-mpnn", composition="mlp"))
    assert witness(graph, ModelChoice("c-mpnn", composition="mult")).classes_per_round[0] == 6


def test_a_witness_that_does_not_fit_into_memory_is_refused() -> None:
    with pytest.raises(TooLargeError, match="use fewer --layers"):
        witness(wlkg.read("example:c6"), ModelChoice("c-mpnn"), max_memory=5000)
