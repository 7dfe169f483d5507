"""Saved models on other graphs: relations and labels are matched by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from torch import Tensor

from tests.gnn.checkpoints.saved_models import GRAPH, NAMES, saved_model
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import InputError, UsageError
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.fitting import Fitted, LeftOut, fit
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.features import make_features
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph


def refusal(graph: RelationalGraph, saved: SavedModel | None = None, **options: str) -> str:
    model = replace(saved_model() if saved is None else saved, path="m.pt")
    with pytest.raises(InputError) as caught:
        fit(model, graph, **options)  # type: ignore[arg-type]
    return str(caught.value)


def features_of_vertices(saved: SavedModel, known: Fitted) -> Tensor:
    model = saved.build()
    assert isinstance(model, VertexModel)
    vertices = np.arange(known.graph.num_vertices)
    plan = make_plan(known.graph, model.config, vertices, compress=False)
    with torch.no_grad():
        rows: Tensor = model(known.features.of(plan.start), plan)
    return rows


def with_names(triples: list[tuple[str, str, str]], relations: list[str]) -> RelationalGraph:
    """Vertices a to e, and relations in the given order."""
    vertices = "abcde"
    return RelationalGraph.from_arrays(
        [vertices.index(h) for h, _, _ in triples],
        [relations.index(r) for _, r, _ in triples],
        [vertices.index(t) for _, _, t in triples],
        vertex_names=list(vertices),
        relation_names=relations,
    )


# -- relations ------------------------------------------------------------------------------------


def test_the_graph_that_a_model_was_made_for_is_taken_as_it_is() -> None:
    known = fit(saved_model(), GRAPH)
    assert known.graph is GRAPH
    assert known.left_out == LeftOut()


@pytest.mark.parametrize("model", ["rgcn", "compgcn"])
def test_relations_in_another_order_give_the_same_features(model: str) -> None:
    saved = saved_model(model)
    turned = RelationalGraph.from_arrays(
        GRAPH.head,
        1 - GRAPH.relation,
        GRAPH.tail,
        num_vertices=5,
        relation_names=GRAPH.relation_names[::-1],
        direction="both",
    )
    assert turned.arcs().relation_names != NAMES
    known = fit(saved, turned)
    assert known.graph.arcs().relation_names == NAMES
    assert torch.equal(
        features_of_vertices(saved, known), features_of_vertices(saved, fit(saved, GRAPH))
    )


def test_a_graph_may_lack_relations_of_the_model() -> None:
    saved = saved_model()
    fewer = with_names([("a", "knows", "b"), ("b", "knows", "c")], ["knows"])
    known = fit(saved, fewer)
    same = with_names([("a", "knows", "b"), ("b", "knows", "c")], ["likes", "knows"])
    assert known.graph == same
    assert known.left_out == LeftOut()
    assert torch.equal(
        features_of_vertices(saved, known), features_of_vertices(saved, fit(saved, same))
    )


def test_relations_that_are_new_to_the_model_are_named_and_refused() -> None:
    triples = [("a", "likes", "b"), ("a", "hates", "b"), ("b", "hates", "c"), ("c", "envies", "a")]
    graph = with_names(triples, ["envies", "hates", "likes"])
    assert refusal(graph) == (
        "m.pt: 2 relations are new to the model, with 3 triples: envies, hates. Leave them out with"
        " --unknown-relations skip, or make a model for this graph"
    )


@pytest.mark.parametrize("model", ["rgcn", "compgcn"])
def test_relations_that_are_left_out_count_neither_in_sums_nor_in_degrees(model: str) -> None:
    for aggregation in ("sum", "mean") if model == "rgcn" else ("sum",):
        saved = saved_model(model)
        saved = replace(saved, config=replace(saved.config, aggregation=aggregation))
        kept = [("a", "likes", "b"), ("b", "knows", "c"), ("d", "likes", "b")]
        more = [*kept, ("a", "hates", "b"), ("e", "hates", "b"), ("b", "hates", "b")]
        known = fit(saved, with_names(more, ["hates", "likes", "knows"]), unknown_relations="skip")
        assert known.left_out == LeftOut(("hates",), 3)
        assert list(known.graph.vertex_names) == list("abcde")
        without = fit(saved, with_names(kept, ["likes", "knows"]))
        assert known.graph == without.graph
        assert torch.equal(features_of_vertices(saved, known), features_of_vertices(saved, without))


def test_another_choice_for_unknown_relations_is_refused() -> None:
    with pytest.raises(UsageError, match=r"unknown choice .* 'drop'\. Known: error, skip"):
        fit(saved_model(), GRAPH, unknown_relations="drop")


# -- direction ------------------------------------------------------------------------------------


@pytest.mark.parametrize("direction", [mode for mode in DIRECTIONS if mode != "both"])
def test_another_direction_is_refused_if_the_user_or_the_graph_has_chosen_it(
    direction: Direction,
) -> None:
    message = (
        f"m.pt: the model is for direction both, the graph is read with {direction}."
        " Give --direction both"
    )
    assert refusal(GRAPH.with_direction(direction)) == message
    assert refusal(GRAPH, direction=direction) == message


def test_a_directed_graph_gets_the_direction_of_the_model() -> None:
    saved = saved_model()
    names = GRAPH.relation_names
    config = replace(saved.config, relations=2, inverses=False)
    one_way = replace(saved, config=config, about=replace(saved.about, relations=names))
    one_way = replace(one_way, about=replace(one_way.about, direction="out"))
    assert fit(one_way, GRAPH).graph.direction == "out"
    assert "for direction out, the graph is read with both" in refusal(
        GRAPH, one_way, direction="both"
    )


# -- features -------------------------------------------------------------------------------------


def with_labels(saved: SavedModel, labels: str) -> SavedModel:
    features = make_features(GRAPH.with_labels(list(labels)), "labels", 1)
    return replace(saved, about=About.of(GRAPH, features))


def test_columns_follow_the_labels_of_the_model() -> None:
    saved = with_labels(saved_model(), "xyxyz")
    one, other, fewer = (
        fit(saved, GRAPH.with_labels(list(labels))).features
        for labels in ("xyxyz", "zzyxx", "zzzyy")
    )
    assert torch.equal(one.of(np.array([0, 1, 4])), torch.eye(3, dtype=torch.float64))
    assert torch.equal(one.of(np.array([0, 1, 4])), other.of(np.array([3, 2, 0])))
    # Nobody is labelled x, but the first column is still that of x.
    assert fewer.of(np.array([0, 3])).tolist() == [[0, 0, 1], [0, 1, 0]]


@pytest.mark.parametrize("model", ["rgcn", "k-rn"])
def test_labels_that_are_new_to_the_model_are_refused(model: str) -> None:
    assert refusal(GRAPH.with_labels(list("xyvyw")), with_labels(saved_model(model), "xyxyz")) == (
        "m.pt: 2 labels are new to the model: v, w. It knows x, y, z. Give the --labels it was made"
        " with, or make a model for this graph"
    )


def test_a_model_made_with_labels_asks_for_them() -> None:
    assert refusal(GRAPH, with_labels(saved_model(), "xyxyz")) == (
        "m.pt: the model was made with labels of vertices, and the graph has none."
        " Give the --labels it was made with"
    )


def test_features_of_another_kind_or_width_are_refused() -> None:
    labelled = GRAPH.with_labels(list("xyxyz"))
    assert "for features of the kind constant, not labels. Give the" in refusal(
        labelled, features="labels"
    )
    saved = with_labels(saved_model(), "xyxyw")
    narrow = replace(saved, config=replace(saved.config, in_width=2))
    assert refusal(GRAPH.with_labels(list("xyxyw")), narrow) == (
        "m.pt: the model takes features of width 2, found 3."
        " Give the --features and --labels it was made with"
    )
