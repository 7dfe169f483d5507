"""Users' models of pairs, (edge_index, edge_type, source, query), against rawl2."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import wlkg
from tests.strategies import relational_graphs
from wlkg.errors import TooLargeError, UsageError
from wlkg.gnn.api import OwnPairsVersus, pair_model, versus
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.versus import print_versus
from wlkg.reports.versus_document import versus_document


class Layers(nn.Module):
    """NBFNet as users write it, which returns the features of both layers."""

    def __init__(self, hidden_channels: int, num_relations: int, num_nodes: int) -> None:
        super().__init__()
        self.n = num_nodes
        self.queries = nn.Embedding(num_relations, hidden_channels)
        self.everywhere = nn.Parameter(torch.randn(hidden_channels))
        self.relations = nn.Parameter(torch.randn(2, num_relations, hidden_channels))
        self.maps = nn.ModuleList(nn.Linear(2 * hidden_channels, hidden_channels) for _ in range(2))

    def forward(self, edge_index: Tensor, edge_type: Tensor, source: Tensor, query: Tensor) -> Any:
        h = self.everywhere.expand(self.n, -1).index_add(0, source, self.queries(query))
        layers = []
        for z, linear in zip(self.relations, self.maps, strict=True):
            messages = h[edge_index[0]] * z[edge_type]
            sums = torch.zeros_like(h).index_add(0, edge_index[1], messages)
            h = torch.relu(linear(torch.cat([h, sums], dim=1)) + self.readout(h))
            layers.append(h)
        return layers

    def readout(self, h: Tensor) -> Tensor:
        """What every vertex gets besides."""
        return torch.zeros_like(h[0])


class Last(nn.Module):
    """The same with other names of inputs, an axis for sources, and the last features only."""

    def __init__(self, hidden_channels: int, num_relations: int, num_nodes: int) -> None:
        super().__init__()
        self.body = Layers(hidden_channels, num_relations, num_nodes)

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_type: Tensor, h_index: Tensor, r_index: Tensor
    ) -> Any:
        assert len(x) == self.body.n
        return self.body(edge_index, edge_type, h_index, r_index)[-1][None]


class Scores(Layers):
    """One score for each vertex."""

    def forward(self, edge_index: Tensor, edge_type: Tensor, source: Tensor, query: Tensor) -> Any:
        return super().forward(edge_index, edge_type, source, query)[-1].sum(dim=1)[None]


class Everything(Layers):
    """A sum over all vertices in each layer."""

    def readout(self, h: Tensor) -> Tensor:
        return h.sum(dim=0).cos()


def encoder(x: Tensor, edge_index: Tensor, source: Tensor) -> Tensor:
    """Degrees of both vertices: nothing tells where the source is."""
    h = torch.zeros(len(x), dtype=x.dtype).index_add(
        0, edge_index[1], torch.ones(edge_index.shape[1], dtype=x.dtype)
    )
    return h * 3 + h[source]


def judged(graph: RelationalGraph, model: Callable[..., Any], **options: Any) -> OwnPairsVersus:
    result = versus(graph, model, width=16, device="cpu", **options)
    assert isinstance(result, OwnPairsVersus)
    return result


FAMILY = "examples/graphs/family.ttl"


@given(graph=relational_graphs(max_vertices=5), seed=st.integers(0, 1000))
@settings(max_examples=60)
def test_a_users_nbfnet_is_never_finer_than_rawl2(graph: RelationalGraph, seed: int) -> None:
    if not graph.num_vertices:
        return
    result = judged(graph, Layers, draws=1, seed=seed)
    assert result.bound_holds is not False
    assert [layer.round for layer in result.layers] == [1, 2]


def test_every_layer_is_held_against_its_round() -> None:
    result = judged(wlkg.read(FAMILY), Layers)
    assert result.bound.test == "rawl2"
    assert (result.per_layer, result.depth, result.matches) == (True, 2, True)
    assert [layer.model_classes for layer in result.layers] == [59, 163]
    assert result.bounded_by_encoders is False


def test_last_features_are_held_against_the_given_round_or_the_stable_one() -> None:
    two = judged(wlkg.read(FAMILY), Last, layers=2)
    assert [(layer.round, layer.relation) for layer in two.layers] == [(2, "equal")]
    unknown = judged(wlkg.read(FAMILY), Last)
    assert [(layer.round, layer.relation) for layer in unknown.layers] == [(4, "coarser")]
    assert unknown.depth is None


def test_scores_are_features_of_width_one() -> None:
    result = judged(wlkg.read("example:one-triple"), Scores, layers=2)
    assert [layer.relation for layer in result.layers] == ["equal"]


def test_a_sum_over_all_vertices_violates_rawl2_and_not_rawl2_all() -> None:
    graph = wlkg.read("example:one-triple")
    assert judged(graph, Everything).bound_holds is False
    assert judged(graph, Everything, tests=["rawl2-all"]).bound_holds


def test_an_encoder_sees_no_more_than_the_colours_of_both_vertices() -> None:
    result = judged(wlkg.read("example:one-triple"), encoder, layers=1)
    assert result.bounded_by_encoders
    assert [layer.relation for layer in result.layers] == ["coarser"]


def test_sources_are_chosen() -> None:
    result = judged(wlkg.read("example:one-triple"), Layers, sources=["0", "2"])
    whole = judged(wlkg.read("example:one-triple"), Layers, sources=["0", "1", "2"])
    assert [layer.model_classes for layer in result.layers] == [6, 6]
    assert [layer.model_classes for layer in whole.layers] == [8, 8]


class Random(Layers):
    """Features that have nothing to do with the graph."""

    def forward(self, edge_index: Tensor, edge_type: Tensor, source: Tensor, query: Tensor) -> Any:
        del edge_index, edge_type, source, query
        return torch.randn(self.n, 3, dtype=torch.float64)


class Numbered(Layers):
    """Learned vectors of vertices."""

    def forward(self, edge_index: Tensor, edge_type: Tensor, source: Tensor, query: Tensor) -> Any:
        rows = torch.arange(self.n, dtype=torch.float64)[:, None]
        return [rows + h for h in super().forward(edge_index, edge_type, source, query)]


@pytest.mark.parametrize("model", [Random, Numbered])
def test_no_test_bounds_what_depends_on_more_than_the_graph(
    model: type[nn.Module], capsys: pytest.CaptureFixture[str]
) -> None:
    graph = wlkg.read("example:c6")
    result = versus(graph, model, width=4)
    assert isinstance(result, OwnPairsVersus)
    assert (result.sees_graph_only, result.bound_holds, result.matches) == (False, False, False)
    assert result.bounded_by_encoders is False
    print_versus("c6", result, graph)
    text = " ".join(capsys.readouterr().out.split())
    assert "no test bounds the model: its features depend on more than the graph" in text
    assert "the bound holds" not in text
    assert "as an encoder does" not in text
    document = {"graph": "c6", **versus_document(result, graph)}
    assert (document["sees_graph_only"], document["bound_holds"]) == (False, False)


def test_what_an_encoder_sees_in_the_end_is_no_more_than_an_encoder_sees() -> None:
    # From vertex 3, rawl2 is stable sooner than 1-rwl, which counts from both ends of the path.
    length = 13
    path = RelationalGraph.from_triples(
        [(f"{i:02}", "r", f"{i + 1:02}") for i in range(length - 1)]
    ).with_direction("undirected")

    class FromEnds(nn.Module):
        def forward(
            self, x: Tensor, edge_index: Tensor, edge_type: Tensor, source: Tensor, query: Tensor
        ) -> Tensor:
            del source, query
            h = torch.zeros(len(x), 1, dtype=torch.float64)
            h = h.index_add(0, edge_index[1], torch.ones(len(edge_type), 1, dtype=h.dtype))
            for _ in range(length):
                h = torch.tanh(
                    h + 0.3 * h.new_zeros(h.shape).index_add(0, edge_index[1], h[edge_index[0]])
                )
            return h

    result = versus(path, FromEnds, sources=["03"], width=4, draws=1)
    assert isinstance(result, OwnPairsVersus)
    pairs, vertices = (
        wlkg.refine(path, "rawl2", sources=["03"]).rounds,
        wlkg.refine(path, "1-rwl").rounds,
    )
    assert pairs < vertices
    assert result.bounded_by_encoders is True


def test_what_does_not_go_together_is_refused() -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(UsageError, match="one test of pairs, rawl2 or rawl2-all; found 1-rwl"):
        versus(graph, Layers, tests=["1-rwl"])
    with pytest.raises(UsageError, match=r"Leave --sources out"):
        versus(graph, lambda x, edge_index: x[edge_index[0]], sources=["0"])
    with pytest.raises(TooLargeError, match="name fewer sources with --sources"):
        versus(graph, Layers, width=16, max_memory=30_000)
    with pytest.raises(UsageError, match=r"asks for a source.*wlkg versus --module"):
        wlkg.compare(graph, graph, models=[pair_model(Layers)])
