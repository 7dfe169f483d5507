"""A task of links: a graph to train on, and graphs with triples to validate and to test on.

Models see relations by name, so what was trained on one graph ranks the links of another.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

import numpy as np
import torch

from wlkg.catalogue import Direction
from wlkg.devices import find_device
from wlkg.display import Brief
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.bounds import bound_of
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.checkpoints.fitting import LeftOut
from wlkg.gnn.config import LINK_DEFAULTS, UNKNOWN_RELATIONS, ModelChoice, ModelConfig
from wlkg.gnn.dtypes import find_dtype
from wlkg.gnn.features import CONSTANT, GLOROT, LABELS, Features, make_features
from wlkg.gnn.links.link_scorer import LinkScorer, ScorerInput, Step
from wlkg.gnn.links.make_scorer import make_scorer
from wlkg.gnn.links.questions import Questions
from wlkg.gnn.links.training_graph import Examples
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import Triples, link_queries, named_triples
from wlkg.text import first_few


@dataclass(frozen=True, eq=False)
class LinkSet(Brief):
    """Triples to rank on a graph."""

    graph: RelationalGraph
    ranked: RelationalGraph
    #: True triples besides those of the graph and the ranked ones.
    known: Triples = ()


@dataclass(frozen=True, eq=False)
class Ranked(Brief):
    """Questions about a graph, and how a model scores their candidates."""

    #: The set as it was given.
    given: LinkSet
    #: The graph as the model sees it: with isolated vertices that only the ranked triples name,
    #: without relations that it cannot see, and with labels where features differ.
    graph: RelationalGraph
    questions: Questions
    scorer: LinkScorer
    #: What the graph has and the model does not see.
    left_out: LeftOut


@dataclass(frozen=True, eq=False)
class LinkTask(Brief):
    """Everything that training needs except for a seed."""

    config: ModelConfig
    #: How features of vertices become scores; empty for a conditional model, which has its own.
    decoder: str
    #: What it is trained to predict, in the order of its queries.
    relations: tuple[str, ...]
    examples: Examples
    scorer: LinkScorer
    validation: Ranked | None
    test: Ranked | None
    device: torch.device
    dtype: torch.dtype
    #: A digest of the graph, its features and the validation triples, by which a checkpoint
    #: recognises its task.
    fingerprint: str
    about: About

    @property
    def bounded_by(self) -> str:
        """The test that bounds the model."""
        return bound_of(self.config, self.about.direction).test


def make_link_task(
    graph: RelationalGraph,
    validation: LinkSet | None,
    test: LinkSet | None,
    choice: ModelChoice,
    decoder: str,
    step: Step,
    *,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    max_memory: int | None = None,
) -> LinkTask:
    """The task of predicting links; models see ``graph`` while they are trained."""
    if choice.model not in LINK_DEFAULTS:
        raise unknown_name("model of links", choice.model, LINK_DEFAULTS)
    if unknown_relations not in UNKNOWN_RELATIONS:
        raise unknown_name("choice for unknown relations", unknown_relations, UNKNOWN_RELATIONS)
    number = find_dtype(dtype)
    chosen_device = find_device(device, number)
    graph = graph.with_direction(direction)
    given = make_features(graph, features or CONSTANT, choice.width, max_memory=max_memory)
    config = choice.completed(
        in_width=given.width,
        out_width=choice.width,
        relations=graph.arcs().num_relations,
        inverses=graph.direction == "both",
        random_start=given.kind == GLOROT,
        vertex_features=len(given.rows) > 1,
        layers=LINK_DEFAULTS[choice.model].layers,
    )
    scorer_input = ScorerInput(
        graph=graph,
        features=given,
        config=config,
        decoder=decoder,
        device=chosen_device,
        dtype=number,
        compress=compress,
        step=step,
        max_memory=max_memory,
    )
    return LinkTask(
        config=config,
        decoder=decoder,
        relations=graph.relation_names,
        examples=Examples.of(graph),
        scorer=make_scorer(scorer_input, training=True),
        validation=_ranked(scorer_input, validation, features, unknown_relations),
        test=_ranked(scorer_input, test, features, unknown_relations),
        device=chosen_device,
        dtype=number,
        fingerprint=_fingerprint(graph, given, validation),
        about=About.of(graph, given, sees_relations=config.sees_relations),
    )


def _ranked(
    trained: ScorerInput, given: LinkSet | None, features: str | None, unknown_relations: str
) -> Ranked | None:
    """The questions about a set, and a scorer for its graph."""
    if given is None:
        return None
    graph, known = given.graph.with_direction(trained.graph.direction), given.known
    names = trained.graph.relation_names
    new = tuple(name for name in graph.relation_names if name not in set(names))
    unseen = new if trained.config.sees_relations else ()
    if unseen and unknown_relations == "error":
        raise UsageError(
            f"relations that the model is not trained on: {first_few(unseen)}. Leave out their"
            " triples with --unknown-relations skip"
        )
    everything = [*named_triples(known), *named_triples(graph)] if new else known
    known_relations = graph.with_relations(names if unseen else (*names, *new))
    left_out = LeftOut(unseen, graph.num_triples - known_relations.num_triples)
    queries = link_queries(known_relations, given.ranked, everything)
    seen = _features_like(trained, queries.graph, features)
    graph = queries.graph.with_label_ids(seen.start.colours)
    return Ranked(
        given=replace(given, known=everything),
        graph=graph,
        questions=Questions.of(queries, len(names)),
        scorer=make_scorer(replace(trained, graph=queries.graph, features=seen), training=False),
        left_out=left_out,
    )


def _features_like(trained: ScorerInput, graph: RelationalGraph, features: str | None) -> Features:
    """Features of another graph, with the columns of those that the model is trained with.

    A label that the model does not know has no column: its vertices have zeros.
    """
    ours = make_features(
        graph, features or CONSTANT, trained.features.width, max_memory=trained.max_memory
    )
    if ours.kind == LABELS:
        columns = {label: column for column, label in enumerate(trained.features.labels)}
        rows = np.zeros((len(ours.names), trained.features.width))
        for row, name in enumerate(ours.names):
            if name in columns:
                rows[row, columns[name]] = 1
        return replace(ours, rows=rows)
    if ours.width != trained.features.width:
        raise UsageError(
            f"features of width {ours.width} for a model that is trained with width"
            f" {trained.features.width}"
        )
    return ours


def _fingerprint(graph: RelationalGraph, features: Features, validation: LinkSet | None) -> str:
    """A digest of everything that training depends on."""
    digest = hashlib.sha256(graph.direction.encode())
    graphs = [graph, *([] if validation is None else [validation.ranked])]
    for each in graphs:
        for array in (each.head, each.relation, each.tail):
            digest.update(np.ascontiguousarray(array, dtype=np.int64).tobytes())
        for name in (*each.vertex_names, *each.relation_names):
            digest.update(name.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(features.start.colours.tobytes() + features.rows.tobytes())
    return digest.hexdigest()
