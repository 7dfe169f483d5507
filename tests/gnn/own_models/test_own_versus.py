"""Own models against the tests: what matches what, and every broken model is caught."""

from __future__ import annotations

import cProfile
import itertools
import random
import sys
from collections.abc import Callable, Sequence
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

import wlkg
from tests.gnn.against_wl.exact_cases import complete, path
from tests.gnn.against_wl.exact_cases import star as star_graph
from tests.oracles import refine_slowly
from tests.strategies import relational_graphs
from wlkg.errors import InputError, UsageError
from wlkg.gnn.api import versus
from wlkg.gnn.own_models.own_verdict import OwnVersus
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.own_warnings import warnings
from wlkg.reports.versus_document import versus_document

#: Sources, targets and relations.
Edges = tuple[Tensor, Tensor, Tensor]
Aggregate = Callable[[Tensor, Tensor, int], Tensor]


def summed(messages: Tensor, target: Tensor, count: int) -> Tensor:
    return messages.new_zeros((count, messages.shape[1])).index_add(0, target, messages)


def averaged(messages: Tensor, target: Tensor, count: int) -> Tensor:
    degrees = summed(torch.ones_like(messages[:, :1]), target, count)
    return summed(messages, target, count) / degrees.clamp(min=1)


def largest(messages: Tensor, target: Tensor, count: int) -> Tensor:
    none = messages.new_zeros((count, messages.shape[1]))
    place = target[:, None].expand_as(messages)
    return none.scatter_reduce(0, place, messages, "amax", include_self=False)


class Net(nn.Module):
    """An R-GCN that returns the features of every layer; subclasses aggregate differently."""

    aggregate: Aggregate = staticmethod(summed)

    def __init__(self, in_width: int, num_relations: int, layers: int = 2) -> None:
        super().__init__()
        widths = [in_width, *[24] * layers]
        shapes = list(itertools.pairwise(widths))
        self.root = nn.ParameterList([torch.randn(a, b) for a, b in shapes])
        self.weight = nn.ParameterList([torch.randn(num_relations, a, b) for a, b in shapes])

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        out = []
        for root, weight in zip(self.root, self.weight, strict=True):
            x = torch.relu(x @ root + self.received(x, (*edge_index, edge_type), weight))
            out.append(x)
        return out

    def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
        source, target, kind = edges
        total = torch.zeros(len(x), weight.shape[2], dtype=x.dtype)
        for relation, matrix in enumerate(weight):
            chosen = kind == relation
            sums = type(self).aggregate(x[source[chosen]], target[chosen], len(x))
            total = total + sums @ matrix
        return total


class Mean(Net):
    aggregate = staticmethod(averaged)


class Max(Net):
    aggregate = staticmethod(largest)


class Last(Net):
    def forward(self, *inputs: Any) -> Any:
        return super().forward(*inputs)[-1]


class Distinct(Net):
    """Sums over distinct neighbours, whatever the relation, as 1-wl does."""

    def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
        pairs = torch.stack(edges[:2])
        source, target = torch.unique(pairs, dim=1) if pairs.numel() else pairs
        return summed(x[source], target, len(x)) @ weight[0]


class Counting(Net):
    """One matrix for all neighbours, and the number of arcs of each relation, as weak-rwl does."""

    def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
        source, target, kind = edges
        marked = x[source] @ weight[0] + weight[kind, 0]
        return summed(marked, target, len(x))


class Gcn(Net):
    """Messages divided by the degrees of both ends."""

    def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
        source, target, _ = edges
        degree = 1 + torch.bincount(target, minlength=len(x)).to(x.dtype)
        messages = x[source] / torch.sqrt(degree[source] * degree[target])[:, None]
        return summed(messages, target, len(x)) @ weight[0]


class Embedded(Net):
    """Vertices have vectors of their own."""

    def __init__(self, in_width: int, num_relations: int, num_nodes: int) -> None:
        super().__init__(in_width, num_relations)
        self.own = nn.Parameter(torch.randn(num_nodes, in_width))

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        return super().forward(x + self.own, edge_index, edge_type)


class Numbered(Net):
    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        place = torch.arange(len(x), dtype=x.dtype)[:, None]
        return super().forward(x + 1e-3 * place, edge_index, edge_type)


class Sequential(Net):
    """A message is weighted by its place among the edges."""

    def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
        source, target, _ = edges
        place = torch.arange(1, len(source) + 1, dtype=x.dtype)[:, None]
        return summed(x[source] / place, target, len(x)) @ weight[0]


class Dropping(Net):
    def forward(self, *inputs: Any) -> list[Tensor]:
        return [torch.dropout(h, 0.5, self.training) for h in super().forward(*inputs)]


class Careful(Dropping):
    def __init__(self, in_width: int, num_relations: int) -> None:
        super().__init__(in_width, num_relations)
        self.eval()


class Noisy(Net):
    def forward(self, *inputs: Any) -> list[Tensor]:
        return [h + 1e-9 * torch.randn_like(h) for h in super().forward(*inputs)]


class Triangles(nn.Module):
    """Distinguishes triangles from other cycles without using the numbers of vertices."""

    def forward(self, x: Tensor, edge_index: Tensor) -> list[Tensor]:
        near = torch.zeros(len(x), len(x), dtype=x.dtype)
        near[edge_index[1], edge_index[0]] = 1
        return [(near @ near @ near).diagonal()[:, None]]


def judged(graph: RelationalGraph, model: Any, **options: Any) -> OwnVersus:
    result = versus(graph, model, **{"width": 8, "draws": 2, **options})
    assert isinstance(result, OwnVersus)
    return result


@pytest.fixture(scope="module")
def family() -> RelationalGraph:
    return wlkg.read("examples/graphs/family.ttl")


@pytest.fixture(scope="module")
def star() -> RelationalGraph:
    """b has one leaf, c has two, d has two by another relation, and a joins them."""
    rows = "a r b, a r c, a r d, b r 1, c r 2, c r 3, d s 4, d s 5, b s 6"
    return RelationalGraph.from_triples(
        (h, r, t) for h, r, t in (row.split() for row in rows.split(", "))
    )


@pytest.fixture(scope="module")
def cycles() -> RelationalGraph:
    return wlkg.disjoint_union(wlkg.read("example:c6"), wlkg.read("example:2xc3"))


# -- which test a model matches -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "test"),
    [(Net, "1-rwl"), (Mean, "mean-rwl"), (Counting, "weak-rwl"), (Distinct, "1-wl")],
)
def test_a_model_matches_the_test_that_does_what_it_does(
    model: type[Net], test: str, family: RelationalGraph, star: RelationalGraph
) -> None:
    for graph in (family, star):
        result = judged(graph, model)
        assert result.bound_holds is True
        assert test in result.matching
        assert test in result.bounding
        assert result.diagnosis.sees_graph_only


def test_the_four_vertices_of_the_paper_separate_weak_from_strong() -> None:
    graph = wlkg.read("example:weak-rwl")
    strong, weak = judged(graph, Net), judged(graph, Counting)
    assert "weak-rwl" not in strong.bounding
    assert "1-rwl" in strong.matching
    assert "weak-rwl" in weak.matching
    assert "1-rwl" not in weak.matching
    against = {each.test: each for each in weak.against}["1-rwl"]
    merged = against.layers[0].merged
    assert merged is not None
    assert sorted(graph.vertex_names[v] for v in merged) == ["v", "w"]


@pytest.mark.parametrize("model", [Net, Mean, Counting, Distinct])
@given(data=st.data())
@settings(max_examples=15)
def test_no_honest_model_is_accused(model: type[Net], data: st.DataObject) -> None:
    graph = data.draw(relational_graphs().filter(lambda g: g.num_vertices > 0))
    features = "labels" if graph.labels is not None else "constant"
    result = judged(graph, model, features=features, draws=1)
    bound = {Net: "1-rwl", Mean: "mean-rwl", Counting: "weak-rwl", Distinct: "1-wl"}[model]
    against = {each.test: each for each in result.against}[bound]
    assert against.bound_holds is not False
    assert result.bound_holds is not False
    assert result.diagnosis.sees_graph_only
    rounds = refine_slowly(graph, bound, graph.direction)
    for layer in against.layers:
        assert layer.wl_classes == len(set(rounds[min(layer.round, len(rounds) - 1)]))
        assert layer.model_classes <= layer.wl_classes


def test_a_model_is_held_against_the_tests_that_are_asked_for(cycles: RelationalGraph) -> None:
    result = judged(cycles, Triangles(), tests=("1-rwl", "2-fwl"))
    assert [each.test for each in result.against] == ["1-rwl", "2-fwl"]
    assert result.bounding == ("2-fwl",)
    assert result.bound_holds is True
    assert result.chosen.test == "2-fwl"


# -- models that the vertex tests do not bound ----------------------------------------------------


def test_a_model_that_counts_triangles_is_finer_but_leaks_nothing(cycles: RelationalGraph) -> None:
    result = judged(cycles, Triangles())
    assert result.bound_holds is False
    assert result.bounding == ()
    assert {each.relation for each in result.against} == {"finer"}
    assert result.diagnosis.sees_graph_only
    split = result.chosen.layers[0].split
    assert split is not None
    assert split[0] < 6 <= split[1]


@pytest.mark.parametrize("model", [Embedded, Numbered])
def test_use_of_the_identity_of_vertices_is_detected(
    model: type[Net], family: RelationalGraph
) -> None:
    result = judged(family, model)
    assert result.diagnosis.leaks_identity
    assert not result.diagnosis.is_random
    assert result.bound_holds is False
    assert {each.relation for each in result.against} == {"finer"}
    assert any("identity of vertices" in text for text in warnings(result, family))


def test_use_of_identity_is_detected_where_all_vertices_differ_anyway() -> None:
    path = RelationalGraph.from_triples([(v, "r", w) for v, w in itertools.pairwise("abcde")])
    assert wlkg.refine(path).classes_per_round == [1, 3, 5]
    result = judged(path, Numbered)
    assert result.diagnosis.leaks_identity
    assert result.bound_holds is False
    assert result.later == 0  # round 2 would bound it, but by chance


@pytest.mark.parametrize("bad", [0, 1])
def test_one_bad_draw_is_enough(bad: int, family: RelationalGraph) -> None:
    def make(in_width: int, num_relations: int, seed: int) -> nn.Module:
        return (Numbered if seed == bad else Net)(in_width, num_relations)

    assert judged(family, make).diagnosis.leaks_identity


def test_use_of_the_order_of_edges_is_detected(family: RelationalGraph) -> None:
    result = judged(family, Sequential)
    assert result.diagnosis.depends_on_order
    assert result.bound_holds is False
    assert any("order of edges" in text for text in warnings(result, family))


@pytest.mark.parametrize("model", [Dropping, Noisy])
def test_randomness_left_on_is_detected(model: type[Net], family: RelationalGraph) -> None:
    result = judged(family, model)
    assert result.diagnosis.is_random
    assert result.bound_holds is False
    assert not result.diagnosis.leaks_identity  # unknown if runs are random
    assert any("random" in text for text in warnings(result, family))


def test_dropout_that_is_off_is_not_randomness(family: RelationalGraph) -> None:
    result = judged(family, Careful)
    assert not result.diagnosis.is_random
    assert "1-rwl" in result.matching


@pytest.mark.parametrize(("model", "word"), [(Mean, "mean"), (Max, "max"), (Net, None)])
def test_the_stars_show_how_a_model_aggregates(
    model: type[Net], word: str | None, star: RelationalGraph
) -> None:
    result = judged(star, model, direction="out")
    assert result.diagnosis.aggregation == word
    texts = [text for text in warnings(result, star) if "aggregates by" in text]
    assert len(texts) == (0 if word is None else 1)
    assert ("1-rwl" in result.matching) is (word is None)


def test_a_model_that_ignores_neighbours_is_not_said_to_average_them(
    star: RelationalGraph,
) -> None:
    class Alone(Net):
        def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
            del x, edges
            return weight.new_zeros(1)

    assert judged(star, Alone).diagnosis.aggregation is None


def test_what_a_mean_loses_is_shown_by_two_vertices(star: RelationalGraph) -> None:
    result = judged(star.with_direction("out"), Mean)
    assert result.matching == ("mean-rwl",)
    against = {each.test: each for each in result.against}["1-rwl"]
    assert against.relation == "coarser"
    rounds = wlkg.refine(star, direction="out").history
    v, w = against.layers[0].merged or (0, 0)
    assert rounds.separated_at(v, w) == 1


def test_coarse_numbers_are_warned_about(family: RelationalGraph) -> None:
    result = judged(family, Net, dtype="float32")
    assert result.bound_holds is not False
    assert any("float32" in text for text in warnings(result, family))
    assert not any("float" in text for text in warnings(judged(family, Net), family))


@pytest.mark.parametrize("coarse", [0, 1])
def test_the_coarsest_numbers_of_all_layers_count(coarse: int, family: RelationalGraph) -> None:
    class Mixed(Net):
        def forward(self, *inputs: Any) -> list[Tensor]:
            layers = super().forward(*inputs)
            layers[coarse] = layers[coarse].float()
            return layers

    result = judged(family, Mixed)
    assert result.diagnosis.dtype == torch.float32
    assert result.bound_holds is not False


# -- the edge of floating point -------------------------------------------------------------------


def relations(result: OwnVersus, test: str = "1-rwl") -> set[str]:
    against = {each.test: each for each in result.against}[test]
    return {layer.relation for layer in against.layers}


class Offset(Net):
    def forward(self, *inputs: Any) -> list[Tensor]:
        return [h + 1e14 for h in super().forward(*inputs)]


class Slight(Net):
    """Labels make a difference of 1e-13."""

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        same = super().forward(torch.ones_like(x), edge_index, edge_type)
        return [h + 1e-13 * h.max() * x[:, :1] for h in same]


@pytest.mark.parametrize("model", [Offset, Slight])
def test_close_is_not_equal(model: type[Net], family: RelationalGraph) -> None:
    graph = family if model is Offset else complete(6)
    result = judged(graph, model)
    assert relations(result) == {"undecided"}
    assert result.bound_holds is True


@pytest.mark.parametrize("vertices", [30, 100])
@pytest.mark.parametrize("last_only", [False, True])
def test_a_collapse_is_not_called_coarser(vertices: int, last_only: bool) -> None:
    make = _with_layers(Last if last_only else Net, 12)
    for graph in (complete(vertices), wlkg.disjoint_union(complete(vertices), path(9))):
        result = judged(graph, make, draws=1)
        assert relations(result) <= {"equal", "undecided"}
        assert "undecided" in relations(result)


def test_a_mean_of_equal_features_is_known_to_lose_the_number_of_neighbours() -> None:
    # All features are equal, and nothing else can be seen in them.
    result = judged(wlkg.read("example:c6"), Mean, draws=1, tests=("mean-rwl", "1-rwl"))
    assert result.matching == ("mean-rwl", "1-rwl")
    wheel = RelationalGraph.from_triples(
        [("hub", "r", str(i)) for i in range(5)]
        + [(str(i), "r", str((i + 1) % 5)) for i in range(5)],
        direction="undirected",
    )
    result = judged(wheel, Mean, draws=1)
    assert result.matching == ("mean-rwl",)
    assert relations(result) == {"coarser"}


class Rounded(Net):
    """Messages are computed in single precision and handed over in double precision."""

    def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
        return super().received(x.float(), edges, weight.float()).double()


class Cast(Net):
    """Casts its input, which does not fit weights in double precision."""

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        return [h.double() for h in super().forward(x.float(), edge_index, edge_type)]


@pytest.mark.parametrize("model", [Rounded, Cast])
def test_single_precision_inside_is_neither_a_leak_nor_a_violation(model: type[Net]) -> None:
    base, draw = wlkg.read("example:petersen"), random.Random(0)
    orders = [draw.sample(range(10), 10) for _ in range(12)]
    graph = wlkg.disjoint_union(*(base.permuted(order) for order in orders), star_graph(40))
    result = judged(graph, model)
    assert result.sees_graph_only
    assert result.bound_holds is True
    assert "1-rwl" in result.bounding
    assert any("float32" in text for text in warnings(result, graph))


class SlightlyNumbered(Net):
    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        place = torch.arange(len(x), dtype=x.dtype)[:, None]
        return [h + 1e-10 * place for h in super().forward(x, edge_index, edge_type)]


@pytest.mark.parametrize("graph", [complete(8), path(9)], ids=["complete", "path"])
def test_a_small_leak_is_a_leak(graph: RelationalGraph) -> None:
    result = judged(graph, SlightlyNumbered)
    assert result.diagnosis.leaks_identity
    assert result.bound_holds is False
    assert result.matches is False
    assert result.matching == result.bounding == ()


class Positional(Net):
    """Positional encodings: eigenvectors of the Laplacian."""

    def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> list[Tensor]:
        near = torch.zeros(len(x), len(x), dtype=x.dtype)
        near[edge_index[1], edge_index[0]] = 1
        vectors = torch.linalg.eigh(torch.diag(near.sum(dim=1)) - near)[1]
        return super().forward(x + vectors[:, 1:2], edge_index, edge_type)


def test_the_sign_of_eigenvectors_is_named_as_the_reason() -> None:
    graph = path(9)
    result = judged(graph, Positional)
    assert result.bound_holds is False
    (text,) = (text for text in warnings(result, graph) if "renumbering" in text)
    assert "eigenvectors, whose sign and basis are arbitrary" in text
    assert "identity" not in text


# -- rounds ---------------------------------------------------------------------------------------


def test_degrees_of_neighbours_take_one_more_round_and_are_not_a_violation() -> None:
    # a and c have one neighbour each, of different degrees: round 2 separates them.
    graph = RelationalGraph.from_triples(
        [("a", "r", "b"), ("c", "r", "d"), ("d", "r", "e"), ("e", "r", "f")],
        direction="undirected",
    )
    result = judged(graph, Gcn)
    assert result.later == 1
    assert result.bound_holds is True
    assert "1-rwl" in result.bounding
    first, second = result.chosen.layers
    assert [(layer.layer, layer.round) for layer in (first, second)] == [(1, 2), (2, 3)]
    assert first.model_classes > wlkg.refine(graph).history.partition(1).num_classes
    path = RelationalGraph.from_triples(
        [(str(i), "r", str(i + 1)) for i in range(12)], direction="undirected"
    )
    rounds = wlkg.refine(path, "1-wl").classes_per_round
    layers = judged(path, Gcn, tests=("1-wl",)).chosen.layers
    assert [layer.wl_classes for layer in layers] == rounds[2:4]


def test_an_honest_model_gets_no_additional_round(star: RelationalGraph) -> None:
    assert judged(star, Net).later == 0
    assert judged(star, Net, tests=("weak-rwl", "1-rwl")).later == 0


def test_one_way_only_the_degrees_of_neighbours_count_both_ways() -> None:
    class Normed(Gcn):
        def received(self, x: Tensor, edges: Edges, weight: Tensor) -> Tensor:
            source, target, _ = edges
            seen = torch.bincount(source, minlength=len(x)).to(x.dtype).clamp(min=1)
            return summed(x[source] / seen[source, None], target, len(x)) @ weight[0]

    rows = "1 r a, 2 r b, 3 r b"
    graph = RelationalGraph.from_triples(
        [(h, r, t) for h, r, t in (row.split() for row in rows.split(", "))]
    )
    result = judged(graph, Normed, direction="out")
    assert result.later == 1
    assert result.bound_holds is True


def test_the_last_features_alone_are_held_against_the_round_of_the_measured_depth() -> None:
    path = RelationalGraph.from_triples([(str(i), "r", str(i + 1)) for i in range(12)])
    for layers in (1, 2, 4):
        make = _with_layers(Last, layers)
        result = judged(path, make)
        assert not result.per_layer
        assert (result.depth, result.depth_from, result.later) == (layers, "inferred", 0)
        assert [layer.round for layer in result.chosen.layers] == [layers]
        assert "1-rwl" in result.matching
        said = judged(path, make, layers=layers, tests=("1-rwl",))
        assert (said.depth, said.depth_from, said.later) == (layers, "given", 0)
        assert said.matching == ("1-rwl",)


def test_a_model_that_is_deeper_than_said_is_caught() -> None:
    path = RelationalGraph.from_triples([(str(i), "r", str(i + 1)) for i in range(12)])
    result = judged(path, _with_layers(Last, 4), layers=1, tests=("1-rwl",))
    assert result.bound_holds is False
    assert result.later == 0


def _with_layers(model: type[Net], layers: int) -> Callable[[int, int], nn.Module]:
    def make(in_width: int, num_relations: int) -> nn.Module:
        return model(in_width, num_relations, layers)

    return make


def test_a_number_of_layers_that_varies_is_an_error(family: RelationalGraph) -> None:
    def make(in_width: int, num_relations: int, seed: int) -> nn.Module:
        return Net(in_width, num_relations, 1 + seed)

    with pytest.raises(InputError, match="gives 1 or 2 layers, depending on the seed"):
        judged(family, make)


def test_a_graph_without_vertices_is_refused() -> None:
    with pytest.raises(UsageError, match="no vertices"):
        judged(RelationalGraph.from_triples([]), Net)


# -- documents ------------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_order_of_vertices(family: RelationalGraph) -> None:
    order = list(range(family.num_vertices))[::-1]
    documents: list[Sequence[Any]] = []
    for graph in (family, family.permuted(order)):
        content = versus_document(judged(graph, Mean), graph)
        documents.append(
            [
                content["matching_tests"],
                content["bounding_tests"],
                content["aggregation"],
                [[layer["model_classes"] for layer in a["layers"]] for a in content["against"]],
            ]
        )
    assert documents[0] == documents[1]


def test_a_profiler_that_is_at_work_stays_at_work() -> None:
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        result = versus(path(4), lambda x, edge_index: [x], draws=1)  # noqa: ARG005
        at_work: object = sys.getprofile()
        assert at_work is profiler
    finally:
        profiler.disable()
    assert result.bound_holds
