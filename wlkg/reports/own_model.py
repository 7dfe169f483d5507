"""What is said about a user's own model: its depth, its round, and what explains its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wlkg.text import counted

if TYPE_CHECKING:
    from wlkg.gnn.own_models.own_verdict import OwnVersus

#: Changes that travel further than the features do are no matter of degrees from here on.
_ENCODINGS = 2
#: Parts of a model that are named.
_MOST = 3


def depth_document(result: OwnVersus) -> dict[str, Any]:
    """The depth of a model, where it comes from, and what was measured."""
    reach = result.reach
    return {
        "depth": result.depth,
        "depth_from": result.depth_from,
        "rounds_later": result.later,
        "bounded_at": result.bounded_at,
        "inputs": result.inputs,
        "whole_graph": None if reach is None else reach.whole_graph,
        "reach": None
        if reach is None
        else [
            {
                "features": layer.features if layer.features < reach.no_limit else None,
                "arcs": layer.arcs if layer.arcs < reach.no_limit else None,
            }
            for layer in reach.layers
        ],
    }


def held_against(result: OwnVersus) -> list[str]:
    """By which round a model is judged, and why."""
    if result.per_layer:
        return [_NEXT_ROUND] if result.later else []
    texts = [f"the model returns its last features only: {_why_round(result)}"]
    if result.later and result.depth:
        texts.append(_why_later(result.later))
    if result.bounded_at is not None:
        texts.append(
            f"round {result.bounded_at} would bound it: if the model has that many layers, say"
            f" --layers {result.bounded_at}"
        )
    return texts


_NEXT_ROUND = (
    "no test bounds layer t by round t, perhaps because messages show the neighbours' degrees:"
    " layers are compared with round t + 1"
)


def _why_round(result: OwnVersus) -> str:
    at_round = result.chosen.layers[-1].round
    if result.depth_from == "given":
        return f"compared with round {at_round}, as --layers {result.depth} says"
    if result.depth is None:
        reason = (
            "eigenvectors depend on the whole graph"
            if result.diagnosis.uses_eigenvectors
            else "a change travels along paths without limit"
        )
        return f"{reason}, so they are compared with the stable colouring, round {at_round}"
    if result.depth == 0:
        return f"no change travels to a neighbour, so they are compared with round {at_round}"
    hops = counted(result.depth, "hop", "hops")
    return f"a change travels {hops} along a path, so they are compared with round {at_round}"


def _why_later(later: int) -> str:
    if later < _ENCODINGS:
        return (
            "a change of edges travels one hop further than message passing carries it, as where"
            " messages are divided by degrees"
        )
    return (
        f"a change of edges travels {later} hops further than message passing carries it, as with"
        " positional encodings"
    )


def listed(parts: tuple[str, ...]) -> str:
    """Parts of a model in words, not all of them if there are many."""
    more = f" and {len(parts) - _MOST} more" if len(parts) > _MOST else ""
    return ", ".join(parts[:_MOST]) + more


# -- what is unusual ------------------------------------------------------------------------------


def whole_graph(result: OwnVersus) -> list[str]:
    """Why features depend on all vertices, and what that does to the bound."""
    if result.reach is None or not result.reach.whole_graph:
        return []
    if result.traits.norms:
        reason = f"{listed(result.traits.norms)} normalises over all vertices"
    elif result.diagnosis.pools:
        reason = "it pools or attends over all vertices"
    else:
        reason = "a virtual node, a readout, or a normalisation over all vertices"
    text = f"features depend on the whole graph: {reason}"
    if result.bound_holds is False:
        return [text]
    effect = "A bound on one graph stays, because all its vertices share that;"
    return [f"{text}. {effect} but a vertex gets other features in another graph or batch"]


def encodings(result: OwnVersus) -> list[str]:
    """What positional encodings do to the bound."""
    diagnosis, reach = result.diagnosis, result.reach
    if diagnosis.uses_eigenvectors and not diagnosis.leaks_identity:
        return [_EIGENVECTORS]
    if diagnosis.walks:
        return [_WALKS]
    if reach is not None and reach.last.arcs > max(reach.last.features, 0):
        return [_STRUCTURE]
    return []


_EIGENVECTORS = (
    "eigenvectors as positional encodings depend on the whole graph and may separate what no vertex"
    " test separates: the bound may be violated on other graphs, if not on this one"
)
_WALKS = (
    "random walks as positional encodings count cycles, which no vertex test does: the bound may be"
    " violated on other graphs, if not on this one"
)
_STRUCTURE = (
    "edges are seen from further away than features: the model computes structural features of its"
    " own, such as positional encodings, which no vertex test need bound"
)


def wrong_lists(result: OwnVersus) -> list[str]:
    """Where the depth that was measured contradicts the layers that were returned or given."""
    if result.reach is None:
        return []
    depths = [layer.depth for layer in result.reach.layers]
    if result.per_layer and depths[0] == 0 and len(depths) > 1:
        return [_INPUT]
    if result.depth_from == "given" and result.depth is not None and depths[-1] > result.depth:
        travels = "without limit" if not result.reach.last.limited else f"{depths[-1]} hops"
        return [f"a change travels {travels} along a path, further than --layers {result.depth}"]
    return []


_INPUT = (
    "layer 1 of the list shows nothing of the neighbours: it seems to be the input. Leave it out,"
    " so that layer t is compared with round t"
)


def eval_document(result: OwnVersus) -> dict[str, Any] | None:
    """The verdict with dropout off, if it was on."""
    still = result.in_eval_mode
    if still is None:
        return None
    return {
        "bound_holds": still.bound_holds,
        "matches": still.matches,
        "matching_tests": list(still.matching),
        "bounding_tests": list(still.bounding),
        "depth": still.depth,
    }


def in_eval_mode(result: OwnVersus) -> list[str]:
    """What the verdict is with dropout off, in words."""
    still = result.in_eval_mode
    if still is None:
        return []
    if not still.sees_graph_only:
        return ["with .eval() its features still depend on more than the graph"]
    bounded = f"bounded by {', '.join(still.bounding)}" if still.bounding else "bounded by no test"
    matched = f", and sees all that {' and '.join(still.matching)} sees" if still.matching else ""
    return [f"with .eval() the model is {bounded}{matched}"]


def why_random(result: OwnVersus) -> str:
    """What is random about a model, as far as it is known."""
    if result.traits.dropout:
        return f"dropout is left on: {listed(result.traits.dropout)}"
    if result.diagnosis.drops:
        return "dropout is left on"
    return "something random is left on, such as dropout"


def closing(result: OwnVersus) -> str:
    """Why no test bounds a model that depends on more than the graph, in one sentence."""
    diagnosis = result.diagnosis
    if diagnosis.is_random:
        reason = why_random(result)
        remedy = "" if result.in_eval_mode else "Call .eval() before you compare"
    elif diagnosis.uses_eigenvectors:
        reason, remedy = "eigenvectors have an arbitrary sign and basis", ""
    elif diagnosis.leaks_identity and result.traits.embeddings:
        reason, remedy = "vertices have learned embeddings", "Take the input x in their place"
    elif diagnosis.leaks_identity:
        reason, remedy = "the model knows vertices by their numbers", ""
    else:
        reason, remedy = "the model depends on the order of edges", ""
    said = f"{reason}: this is why the bound is violated, whatever the layers do"
    return f"{said}. {remedy}" if remedy else said
