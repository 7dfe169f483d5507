"""The speed of symmetry and isomorphism: against the libraries alone, and on real graphs.

Run it as ``python -m benchmarks.symmetry [--data DIR]``. A ratio compares with the raw library on
the same graphs in the same run: relations reified as coloured vertices, nothing reduced, nothing
checked. Targets are printed beside the figures.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import wlkg
from benchmarks.reading import best, report
from wlkg.analysis.isomorphism import find_isomorphism
from wlkg.examples import find_family
from wlkg.graph.relational_graph import RelationalGraph

Pair = tuple[RelationalGraph, RelationalGraph]
Plain = tuple[int, list[list[int]], list[int]]

KNOWLEDGE_GRAPHS = {
    "WN18RR_v1_ind": ("kg/grail/WN18RR_v1_ind/train.txt", ""),
    "AIFB": ("aifb/aifb_stripped.nt.gz", "5"),
    "WN18RR": ("kg/WN18RR/train.txt", ""),
    "FB15k-237": ("kg/FB15k-237/train.txt", ""),
    "aac_GM": ("aac/aac_GM.nt.xz", ""),
    "aac_npg": ("aac/aac_npg.nt.xz", ""),
}


def reified(graph: RelationalGraph) -> Plain:
    """Vertices, edges and colours of a graph with two vertices in the middle of every triple."""
    size, count = graph.num_vertices, graph.num_triples
    first = size + np.arange(count)
    second = first + count
    edges = np.concatenate(
        [
            np.stack(ends, axis=1)
            for ends in ((graph.head, first), (first, second), (second, graph.tail))
        ]
    )
    both = np.repeat([0, 0 if graph.direction == "undirected" else graph.num_relations], count)
    relations = 1 + np.tile(graph.relation, 2) + both
    colours = np.concatenate([np.zeros(size, dtype=np.int64), relations])
    return size + 2 * count, np.sort(edges, axis=1).tolist(), colours.tolist()


def raw_bliss(pair: Pair) -> bool:
    """Whether igraph finds two graphs isomorphic."""
    from igraph import Graph

    one, two = map(reified, pair)
    answer: bool = Graph(one[0], one[1]).isomorphic_bliss(
        Graph(two[0], two[1]), color1=one[2], color2=two[2]
    )
    return answer


def raw_dejavu_symmetries(graph: RelationalGraph) -> None:
    """Ask dejavu for the symmetries of a graph."""
    from dejavu_gi import get_automorphisms

    size, edges, colours = reified(graph)
    with silent():
        get_automorphisms(size, edges, vertex_labels=colours)


def raw_bliss_symmetries(graph: RelationalGraph) -> None:
    """Ask igraph for the symmetries of a graph."""
    from igraph import Graph

    size, edges, colours = reified(graph)
    Graph(size, edges).automorphism_group(color=colours)


@contextlib.contextmanager
def silent() -> Iterator[None]:
    """Keep away what a library prints."""
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def counterexamples() -> None:
    """CFI graphs: decided, and how long that takes."""
    for k in (3, 4, 5):
        family = find_family("cfi")
        one, two = family.build(family.values({"k": str(k)}))
        pair = (one, two)
        ours = best(lambda pair=pair: find_isomorphism(*pair), 3)  # type: ignore[misc]
        theirs = best(lambda pair=pair: raw_bliss(pair), 3)  # type: ignore[misc]
        verdict = find_isomorphism(*pair).isomorphic
        report(f"CFI k = {k}, isomorphic: {verdict}, seconds", f"{ours:.3f}", "well under 1")
        report(f"CFI k = {k}: wlkg / raw BLISS", f"{ours / theirs:.1f}", "")


def expressivity_pairs(data: Path) -> None:
    """All pairs of BREC and the strongly regular graphs at hand."""
    for folder in ("brec", "sr"):
        corpus = wlkg.read_corpus(data / folder)
        pairs = [(g.graphs[i], g.graphs[j]) for g in corpus.groups for i, j in g.pairs()]
        started = time.perf_counter()
        answers = [find_isomorphism(*pair).isomorphic for pair in pairs]
        ours = time.perf_counter() - started
        started = time.perf_counter()
        expected = [raw_bliss(pair) for pair in pairs]
        theirs = time.perf_counter() - started
        assert answers == expected
        what = f"{folder}: {len(pairs)} pairs, {sum(expected)} isomorphic, seconds"
        report(what, f"{ours:.2f}", "10" if folder == "brec" else "")
        report(f"{folder}: wlkg / raw BLISS", f"{ours / theirs:.1f}", "")


def knowledge_graphs(data: Path) -> None:
    """Symmetries of knowledge graphs, and whether a shuffled copy is recognised."""
    for name, (place, target) in KNOWLEDGE_GRAPHS.items():
        graph = wlkg.read(data / place)
        ours = best(lambda graph=graph: wlkg.symmetry(graph), 2)  # type: ignore[misc]
        found = wlkg.symmetry(graph)
        classes = f"{found.tests[0].classes:,} classes, {found.orbits.num_classes:,} orbits"
        report(f"{name}: {classes}, seconds", f"{ours:.2f}", target)
        # The Python module of dejavu asks for every image of every generator, one by one.
        peers = [("BLISS", raw_bliss_symmetries, 30_000), ("dejavu", raw_dejavu_symmetries, 2_000)]
        for peer, ask, most_triples in peers:
            if graph.num_triples <= most_triples:
                theirs = best(lambda graph=graph, ask=ask: ask(graph), 1)  # type: ignore[misc]
                report(f"{name}, symmetries: raw {peer} / wlkg", f"{theirs / ours:.0f}", "")
        order = np.random.default_rng(0).permutation(graph.num_vertices)
        started = time.perf_counter()
        verdict = find_isomorphism(graph, graph.permuted(order), seconds=600)
        seconds = time.perf_counter() - started
        report(f"{name}, shuffled copy: {verdict.isomorphic}, seconds", f"{seconds:.2f}", "")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WLKG_DATA"), help="folder with real data sets"
    )
    options = parser.parse_args()
    for k in (3, 6):  # imports the library, and starts the worker
        one, two = find_family("cfi").build({"k": k})
        find_isomorphism(one, two)
    counterexamples()
    if options.data is None:
        print("real graphs skipped: neither --data nor WLKG_DATA is given")
        return
    expressivity_pairs(Path(options.data))
    knowledge_graphs(Path(options.data))


if __name__ == "__main__":
    main()
