"""Models as people write them: which inputs they may take, and what is said about the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from wlkg.errors import InputError, TooLargeError, UsageError
from wlkg.gnn.own_models.graph_inputs import edge_types
from wlkg.gnn.own_models.hosting import Given
from wlkg.gnn.own_models.own_model import OwnModel, wrap_callable
from wlkg.gnn.own_models.signatures import ACCEPTED

pytestmark = [
    pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning:torch_geometric.*"),
]

NAMES = ("http://example.org/knows", "http://example.org/knows^-1")
GIVEN = Given(in_width=3, width=4, relations=2, layers=2, vertices=5, seed=7, relation_names=NAMES)
#: 0 -> 1 -> 2 -> 3 -> 4 -> 0, relations in turn.
EDGES = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]])
TYPES = torch.tensor([0, 1, 0, 1, 0])
X = torch.arange(15, dtype=torch.float64).reshape(5, 3)
ONE_HOT = torch.eye(2, dtype=torch.float64)[TYPES]


def run(code: Callable[..., Any]) -> tuple[Tensor, str | None]:
    """The features, and what the model was given."""
    model = wrap_callable(code, GIVEN)
    (features,) = model(X, EDGES, TYPES)
    return features, model.inputs


def summed(messages: Tensor, edge_index: Tensor, count: int = 5) -> Tensor:
    out = messages.new_zeros(count, messages.shape[1])
    return out.index_add(0, edge_index[1], messages)


# -- functions ------------------------------------------------------------------------------------


def test_edge_attr_is_one_hot() -> None:
    def model(x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
        return summed(torch.cat([x[edge_index[0]], edge_attr], dim=1), edge_index)

    features, inputs = run(model)
    assert inputs == "x, edge_index, edge_attr (one-hot relations)"
    assert features.equal(summed(torch.cat([X[EDGES[0]], ONE_HOT], dim=1), EDGES))


def test_edge_attr_is_a_number_where_one_hot_does_not_work() -> None:
    class Looked(nn.Module):
        def __init__(self, num_relations: int, dim: int) -> None:
            super().__init__()
            self.relation = nn.Embedding(num_relations, dim)

        def forward(self, x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
            assert len(x) == 5
            return summed(self.relation(edge_attr), edge_index)

    features, inputs = run(Looked)
    assert inputs == "x, edge_index, edge_type"
    assert features.shape == (5, 4)


def test_edge_attr_with_a_default_is_left_out_where_it_does_not_work() -> None:
    def model(x: Tensor, edge_index: Tensor, edge_attr: Tensor | None = None) -> Tensor:
        if edge_attr is not None:
            raise ValueError("no edge features, please")
        return summed(x[edge_index[0]], edge_index)

    assert run(model)[1] == "x, edge_index"


def test_weights_batches_and_numbers_are_filled_in_where_they_have_no_default() -> None:
    def model(
        x: Tensor, edge_index: Tensor, edge_weight: Tensor, batch: Tensor, num_nodes: int
    ) -> Tensor:
        assert edge_weight.tolist() == [1.0] * 5
        assert batch.tolist() == [0] * 5
        assert num_nodes == 5
        return summed(x[edge_index[0]], edge_index)

    assert run(model)[1] == "x, edge_index, edge_weight, batch, num_nodes"

    def optional(x: Tensor, edge_index: Tensor, edge_weight: Any = 1, batch: Any = 2) -> Tensor:
        assert (edge_weight, batch) == (1, 2)
        return summed(x[edge_index[0]], edge_index)

    assert run(optional)[1] == "x, edge_index"


def test_a_model_may_have_features_of_its_own() -> None:
    class Embedded(nn.Module):
        def __init__(self, num_nodes: int, num_relations: int, dim: int = 6) -> None:
            super().__init__()
            self.own = nn.Embedding(num_nodes, dim)
            self.relation = nn.Embedding(num_relations, dim)

        def forward(self, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            sent = self.own.weight[edge_index[0]] * self.relation(edge_type)
            return summed(sent, edge_index)

    features, inputs = run(Embedded)
    assert features.shape == (5, 6)
    assert inputs == "edge_index, edge_type"


def test_dictionaries_have_one_type_of_vertices_and_an_edge_type_for_each_relation() -> None:
    def model(x_dict: Any, edge_index_dict: Any) -> Any:
        assert list(edge_index_dict) == [("node", "knows", "node"), ("node", "rev_knows", "node")]
        assert edge_index_dict["node", "rev_knows", "node"].tolist() == [[1, 3], [2, 4]]
        return {"node": x_dict["node"] * 2}

    features, inputs = run(model)
    assert features.equal(X * 2)
    assert inputs == "x_dict, edge_index_dict"


def test_several_layers_may_be_dictionaries() -> None:
    model = wrap_callable(lambda x_dict, edge_index_dict: [x_dict, x_dict], GIVEN)  # noqa: ARG005
    assert len(model(X, EDGES, TYPES)) == 2
    assert model.per_layer is True


def test_names_of_relations_become_different_identifiers() -> None:
    names = ["http://a/knows", "http://b/knows", "http://a/knows^-1", "is-a", "1", "@", "ü#"]
    types = [name for _, name, _ in edge_types(names)]
    assert types == ["knows", "knows_2", "rev_knows", "is_a", "1", "relation", "relation_2"]


def test_one_hot_relations_that_do_not_fit_into_memory_are_refused() -> None:
    def model(x: Tensor, edge_index: Tensor, edge_attr: Tensor) -> Tensor:
        return x[edge_index[0]] * len(edge_attr)

    small = Given(in_width=3, width=4, relations=2, layers=2, vertices=5, max_memory=100)
    with pytest.raises(TooLargeError, match="edge_attr, one-hot relations, has 5 rows"):
        wrap_callable(model, small)(X, EDGES, TYPES)


# -- inputs that nobody gives ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("parameters", "missing"),
    [
        ("x, adj", "'adj'"),
        ("g, h", "'g'"),
        ("x, edge_index, timestamps, edge_type", "'timestamps'"),
        ("nothing", "'nothing'"),
    ],
)
def test_unknown_inputs_show_the_accepted_ones(parameters: str, missing: str) -> None:
    names: dict[str, Any] = {"nn": nn}
    exec(f"class Net(nn.Module):\n    def forward(self, {parameters}): return 1", names)
    with pytest.raises(UsageError) as caught:
        run(names["Net"])
    message = str(caught.value)
    assert missing in message
    assert all(line in message for line in ACCEPTED)
    assert max(map(len, message.split("\n")[1:])) <= 90


def test_inputs_by_position_that_fail_show_the_accepted_ones() -> None:
    class Guessed(nn.Module):
        def forward(self, first: Tensor, second: Tensor) -> Tensor:
            return first.ndata[second]  # type: ignore[attr-defined, no-any-return]

    with pytest.raises(InputError) as caught:
        run(Guessed)
    message = str(caught.value)
    assert "AttributeError" in message
    assert "passed by position: x, edge_index. By name, these are accepted:" in message
    assert ACCEPTED[0] in message


def test_an_embedding_that_is_too_small_names_what_to_ask_for() -> None:
    class Small(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.relation = nn.Embedding(1, 4)

        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            assert len(x) == 5
            return summed(self.relation(edge_type), edge_index)

    with pytest.raises(InputError, match="There are 5 vertices and 2 relations"):
        run(Small)


def test_unknown_types_of_edges_show_those_that_there_are() -> None:
    def model(x_dict: Any, edge_index_dict: Any) -> Any:
        return x_dict["node"][edge_index_dict["paper", "cites", "paper"][0]]

    with pytest.raises(InputError) as caught:
        run(model)
    assert "the types of edges are ('node', 'knows', 'node'), " in str(caught.value)


# -- PyG ------------------------------------------------------------------------------------------


def own(code: Callable[..., Any]) -> OwnModel:
    pytest.importorskip("torch_geometric")
    return wrap_callable(code, GIVEN)


def shape(model: OwnModel) -> tuple[int, ...]:
    (features,) = model(X, EDGES, TYPES)
    return tuple(features.shape)


def test_a_model_of_data_gets_its_fields() -> None:
    class Plain(nn.Module):
        def forward(self, data: Any) -> Any:
            assert data.num_nodes == 5
            assert data.batch is None
            assert len(list(data.keys())) == 4
            return summed(data.x[data.edge_index[0]] * (1 + data.edge_type[:, None]), EDGES)

    plain = own(Plain)
    assert shape(plain) == (5, 3)
    assert plain.inputs == "data"
    attributed = own(lambda data: summed(data.edge_attr, data.edge_index))
    assert shape(attributed) == (5, 2)
    assert attributed.inputs == "data (with edge_attr, one-hot relations)"
    hetero = own(lambda data: data.x_dict)
    assert shape(hetero) == (5, 3)
    assert hetero.inputs == "data (HeteroData)"


def test_gine_takes_one_hot_relations() -> None:
    from torch_geometric.nn import GINEConv

    def make(in_channels: int, out_channels: int, edge_dim: int) -> nn.Module:
        made: nn.Module = GINEConv(nn.Linear(in_channels, out_channels), edge_dim=edge_dim)
        return made

    model = own(make)
    assert shape(model) == (5, 4)
    assert model.inputs == "x, edge_index, edge_attr (one-hot relations)"


def test_hgt_takes_metadata_and_dictionaries() -> None:
    from torch_geometric.nn import HGTConv

    class Net(nn.Module):
        def __init__(self, in_channels: int, dim: int, metadata: Any, heads: int) -> None:
            super().__init__()
            self.conv = HGTConv(in_channels, dim, metadata, heads)

        def forward(self, x_dict: Any, edge_index_dict: Any) -> Any:
            return self.conv(x_dict, edge_index_dict)

    assert shape(own(Net)) == (5, 4)
    assert shape(own(HGTConv)) == (5, 4)


def test_to_hetero_is_recognised() -> None:
    from torch_geometric.nn import SAGEConv, to_hetero

    class Net(nn.Module):
        def __init__(self, in_channels: int, dim: int) -> None:
            super().__init__()
            self.conv = SAGEConv((in_channels, in_channels), dim)

        def forward(self, x: Tensor, edge_index: Tensor) -> Tensor:
            out: Tensor = self.conv(x, edge_index)
            return out.relu()

    def make(in_channels: int, dim: int, metadata: Any) -> nn.Module:
        made: nn.Module = to_hetero(Net(in_channels, dim), metadata)
        return made

    model = own(make)
    assert shape(model) == (5, 4)
    assert model.inputs == "x_dict, edge_index_dict"


def test_sequential_has_the_signature_that_it_was_given() -> None:
    from torch_geometric.nn import GCNConv, RGCNConv, Sequential

    def two(in_channels: int, dim: int) -> nn.Module:
        made: nn.Module = Sequential(
            "x, edge_index", [(GCNConv(in_channels, dim), "x, edge_index -> x"), nn.ReLU()]
        )
        return made

    def three(in_channels: int, dim: int, num_relations: int) -> nn.Module:
        conv = RGCNConv(in_channels, dim, num_relations)
        made: nn.Module = Sequential(
            "x, edge_index, edge_type", [(conv, "x, edge_index, edge_type -> x")]
        )
        return made

    assert shape(own(two)) == shape(own(three)) == (5, 4)


@pytest.mark.parametrize(
    "name", ["RGCNConv", "FastRGCNConv", "RGATConv", "GCNConv", "SAGEConv", "TransformerConv"]
)
def test_layers_of_pyg_run_as_they_are(name: str) -> None:
    layers = pytest.importorskip("torch_geometric.nn")
    assert shape(own(getattr(layers, name))) == (5, 4)
