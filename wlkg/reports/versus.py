"""A model against a test as data and as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.terminal import console, printable, shortened
from wlkg.text import counted

if TYPE_CHECKING:
    from wlkg.gnn.against_wl.judging import Versus
    from wlkg.gnn.against_wl.verdicts import LayerVerdict, Pair
    from wlkg.gnn.own_models.own_versus import Against, UserVersus

_NAME = 60
_STYLE = {"equal": "green", "coarser": "yellow", "undecided": "magenta"}
_LATER = (
    "divided by degrees, messages tell those of neighbours too: layer t is bounded by round t + 1"
)
#: From an item's number to its name.
Naming = Callable[[int], str]


def naming(graph: RelationalGraph, arity: int) -> Naming:
    """Names of vertices, or of tuples of them in lexicographic order."""

    def name(item: int) -> str:
        if arity == 1:
            return graph.vertex_names[item]
        vertices = []
        for _ in range(arity):
            item, vertex = divmod(item, graph.num_vertices)
            vertices.append(graph.vertex_names[vertex])
        return f"({', '.join(reversed(vertices))})"

    return name


# -- data -----------------------------------------------------------------------------------------


def versus_document(found: Versus, graph: RelationalGraph) -> dict[str, Any]:
    """What ``wlkg versus --json`` prints of a model of the tables."""
    name = naming(graph, found.refinement.arity)
    return {
        "test": found.bound.test,
        "direction": found.bound.direction,
        "rounds_later": found.bound.later,
        "layers": [_layer(layer, name) for layer in found.layers],
        "bound_holds": found.bound_holds,
        "matches": found.matches,
        "draws": [
            {"weights": draw.weights, "layers": [_layer(layer, name) for layer in draw.layers]}
            for draw in found.draws
        ],
    }


def user_versus_document(found: UserVersus, graph: RelationalGraph) -> dict[str, Any]:
    """The same of a user's own model."""
    name = naming(graph, 1)
    return {
        "test": found.chosen.test,
        "per_layer": found.per_layer,
        "rounds_later": found.later,
        "layers": [_layer(layer, name) for layer in found.chosen.layers],
        "bound_holds": found.bound_holds,
        "matches": found.chosen.matches,
        "matching_tests": list(found.matching),
        "bounding_tests": list(found.bounding),
        "against": [
            {
                "test": against.test,
                "relation": against.relation,
                "bound_holds": against.bound_holds,
                "matches": against.matches,
                "layers": [_layer(layer, name) for layer in against.layers],
            }
            for against in found.against
        ],
        "random": found.diagnosis.is_random,
        "identity_leak": found.diagnosis.leaks_identity,
        "order_dependent": found.diagnosis.depends_on_order,
        "aggregation": found.diagnosis.aggregation,
        "warnings": warnings(found, graph),
    }


def _layer(layer: LayerVerdict, name: Naming) -> dict[str, Any]:
    named = {
        key: None if (pair := getattr(layer, key)) is None else [name(item) for item in pair]
        for key in ("merged", "split", "unclear")
    }
    return {**asdict(layer), **named}


# -- text -----------------------------------------------------------------------------------------


def print_versus(title: str, found: Versus, graph: RelationalGraph) -> None:
    """The layers, whether the bound holds, and what is lost."""
    out = console()
    bound = found.bound
    out.print(Text(f"{printable(title)}, against {bound.test}", style="bold"), soft_wrap=True)
    _print_layers(found.layers)
    name = naming(graph, found.refinement.arity)
    if bound.later:
        out.print(_LATER)
    if bound.test == "mean-rwl":
        out.print("means see shares of colours only: 1-rwl may see more than mean-rwl")
    _print_conclusion(found.layers, bound.test, found.bound_holds, found.matches, name)
    count = counted(len(found.draws), "choice", "choices")
    shown = "" if len(found.draws) == 1 else "; for each layer the one that tells most is shown"
    out.print(Text(f"{count} of weights{shown}", style="dim"))


def print_user_versus(title: str, found: UserVersus, graph: RelationalGraph) -> None:
    """All tests in one table, the layers of the chosen one, and what is unusual."""
    out = console()
    out.print(Text(printable(title), style="bold"), soft_wrap=True)
    table = _table("test", "the model is", "layers equal", "bound", left=2)
    for against in found.against:
        _add_test(table, against)
    out.print(table)
    out.print()
    out.print(f"against {found.chosen.test}:")
    _print_layers(found.chosen.layers)
    name = naming(graph, 1)
    chosen = found.chosen
    if found.later:
        out.print(
            "no test bounds layer t by round t, as if messages told degrees of neighbours: layers"
            " are held against round t + 1"
        )
    if not found.per_layer:
        how = "the first round that bounds them" if found.later is None else "that of --layers"
        out.print(f"the model gives its last features only, held against {how}")
    _print_conclusion(chosen.layers, chosen.test, found.bound_holds, chosen.matches, name)
    if len(found.matching) > 1:
        out.print(f"on this graph the model matches {' and '.join(found.matching)}")
    _print_stronger(found, name)
    for text in warnings(found, graph):
        out.print(Text(f"warning: {printable(text)}", style="yellow"))


def _print_stronger(found: UserVersus, name: Naming) -> None:
    """Two vertices that 1-rwl tells apart and the model does not."""
    for against in found.against:
        if against.test != "1-rwl" or against is found.chosen:
            continue
        lossy, shown = _first_lossy(against.layers), _first_lossy(found.chosen.layers)
        if lossy is not None and lossy.merged is not None:
            if shown is not None and shown.merged == lossy.merged:
                continue
            _print_pair(f"1-rwl sees more: it separates at round {lossy.round}", lossy.merged, name)


def _first_lossy(layers: Iterable[LayerVerdict]) -> LayerVerdict | None:
    """The first layer that gives equal features to what the test separates."""
    return next((layer for layer in layers if layer.merged is not None), None)


def _add_test(table: Table, against: Against) -> None:
    equal = sum(layer.relation == "equal" for layer in against.layers)
    holds = {True: "holds", False: "violated", None: "undecided"}[against.bound_holds]
    word = Text(against.relation, style=_STYLE.get(against.relation, "bold red"))
    table.add_row(against.test, word, f"{equal} of {len(against.layers)}", holds)


def _table(*titles: str, left: int) -> Table:
    table = Table(box=None, pad_edge=False)
    for place, title in enumerate(titles):
        table.add_column(title, justify="left" if place < left else "right", no_wrap=True)
    return table


def _print_layers(layers: Iterable[LayerVerdict]) -> None:
    table = _table(
        *("layer", "round", "test classes", "model classes", "relation", "spread", "gap"), left=0
    )
    table.columns[4].justify = "left"
    for layer in layers:
        gap = "" if layer.min_gap is None else f"{layer.min_gap:.1e}"
        word = Text(layer.relation, style=_STYLE.get(layer.relation, "bold red"))
        counts = (f"{layer.wl_classes:,}", f"{layer.model_classes:,}")
        table.add_row(
            f"{layer.layer}", f"{layer.round}", *counts, word, f"{layer.max_spread:.1e}", gap
        )
    console().print(table)


def _print_conclusion(
    layers: Iterable[LayerVerdict],
    test: str,
    bound_holds: bool | None,
    matches: bool | None,
    name: Naming,
) -> None:
    out = console()
    for layer in layers:
        if layer.bound_holds is False and layer.split is not None:
            _print_pair(f"layer {layer.layer} separates, and {test} does not:", layer.split, name)
            break
    if bound_holds is False:
        out.print(Text(f"the bound is violated: the model sees more than {test}", "bold red"))
    elif bound_holds is None:
        out.print("undecided: some features are too close to rounding to tell")
    else:
        out.print(f"the bound holds: no layer sees more than {test}")
    lossy = _first_lossy(layers)
    unclear = next((layer for layer in layers if layer.unclear is not None), None)
    if matches:
        out.print(f"nothing is lost: every layer sees all that {test} sees")
    elif lossy is not None and lossy.merged is not None:
        _print_pair(
            f"something is lost: layer {lossy.layer} gives equal features to", lossy.merged, name
        )
        out.print(f"  which {test} separates")
    elif unclear is not None and unclear.unclear is not None:
        text = f"undecided what is lost: layer {unclear.layer} is too close to rounding for"
        _print_pair(text, unclear.unclear, name)


def _print_pair(text: str, pair: Pair, name: Naming) -> None:
    out = console()
    out.print(text)
    for item in pair:
        out.print(f"  {shortened(name(item), _NAME)}")


def warnings(found: UserVersus, graph: RelationalGraph) -> list[str]:
    """What is unusual about a user's model, in words."""
    seen, texts = found.diagnosis, []
    if seen.is_random:
        texts.append(
            f"two runs on the same input differ by up to {seen.repeated:.1e}: something random is"
            " left on, such as dropout. Call .eval(), or give the model in that mode"
        )
    if seen.leaks_identity:
        vertex = graph.vertex_names[seen.most_changed]
        texts.append(
            f"renumbering the vertices changes features by up to {seen.renumbered:.1e}, most for"
            f" {vertex}: the model uses the identity of vertices, so no test bounds it"
        )
    if seen.depends_on_order:
        texts.append(
            f"another order of edges changes features by up to {seen.reordered:.1e}: the model"
            " looks at that order"
        )
    if seen.aggregation is not None:
        kind = {"mean": "mean (or by attention)", "max": "maximum"}[seen.aggregation]
        texts.append(
            f"one neighbour and two like ones look the same: the model aggregates by {kind}, and"
            " cannot reach 1-rwl. Take sums"
        )
    if "64" not in str(seen.dtype):
        name = str(seen.dtype).removeprefix("torch.")
        texts.append(
            f"features are {name}: rounding of {seen.noise:.1e} hides small differences. Compute"
            " in float64"
        )
    return texts
