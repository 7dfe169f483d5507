"""Refinement from sorted triples to the stable colours, against dejavu, on plain and large graphs.

Run it as ``python -m benchmarks.against_dejavu [--data DIR] [--only NAME ...] [--skip-peer]``. Both
sides start from a list of edges in their own memory: wlkg builds its arcs and refines, proof
included; dejavu builds its graph and refines. dejavu knows neither relations nor directions. A
graph that has them is given to it with two more vertices per group of triples: one labelled i for
all triples that leave h under relation i, and one labelled r + i for all that enter t. The stable
colours of the old vertices are then those of 1-rwl in mode ``both``, which the number of classes
confirms.
"""

from __future__ import annotations

import argparse
import ctypes
import math
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import wlkg
from wlkg.graph.relational_graph import RelationalGraph

REPEAT = 3


def plain(head: Any, tail: Any, n: int) -> RelationalGraph:
    """A graph with one undirected relation, without loops and repeated edges."""
    low, high = np.minimum(head, tail), np.maximum(head, tail)
    kept = low < high
    return RelationalGraph.from_arrays(
        low[kept],
        np.zeros(int(kept.sum()), dtype=np.int32),
        high[kept],
        num_vertices=n,
        relation_names=["edge"],
        direction="undirected",
    )


def random_graph(n: int, m: int) -> RelationalGraph:
    """Random edges."""
    draw = np.random.default_rng(1).integers
    return plain(draw(0, n, m), draw(0, n, m), n)


def random_tree(n: int) -> RelationalGraph:
    """Each vertex hangs from a random earlier one."""
    v = np.arange(1, n)
    return plain((np.random.default_rng(2).random(n - 1) * v).astype(np.int64), v, n)


def binary_tree(n: int) -> RelationalGraph:
    """A complete binary tree, numbered as a heap."""
    v = np.arange(1, n)
    return plain((v - 1) // 2, v, n)


def path(n: int) -> RelationalGraph:
    """A path, which takes n/2 rounds."""
    v = np.arange(n - 1)
    return plain(v, v + 1, n)


def grid(n: int, *, shuffled: bool = False) -> RelationalGraph:
    """A square grid, numbered row by row or at random."""
    side = math.isqrt(n)
    ids = np.random.default_rng(3).permutation(n) if shuffled else np.arange(n)
    v = ids.reshape(side, side)
    head = np.concatenate([v[:, :-1].reshape(-1), v[:-1].reshape(-1)])
    tail = np.concatenate([v[:, 1:].reshape(-1), v[1:].reshape(-1)])
    return plain(head, tail, n)


def random_triples(n: int, m: int, relations: int) -> RelationalGraph:
    """Random triples, with as many vertices, triples and relations as the data set AM."""
    draw = np.random.default_rng(0).integers
    relation = np.concatenate([np.arange(relations), draw(0, relations, m - relations)])
    return RelationalGraph.from_arrays(draw(0, n, m), relation, draw(0, n, m), num_vertices=n)


def museums(data: Path) -> RelationalGraph:
    """All museums side by side."""
    return wlkg.disjoint_union(*(wlkg.read(file) for file in sorted((data / "aac").glob("*.nt*"))))


#: Name, how to build the graph, and the least ratio that is aimed at. M is a million vertices.
MADE: tuple[tuple[str, Callable[[], RelationalGraph], float | None], ...] = (
    (
        "AM-like random, 6 M triples, 133 relations",
        lambda: random_triples(1_700_000, 6_000_000, 133),
        20,
    ),
    ("G(n, m), 1 M / 4 M", lambda: random_graph(1_000_000, 4_000_000), 1.3),
    ("random tree, 1 M", lambda: random_tree(1_000_000), 1),
    ("complete binary tree, 1 M", lambda: binary_tree(1_000_000), 0.5),
    ("grid 1000 x 1000", lambda: grid(1_000_000), 0.8),
    ("grid 1000 x 1000, shuffled ids", lambda: grid(1_000_000, shuffled=True), 0.8),
    ("path, 1 M", lambda: path(1_000_000), 0.8),
    ("path, 4 M", lambda: path(4_000_000), 0.8),
)
READ: tuple[tuple[str, Callable[[Path], RelationalGraph], float | None], ...] = (
    ("museum union", museums, 4),
    ("aac_npg", lambda data: wlkg.read(data / "aac" / "aac_npg.nt.xz"), 5),
    ("AIFB", lambda data: wlkg.read(data / "aifb" / "aifb_stripped.nt.gz"), 3),
)


def our_seconds(graph: RelationalGraph) -> float:
    """Seconds for arcs, refining and the proof."""
    fresh = RelationalGraph.from_arrays(
        graph.head,
        graph.relation,
        graph.tail,
        num_vertices=graph.num_vertices,
        relation_names=graph.relation_names,
        direction=graph.direction,
    )
    started = time.perf_counter()
    wlkg.refine(fresh)
    return time.perf_counter() - started


def with_ports(graph: RelationalGraph) -> tuple[Any, Any, Any]:
    """Edges (two columns) and vertex labels of the graph that stands for this one in dejavu."""
    n, r = graph.num_vertices, len(graph.relation_names)
    head, relation, tail = (c.astype(np.int64) for c in (graph.head, graph.relation, graph.tail))
    if graph.direction == "undirected" and r == 1:
        return head, tail, np.zeros(n, dtype=np.int64)
    leaving, exits = np.unique(head * r + relation, return_inverse=True)
    entering, entries = np.unique(tail * r + relation, return_inverse=True)
    first_entry = n + len(leaving)
    one = np.concatenate([leaving // r, n + exits, entering // r])
    two = np.concatenate(
        [n + np.arange(len(leaving)), first_entry + entries, first_entry + np.arange(len(entering))]
    )
    labels = np.concatenate([np.zeros(n, dtype=np.int64), 1 + leaving % r, 1 + r + entering % r])
    return one, two, labels


class Dejavu:
    """The C++ library behind dejavu_gi, without its lists of Python objects."""

    def __init__(self, graph: RelationalGraph) -> None:
        from dejavu_gi import dejavuc

        self._library = dejavuc
        self._count = graph.num_vertices
        one, two, labels = with_ports(graph)
        self._handle = dejavuc.graph_create(len(labels))
        dejavuc.graph_set_directed_dimacs(self._handle, ctypes.c_bool(False))
        for v, w in zip(one.tolist(), two.tolist(), strict=True):
            dejavuc.graph_add_edge(self._handle, v, w)
        for v, label in enumerate(labels.tolist()):
            dejavuc.graph_label(self._handle, v, label)

    def seconds(self) -> float:
        """Seconds for building its graph and refining."""
        started = time.perf_counter()
        self._result = self._library.random_paths(self._handle, 0, 1, ctypes.c_bool(False))
        return time.perf_counter() - started

    def classes(self) -> int:
        """The number of classes of the graph's own vertices."""
        colour = self._library.path_get_vertex_color
        return len({colour(self._result, 0, v) for v in range(self._count)})

    def close(self) -> None:
        self._library.clean()


def compare(name: str, graph: RelationalGraph, goal: float | None, *, peer: bool) -> None:
    """Measure one graph on both sides, alternating, and print a line."""
    dejavu = Dejavu(graph) if peer else None
    ours, theirs = [], []
    for _ in range(REPEAT):
        ours.append(our_seconds(graph))
        if dejavu is not None:
            theirs.append(dejavu.seconds())
    line = f"{name:<44}{min(ours):>9.3f}"
    if dejavu is not None:
        aim = "" if goal is None else f"at least {goal:g}"
        line += f"{min(theirs):>9.3f}{min(theirs) / min(ours):>8.2f}   {aim}"
        classes = dejavu.classes()
        if classes != wlkg.refine(graph).classes:
            line += f"   dejavu finds {classes:,} classes, wlkg {wlkg.refine(graph).classes:,}"
        dejavu.close()
    print(line, flush=True)


def against_dejavu(
    data: Path | None, only: list[str] | None = None, *, skip_peer: bool = False
) -> None:
    """Print seconds of both and the ratio beside its goal, for every graph."""
    try:
        import dejavu_gi  # noqa: F401
    except ImportError:
        print("dejavu skipped: pip install dejavu-gi")
        skip_peer = True
    print(f"\n{'seconds, arcs included':<44}{'wlkg':>9}{'dejavu':>9}{'ratio':>8}   goal")
    graphs = [] if data is None else [(name, lambda b=b: b(data), goal) for name, b, goal in READ]
    for name, build, goal in [*graphs, *MADE]:
        if not only or any(part in name for part in only):
            compare(name, build(), goal, peer=not skip_peer)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WLKG_DATA"), help="folder with real data sets"
    )
    parser.add_argument("--only", nargs="*", help="graphs whose names contain one of these")
    parser.add_argument("--skip-peer", action="store_true", help="measure wlkg alone")
    options = parser.parse_args()
    wlkg.refine(path(10_000))  # compile
    data = None if options.data is None else Path(options.data)
    against_dejavu(data, options.only, skip_peer=options.skip_peer)


if __name__ == "__main__":
    main()
