"""The speed of colour refinement: against peers in the same run, and as graphs grow.

Run it as ``python -m benchmarks.refinement [--data DIR] [--largest 4000000]``. Timings are the
best of several repetitions, with kernels compiled beforehand; targets are printed beside ratios.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import wlkg
from benchmarks.against_dejavu import against_dejavu
from benchmarks.reading import best, report
from wlkg.catalogue import TESTS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.vertices.vertex_problem import vertex_problem
from wlkg.refinement.vertices.worklist import Worklist


def undirected(head: Any, tail: Any, n: int) -> RelationalGraph:
    """A graph with one undirected relation."""
    zeros = np.zeros(len(head), dtype=np.int32)
    return RelationalGraph.from_arrays(
        head, zeros, tail, num_vertices=n, relation_names=["edge"], direction="undirected"
    )


def path(n: int) -> RelationalGraph:
    """A path, which takes n/2 rounds."""
    v = np.arange(n - 1)
    return undirected(v, v + 1, n)


def binary_tree(n: int) -> RelationalGraph:
    """A complete binary tree, numbered as a heap."""
    v = np.arange(1, n)
    return undirected((v - 1) // 2, v, n)


def random_graph(n: int) -> RelationalGraph:
    """Three random edges per vertex."""
    draw = np.random.default_rng(n).integers
    return undirected(draw(0, n, 3 * n), draw(0, n, 3 * n), n)


def grid(n: int) -> RelationalGraph:
    """A square grid."""
    side = math.isqrt(n)
    v = np.arange(side * side).reshape(side, side)
    head = np.concatenate([v[:, :-1].reshape(-1), v[:-1].reshape(-1)])
    tail = np.concatenate([v[:, 1:].reshape(-1), v[1:].reshape(-1)])
    return undirected(head, tail, side * side)


FAMILIES: dict[str, Callable[[int], RelationalGraph]] = {
    "path": path,
    "binary tree": binary_tree,
    "random": random_graph,
    "grid": grid,
}


def growth(largest: int) -> None:
    """Seconds for sizes up to the largest, and the exponent of growth from 10^5 on."""
    sizes = [n for n in (10_000, 100_000, 1_000_000, 4_000_000) if n <= largest]
    print(f"\n{'growth, seconds':<16}" + "".join(f"{n:>12,}" for n in sizes) + "    exponent")
    for name, build in FAMILIES.items():
        seconds = []
        for n in sizes:
            graph = build(n)
            graph.arcs()
            seconds.append(best(lambda graph=graph: wlkg.refine(graph), 3))  # type: ignore[misc]
        exponent = ""
        if len(sizes) > 2:
            exponent = f"{math.log(seconds[-1] / seconds[1]) / math.log(sizes[-1] / sizes[1]):.2f}"
        print(
            f"{name:<16}" + "".join(f"{s:>12.3f}" for s in seconds) + f"{exponent:>12}", flush=True
        )


def against_peers(data: Path) -> None:
    """AIFB, against networkx, PyG and dejavu."""
    import networkx as nx

    graph = wlkg.read(data / "aifb" / "aifb_stripped.nt.gz")
    # networkx refuses multigraphs here, so parallel relations are lost.
    network: nx.Graph[str] = nx.Graph()
    network.add_edges_from((h, t, {"relation": r}) for h, r, t in graph.named_triples())
    wlkg.refine(graph)
    stable = best(lambda: wlkg.refine(graph), 50)
    ours = best(lambda: wlkg.refine(graph, "1-wl", rounds=5), 50)
    hashes = nx.weisfeiler_lehman_subgraph_hashes
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        related = best(lambda: hashes(network, edge_attr="relation", iterations=5), 3)
        plain = best(lambda: hashes(network, iterations=5), 3)
    report("AIFB to stable, 1-rwl, milliseconds", f"{1000 * stable:.1f}", "under 20")
    report(
        "AIFB: networkx 5 rounds with relations / 1-rwl to stable",
        f"{related / stable:.0f}",
        "at least 50",
    )
    report(
        "AIFB: networkx 5 rounds without relations / 1-rwl to stable", f"{plain / stable:.0f}", ""
    )
    report(
        "AIFB: networkx 5 rounds without relations / 5 rounds of 1-wl", f"{plain / ours:.0f}", ""
    )
    pyg = pyg_seconds(graph)
    if pyg is not None:
        report("AIFB, 5 rounds of 1-wl: PyG WLConv / wlkg", f"{pyg / ours:.0f}", "")
    dejavu = dejavu_seconds(graph)
    if dejavu is None:
        print("dejavu skipped: pip install dejavu-gi")
    else:
        report("AIFB, 1-wl to stable: dejavu through Python / wlkg", f"{dejavu / ours:.0f}", "")


def pyg_seconds(graph: RelationalGraph) -> float | None:
    """Seconds for five rounds of WLConv, or None without PyG."""
    try:
        import torch
        from torch_geometric.nn import WLConv
    except ImportError:
        return None
    edges = graph.to_pyg("undirected").edge_index
    edges = torch.unique(edges, dim=1)
    edges = edges[:, edges[1].argsort()]

    def rounds() -> None:
        colours = torch.zeros(graph.num_vertices, dtype=torch.long)
        layer = WLConv()
        for _ in range(5):
            colours = layer(colours, edges)

    return best(rounds, 3)


def dejavu_seconds(graph: RelationalGraph) -> float | None:
    """Seconds for colour refinement in C++ (dejavu), loading included, or None without it."""
    try:
        from dejavu_gi import color_refinement
    except ImportError:
        return None
    pairs = {
        (min(h, t), max(h, t))
        for h, t in zip(graph.head.tolist(), graph.tail.tolist(), strict=True)
    }
    edges = [[h, t] for h, t in pairs if h != t]
    theirs = len(set(color_refinement(graph.num_vertices, edges)))
    ours = wlkg.refine(graph, "1-wl").classes
    if theirs != ours:
        print(f"dejavu finds {theirs} classes, wlkg {ours}")
    return best(lambda: color_refinement(graph.num_vertices, edges), 3)


def museum(data: Path) -> None:
    """A museum's graph: refining against reading."""
    source = data / "aac" / "aac_npg.nt.xz"
    started = time.perf_counter()
    graph = wlkg.read(source)
    reading = time.perf_counter() - started
    seconds = best(lambda: wlkg.refine(graph), 3)
    refinement = wlkg.refine(graph)
    report("museum, 1.31 million triples: seconds to stable", f"{seconds:.2f}", f"{refinement!r}")
    report("museum: refining / reading (.xz)", f"{seconds / reading:.2f}", "at most 0.5")


def pull_round() -> None:
    """One pull round over 12 million arcs against NumPy's gather."""
    n, m = 1_700_000, 6_000_000
    draw = np.random.default_rng(0).integers
    relations = np.concatenate([np.arange(66), draw(0, 66, m - 66)])
    graph = RelationalGraph.from_arrays(
        draw(0, n, m), relations, draw(0, n, m), num_vertices=n, labels=draw(0, 100_000, n)
    )
    problem = vertex_problem(graph, TESTS["1-rwl"])
    values = np.arange(n, dtype=np.int64)
    neighbour = problem.arcs.neighbour
    gather = best(lambda: np.sum(values[neighbour]), 5)
    rounds = []
    for _ in range(5):
        worklist = Worklist(problem, seed=0)
        started = time.perf_counter()
        worklist.pull_signatures()
        rounds.append(time.perf_counter() - started)
    report(
        "12 million arcs, 132 relations: pull / gather", f"{min(rounds) / gather:.2f}", "at most 3"
    )
    report(
        "the same: peak memory, share of 40 B/arc + 100 B/vertex",
        f"{peak_share(graph):.2f}",
        "at most 1",
    )


def peak_share(graph: RelationalGraph) -> float:
    """The peak memory of refining, arcs included, as a share of the target (Linux only)."""
    arcs = graph.arcs()
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # reset the peak
    before = resident("VmRSS")
    wlkg.refine(graph)
    used = resident("VmHWM") - before + arcs.neighbour.nbytes + arcs.relation.nbytes
    return used / (40 * len(arcs) + 100 * graph.num_vertices)


def resident(key: str) -> int:
    """A memory figure of this process, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return 1024 * int(re.findall(rf"{key}:\s+(\d+)", status)[0])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WLKG_DATA"), help="folder with real data sets"
    )
    parser.add_argument("--largest", type=int, default=4_000_000)
    options = parser.parse_args()
    wlkg.refine(path(10_000))  # compile
    if options.data is None:
        print("real graphs skipped: neither --data nor WLKG_DATA is given")
    else:
        against_peers(Path(options.data))
        museum(Path(options.data))
    against_dejavu(None if options.data is None else Path(options.data))
    pull_round()
    growth(options.largest)


if __name__ == "__main__":
    main()
