"""How much memory a model takes in a comparison, where every vertex has a row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import PNA, ModelConfig
from wlkg.gnn.models.message_statistics import NUM_STATISTICS
from wlkg.gnn.models.model_memory import PER_MESSAGE, check_run_fits
from wlkg.gnn.models.plan import seen_arcs
from wlkg.gnn.models.rgcn import BLOCKED
from wlkg.graph.arcs import Arcs

#: The layers that a run of a model of vertices counts for, however many it has.
_LAYERS = 4
#: Runs in different arrangements at the same time, each with sparse matrices of its own.
_RUNS = 2


def check_model_fits(
    setting: Setting, config: ModelConfig, blocks: Sequence[int] | None = None
) -> None:
    """Refuse a model whose weights, features and messages do not fit into memory.

    ``blocks`` are the numbers of vertices of the graphs whose union the setting has; a k-RN
    computes them one after the other.
    """
    vertices, arcs, widths = setting.graph.num_vertices, len(setting.arcs), config.widths
    if config.conditional:
        _check_pairs_fit(setting, config)
        return
    copies = 1
    if config.model == "k-rn":
        if blocks is not None:
            vertices, arcs = max(blocks), _most_arcs(setting.arcs, blocks)
        # It has a copy of each vertex and each arc for all values of the other k - 1 positions.
        copies = vertices ** (config.k - 1)
    kept = sum(widths)
    if blocks is None and config.model != "k-rn":
        # Only the layer at hand and the one before, with the copies made while it is judged.
        kept = min(kept, _LAYERS * max(widths))
    features = copies * vertices * kept
    composed = find_composition(config.composition).out_width
    messages = copies * arcs * max(map(composed, widths[:-1]))
    if config.model in ("gnn", "rgcn", "rgcn-mlp"):
        # The features of neighbours are first summed for each vertex and relation.
        sums = _num_groups(seen_arcs(setting.arcs, config)) * max(widths)
        messages = min(sums, BLOCKED)
    check_run_fits(
        config,
        vertices,
        features=features,
        messages=messages,
        more=0 if config.model == "k-rn" else _RUNS * PER_MESSAGE * arcs,
        max_memory=setting.max_memory,
    )


def _check_pairs_fit(setting: Setting, config: ModelConfig) -> None:
    """Refuse a model of pairs whose rows do not fit into memory."""
    sources, widest = len(setting.source_ids), max(config.widths)
    rows = sources * setting.graph.num_vertices
    wide = find_composition(config.composition).out_width(widest)
    # Sums of messages are as many as rows; statistics need the messages themselves.
    messages = 2 * rows * wide
    if config.aggregation == PNA:
        messages = sources * len(setting.arcs) * wide + 2 * NUM_STATISTICS * rows * wide
    check_run_fits(
        config,
        setting.graph.num_vertices,
        features=_LAYERS * rows * widest,
        messages=messages,
        max_memory=setting.max_memory,
        remedy=f"compare fewer than {sources:,} sources (--sources), use a smaller --dim or a"
        " smaller graph",
    )


def _most_arcs(arcs: Arcs, blocks: Sequence[int]) -> int:
    """The largest number of arcs of a block."""
    ends = np.concatenate([[0], np.cumsum(blocks)])
    return int(np.diff(arcs.offsets[ends]).max())


def _num_groups(arcs: Arcs) -> int:
    """The number of pairs of a vertex and a relation among the arcs, which are sorted."""
    keys = arcs.source * max(arcs.num_relations, 1) + arcs.relation
    return int(np.count_nonzero(np.diff(keys))) + bool(len(keys))
