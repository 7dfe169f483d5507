"""A model against a test as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.names import in_sentence
from wlkg.reports.own_model import (
    closing,
    held_against,
    in_eval_mode,
)
from wlkg.reports.own_pairs import print_own_pairs
from wlkg.reports.own_warnings import warnings
from wlkg.reports.styles import STYLES, heading, remark, verdict
from wlkg.reports.terminal import console, new_table, note, printable
from wlkg.reports.versus_document import Naming, shown_naming, sources_of
from wlkg.text import counted

if TYPE_CHECKING:
    from wlkg.gnn.against_wl.judging import Versus
    from wlkg.gnn.against_wl.verdicts import LayerVerdict, Pair, Verdicts
    from wlkg.gnn.own_models.own_verdict import Against, OwnVersus

_LATER = (
    "messages divided by degrees show the neighbours' degrees: layer t is bounded by round t + 1"
)
_NO_TEST = "no test bounds the model: its features depend on more than the graph"


def print_versus(title: str, result: Versus | OwnVersus, graph: RelationalGraph) -> None:
    """The layers, whether the bound holds, and what is lost."""
    from wlkg.gnn.api import OwnPairsVersus, OwnVersus

    if isinstance(result, OwnVersus):
        _print_own(title, result, graph)
        return
    out = console()
    bound = result.bound
    out.print(heading(f"{printable(title)}, against {bound.test}"), soft_wrap=True)
    if result.left_out.relations:
        note(f"left out: {result.left_out}")
    per_layer = not isinstance(result, OwnPairsVersus) or result.per_layer
    _print_layers(result.layers, per_layer=per_layer)
    sources = sources_of(result)
    if sources is not None:
        number = counted(len(sources), "source", "sources")
        out.print(f"pairs of {number} with all {graph.num_vertices:,} vertices")
    name = shown_naming(graph, result.refinement.arity, sources)
    exact = [str(layer.layer) for layer in result.layers if layer.exact]
    if exact:
        which = "layer" if len(exact) == 1 else "layers"
        out.print(f"too close for floating point, decided exactly: {which} {', '.join(exact)}")
    if bound.later:
        out.print(_LATER)
    if bound.test == "mean-rwl":
        out.print("means see shares of colours only: 1-rwl may see more than mean-rwl")
    if isinstance(result, OwnPairsVersus) and not result.sees_graph_only:
        out.print(Text(_NO_TEST, STYLES["violated"]))
    else:
        _print_conclusion(result, bound.test, result.bound_holds, name, per_layer=per_layer)
    if isinstance(result, OwnPairsVersus):
        print_own_pairs(result)
    count = counted(len(result.draws), "choice", "choices")
    shown = "" if len(result.draws) == 1 else "; each layer shows the choice that tells the most"
    out.print(remark(f"{count} of weights{shown}"))


def _print_own(title: str, result: OwnVersus, graph: RelationalGraph) -> None:
    """All tests in one table, the layers of the chosen test, and what is unusual."""
    out = console()
    out.print(heading(printable(title)), soft_wrap=True)
    if not result.sees_graph_only:
        out.print(Text(_NO_TEST, STYLES["violated"]))
        for text in warnings(result, graph):
            out.print(Text(f"- {printable(text)}"))
        for text in (closing(result), *in_eval_mode(result)):
            out.print(Text(printable(text), "bold"))
        return
    table = _table("test", "the model is", "layers equal", "bound", left=2)
    for against in result.against:
        _add_test(table, against)
    out.print(table)
    out.print()
    chosen = result.chosen
    out.print(f"against {chosen.test}:")
    _print_layers(chosen.layers, per_layer=result.per_layer)
    name = shown_naming(graph, 1)
    for text in held_against(result):
        out.print(Text(printable(text)))
    _print_conclusion(chosen, chosen.test, result.bound_holds, name, per_layer=result.per_layer)
    if len(result.matching) > 1:
        out.print(f"on this graph the model matches {' and '.join(result.matching)}")
    _print_stronger(result, name)
    for text in warnings(result, graph):
        out.print(Text(f"warning: {printable(text)}", style="yellow"))


def _print_stronger(result: OwnVersus, name: Naming) -> None:
    """Two vertices that 1-rwl separates and the model does not."""
    for against in result.against:
        if against.test != "1-rwl" or against is result.chosen:
            continue
        lossy, shown = _first_lossy(against.layers), _first_lossy(result.chosen.layers)
        if lossy is not None and lossy.merged is not None:
            if shown is not None and shown.merged == lossy.merged:
                continue
            _print_pair(f"1-rwl sees more: it separates at round {lossy.round}", lossy.merged, name)


def _first_lossy(layers: Sequence[LayerVerdict]) -> LayerVerdict | None:
    """The first layer that gives equal features to two items that the test separates."""
    return next((layer for layer in layers if layer.merged is not None), None)


def _add_test(table: Table, against: Against) -> None:
    equal = sum(layer.relation == "equal" for layer in against.layers)
    holds = {True: "holds", False: "violated", None: "undecided"}[against.bound_holds]
    word = verdict(against.relation)
    table.add_row(against.test, word, f"{equal} of {len(against.layers)}", verdict(holds))


def _table(*titles: str, left: int) -> Table:
    table = new_table(console())
    for place, title in enumerate(titles):
        # A title of two words may take two lines.
        whole = " " not in title
        table.add_column(title, justify="left" if place < left else "right", no_wrap=whole)
    return table


def _print_layers(layers: Sequence[LayerVerdict], *, per_layer: bool = True) -> None:
    table = _table(
        *("layer", "round", "test classes", "model classes", "relation", "spread", "gap"), left=0
    )
    table.columns[4].justify = "left"
    for layer in layers:
        gap = "" if layer.min_gap is None else f"{layer.min_gap:.1e}"
        word = verdict(layer.relation)
        counts = (f"{layer.wl_classes:,}", f"{layer.model_classes:,}")
        table.add_row(
            _numbered(layer, per_layer),
            f"{layer.round}",
            *counts,
            word,
            f"{layer.max_spread:.1e}",
            gap,
        )
    console().print(table)


def _numbered(layer: LayerVerdict, per_layer: bool) -> str:
    """Which layer it is; last features may be those of any layer."""
    return f"{layer.layer}" if per_layer else "last"


def _subject(layer: LayerVerdict, per_layer: bool) -> str:
    return f"layer {layer.layer}" if per_layer else "the last layer"


def _print_conclusion(
    verdicts: Verdicts,
    test: str,
    bound_holds: bool | None,
    name: Naming,
    *,
    per_layer: bool = True,
) -> None:
    """Whether the bound holds, and what is lost, with a pair of vertices or tuples for each."""
    _print_bound(verdicts.layers, test, bound_holds, name, per_layer)
    _print_loss(verdicts, test, name, per_layer)


def _print_bound(
    layers: Sequence[LayerVerdict],
    test: str,
    bound_holds: bool | None,
    name: Naming,
    per_layer: bool,
) -> None:
    out = console()
    for layer in layers:
        if layer.bound_holds is False and layer.split is not None:
            which = _subject(layer, per_layer)
            _print_pair(f"{which} separates, and {test} does not:", layer.split, name)
            break
    if bound_holds is False:
        text = f"the bound is violated: the model sees more than {test}"
        out.print(Text(text, STYLES["violated"]))
    elif bound_holds is None:
        out.print("undecided: some features are too close to rounding")
    else:
        who = "no layer sees" if per_layer else "the model sees no"
        out.print(f"the bound holds: {who} more than {test}")


def _print_loss(verdicts: Verdicts, test: str, name: Naming, per_layer: bool) -> None:
    out = console()
    lossy = _first_lossy(verdicts.layers)
    unclear = next((layer for layer in verdicts.layers if layer.unclear is not None), None)
    if verdicts.matches:
        who = "every layer" if per_layer else "the last layer"
        at_round = "" if per_layer else f" at round {verdicts.layers[-1].round}"
        out.print(f"nothing is lost: {who} sees all that {test} sees{at_round}")
    elif lossy is not None and lossy.merged is not None:
        _print_pair(
            f"something is lost: {_subject(lossy, per_layer)} gives equal features to",
            lossy.merged,
            name,
        )
        out.print(f"  which {test} separates")
    elif unclear is not None and unclear.unclear is not None:
        which = _subject(unclear, per_layer)
        text = f"what is lost is undecided: {which} is too close to rounding for"
        _print_pair(text, unclear.unclear, name)


def _print_pair(text: str, pair: Pair, name: Naming) -> None:
    out = console()
    out.print(text)
    for item in pair:
        out.print(f"  {in_sentence(name(item), out)}", soft_wrap=True)
