"""A graph as a saved model sees it: relations, direction mode and features in the model's terms.

Relations are matched by name. A graph may lack some of the model's relations or have them in
another order. Relations that are new to the model are refused or left out; in mode ``both`` their
inverses go with them. Whatever uses the model then sees the graph without them: degrees, means and
WL tests do not count arcs that are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from wlkg.catalogue import Direction
from wlkg.errors import InputError, unknown_name
from wlkg.gnn.checkpoints.saved_model import SavedModel
from wlkg.gnn.config import UNKNOWN_RELATIONS
from wlkg.gnn.features import LABELS, Features, make_features, one_hot
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import counted, first_few

_SAME_INPUT = "Give the --features and --labels it was made with"


@dataclass(frozen=True)
class LeftOut:
    """Relations that are new to a model, and the number of their triples."""

    relations: tuple[str, ...] = ()
    triples: int = 0

    def __str__(self) -> str:
        count = counted(len(self.relations), "relation is", "relations are")
        triples = counted(self.triples, "triple", "triples")
        return f"{count} new to the model, with {triples}: {first_few(self.relations)}"


NOTHING_LEFT_OUT = LeftOut()


@dataclass(frozen=True, eq=False)
class Fitted:
    """A graph and its features as a model sees them."""

    graph: RelationalGraph
    features: Features
    left_out: LeftOut


def fit(
    saved: SavedModel,
    graph: RelationalGraph,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    max_memory: int | None = None,
) -> Fitted:
    """The graph in the model's terms, or an error that says what does not fit.

    ``direction`` and ``features`` are the user's, if they gave any; otherwise the model's.
    """
    if unknown_relations not in UNKNOWN_RELATIONS:
        raise unknown_name("choice for unknown relations", unknown_relations, UNKNOWN_RELATIONS)
    known, left_out = _with_known_relations(
        saved, _in_direction(saved, graph, direction), unknown_relations
    )
    return Fitted(known, _features(saved, known, features, max_memory), left_out)


def _in_direction(
    saved: SavedModel, graph: RelationalGraph, direction: Direction | None
) -> RelationalGraph:
    """The graph in the model's direction mode, unless the user chose one or it is undirected."""
    theirs = saved.about.direction
    if direction is None and graph.direction == "both":
        direction = theirs
    graph = graph.with_direction(direction)
    # Without relations it makes no difference which end of an edge is its head.
    symmetric = () if saved.config.sees_relations else ("both", "undirected")
    directions = {graph.direction, theirs}
    if len(directions) > 1 and not directions <= set(symmetric):
        raise InputError(
            f"the model is for direction {theirs}, the graph is read with {graph.direction}",
            path=saved.path,
            remedy=f"Give --direction {theirs}",
        )
    return graph


def _with_known_relations(
    saved: SavedModel, graph: RelationalGraph, unknown_relations: str
) -> tuple[RelationalGraph, LeftOut]:
    """The graph with the model's relations, and what it has besides them."""
    if not saved.config.sees_relations:
        return graph, NOTHING_LEFT_OUT
    names = saved.about.relations
    if graph.direction == "both":
        names = names[: len(names) // 2]  # the inverses follow
    known = graph.with_relations(names)
    new = tuple(name for name in graph.relation_names if name not in set(names))
    left_out = LeftOut(new, graph.num_triples - known.num_triples)
    if new and unknown_relations == "error":
        raise InputError(
            f"{left_out}",
            path=saved.path,
            remedy="Leave them out with --unknown-relations skip, or make a model for this graph",
        )
    return known, left_out


def _features(
    saved: SavedModel, graph: RelationalGraph, features: str | None, max_memory: int | None
) -> Features:
    """The features of the graph, with the columns of the model."""
    kind = features or saved.features
    if kind == LABELS == saved.about.features and graph.labels is None:
        raise InputError(
            "the model was made with labels of vertices, and the graph has none",
            path=saved.path,
            remedy="Give the --labels it was made with",
        )
    given = make_features(graph, kind, saved.config.in_width, max_memory=max_memory)
    if given.kind != saved.about.features:
        raise InputError(
            f"the model was made for features of the kind {saved.about.features}, not {given.kind}",
            path=saved.path,
            remedy=_SAME_INPUT,
        )
    if given.kind == LABELS:
        given = _with_known_labels(saved, given, max_memory)
    # The features of a k-RN are atomic types.
    if given.width != saved.config.in_width and saved.config.model != "k-rn":
        raise InputError(
            f"the model takes features of width {saved.config.in_width}, found {given.width}",
            path=saved.path,
            remedy=_SAME_INPUT,
        )
    return given


def _with_known_labels(saved: SavedModel, given: Features, max_memory: int | None) -> Features:
    """One-hot labels with a column for each label of the model, whether or not it occurs."""
    columns = {label: column for column, label in enumerate(saved.about.labels)}
    unknown = [label for label in given.labels if label not in columns]
    if unknown:
        count = counted(len(unknown), "label is", "labels are")
        raise InputError(
            f"{count} new to the model: {first_few(unknown)}. It knows"
            f" {first_few(saved.about.labels)}",
            path=saved.path,
            remedy="Give the --labels it was made with, or make a model for this graph",
        )
    places = [columns[name] for name in given.names]
    return replace(given, rows=one_hot(places, len(columns), max_memory=max_memory))
