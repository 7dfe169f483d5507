"""The study of ceilings: variants in order, each graph loaded once, a trained model beside them."""

from __future__ import annotations

import pytest

import wlkg
from tests.analysis.counting import counting
from wlkg.analysis.ceiling.study import LabelledGraph, study_ceilings
from wlkg.analysis.ceiling.trained import TrainedModel
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import Targets

GRAPH = RelationalGraph.from_triples([("a", "r", "b"), ("b", "r", "c")], direction="out")
LABELS = {"a": "x", "b": "x", "c": "y"}


def labelled() -> LabelledGraph:
    return LabelledGraph(GRAPH, Targets.of(GRAPH, LABELS), Targets.of(GRAPH, {"a": "x"}))


def test_every_variant_is_the_ceiling_of_its_test_and_direction() -> None:
    loaded = []

    def load(literals: str) -> LabelledGraph:
        loaded.append(literals)
        return labelled()

    study = study_ceilings(
        load, ["1-wl", "2-rlwl"], literals="drop", every_literals=True, every_direction=True
    )
    assert loaded == ["drop", "shared", "occurrence"]
    directions: list[Direction] = ["out", *(mode for mode in DIRECTIONS if mode != "out")]
    expected = [
        (literals, wlkg.ceiling(GRAPH, LABELS, {"a": "x"}, test, direction))
        for literals in loaded
        for test in ("1-wl", "2-rlwl")
        for direction in directions
    ]
    assert [(variant.literals, variant.ceiling) for variant in study.variants] == expected
    assert study.first is study.variants[0]
    assert (study.of, study.trained) == ("vertices", None)


def test_one_variant_is_the_default() -> None:
    (variant,) = study_ceilings(lambda _: labelled()).variants
    assert (variant.literals, variant.ceiling.test) == ("shared", "1-rwl")
    assert variant.ceiling.direction == "out"
    assert variant.seconds is not None
    assert variant.seconds >= 0


def test_all_variants_of_a_collection_share_its_union_and_arcs() -> None:
    collection = GraphCollection.numbered([GRAPH, GRAPH])
    graphs = LabelledGraph(collection, Targets.of(collection, {"#1": "x", "#2": "y"}))
    with counting() as built:
        study = study_ceilings(lambda _: graphs, ["1-wl", "1-rwl"], every_direction=True)
    assert study.of == "graphs"
    assert len(study.variants) == 2 * len(DIRECTIONS)
    assert (built.graphs, built.arcs) == (1, len(DIRECTIONS))


@pytest.mark.parametrize(("rounds", "expected"), [(0, 2 / 3), (1, 1.0), (9, 1.0)])
def test_a_trained_model_is_compared_with_the_first_variant_at_its_round(
    rounds: int, expected: float
) -> None:
    model = TrainedModel(
        path="run.json",
        model="rgcn",
        layers=rounds,
        rounds=rounds,
        accuracies={"train": 0.5},
        sizes={"train": 3},
    )
    study = study_ceilings(lambda _: labelled(), trained=model)
    assert study.trained is not None
    assert study.trained.model is model
    (reached,) = study.trained.splits
    assert (reached.split, reached.accuracy, reached.ceiling) == ("train", 0.5, expected)
    assert reached.round == min(rounds, study.first.ceiling.rounds)
