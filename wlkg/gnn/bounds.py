"""Which WL test bounds a model: the paper's theorems, and their variants for other switches.

==========================================  =================  ====================================
layer                                       bounded by         why
==========================================  =================  ====================================
plain GNN, by sums or means                 1-wl               relations are not seen, and each
                                                               neighbour counts once
R-GCN, R-GCN + MLP, CompGCN, by sums        1-rwl              Theorem 1
CompGCN with add, sub, concat; one matrix   weak-rwl           Theorem 4: of relations, only their
                                                               numbers of arcs are seen
CompGCN with a matrix for each direction    1-rwl              the two directions are summed apart,
                                                               so weak-rwl is not a bound
R-GCN, R-GCN + MLP, CompGCN, by means       mean-rwl           a mean shows only shares of colours
divided by both degrees (norm)              1-rwl, one round   a message shows the degree of the
                                            later              neighbour
k-RN, k >= 1, any aggregation and update    K-rlwl             Proposition 6, for all AGG and UPD
C-MPNN, any composition and aggregation     rawl2              for one query, pairs (u, v) start
                                                               with [u = v]; Huang et al. 2023
C-MPNN with a global readout                rawl2-all          a pair also sees all pairs of u
==========================================  =================  ====================================
"""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.catalogue import Direction
from wlkg.gnn.compositions import find_composition
from wlkg.gnn.config import MODELS, ModelConfig


@dataclass(frozen=True)
class Bound:
    """Layer t of a model is bounded by round ``t + later`` of a test in a direction mode."""

    test: str
    direction: Direction
    later: int = 0


def bound_of(config: ModelConfig, direction: Direction) -> Bound:
    """The test that bounds a model on a graph read in a direction mode."""
    if config.conditional:
        name = MODELS[config.model].bounded_by
        return Bound(f"{name}-all" if config.global_readout else name, direction)
    if config.model == "k-rn":
        return Bound(MODELS["k-rn"].bounded_by.replace("K", str(config.k)), direction)
    if config.normalised:
        return Bound("1-rwl", direction_of_neighbours(direction), later=1)
    if config.aggregation == "mean" and config.sees_relations:
        return Bound("mean-rwl", direction)
    if config.model == "compgcn" and not (config.direction and config.outward < config.relations):
        return Bound(find_composition(config.composition).bounded_by, direction)
    return Bound(MODELS[config.model].bounded_by, direction)


def direction_of_neighbours(direction: Direction) -> Direction:
    """The mode in which one round shows how many arcs lead to a vertex as well as from it.

    In the modes ``out`` and ``in`` a vertex sees the arcs of one direction only.
    """
    return "both" if direction in ("out", "in") else direction
