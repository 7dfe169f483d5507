"""The speed of the tuple tests, against sorting the same number of integers and against a peer.

Run it as ``python -m benchmarks.tuples [--data DIR] [--quick]``. All timings are from one run, with
kernels compiled beforehand; targets are printed beside ratios.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import wlkg
from benchmarks.reading import best, report
from benchmarks.refinement import resident
from wlkg.analysis.compare import compare
from wlkg.catalogue import TupleTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.readers.graph6 import decode_line
from wlkg.refinement.tuples.tuple_problem import tuple_problem
from wlkg.refinement.tuples.tuple_tests import attempt


def sorting_seconds(count: int) -> float:
    """Seconds for NumPy's sort of random 64-bit numbers, the best of three."""
    numbers = np.random.default_rng(0).integers(0, 2**64, count, dtype=np.uint64)
    return best(lambda: np.sort(numbers), 3)


def seconds(task: Callable[[], object]) -> float:
    """Seconds for a single run of a task."""
    started = time.perf_counter()
    task()
    return time.perf_counter() - started


def random_graph(n: int, edges: int) -> RelationalGraph:
    """Random undirected edges without loops."""
    draw = np.random.default_rng(n)
    keys = draw.choice(n * (n - 1) // 2, edges, replace=False)
    head, tail = (ends[keys] for ends in np.triu_indices(n, 1))
    return RelationalGraph.from_arrays(
        head,
        np.zeros(edges, dtype=np.int64),
        tail,
        num_vertices=n,
        relation_names=["edge"],
        direction="undirected",
    )


def aifb(data: Path) -> None:
    """All pairs of vertices of a knowledge graph."""
    graph = wlkg.read(data / "aifb" / "aifb_stripped.nt.gz")
    base = sorting_seconds(graph.num_vertices**2)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # reset the peak
    started = time.perf_counter()
    refinement = wlkg.refine(graph, "2-rlwl")
    ours = time.perf_counter() - started
    print(f"AIFB: {refinement!r}, {refinement.proof}")
    report("AIFB, 2-rlwl on 68.6 million pairs: seconds", f"{ours:.1f}", "")
    report("AIFB, 2-rlwl / numpy.sort of 68.6 million", f"{ours / base:.1f}", "at most 6")
    report("AIFB, 2-rlwl: peak memory, GB", f"{resident('VmHWM') / 1e9:.2f}", "at most 3.4")


def triples_of_vertices() -> None:
    """All triples of vertices of a random graph."""
    graph = random_graph(300, 1500)
    base = sorting_seconds(300**3)
    ours = min(seconds(lambda: wlkg.refine(graph, "3-rlwl")) for _ in range(2))
    report("300 vertices, 3-rlwl / numpy.sort of 27 million", f"{ours / base:.1f}", "at most 12")


def check_of_folklore() -> None:
    """2-fwl on a long cycle, where every class has many pairs, with and without its check."""
    test = find_test("2-fwl")
    assert isinstance(test, TupleTest)
    vertices = np.arange(500)
    cycle = RelationalGraph.from_arrays(
        vertices,
        np.zeros_like(vertices),
        np.roll(vertices, -1),
        num_vertices=len(vertices),
        relation_names=["edge"],
        direction="undirected",
    )
    problem = tuple_problem(cycle, test, [len(vertices)])
    checked, unchecked = (
        best(lambda c=check: attempt(problem, None, 0, check=c), 2)  # type: ignore[misc]
        for check in (True, False)
    )
    report("cycle of 500 vertices, 2-fwl: seconds", f"{checked:.1f}", "")
    report("cycle of 500 vertices, 2-fwl / the same unchecked", f"{checked / unchecked:.1f}", "")


def ladder() -> None:
    """The whole ladder on G_3 and H_3."""
    one, two = (wlkg.read(f"example:cfi-{which},k=3") for which in "gh")
    compare(one, two)
    report("G_3 / H_3, the whole ladder: seconds", f"{best(lambda: compare(one, two), 3):.2f}", "3")


def brec(data: Path) -> None:
    """The pairs of the BREC benchmark."""
    pairs: list[tuple[RelationalGraph, ...]] = []
    for group in ("basic", "regular", "extension"):
        rows = np.load(data / "brec" / f"{group}.npy", allow_pickle=False).reshape(-1, 2)
        pairs.extend(tuple(_decoded(text) for text in row) for row in rows.tolist())
    for test in ("2-fwl", "2-rlwl"):
        started = time.perf_counter()
        separated = sum(compare(one, two, [test]).separated for one, two in pairs)
        took = time.perf_counter() - started
        what = f"BREC, {test}: seconds for {len(pairs)} pairs, {separated} separated"
        report(what, f"{took:.1f}", "30 for both tests")


def _decoded(text: str | bytes) -> RelationalGraph:
    return decode_line(text.encode() if isinstance(text, str) else text)


def against_peer() -> None:
    """The folklore tests, against graphkind-wl, which is plain Python."""
    try:
        from graphkind_wl import adj_from_edges, kfwl_colors
    except ImportError:
        print("graphkind-wl skipped: pip install graphkind-wl")
        return
    for n, edges, k in ((40, 120, 2), (14, 30, 3)):
        graph = random_graph(n, edges)
        pairs = list(zip(graph.head.tolist(), graph.tail.tolist(), strict=True))
        adjacency = adj_from_edges(n, pairs)
        ours = wlkg.refine(graph, f"{k}-fwl")
        classes = len(set(kfwl_colors(n, adjacency, k).values()))
        if classes != ours.classes:
            print(f"graphkind-wl finds {classes} classes, wlkg {ours.classes}")
        peer = best(lambda a=adjacency, n=n, k=k: kfwl_colors(n, a, k), 2)  # type: ignore[misc]
        own = best(lambda g=graph, k=k: wlkg.refine(g, f"{k}-fwl"), 5)  # type: ignore[misc]
        report(f"{k}-fwl on {n} vertices: graphkind-wl / wlkg", f"{peer / own:.0f}", "")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WLKG_DATA"), help="folder with real data sets"
    )
    parser.add_argument("--quick", action="store_true", help="skip AIFB")
    options = parser.parse_args()
    small = random_graph(300, 1500)
    for test in ("2-rlwl", "2-fwl"):  # compile
        wlkg.refine(disjoint_union(small, small), test, blocks=(300, 300))
    wlkg.refine(random_graph(2000, 9000), "2-rlwl")
    against_peer()
    ladder()
    triples_of_vertices()
    check_of_folklore()
    if options.data is None:
        print("real graphs skipped: neither --data nor WLKG_DATA is given")
        return
    brec(Path(options.data))
    if not options.quick:
        aifb(Path(options.data))


if __name__ == "__main__":
    main()
