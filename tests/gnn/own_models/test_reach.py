"""How far a model sees: measured for layers of PyG, and what follows for the verdict."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

import wlkg
from wlkg.errors import InputError
from wlkg.gnn.api import OwnVersus, versus
from wlkg.gnn.own_models.hosting import Given
from wlkg.gnn.own_models.own_model import wrap_callable
from wlkg.gnn.own_models.probe import HOPS, Probe
from wlkg.gnn.own_models.reach import NO_LIMIT, Reach, Subject, reach_of
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.own_model import closing, held_against, in_eval_mode
from wlkg.reports.own_warnings import warnings
from wlkg.reports.versus_document import versus_document

pytestmark = [
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:torch_geometric.*"),
]
WIDTH = 8
#: With the relations r and s in both directions.
KITE = "a r b, b r c, c s a, c r d, d s e, e r f, f r g"


@pytest.fixture(scope="module")
def kite() -> RelationalGraph:
    """A triangle with a tail."""
    return RelationalGraph.from_triples(
        (h, r, t) for h, r, t in (row.split() for row in KITE.split(", "))
    )


def reach(code: Callable[..., Any], relations: int = 3, seed: int = 0) -> Reach | None:
    """What is measured with one choice of weights."""

    def make(vertices: int) -> Any:
        given = Given(WIDTH, WIDTH, relations, layers=2, vertices=vertices, seed=seed)
        return wrap_callable(code, given)

    rows = np.eye(1, WIDTH)
    return reach_of(Subject(make(5), make, relations, rows, torch.device("cpu"), seed))


def last(code: Callable[..., Any], **options: Any) -> tuple[int, int]:
    measured = reach(code, **options)
    assert measured is not None
    return measured.last.features, measured.last.arcs


def judged(graph: RelationalGraph, model: Any, **options: Any) -> OwnVersus:
    result = versus(graph, model, **{"width": WIDTH, "draws": 2, **options})
    assert isinstance(result, OwnVersus)
    return result


# -- the graph that is measured on ----------------------------------------------------------------


def as_graph(probe: Probe, **options: bool) -> RelationalGraph:
    """The probe with its features as labels."""
    x, edge_index, edge_type = probe.graph(**options)
    graph = RelationalGraph.from_arrays(
        edge_index[1].numpy(), edge_type.numpy(), edge_index[0].numpy(), num_vertices=len(x)
    )
    labels = np.unique(x.numpy(), axis=0, return_inverse=True)[1].reshape(-1)
    return graph.with_direction("out").with_label_ids(labels)


def test_a_swapped_probe_is_the_same_graph_up_to_isomorphism() -> None:
    probe = Probe(2, 0, None, 3)
    one, two = as_graph(probe), as_graph(probe, swapped=True)
    assert one.num_triples == two.num_triples
    assert wlkg.compare(one, two, ["1-rwl"]).separated is False
    far = as_graph(probe, far=True)
    assert wlkg.compare(one, far, ["1-rwl"]).separated is True


def test_wl_sees_features_at_a_distance_at_that_round_and_arcs_one_round_later() -> None:
    probe = Probe(2, 0, None, 3)
    both = wlkg.disjoint_union(as_graph(probe), as_graph(probe, swapped=True))
    history = wlkg.refine(both, "1-rwl").history
    for pair in probe.pairs:
        rounds = [
            history.separated_at(v, v + probe.num_vertices)
            for v in range(pair.start, pair.start + HOPS + 1)
        ]
        expected = {"features": range(HOPS + 1), "leaf": range(1, HOPS + 2)}.get(pair.change)
        assert rounds == (list(expected) if expected else [None] * (HOPS + 1))


# -- layers of PyG --------------------------------------------------------------------------------


def stacked(name: str, layers: int, **options: Any) -> type[nn.Module]:
    """A model of several layers of PyG that returns its last features."""
    kind = getattr(pytest.importorskip("torch_geometric.nn"), name)
    related = "RG" in name

    class Net(nn.Module):
        def __init__(self, in_channels: int, dim: int, num_relations: int) -> None:
            super().__init__()
            widths = itertools.pairwise([in_channels, *[dim] * layers])
            more = (num_relations,) if related else ()
            self.convs = nn.ModuleList(kind(a, b, *more, **options) for a, b in widths)
            self.norms = nn.ModuleList(self.norm(dim) for _ in range(layers))

        def norm(self, dim: int) -> nn.Module:
            del dim
            return nn.Identity()

        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            for conv, norm in zip(self.convs, self.norms, strict=True):
                inputs = (x, edge_index, edge_type) if related else (x, edge_index)
                x = norm(conv(*inputs)).relu()
            return x

    return Net


@pytest.mark.parametrize("layers", [1, 2, 5])
@pytest.mark.parametrize(
    ("name", "options", "degrees"),
    [
        ("RGCNConv", {}, False),
        ("RGCNConv", {"aggr": "add"}, False),
        ("FastRGCNConv", {}, False),
        ("RGATConv", {}, False),
        ("GCNConv", {}, True),
        ("SAGEConv", {"aggr": "max"}, False),
        ("GATConv", {}, False),
    ],
)
def test_layers_of_pyg_see_as_far_as_there_are_layers(
    name: str, options: dict[str, Any], degrees: bool, layers: int
) -> None:
    assert last(stacked(name, layers, **options)) == (layers, layers if degrees else layers - 1)


@pytest.mark.parametrize("relations", [1, 40])
def test_the_number_of_relations_changes_nothing(relations: int) -> None:
    assert last(stacked("RGCNConv", 3), relations=relations) == (3, 2)


# -- models without PyG ---------------------------------------------------------------------------


def summed(x: Tensor, edge_index: Tensor) -> Tensor:
    return torch.zeros_like(x).index_add(0, edge_index[1], x[edge_index[0]])


def two_layers(x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
    weight = 1.0 + edge_type[:, None]
    for _ in range(2):
        messages = weight * x[edge_index[0]]
        x = torch.tanh(x / 2 + torch.zeros_like(x).index_add(0, edge_index[1], messages) / 7)
    return x


def test_a_model_that_ignores_neighbours_has_depth_0_and_is_held_against_round_1(
    kite: RelationalGraph,
) -> None:
    def alone(x: Tensor, edge_index: Tensor) -> Tensor:
        assert len(edge_index) == 2
        return x * 3

    assert last(alone) == (0, -1)
    result = judged(kite, alone)
    assert (result.depth, result.chosen.layers[0].round) == (0, 1)
    assert result.matches is False
    assert "no change travels to a neighbour" in held_against(result)[0]


def test_a_model_that_ignores_features_has_the_depth_that_arcs_show(kite: RelationalGraph) -> None:
    def blind(x: Tensor, edge_index: Tensor) -> Tensor:
        ones = torch.ones_like(x)
        return summed(summed(ones, edge_index), edge_index)

    assert last(blind) == (-1, 1)
    result = judged(kite, blind)
    assert (result.depth, result.later, result.bound_holds) == (2, 0, True)


def test_a_model_that_heeds_one_direction_only_is_measured_too() -> None:
    def against(x: Tensor, edge_index: Tensor) -> Tensor:
        return x + summed(x, edge_index.flip(0)) / 3

    assert last(against)[0] == 1


def test_a_readout_of_all_vertices_does_not_count_as_depth(kite: RelationalGraph) -> None:
    class Virtual(nn.Module):
        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            return two_layers(x + x.mean(dim=0), edge_index, edge_type) + 1e-3 * x.sum()

    measured = reach(Virtual)
    assert measured is not None
    assert (measured.last.features, measured.last.arcs, measured.whole_graph) == (2, 1, True)
    result = judged(kite, Virtual)
    assert (result.depth, result.bound_holds) == (2, True)
    (text,) = (text for text in warnings(result, kite) if "whole graph" in text)
    assert "a virtual node" in text
    assert "A bound on one graph stays" in text
    plain = reach(two_layers)
    assert plain is not None
    assert not plain.whole_graph


def test_what_travels_without_limit_is_held_against_the_stable_colouring(
    kite: RelationalGraph,
) -> None:
    def until_stable(x: Tensor, edge_index: Tensor) -> Tensor:
        for _ in range(100):
            x = x + summed(x, edge_index)
            x = x / x.abs().max()
        return x

    assert last(until_stable) == (NO_LIMIT, NO_LIMIT)
    result = judged(kite, until_stable, tests=("1-rwl",))
    assert (result.depth, result.depth_from, result.later) == (None, "inferred", None)
    assert result.bound_holds is not False
    rounds = wlkg.refine(kite, "1-rwl").rounds
    (layer,) = versus_document(result, kite)["layers"]
    assert (layer["layer"], layer["round"]) == (None, rounds)
    assert "without limit" in held_against(result)[0]


def test_random_walks_travel_further_than_features(kite: RelationalGraph) -> None:
    class Walks(nn.Module):
        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            near = torch.zeros(len(x), len(x), dtype=x.dtype)
            near[edge_index[1], edge_index[0]] = 1
            step = near / near.sum(dim=1, keepdim=True).clamp(min=1)
            returns = torch.linalg.matrix_power(step, 6).diagonal()[:, None]
            return two_layers(x + returns, edge_index, edge_type)

    features, arcs = last(Walks)
    assert features == 2
    assert arcs > 3
    result = judged(kite, Walks)
    assert result.depth == 2
    assert any("positional encodings" in text for text in warnings(result, kite))


# -- the verdict ----------------------------------------------------------------------------------


def test_a_2_layer_rgat_is_not_said_to_be_bounded_by_mean_rwl() -> None:
    # Attention across relations sees shares among all neighbours, mean-rwl only within a relation.
    rows = "a r 1, a s 2, a s 3, b r 4, b s 5, x t a, y t b"
    graph = RelationalGraph.from_triples(
        [(h, r, t) for h, r, t in (row.split() for row in rows.split(", "))], direction="out"
    )
    model = stacked("RGATConv", 2)
    inferred, given = judged(graph, model), judged(graph, model, layers=2)
    for result in (inferred, given):
        relations = {each.test: each.relation for each in result.against}
        assert relations["mean-rwl"] in ("finer", "incomparable")
        assert "1-rwl" in result.bounding
        assert [layer.round for layer in result.chosen.layers] == [2]
    assert (inferred.depth, inferred.depth_from) == (2, "inferred")
    assert (given.depth, given.depth_from) == (2, "given")
    text = " ".join(held_against(inferred))
    assert "a change travels 2 hops along a path, so they are compared with round 2" in text


def test_gcn_takes_the_degrees_of_neighbours_one_round_later() -> None:
    rows = [("a", "r", "b"), ("c", "r", "d"), ("d", "r", "e"), ("e", "r", "f")]
    graph = RelationalGraph.from_triples(rows, direction="undirected")
    result = judged(graph, stacked("GCNConv", 1))
    assert (result.depth, result.later, result.bound_holds) == (1, 1, True)
    assert [(layer.layer, layer.round) for layer in result.chosen.layers] == [(1, 2)]
    assert "divided by degrees" in " ".join(held_against(result))


def test_a_model_that_is_deeper_than_said_is_told_its_depth() -> None:
    path = RelationalGraph.from_triples([(str(i), "r", str(i + 1)) for i in range(12)])
    result = judged(path, stacked("RGCNConv", 4), layers=1)
    assert result.bound_holds is False
    assert result.bounded_at == 4
    assert "say --layers 4" in " ".join(held_against(result))
    assert any("4 hops along a path, further than --layers 1" in t for t in warnings(result, path))


def test_a_depth_that_cannot_be_measured_has_to_be_given(kite: RelationalGraph) -> None:
    def here_only(x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        if len(x) > 100:
            raise ValueError("too many vertices")
        return two_layers(x, edge_index, edge_type)

    with pytest.raises(InputError, match="how many layers it has could not be measured") as caught:
        judged(kite, here_only)
    assert "Give their number with --layers" in str(caught.value)
    result = judged(kite, here_only, layers=2)
    assert (result.depth, result.bound_holds, result.reach) == (2, True, None)


def test_a_list_that_begins_with_the_input_is_noticed(kite: RelationalGraph) -> None:
    def listed(x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        return [x, x + summed(x, edge_index), two_layers(x, edge_index, edge_type)]

    result = judged(kite, listed)
    assert (result.depth, result.depth_from) == (3, "layers returned")
    assert any("it seems to be the input" in text for text in warnings(result, kite))


def test_the_document_says_where_the_depth_comes_from(kite: RelationalGraph) -> None:
    document = versus_document(judged(kite, two_layers), kite)
    assert (document["depth"], document["depth_from"], document["rounds_later"]) == (
        2,
        "inferred",
        0,
    )
    assert document["reach"] == [{"features": 2, "arcs": 1}]
    assert document["whole_graph"] is False
    assert document["inputs"] == "x, edge_index, edge_type"
    (layer,) = document["layers"]
    assert (layer["layer"], layer["round"]) == (2, 2)


# -- what explains a verdict ----------------------------------------------------------------------


def test_norms_over_all_vertices_are_named(kite: RelationalGraph) -> None:
    geometric = pytest.importorskip("torch_geometric.nn")
    kinds: dict[str, Callable[[int], nn.Module]] = {
        "BatchNorm1d, training mode": nn.BatchNorm1d,
        "PairNorm": lambda _: geometric.PairNorm(),
        "GraphNorm": geometric.GraphNorm,
        "LayerNorm": geometric.LayerNorm,
    }
    for name, make in kinds.items():

        class Normed(stacked("RGCNConv", 2)):  # type: ignore[misc]
            def norm(self, dim: int, kind: Callable[[int], nn.Module] = make) -> nn.Module:
                return kind(dim)

        result = judged(kite, Normed, draws=1)
        assert (result.depth, result.bound_holds) == (2, True), name
        (text,) = (text for text in warnings(result, kite) if "whole graph" in text)
        assert f"norms.0 ({name})" in text


def test_norms_of_each_vertex_are_fine(kite: RelationalGraph) -> None:
    class Still(stacked("RGCNConv", 2)):  # type: ignore[misc]
        def __init__(self, in_channels: int, dim: int, num_relations: int) -> None:
            super().__init__(in_channels, dim, num_relations)
            self.norms = nn.ModuleList([nn.LayerNorm(dim), nn.BatchNorm1d(dim)])
            self.eval()

    result = judged(kite, Still, draws=1)
    assert result.depth == 2
    assert not any("whole graph" in text for text in warnings(result, kite))


class Dropping(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.drop = nn.Dropout(0.5)

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        out: Tensor = self.drop(two_layers(x, edge_index, edge_type))
        return out


class Functional(nn.Module):
    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        return torch.dropout(two_layers(x, edge_index, edge_type), 0.5, self.training)


class Embedded(nn.Module):
    def __init__(self, num_nodes: int, dim: int) -> None:
        super().__init__()
        self.own = nn.Embedding(num_nodes, dim)

    def forward(self, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        return two_layers(self.own.weight, edge_index, edge_type)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Dropping, "dropout is left on: drop (Dropout, p=0.5): this is why"),
        (Functional, "dropout is left on: this is why"),
        (Embedded, "vertices have learned embeddings: this is why"),
    ],
)
def test_a_closing_sentence_says_why_the_bound_is_violated(
    model: type[nn.Module], words: str, kite: RelationalGraph
) -> None:
    result = judged(kite, model)
    assert result.bound_holds is False
    assert not result.sees_graph_only
    assert closing(result).startswith(words)
    assert len(repr(result)) < 160


@pytest.mark.parametrize("model", [Dropping, Functional])
def test_the_verdict_without_dropout_is_given_as_well(
    model: type[nn.Module], kite: RelationalGraph
) -> None:
    result = judged(kite, model)
    still = result.in_eval_mode
    assert still is not None
    assert (still.bound_holds, still.depth, still.in_eval_mode) == (True, 2, None)
    assert in_eval_mode(result)[0].startswith("with .eval() the model is bounded by ")
    document = versus_document(result, kite)
    assert document["bound_holds"] is False
    assert document["in_eval_mode"]["bounding_tests"] == list(still.bounding)
    assert versus_document(still, kite)["in_eval_mode"] is None


def test_noise_that_eval_does_not_end_has_no_second_verdict(kite: RelationalGraph) -> None:
    class Noisy(nn.Module):
        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            return two_layers(x, edge_index, edge_type) + torch.randn_like(x)

    result = judged(kite, Noisy)
    assert result.in_eval_mode is None
    assert closing(result).startswith("something random is left on")


def test_embeddings_of_vertices_are_named(kite: RelationalGraph) -> None:
    (text,) = warnings(judged(kite, Embedded), kite)
    assert text.endswith("it uses the identity of vertices: own (Embedding, 7 rows)")


def test_eigenvectors_from_numpy_are_named_as_well() -> None:
    def positional(x: Tensor, edge_index: Tensor) -> Tensor:
        near = np.zeros((len(x), len(x)))
        near[edge_index[1], edge_index[0]] = 1
        vectors = np.linalg.eigh(np.diag(near.sum(axis=1)) - near)[1]
        return x + torch.from_numpy(vectors[:, 1:2])

    path = RelationalGraph.from_triples([(str(i), "r", str(i + 1)) for i in range(8)])
    result = judged(path, positional, draws=1)
    assert result.diagnosis.uses_eigenvectors
    assert (result.depth, result.reach) == (None, None)
    assert any("eigenvectors" in text for text in warnings(result, path))
