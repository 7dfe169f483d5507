"""How fast models are held against tests, labels against classes, and corpora against tests.

Run it as ``python -m benchmarks.versus [--data DIR]``. Every run is repeated and the second is
timed, so that compilation does not count; targets stand beside the figures. No other tool does
this, so the peers are what a user would write without it: the bare forward passes of PyG's R-GCN,
and a comparison of one pair of graphs after the other.
"""

from __future__ import annotations

import argparse
import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch

import wlkg
from benchmarks.gnn import edges
from benchmarks.reading import report
from wlkg.analysis.ceiling.ceiling import ceiling
from wlkg.analysis.hierarchy.table import hierarchy
from wlkg.corpora import Group, read_corpus
from wlkg.gnn.api import Versus, versus
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import read_targets

LAYERS, WIDTH, DRAWS = 4, 64, 3
BREC_TESTS = ("1-wl", "2-rlwl", "2-fwl")

T = TypeVar("T")


def timed(run: Callable[[], T]) -> tuple[T, float]:
    """The result of a warm run, and its seconds."""
    run()
    started = time.perf_counter()
    result = run()
    return result, time.perf_counter() - started


def pyg_forward(graph: RelationalGraph) -> None:
    """The two forward passes for each draw that the comparison needs, and nothing else."""
    from torch_geometric.nn import FastRGCNConv

    edge_index, edge_type = edges(graph)
    relations = graph.arcs().num_relations
    x = torch.zeros((graph.num_vertices, WIDTH), dtype=torch.float64)
    x[:, 0] = 1
    with torch.no_grad():
        for seed in range(DRAWS):
            torch.manual_seed(seed)
            layers = [
                FastRGCNConv(WIDTH, WIDTH, relations, aggr="add", bias=False).double()
                for _ in range(LAYERS)
            ]
            for _ in range(2):
                h = x
                for layer in layers:
                    h = layer(h, edge_index, edge_type).relu()


def model_against_test(graph: RelationalGraph) -> None:
    """An R-GCN on a real graph, against 1-rwl."""
    result, seconds = timed(lambda: versus(graph, "rgcn", layers=LAYERS, width=WIDTH, draws=DRAWS))
    assert isinstance(result, Versus)
    assert result.matches
    what = f"AIFB, R-GCN, {LAYERS} layers, d = {WIDTH}, {DRAWS} draws: seconds"
    report(what, f"{seconds:.2f}", "under 10")
    _, bare = timed(lambda: pyg_forward(graph))
    report("forward passes alone, PyG's FastRGCNConv / all of versus", f"{bare / seconds:.1f}", "")


def labels_against_classes(graph: RelationalGraph, folder: Path) -> None:
    """The ceilings of the paper's labels."""
    train = read_targets(graph, str(folder / "trainingSet.tsv"))
    test = read_targets(graph, str(folder / "testSet.tsv"))
    result, seconds = timed(lambda: ceiling(graph, train, test))
    best = [split.last.correct for split in result.splits]
    assert best == [138, 36]
    report("AIFB, ceiling beyond reading: seconds", f"{seconds:.3f}", "under 1")
    _, refining = timed(lambda: wlkg.refine(graph))
    report("  refinement alone", f"{refining:.3f}", "")


def corpus_against_tests(groups: tuple[Group, ...]) -> None:
    """All pairs of a corpus at once, and one after the other."""
    table, seconds = timed(lambda: hierarchy(groups, BREC_TESTS))
    pairs = table.rows[0].whole.total
    report(
        f"hierarchy of {pairs} pairs, {len(BREC_TESTS)} tests: seconds",
        f"{seconds:.1f}",
        "under 60",
    )

    group = Group("regular", groups[-1].graphs[:40], "all")

    def one_by_one() -> int:
        return sum(
            verdict.separated is True
            for i, j in group.pairs()
            for verdict in wlkg.compare(
                group.graphs[i], group.graphs[j], BREC_TESTS, isomorphism_seconds=0
            ).verdicts
        )

    table, seconds = timed(lambda: hierarchy([group], BREC_TESTS))
    separated, slowly = timed(one_by_one)
    assert separated == sum(row.whole.separated for row in table.rows)
    what = f"all {group.num_pairs} pairs of 40 graphs: one by one / hierarchy"
    report(what, f"{slowly / seconds:.1f}", "")


def main() -> None:
    """Everything there is data for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("WLKG_DATA"), help="folder of data sets")
    data = parser.parse_args().data
    if data is None:
        print("real graphs skipped: neither --data nor WLKG_DATA is given")
        return
    warnings.simplefilter("ignore")
    folder = Path(data)
    graph = wlkg.read(folder / "aifb" / "aifb_stripped.nt.gz")
    model_against_test(graph)
    labels_against_classes(graph, folder / "aifb")
    corpus_against_tests(read_corpus(folder / "brec").groups)


if __name__ == "__main__":
    main()
