"""How much memory a model takes in a comparison, where every vertex has a row."""

from __future__ import annotations

import numpy as np

from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.model_memory import check_run_fits
from wlkg.gnn.models.plan import seen_arcs
from wlkg.graph.arcs import Arcs


def check_model_fits(setting: Setting, config: ModelConfig) -> None:
    """Refuse a model whose weights, features and messages do not fit into memory."""
    vertices, widths = setting.graph.num_vertices, config.widths
    # A k-RN has a copy of each vertex and each arc for all values of the other k - 1 positions.
    copies = vertices ** (config.k - 1) if config.model == "k-rn" else 1
    features = copies * vertices * sum(widths)
    composed = find_composition(config.composition).out_width
    messages = copies * len(setting.arcs) * max(map(composed, widths[:-1]))
    if config.model in ("gnn", "rgcn", "rgcn-mlp"):
        # The features of neighbours are first summed for each vertex and relation.
        messages = _num_groups(seen_arcs(setting.arcs, config)) * max(widths)
    check_run_fits(
        config,
        vertices,
        features=features,
        messages=messages,
        max_memory=setting.max_memory,
    )


def _num_groups(arcs: Arcs) -> int:
    """The number of pairs of a vertex and a relation among the arcs, which are sorted."""
    keys = arcs.source * max(arcs.num_relations, 1) + arcs.relation
    return int(np.count_nonzero(np.diff(keys))) + bool(len(keys))
