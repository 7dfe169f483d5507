"""Own models: how a name becomes a model, what a run gives, and every way it can go wrong."""

from __future__ import annotations

import functools
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from wlkg.errors import InputError, UsageError, WlkgError
from wlkg.gnn.own_models import own_model
from wlkg.gnn.own_models.hosting import Given
from wlkg.gnn.own_models.making import ASKED
from wlkg.gnn.own_models.model_files import load_own_model
from wlkg.gnn.own_models.own_model import OwnModel, wrap_callable

GIVEN = Given(in_width=3, width=4, relations=2, layers=2, vertices=5, seed=7)
#: 0 -> 1 -> 2 -> 3 -> 4 -> 0, relations in turn.
EDGES = torch.tensor([[0, 1, 2, 3, 4], [1, 2, 3, 4, 0]])
TYPES = torch.tensor([0, 1, 0, 1, 0])
X = torch.arange(15, dtype=torch.float64).reshape(5, 3)

#: What PyG itself does when it is imported.
pyg_warns = pytest.mark.filterwarnings("ignore:.torch.jit.script. is deprecated:DeprecationWarning")

PLAIN = """
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, in_dim, hidden, num_rels=999, heads=3):
        super().__init__()
        self.asked = (in_dim, hidden, num_rels, heads)
        self.weight = nn.Parameter(torch.randn(num_rels, in_dim, hidden))
        self.drop = nn.Dropout(0.5)

    def forward(self, x, edge_index, edge_type):
        source, target = edge_index
        messages = torch.einsum("ei,eio->eo", x[source], self.weight[edge_type])
        out = torch.zeros(x.size(0), messages.size(1)).index_add(0, target, messages)
        return self.drop(out)


class Layered(Net):
    def forward(self, x, edge_index, edge_type):
        return [x, self.drop(x[:, 0])]


def make(in_width, relations):
    return Net(in_width, 6, relations).eval()


def fixed():
    return Net(3, 2, 2)


def itself(x, edge_index, edge_type):
    return x[edge_index[0]] * (1 + edge_type[:, None])


def closure(depth):
    return lambda a, b, c: a * depth


net = Net(3, 5, 2)
still = Net(3, 5, 2).eval()
_hidden = 3
table = {"a": 1}
"""


@pytest.fixture(autouse=True)
def _nothing_is_left_behind() -> Iterator[None]:
    """Whatever happens, the search path and the default dtype stay."""
    path, dtype = list(sys.path), torch.get_default_dtype()
    yield
    assert sys.path == path
    assert torch.get_default_dtype() is dtype
    for name in private_modules():
        del sys.modules[name]


def private_modules() -> list[str]:
    return [name for name in sys.modules if name.startswith("_wlkg_own")]


@pytest.fixture
def load(tmp_path: Path) -> Callable[..., OwnModel]:
    """Load a name from a file with the given text."""

    def loading(text: str, name: str, given: Given = GIVEN) -> OwnModel:
        (tmp_path / "models.py").write_text(text)
        return load_own_model(f"{tmp_path}/models.py:{name}", given)

    return loading


Load = Callable[..., OwnModel]


def output(model: OwnModel, x: Tensor = X) -> Tensor:
    (features,) = model(x, EDGES, TYPES)
    return features


def inner(model: OwnModel) -> Any:
    return model._model


def refused(load: Load, text: str, name: str = "f", error: type[WlkgError] = InputError) -> str:
    """The message of the error that loading and running a name ends in."""
    with pytest.raises(error) as caught:
        output(load(text, name))
    assert caught.value.exit_code == 2
    return str(caught.value)


# -- how a name becomes a model -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "width"), [("Net", 4), ("make", 6), ("fixed", 2), ("net", 5), ("itself", 3)]
)
def test_classes_factories_instances_and_functions_are_models(
    name: str, width: int, load: Load, tmp_path: Path
) -> None:
    model = load(PLAIN, name)
    assert model.name == f"{tmp_path}/models.py:{name}"
    assert model.per_layer is None
    features = output(model)
    assert features.shape == (5, width)
    assert features.dtype == torch.float64
    assert not features.requires_grad
    assert model.per_layer is False


def test_parameters_are_given_by_name_and_only_where_a_default_would_be_wrong(load: Load) -> None:
    assert inner(load(PLAIN, "Net")).asked == (3, 4, 2, 3)


@pytest.mark.parametrize("field", sorted(ASKED))
def test_every_name_of_the_table_gets_its_field(field: str) -> None:
    for name in ASKED[field]:
        seen: list[Any] = []
        make = eval(f"lambda {name}: seen.append({name}) or abs", {"seen": seen, "abs": abs})
        wrap_callable(make, GIVEN)
        assert seen == [getattr(GIVEN, field)], name


def test_no_name_of_the_table_asks_for_two_things() -> None:
    names = [name for asked in ASKED.values() for name in asked]
    assert len(names) == len(set(names))


def test_a_maker_may_have_positional_and_keyword_only_parameters() -> None:
    def make(in_dim: int, /, *, width: int, layers: int = 9) -> Any:
        return lambda x, _e, _t: x.new_full((len(x), in_dim), 10 * width + layers)

    features = output(wrap_callable(make, GIVEN))
    assert features.tolist() == [[49.0] * 3] * 5


def test_what_a_factory_makes_may_be_a_function(load: Load) -> None:
    assert output(load(PLAIN, "closure")).equal(X * 2)


def test_features_per_layer_are_a_list_and_one_dimension_counts_as_a_column(load: Load) -> None:
    model = load(PLAIN, "Layered")
    inner(model).eval()
    first, second = model(X, EDGES, TYPES)
    assert first.equal(X)
    assert second.equal(X[:, :1])
    assert model.per_layer is True


def test_a_list_of_one_layer_is_still_per_layer() -> None:
    model = wrap_callable(lambda x, _e, _t: (x,), GIVEN)
    output(model)
    assert model.per_layer is True


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32, torch.bool, torch.complex128])
def test_the_dtype_of_what_a_model_gives_is_kept(dtype: torch.dtype) -> None:
    assert output(wrap_callable(lambda x, _e, _t: x.to(dtype), GIVEN)).dtype == dtype


def test_a_module_comes_in_the_given_dtype_and_keeps_its_mode(load: Load) -> None:
    single = load(PLAIN, "net", replace(GIVEN, dtype=torch.float32))
    assert inner(single).weight.dtype == torch.float32
    assert inner(single).training
    assert inner(load(PLAIN, "net")).weight.dtype == torch.float64
    assert not inner(load(PLAIN, "still")).training
    assert not inner(load(PLAIN, "make")).training


def test_dropout_left_on_shows(load: Load) -> None:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        on, off = load(PLAIN, "net"), load(PLAIN, "still")
        assert not output(on).equal(output(on))
        assert output(off).equal(output(off))


def test_an_instance_is_copied_and_stays_what_it_was() -> None:
    net = nn.Linear(3, 2)
    weight = net.weight.detach().clone()

    class Wrapped(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.inner = net

        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            assert edge_index.shape[1] == len(edge_type)
            self.inner.weight.zero_()
            out: Tensor = self.inner(x)
            return out

    output(wrap_callable(Wrapped(), GIVEN))
    assert net.weight.dtype == torch.float32
    assert net.weight.equal(weight)


def test_complex_weights_keep_their_imaginary_part() -> None:
    class Turning(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.turn = nn.Parameter(torch.tensor([1j], dtype=torch.complex64))

        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            assert edge_index.shape[1] == len(edge_type)
            return (x * self.turn).imag

    assert output(wrap_callable(Turning, GIVEN)).equal(X)


def test_a_model_that_works_in_place_leaves_the_inputs_alone() -> None:
    def spoil(x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        edge_index.zero_()
        edge_type.zero_()
        return x.zero_()

    copies = X.clone(), EDGES.clone(), TYPES.clone()
    wrap_callable(spoil, GIVEN)(X, EDGES, TYPES)
    assert all(a.equal(b) for a, b in zip(copies, (X, EDGES, TYPES), strict=True))


# -- what the inputs are called -----------------------------------------------------------------


def test_inputs_are_passed_by_name_whatever_their_order() -> None:
    def other(edge_index: Tensor, x: Tensor, edge_type: Tensor) -> Tensor:
        return x[edge_index[0]] + edge_type[:, None]

    expected = X[EDGES[0]] + TYPES[:, None]
    assert output(wrap_callable(other, GIVEN)).equal(expected)

    class Module(nn.Module):
        def forward(self, edge_index: Tensor, feat: Tensor, *, edge_attr: Tensor) -> Tensor:
            return other(edge_index, feat, edge_attr)

    assert output(wrap_callable(Module, GIVEN)).equal(expected)


def test_edge_type_goes_before_other_names_for_it() -> None:
    def attended(x: Tensor, edge_index: Tensor, edge_attr: Any = None, edge_type: Any = 0) -> Any:
        assert edge_attr is None
        return x[edge_index[0]] * edge_type[:, None]

    assert output(wrap_callable(attended, GIVEN)).equal(X * TYPES[:, None])


def test_an_unknown_third_name_that_is_required_gets_the_relations() -> None:
    model = wrap_callable(lambda x, edge_index, r: x[edge_index[0]] * r[:, None], GIVEN)
    assert output(model).equal(X * TYPES[:, None])


def test_a_model_that_knows_no_relations_does_not_get_them_as_weights() -> None:
    def convolve(x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        assert edge_weight is None
        return x[edge_index[0]]

    assert output(wrap_callable(convolve, GIVEN)).equal(X)


def test_parameters_with_unknown_names_get_the_inputs_by_position() -> None:
    def by_position(a: Tensor, b: Tensor, c: Tensor, /) -> Tensor:
        return a[b[0]] * c[:, None]

    expected = X * TYPES[:, None]
    assert output(wrap_callable(by_position, GIVEN)).equal(expected)
    assert output(wrap_callable(lambda *inputs: by_position(*inputs[:3]), GIVEN)).equal(expected)
    assert output(wrap_callable(functools.partial(by_position), GIVEN)).equal(expected)


def test_a_callable_is_named_as_it_is_called_in_python() -> None:
    assert wrap_callable(nn.Flatten(), GIVEN).name == "Flatten"
    assert wrap_callable(torch.relu, GIVEN).name == "relu"


# -- PyG ----------------------------------------------------------------------------------------

PYG = """
from torch import nn
from torch_geometric.nn import GATConv, GCNConv, MessagePassing, RGCNConv
from torch_geometric.nn.dense import Linear


class Net(nn.Module):
    def __init__(self, in_channels, out_channels, num_relations, num_layers):
        super().__init__()
        widths = [in_channels, *[out_channels] * num_layers]
        self.convs = nn.ModuleList(
            RGCNConv(a, b, num_relations, aggr="add") for a, b in zip(widths, widths[1:])
        )

    def forward(self, x, edge_index, edge_type):
        layers = []
        for conv in self.convs:
            x = conv(x, edge_index, edge_type).relu()
            layers.append(x)
        return layers


class Own(MessagePassing):
    def __init__(self, dim):
        super().__init__(aggr="sum")
        self.linear = Linear(-1, dim)

    def forward(self, x, edge_index):
        return self.propagate(edge_index, x=self.linear(x))
"""


@pyg_warns
@pytest.mark.parametrize(
    ("name", "layers"), [("Net", 2), ("RGCNConv", 1), ("GATConv", 1), ("GCNConv", 1), ("Own", 1)]
)
def test_layers_of_pyg_are_models(name: str, layers: int, load: Load) -> None:
    pytest.importorskip("torch_geometric")
    model = load(PYG, name)
    outputs = model(X, EDGES, TYPES)
    assert [tuple(features.shape) for features in outputs] == [(5, 4)] * layers
    assert all(features.dtype == torch.float64 for features in outputs)


@pyg_warns
def test_pyg_sums_what_the_source_sends_to_the_target(load: Load) -> None:
    pytest.importorskip("torch_geometric")
    model = load(PYG, "Own")
    features = output(model)
    sent = inner(model).linear(X).detach()
    torch.testing.assert_close(features[EDGES[1]], sent[EDGES[0]])


@pyg_warns
def test_weights_that_wait_for_the_first_input_come_from_the_seed_too(load: Load) -> None:
    pytest.importorskip("torch_geometric")
    before = torch.get_rng_state()
    first, second = output(load(PYG, "Own")), output(load(PYG, "Own"))
    assert first.equal(second)
    assert torch.get_rng_state().equal(before)


# -- seeds --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Net", "make", "net"])
def test_weights_come_from_the_seed_and_leave_the_generator_alone(name: str, load: Load) -> None:
    before = torch.get_rng_state()
    first, again = (inner(load(PLAIN, name)).weight for _ in range(2))
    other = inner(load(PLAIN, name, replace(GIVEN, seed=8))).weight
    assert first.equal(again)
    assert not first.equal(other)
    assert torch.get_rng_state().equal(before)


# -- files --------------------------------------------------------------------------------------


def test_a_file_may_import_its_neighbours_also_while_it_runs(load: Load, tmp_path: Path) -> None:
    (tmp_path / "neighbour_one.py").write_text("factor = 2\n")
    (tmp_path / "neighbour_two.py").write_text("factor = 5\n")
    model = load(
        "from neighbour_one import factor\n"
        "def f(x, edge_index, edge_type):\n"
        "    import neighbour_two\n"
        "    return x * factor * neighbour_two.factor\n",
        "f",
    )
    assert output(model).equal(X * 10)


def test_a_file_that_changed_is_read_again_and_nothing_is_left_beside_it(
    load: Load, tmp_path: Path
) -> None:
    for factor in (2, 3):
        text = f"def f(x, edge_index, edge_type): return x * {factor}\n"
        assert output(load(text, "f")).equal(X * factor)
    assert [path.name for path in tmp_path.iterdir()] == ["models.py"]


def test_dataclasses_and_other_users_of_the_module_table_work(load: Load) -> None:
    text = (
        "from __future__ import annotations\n"
        "from dataclasses import dataclass, field\n"
        "@dataclass\n"
        "class Net:\n"
        "    width: int\n"
        "    seen: list[int] = field(default_factory=list)\n"
        "    def __call__(self, x, edge_index, edge_type): return x * self.width\n"
    )
    assert output(load(text, "Net")).equal(X * 4)


def test_what_the_code_prints_goes_to_stderr(
    load: Load, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (
        "print('loading')\n"
        "def make(dim):\n"
        "    print('building')\n"
        "    def model(x, e, t):\n"
        "        print('running')\n"
        "        return x\n"
        "    return model\n"
    )
    output(load(text, "make"))
    out, err = capsys.readouterr()
    assert out == ""
    assert err.split() == ["loading", "building", "running"]


@pytest.mark.parametrize("spec", ["models.py", "models.py:", ":Net", "models.py:a b", ""])
def test_a_spec_without_file_and_name_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match=r"expected FILE\.py:NAME, found") as caught:
        load_own_model(spec, GIVEN)
    assert repr(spec) in str(caught.value)


def test_a_file_that_does_not_exist_or_is_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        load_own_model(f"{tmp_path}/none.py:Net", GIVEN)
    assert str(caught.value) == f"{tmp_path}/none.py: no such file"
    with pytest.raises(InputError, match="not a file that can be read"):
        load_own_model(f"{tmp_path}:Net", GIVEN)


def test_an_unknown_name_lists_what_the_file_defines_closest_first(
    load: Load, tmp_path: Path
) -> None:
    before = private_modules()
    message = refused(load, PLAIN, "Nett", UsageError)
    assert message.startswith(f"{tmp_path}/models.py: no 'Nett' in this file. It has: Net, net, ")
    assert {"Layered", "make", "fixed", "still"} <= set(message.partition("has: ")[2].split(", "))
    assert "torch" not in message
    assert "_hidden" not in message
    assert private_modules() == before
    assert refused(load, "import torch\n", "f", UsageError).endswith("no public class or function")


def test_a_name_that_cannot_be_called_is_refused(load: Load) -> None:
    message = refused(load, PLAIN, "table", UsageError)
    assert "'table' is of type dict, expected a torch.nn.Module, a class or function" in message
    assert not private_modules()
    with pytest.raises(UsageError, match="3 is of type int, expected"):
        wrap_callable(3, GIVEN)  # type: ignore[arg-type]


# -- code that raises ---------------------------------------------------------------------------


def test_code_that_raises_while_loading_is_shown_with_its_own_frames_only(
    load: Load, tmp_path: Path
) -> None:
    text = "import json\n\ndef helper():\n    return json.loads('')\n\nhelper()\n"
    assert refused(load, text).split("\n") == [
        f"{tmp_path}/models.py:f failed while being loaded",
        f"  {tmp_path}/models.py:6 in <module>",
        "    helper()",
        f"  {tmp_path}/models.py:4 in helper",
        "    return json.loads('')",
        "  JSONDecodeError: Expecting value: line 1 column 1 (char 0)",
    ]
    assert not private_modules()


def test_a_syntax_error_is_shown_with_its_line(load: Load, tmp_path: Path) -> None:
    assert refused(load, "x = 1\ndef f(:\n    pass\n").split("\n") == [
        f"{tmp_path}/models.py:f failed while being loaded",
        f"  {tmp_path}/models.py:2",
        "    def f(:",
        "  SyntaxError: invalid syntax",
    ]


def test_paths_below_the_working_folder_are_shown_from_there(
    load: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert "\n  models.py:1 in <module>\n    1 / 0\n" in refused(load, "1 / 0\n")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("import sys\nsys.exit(0)\n", "SystemExit: 0"),
        ("raise SystemExit\n", "\n  SystemExit"),
        ("import not_there_at_all\n", "No module named 'not_there_at_all'"),
        ("class Own(Exception): pass\nraise Own('mine')\n", "\n  Own: mine"),
        ("class Mute(Exception):\n    def __str__(self): 1 / 0\nraise Mute\n", "\n  Mute"),
        ("x = '\0'\n", "null bytes"),
    ],
)
def test_whatever_a_file_raises_is_an_error_with_its_text(
    text: str, shown: str, load: Load
) -> None:
    message = refused(load, text)
    assert "failed while being loaded" in message
    assert shown in message
    assert "/wlkg/gnn/" not in message


def test_a_model_that_raises_while_it_is_built_or_run_is_shown_with_its_inputs(
    load: Load, tmp_path: Path
) -> None:
    text = "def make(dim):\n    raise ValueError(f'not {dim}')\n"
    assert refused(load, text, "make").split("\n") == [
        f"{tmp_path}/models.py:make failed while being built",
        f"  {tmp_path}/models.py:2 in make",
        "    raise ValueError(f'not {dim}')",
        "  ValueError: not 4",
    ]
    text = (
        "from torch import nn\n"
        "class Net(nn.Module):\n"
        "    def __init__(self, dim):\n"
        "        super().__init__()\n"
        "        self.linear = nn.Linear(99, dim)\n"
        "    def forward(self, x, edge_index, edge_type):\n"
        "        return self.linear(x)\n"
    )
    shapes = "x (5, 3), edge_index (2, 5), edge_type (5)"
    assert refused(load, text, "Net").split("\n") == [
        f"{tmp_path}/models.py:Net failed while running on {shapes}",
        f"  {tmp_path}/models.py:7 in forward",
        "    return self.linear(x)",
        "  RuntimeError: mat1 and mat2 shapes cannot be multiplied (5x3 and 99x4)",
        "  The model expects 99 input features, and each vertex has 3.",
        "  Use --dim 99 with --features constant, or ask for in_channels",
    ]


def test_a_module_that_forgets_to_call_super_is_an_error_too(load: Load) -> None:
    text = "from torch import nn\nclass Net(nn.Module):\n    def __init__(self): pass\n"
    message = refused(load, text, "Net")
    assert ":Net failed while being converted to torch.float64\n  AttributeError" in message


def test_a_callable_that_raises_is_shown_with_the_frames_of_its_file() -> None:
    def broken(x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
        raise LookupError(f"{len(x)} {len(edge_index)} {len(edge_type)}")

    class Broken(nn.Module):
        def forward(self, x: Tensor, edge_index: Tensor, edge_type: Tensor) -> Tensor:
            return broken(x, edge_index, edge_type)

    with pytest.raises(InputError) as caught:
        output(wrap_callable(Broken(), GIVEN))
    first, *frames, last = str(caught.value).split("\n")
    assert first.startswith("Broken failed while running on x (5, 3)")
    assert [line.rpartition(" ")[2] for line in frames[::2]] == ["forward", "broken"]
    assert all("test_own_model.py:" in line for line in frames[::2])
    assert last == "  LookupError: 5 2 5"


def test_frames_of_the_package_are_never_shown_even_beside_the_users_file() -> None:
    beside = Path(own_model.__file__).parents[3] / "mine.py"
    names: dict[str, Any] = {}
    exec(compile("def f(x, edge_index, edge_type): 1 / 0", beside, "exec"), names)
    with pytest.raises(InputError) as caught:
        output(wrap_callable(names["f"], GIVEN))
    _, place, last = str(caught.value).split("\n")
    assert place.endswith("mine.py:1 in f")
    assert last == "  ZeroDivisionError: division by zero"


def test_endless_recursion_and_endless_texts_stay_short(load: Load) -> None:
    message = refused(load, "def f(x, edge_index, edge_type):\n    return f(x, x, x)\n")
    assert message.count("return f(x, x, x)") == 5
    assert "more calls\n" in message
    assert "RecursionError: maximum recursion depth exceeded" in message
    text = "raise ValueError('\\n'.join(str(i) * 400 for i in range(20)))\n"
    lines = refused(load, text).split("\n")
    assert lines[-1] == "    ... 12 more lines"
    assert len(lines) == 12
    assert max(map(len, lines)) < 400


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_interruption_and_lack_of_memory_are_not_the_models_fault(
    error: type[BaseException], load: Load
) -> None:
    with pytest.raises(error):
        load(f"raise {error.__name__}\n", "f")
    assert not private_modules()


def test_a_required_parameter_that_nobody_knows_is_named_with_the_way_out(load: Load) -> None:
    text = "class Net:\n    def __init__(self, in_dim, tau, *, rate): pass\n"
    message = refused(load, text, "Net", UsageError)
    assert ":Net needs 'tau', 'rate', which wlkg cannot know. It can give:\n" in message
    assert "\n    relations: num_relations, relations, " in message
    assert max(map(len, message.split("\n")[1:])) <= 80
    assert (
        "\n    def make(in_width, num_relations):\n        return Net(tau=..., rate=...)" in message
    )
    assert not private_modules()


@pytest.mark.parametrize(
    ("returned", "kind"), [("None", "NoneType"), ("Thing", "the class Thing"), ("[1]", "list")]
)
def test_a_factory_must_make_a_model(returned: str, kind: str, load: Load) -> None:
    text = f"class Thing: pass\ndef make(): return {returned}\n"
    message = refused(load, text, "make", UsageError)
    assert f"was called to make a model and gave {kind}. Expected a torch.nn.Module" in message


# -- what a run gives ---------------------------------------------------------------------------

WANTED = "Expected a tensor of vertex features, 5 rows and at least one column, or a list"


@pytest.mark.parametrize(
    ("returned", "complaint"),
    [
        (None, "the output of <lambda> is of type NoneType"),
        ({"x": X}, "the output of <lambda> is of type dict"),
        (X.numpy(), "the output of <lambda> is of type ndarray"),
        (X.to_sparse(), "the output of <lambda> is of type Tensor that is sparse"),
        (X.T, "the output of <lambda> has the shape (3, 5)"),
        (X[0, 0], "the output of <lambda> has the shape ()"),
        (X[:, :0], "the output of <lambda> has the shape (5, 0)"),
        (X[:, :, None], "the output of <lambda> has the shape (5, 3, 1)"),
        (X[:4, 0], "the output of <lambda> has the shape (4)"),
        ([], "<lambda> gave an empty list"),
        ((X, X[:2]), "layer 2 of 2 of <lambda> has the shape (2, 3)"),
        ([X, [X]], "layer 2 of 2 of <lambda> is of type list"),
    ],
)
def test_anything_but_a_row_for_each_vertex_is_refused(returned: Any, complaint: str) -> None:
    model = wrap_callable(lambda _x, _e, _t: returned, GIVEN)
    with pytest.raises(InputError) as caught:
        model(X, EDGES, TYPES)
    assert f". {WANTED}" in str(caught.value)
    assert str(caught.value).partition(". Expected")[0] == complaint
    assert model.per_layer is None


def test_numbers_that_are_not_finite_are_counted_and_located() -> None:
    bad = X.clone()
    bad[1, 2], bad[4, 0] = math.nan, -math.inf
    with pytest.raises(InputError) as caught:
        wrap_callable(lambda x, _e, _t: [x, bad], GIVEN)(X, EDGES, TYPES)
    assert "layer 2 of 2" in str(caught.value)
    assert (
        "has 2 of 15 numbers that are not finite (1 NaN), the first in row 1, column 2. Expected "
        "finite numbers"
    ) in str(caught.value)
