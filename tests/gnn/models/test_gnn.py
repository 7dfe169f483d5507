"""The plain GNN: it sees the set of neighbours, and its weights fit graphs with any relations."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from tests.gnn.models.formulas import assert_close, randomised, whole_plan
from wlkg.gnn import api
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import ModelChoice, ModelConfig, defaults
from wlkg.gnn.models.vertex_model import VertexModel
from wlkg.graph.relational_graph import RelationalGraph


def graph_of(*triples: tuple[str, str, str], undirected: bool = True) -> RelationalGraph:
    return RelationalGraph.from_triples(triples, direction="undirected" if undirected else "both")


#: Two double edges, and a cycle of four whose edges alternate. 1-wl separates them, because it
#: counts distinct neighbours; 1-rwl does not.
DOUBLE = graph_of(("0", "a", "3"), ("0", "b", "3"), ("1", "a", "2"), ("1", "b", "2"))
CYCLE = graph_of(("0", "a", "2"), ("1", "a", "3"), ("0", "b", "3"), ("1", "b", "2"))


def test_a_gnn_separates_what_1_wl_separates_and_an_rgcn_does_not() -> None:
    pairs = [(0, 1)]
    assert api.separated_by_model([DOUBLE, CYCLE], pairs, "gnn") == [True]
    assert api.separated_by_model([DOUBLE, CYCLE], pairs, "rgcn") == [False]


def test_a_gnn_does_not_separate_relations() -> None:
    one = graph_of(("0", "a", "1"), ("2", "b", "3"))
    two = graph_of(("0", "a", "1"), ("2", "a", "3"))
    assert api.separated_by_model([one, two], [(0, 1)], "gnn") == [False]
    assert api.separated_by_model([one, two], [(0, 1)], "rgcn") == [True]


@pytest.mark.parametrize("aggregation", ["sum", "mean"])
def test_a_neighbour_counts_once_however_many_relations_lead_to_it(aggregation: str) -> None:
    config = ModelConfig(
        "gnn", in_width=2, width=2, out_width=2, relations=1, layers=2,
        aggregation=aggregation,  # type: ignore[arg-type]
    )  # fmt: skip
    model = randomised(VertexModel(config), 1)
    single = graph_of(("0", "a", "3"), ("1", "a", "2"))
    x = torch.arange(8, dtype=torch.float64).reshape(4, 2)
    with torch.no_grad():
        assert DOUBLE.vertex_names == single.vertex_names
        assert_close(model(x, whole_plan(DOUBLE, config)), model(x, whole_plan(single, config)))


def test_a_saved_gnn_fits_graphs_with_any_relations(tmp_path: Path) -> None:
    targets = {"0": "x", "3": "y", "1": "x", "2": "y"}
    api.train(DOUBLE, targets, model="gnn", epochs=2, save=str(tmp_path))
    path = str(tmp_path / "seed-0.pt")
    assert load_model(path).about.relations == ()
    for other in (
        graph_of(("u", "knows", "v"), ("v", "likes", "w")),
        graph_of(("u", "knows", "v"), ("v", "likes", "w"), undirected=False),
    ):
        assert api.versus(other, checkpoint=path).bound_holds is True


def test_hyperparameters_are_those_of_the_papers_rgcn() -> None:
    for vertices in (8_285, 1_666_764):
        assert defaults("gnn", vertices) == defaults("rgcn", vertices)


def test_relations_and_directions_have_no_parameters() -> None:
    config = ModelChoice("gnn", width=3).completed(
        in_width=3, out_width=2, relations=90, inverses=True, layers=2
    )
    assert (config.relations, config.inverses) == (1, False)
