"""Benchmark folders for link prediction: train.txt is the graph, test.txt or valid.txt is ranked.

The splits that are neither the graph nor ranked are known to be true. In an inductive set, the
folder of the inference graph (``X_ind``) is read in the same way: its train.txt is the graph.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from wlkg.errors import InputError, UsageError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.folders import SPLITS, check_folder, has_split

#: What may be ranked.
RANKED = ("test", "valid")

#: Reads the given splits of the folder as one graph.
ReadSplits = Callable[[str], RelationalGraph]


@dataclass(frozen=True, eq=False)
class LinkFolder:
    """The graph that models see, the triples that are ranked, and others that are true."""

    graph: RelationalGraph
    ranked: RelationalGraph
    #: None if no split is left.
    known: RelationalGraph | None
    #: Splits that the folder does not have.
    missing: tuple[str, ...]


def read_link_folder(
    folder: str, read: ReadSplits, ranked: str = "test", graph_splits: str = "train"
) -> LinkFolder:
    """The splits of a folder; ``read`` reads some of them, named as in ``train,valid``."""
    if ranked not in RANKED:
        raise unknown_name("split", ranked, RANKED)
    of_graph = [word.strip() for word in graph_splits.split(",")]
    if ranked in of_graph:
        raise UsageError(f"{ranked} cannot be ranked, because it is part of the graph")
    check_folder(folder)
    if not has_split(folder, ranked):
        raise InputError(
            f"there is no {ranked} split in this folder",
            path=folder,
            remedy=f"Links are ranked by the triples of {ranked}.txt; wlkg ceiling also ranks"
            " another split with --split",
        )
    others = [split for split in SPLITS if split not in (*of_graph, ranked)]
    present = [split for split in others if has_split(folder, split)]
    return LinkFolder(
        graph=read(graph_splits),
        ranked=read(ranked),
        known=read(",".join(present)) if present else None,
        missing=tuple(split for split in others if split not in present),
    )
