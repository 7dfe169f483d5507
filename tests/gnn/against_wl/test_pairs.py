"""C-MPNN against rawl2: never finer, verdicts that are true, and a graph on which modes differ."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.gnn.against_wl.exact_cases import Outcomes, outcomes, random_pair_case
from tests.gnn.against_wl.test_exact_evidence import assert_never_wrong
from tests.strategies import relational_graphs
from wlkg.catalogue import Direction
from wlkg.errors import TooLargeError, UsageError
from wlkg.gnn.against_wl.judging import Versus
from wlkg.gnn.api import versus
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import PAIR_AGGREGATIONS, ModelChoice
from wlkg.graph.relational_graph import RelationalGraph

switches = st.fixed_dictionaries(
    {
        "composition": st.sampled_from(sorted(COMPOSITIONS)),
        "aggregation": st.sampled_from(PAIR_AGGREGATIONS),
        "bias": st.booleans(),
        "query_message": st.booleans(),
        "global_readout": st.booleans(),
        "layers": st.integers(1, 4),
    }
)


def judged(graph: RelationalGraph, choice: ModelChoice, **options: Any) -> Versus:
    result = versus(graph, choice, device="cpu", **options)
    assert isinstance(result, Versus)
    return result


@given(graph=relational_graphs(max_vertices=5), chosen=switches, seed=st.integers(0, 1000))
@settings(max_examples=300)
def test_a_c_mpnn_is_never_finer_than_its_test(
    graph: RelationalGraph, chosen: dict[str, Any], seed: int
) -> None:
    if not graph.num_vertices:
        return
    result = judged(graph, ModelChoice("c-mpnn", width=6, **chosen), draws=1, seed=seed)
    assert result.bound.test == ("rawl2-all" if chosen["global_readout"] else "rawl2")
    assert result.bound_holds is not False
    assert not {layer.relation for layer in result.layers} & {"finer", "incomparable"}


@pytest.mark.parametrize("seed", [0, 50, 100])
def test_verdicts_about_pairs_are_the_truth(seed: int) -> None:
    total: Outcomes = Counter()
    for number in range(seed, seed + 50):
        total += outcomes(random_pair_case(number))
    assert_never_wrong(total)
    assert {true for _, true in total} == {"equal", "coarser"}


@pytest.mark.parametrize(("direction", "classes"), [("in", 5), ("both", 8)])
@pytest.mark.parametrize("composition", sorted(COMPOSITIONS))
@pytest.mark.parametrize("aggregation", ["sum", "pna"])
def test_random_weights_separate_on_the_lattice_graph_what_rawl2_does(
    direction: Direction, classes: int, composition: str, aggregation: Any
) -> None:
    choice = ModelChoice(
        "c-mpnn", width=16, composition=composition, aggregation=aggregation, bias=True
    )
    result = judged(wlkg.read("example:one-triple"), choice, direction=direction)
    assert result.matches
    assert result.layers[-1].model_classes == classes


def test_without_a_bias_products_do_not_count_neighbours_out_of_reach() -> None:
    result = judged(wlkg.read("example:one-triple"), ModelChoice("c-mpnn", width=16))
    (layer,) = result.layers
    assert (layer.relation, layer.model_classes, layer.exact) == ("coarser", 4, True)
    assert layer.merged == (0, 4)  # (0, 0) has a neighbour behind which the source is not


def test_a_global_readout_sees_more_than_rawl2() -> None:
    choice = ModelChoice("c-mpnn", width=16, bias=True, global_readout=True, layers=2)
    result = judged(wlkg.read("example:one-triple"), choice)
    assert result.bound.test == "rawl2-all"
    assert [layer.model_classes for layer in result.layers] == [8, 9]
    plain = judged(
        wlkg.read("example:one-triple"),
        ModelChoice("c-mpnn", width=16, bias=True, layers=2),
    )
    assert [layer.model_classes for layer in plain.layers] == [8, 8]


def test_pairs_that_do_not_fit_into_memory_are_refused_before_anything_is_computed() -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(TooLargeError, match="compare fewer than 6 sources") as error:
        versus(graph, ModelChoice("c-mpnn", width=64), max_memory=50_000)
    assert error.value.exit_code == 3


def test_start_vectors_for_all_vertices_are_refused() -> None:
    with pytest.raises(UsageError, match="glorot has no effect on c-mpnn, where only the source"):
        versus(wlkg.read("example:c6"), "c-mpnn", features="glorot")


@given(graph=relational_graphs(max_vertices=5), seed=st.integers(0, 1000), data=st.data())
@settings(max_examples=60)
def test_chosen_sources_get_the_verdicts_of_their_pairs(
    graph: RelationalGraph, seed: int, data: st.DataObject
) -> None:
    if not graph.num_vertices:
        return
    everyone = range(graph.num_vertices)
    sources = data.draw(st.sets(st.sampled_from(everyone), min_size=1))
    choice = ModelChoice("c-mpnn", width=8, layers=3, bias=True)
    some = judged(graph, choice, draws=1, seed=seed, sources=sources)
    every = judged(graph, choice, draws=1, seed=seed, sources=everyone)
    plain = judged(graph, choice, draws=1, seed=seed)
    rows = np.add.outer(np.array(sorted(sources)) * len(everyone), np.arange(len(everyone)))
    for t, (layer, same, other) in enumerate(
        zip(some.layers, every.layers, plain.layers, strict=True), 1
    ):
        here = plain.refinement.history.partition(t).restricted(rows.reshape(-1))
        assert layer.wl_classes == here.num_classes
        assert layer.bound_holds is not False
        assert (same.wl_classes, same.relation) == (other.wl_classes, other.relation)
        assert same.model_classes == other.model_classes


def test_sources_are_refused_for_models_of_vertices() -> None:
    with pytest.raises(UsageError, match=r"Leave --sources out"):
        versus(wlkg.read("example:c6"), "rgcn", sources=["0"])
