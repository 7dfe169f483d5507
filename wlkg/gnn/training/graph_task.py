"""The task of learning classes of whole graphs.

Only graphs with a class take part. They are put side by side with relations and labels matched by
name, so the model has weights for every relation of any of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from wlkg.devices import find_device
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.checkpoints.about import About
from wlkg.gnn.config import GRAPH_DEFAULTS, READOUTS, ModelChoice, require_classifier
from wlkg.gnn.dtypes import find_dtype
from wlkg.gnn.features import CONSTANT, GLOROT, LABELS, TABLE, make_features
from wlkg.gnn.switches import applying
from wlkg.gnn.training.graph_scorer import make_graph_scorer
from wlkg.gnn.training.scorer import TaskInput
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import Task, fingerprint_of
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.readers.collection import GraphCollection
from wlkg.text import first_few

#: What has classes in such a task.
GRAPHS = "graphs"


def make_graph_task(
    collection: GraphCollection,
    sets: TargetSets,
    choice: ModelChoice,
    readout: str = READOUTS[0],
    *,
    features: str | None = None,
    freeze: bool = False,
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    max_memory: int | None = None,
) -> Task:
    """The task of learning the classes of graphs; features are labels where graphs have some."""
    require_classifier(choice.model)
    if readout not in READOUTS:
        raise unknown_name("readout", readout, READOUTS)
    number = find_dtype(dtype)
    chosen_device = find_device(device, number)
    _check(collection, sets)
    graphs = [collection.graphs[place] for place in sets.items.tolist()]
    union = disjoint_union(*graphs)
    kind = _kind(features, union)
    given = make_features(union, kind, choice.width, max_memory=max_memory)
    bent = applying(choice.model, last_activation=True)
    config = replace(choice, **bent).completed(
        in_width=given.width,
        out_width=len(sets.classes),
        relations=union.arcs().num_relations,
        inverses=union.direction == "both",
        layers=GRAPH_DEFAULTS.layers,
        random_start=given.kind == GLOROT,
    )
    config = replace(config, readout=readout)
    blocks = [graph.num_vertices for graph in graphs]
    task_input = TaskInput(
        graph=union,
        features=given,
        vertices=np.arange(len(graphs)),
        num_classes=len(sets.classes),
        config=config,
        initial=None,
        freeze=freeze,
        device=chosen_device,
        dtype=number,
        compress=compress,
        max_memory=max_memory,
    )
    scorer = make_graph_scorer(task_input, blocks)
    return Task(
        config=config,
        sets=sets,
        labels=sets.labels.to(chosen_device),
        scorer=scorer,
        device=chosen_device,
        dtype=number,
        fingerprint=_fingerprint(task_input, sets, blocks),
        about=About.of(union, given, scorer.types, sees_relations=config.sees_relations),
        items=GRAPHS,
    )


def _check(collection: GraphCollection, sets: TargetSets) -> None:
    """Refuse what cannot be learned from."""
    if len(collection.graphs) < 2:
        raise UsageError(
            f"there is {'only one graph' if collection.graphs else 'no graph'} to learn from."
            " Give a folder of graphs or a file with several, or leave out --graphs"
        )
    missing = [name for part in sets.parts for name in part.missing]
    if missing:
        nearest = collection.nearest(missing[0])
        hint = f". Nearest to {missing[0]!r}: {first_few(nearest)}" if nearest else ""
        raise UsageError(
            f"{len(missing):,} targets are not graphs of the corpus: {first_few(missing)}{hint}"
        )
    sets.check(lambda place: collection.names[place], noun=GRAPHS)
    modes = sorted({graph.direction for graph in collection.graphs})
    if len(modes) > 1:
        raise UsageError(
            f"the graphs have different direction modes: {' and '.join(modes)}."
            " Choose one with --direction"
        )


def _kind(features: str | None, union: RelationalGraph) -> str:
    if features is None:
        return CONSTANT if union.labels is None else LABELS
    if features not in (CONSTANT, GLOROT, LABELS):
        raise UsageError(
            f"features of whole graphs are {CONSTANT}, {GLOROT} or {LABELS}, found {features!r}: a"
            f" {TABLE} of vertices does not say which graph it means"
        )
    return features


def _fingerprint(task_input: TaskInput, sets: TargetSets, blocks: Sequence[int]) -> str:
    whole = fingerprint_of(task_input, sets, sets.labels)
    return hashlib.sha256(f"{whole} {list(blocks)}".encode()).hexdigest()
