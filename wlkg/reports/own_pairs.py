"""What is particular about an own model of pairs, as data and as text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.text import Text

from wlkg.reports.own_warnings import COARSE
from wlkg.reports.terminal import console

if TYPE_CHECKING:
    from wlkg.gnn.own_models.own_pairs import OwnPairsVersus

#: By whether the colours of both vertices bound the model.
_SEES = {
    True: "no more of a pair than the 1-rwl colours of its two vertices, as an encoder does",
    False: "more of a pair than the 1-rwl colours of its two vertices",
    None: "no more of a pair than the 1-rwl colours of its two vertices, or it is undecided",
}


def own_pairs_document(result: OwnPairsVersus) -> dict[str, Any]:
    """What ``wlkg versus --json`` prints about such a model besides its layers."""
    return {
        "per_layer": result.per_layer,
        "sees_graph_only": result.sees_graph_only,
        "depth": result.depth,
        "bounded_by_encoders": result.bounded_by_encoders,
        "warnings": _warnings(result),
    }


def print_own_pairs(result: OwnPairsVersus) -> None:
    """How it compares with encoders, which round it was held against, and what is unusual."""
    out = console()
    if result.sees_graph_only:
        out.print(f"on this graph the model sees {_SEES[result.bounded_by_encoders]}")
    if not result.per_layer and result.depth is None:
        out.print(
            "the model returns its last features only, so they are compared with the stable"
            " colouring; --layers says how many layers it has"
        )
    for text in _warnings(result):
        out.print(Text(f"warning: {text}", style="yellow"))


def _warnings(result: OwnPairsVersus) -> list[str]:
    if result.noise <= COARSE:
        return []
    what = f"another numbering of the vertices changes features by up to {result.noise:.1e}"
    more = "depends on more than the graph (identities of vertices, randomness)"
    if not result.sees_graph_only:
        return [f"{what}: the model {more}, and no test bounds it"]
    return [f"{what}: either the model computes in single precision, or it {more}"]
