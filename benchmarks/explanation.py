"""The size of formulas against a naive construction, and the time that explanations take.

Run it as ``python -m benchmarks.explanation [--data DIR] [--pairs 500]``. Times are those of warm
calls, without reading. The naive formula describes the class of the neighbours that differ
completely, class by class and round by round; written out as a tree it is compared by size.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import numpy as np

import wlkg
from benchmarks.reading import MUSEUM, best, report
from wlkg.analysis.explanation.asked import vertex_test
from wlkg.analysis.explanation.classwise import Classwise
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import (
    TRUE,
    Formula,
    at_least,
    conjunction,
    exactly,
    negation,
)
from wlkg.analysis.explanation.pair import explain_pair
from wlkg.analysis.explanation.separation import Separator
from wlkg.analysis.explanation.vertex_class import explain_class
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History


class Naive:
    """The textbook construction for 1-rwl: the full description of a class."""

    def __init__(self, vertices: Vertices, history: History) -> None:
        self._classes = Classwise(vertices, history)
        self._history = history
        self._known: dict[tuple[int, int], Formula] = {}

    def formula(self, v: int, w: int) -> Formula:
        """Say how many neighbours of v are in the first class of which w has another number."""
        t = self._history.separated_at(v, w)
        assert t
        ours, theirs = (self._classes.profile(item, t - 1) for item in (v, w))
        for modality in [*ours, *theirs]:
            one, two = ours.get(modality, {}), theirs.get(modality, {})
            for c in [*one, *two]:
                n, m = one.get(c, (0, -1))[0], two.get(c, (0, -1))[0]
                if n != m:
                    psi = self.description((one if c in one else two)[c][1], t - 1)
                    more = at_least(max(n, m), modality.relation, psi)
                    return more if n > m else negation(more)
        raise AssertionError("the vertices are not separated")

    def description(self, vertex: int, t: int) -> Formula:
        """What is true of exactly the vertices that share the class of a vertex at round t."""
        if t == 0:
            return conjunction(self._classes.items.facts(vertex))
        key = (self._classes.class_at(vertex, t), t)
        if key not in self._known:
            parts = [self.description(vertex, t - 1)]
            for modality, profile in self._classes.profile(vertex, t - 1).items():
                total = sum(count for count, _ in profile.values())
                parts.append(exactly(total, modality.relation, TRUE))
                for count, neighbour in profile.values():
                    psi = self.description(neighbour, t - 1)
                    parts.append(exactly(count, modality.relation, psi))
            self._known[key] = conjunction(parts)
        return self._known[key]


def sizes(graph: RelationalGraph, wanted: int) -> None:
    """Random pairs of depth 2 and more: sizes and times, ours and the naive ones."""
    history = wlkg.refine(graph).history
    vertices = Vertices.seen_by(vertex_test("1-rwl"), graph)
    separator, naive = Separator(vertices, history), Naive(vertices, history)
    draw = np.random.default_rng(0)
    ours: list[int] = []
    theirs: list[int] = []
    seconds: list[float] = []
    while len(ours) < wanted:
        v, w = draw.integers(0, graph.num_vertices, 2).tolist()
        if (history.separated_at(v, w) or 0) < 2:
            continue
        started = time.perf_counter()
        formula = separator.formula(v, w)
        seconds.append(time.perf_counter() - started)
        assert formula is not None
        ours.append(formula.size)
        theirs.append(naive.formula(v, w).size)
    report(f"AIFB, {wanted} pairs of depth >= 2: median size", f"{statistics.median(ours):g}", "")
    report("the same, naive construction", f"{statistics.median(theirs):,g}", "")
    ratio = statistics.median(theirs) / statistics.median(ours)
    report("the same: naive / ours", f"{ratio:,.1f}", "at least 5")
    report("the same: median seconds for a formula", f"{statistics.median(seconds):.5f}", "")


def times(name: str, graph: RelationalGraph, target: str, count: int = 10) -> None:
    """The slowest of some calls, and how long their refinement takes."""
    draw = np.random.default_rng(1)
    explain_pair(graph, 0, 1)
    pairs, classes = [], []
    for v, w in draw.integers(0, graph.num_vertices, (count, 2)).tolist():
        started = time.perf_counter()
        explain_pair(graph, v, w)
        pairs.append(time.perf_counter() - started)
        started = time.perf_counter()
        explain_class(graph, v)
        classes.append(time.perf_counter() - started)
    refining = best(lambda: wlkg.refine(graph), 3)
    report(f"{name}: seconds to refine, which all others include", f"{refining:.2f}", "")
    beyond = f"{target} without refining"
    report(f"{name}: seconds for a pair, slowest of {count}", f"{max(pairs):.2f}", beyond)
    report(f"{name}: seconds for a class, slowest of {count}", f"{max(classes):.2f}", "")


def late(length: int) -> None:
    """The pair of a path that is separated last."""
    v = np.arange(length - 1)
    graph = RelationalGraph.from_arrays(
        v, np.zeros_like(v), v + 1, num_vertices=length, direction="undirected"
    )
    history = wlkg.refine(graph).history
    separator = Separator(Vertices.seen_by(vertex_test("1-rwl"), graph), history)
    started = time.perf_counter()
    formula = separator.formula(length // 2 - 1, length // 2 - 2)
    seconds = time.perf_counter() - started
    assert formula is not None
    report(f"path, {length:,} vertices: seconds at depth {formula.depth:,}", f"{seconds:.2f}", "")


def main() -> None:
    """Measure what the data at hand allows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("WLKG_DATA"))
    parser.add_argument("--pairs", type=int, default=500)
    arguments = parser.parse_args()
    if arguments.data is not None:
        data = Path(arguments.data)
        aifb = wlkg.read(data / "aifb" / "aifb_stripped.nt.gz")
        sizes(aifb, arguments.pairs)
        times("AIFB", aifb, "under 1")
        times("museum", wlkg.read(data / MUSEUM), "under 5")
    late(100_000)


if __name__ == "__main__":
    main()
