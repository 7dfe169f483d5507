"""What is particular about the witness of a C-MPNN: its items are pairs, and so is its start.

The start of the pair (u, v) tells whether u = v, and the labels of both. Without labels it is a
unit vector for either case: z_q = e_1 - e_2, and all pairs get s = e_2. With L labels it is

    [label of u, label of v, [u = v]]      L, L and 1 entries

so it is a sum of parts, as the model makes it, and not a unit vector for each class. Numbers for
the classes can be read from it all the same; a gate, which compositions with an MLP need, cannot.
"""

from __future__ import annotations

import numpy as np
import torch

from wlkg.arrays import FloatArray, IntArray
from wlkg.errors import UsageError
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.conditional_model import ConditionalModel
from wlkg.gnn.theorems.encodings import OneHot, Parts
from wlkg.gnn.theorems.witness_numbers import CHOOSING, Seen
from wlkg.graph.arcs import Arcs
from wlkg.partition import Partition


def pairs_see_whom(arcs: Arcs, count: int) -> Seen:
    """The neighbours (u, w) of each pair (u, v), w in N_i(v), for that many sources u.

    Vertex v and the k-th source make up item k n + v.
    """
    first = np.repeat(np.arange(count), len(arcs)) * arcs.num_vertices
    return Seen(
        owner=first + np.tile(arcs.source, count),
        other=first + np.tile(arcs.neighbour.astype(np.int64), count),
        relation=np.tile(arcs.relation, count),
        position=np.zeros(len(first), dtype=np.int64),
    )


def start_width(config: ModelConfig) -> int:
    """How many entries the start has; even where a rotation needs it."""
    width = 2 * config.in_width + 1 if config.vertex_features else 2
    return width + width % 2


def start_encoding(setting: Setting, config: ModelConfig, classes: Partition) -> OneHot | Parts:
    """The start of each class of round 0."""
    items = np.unique(classes.colours, return_index=True)[1]
    rows = _start_rows(setting, config, items)
    return Parts(rows, config.in_width) if config.vertex_features else OneHot(rows)


def check_start(config: ModelConfig) -> None:
    """Refuse compositions that cannot tell the classes of a start with labels apart."""
    if config.vertex_features and config.composition in CHOOSING:
        raise UsageError(
            f"there is no construction for c-mpnn with {config.composition} and labels. Use"
            " --features constant, or mult, scale, corr or rotate"
        )


def set_start(model: ConditionalModel) -> None:
    """Write the start into a model of zeros."""
    assert model.common is not None
    if model.of_source is None or model.of_vertex is None:
        model.queries.weight[:, :2].copy_(torch.tensor([1.0, -1.0]))
        model.common[0, 1] = 1
        return
    labels = len(model.of_source)
    model.of_source[:, :labels].copy_(torch.eye(labels))
    model.of_vertex[:, labels : 2 * labels].copy_(torch.eye(labels))
    model.queries.weight[:, 2 * labels] = 1


def _start_rows(setting: Setting, config: ModelConfig, items: IntArray) -> FloatArray:
    n = setting.graph.num_vertices
    source, vertex = setting.source_ids[items // n], items % n
    rows = np.zeros((len(items), start_width(config)))
    is_source = (source == vertex).astype(np.float64)
    if not config.vertex_features:
        rows[:, 0], rows[:, 1] = is_source, 1 - is_source
        return rows
    labels = config.in_width
    rows[:, :labels] = setting.features.of(source).numpy()
    rows[:, labels : 2 * labels] = setting.features.of(vertex).numpy()
    rows[:, 2 * labels] = is_source
    return rows
