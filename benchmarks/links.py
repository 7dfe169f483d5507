"""The speed of ceilings of link prediction, on public data sets.

Run it as ``python -m benchmarks.links [--data DIR]``. It computes the ceilings of 1-rwl and rawl2
at rounds 1 to 6 and when stable, for all test queries, head and tail, and their fitted scores.
Reading the files is not counted. The ratio compares the ceiling of rawl2, without fitted scores,
with refining the whole graph by 1-rwl once for every marked source.
"""

from __future__ import annotations

import argparse
import os
import resource
from pathlib import Path

import numpy as np

import wlkg
from benchmarks.reading import best, report
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import LinkQueries, link_queries

#: Folders, with targets in seconds.
FOLDERS = {"kg/grail/WN18RR_v3_ind": 5, "kg/WN18RR": 120, "kg/FB15k-237": 600}
#: Sources that the slow version is run for.
SOURCES = 40
Splits = tuple[RelationalGraph, RelationalGraph, RelationalGraph]


def splits(folder: Path) -> Splits:
    """The graph, the test triples and the validation triples."""
    train, test, valid = (wlkg.read(folder, splits=name) for name in ("train", "test", "valid"))
    return train, test, valid


def refine_marked(queries: LinkQueries) -> None:
    """1-rwl of the whole graph, for some sources, each marked by a label."""
    for source in queries.arrays.sources[:SOURCES].tolist():
        labels = np.zeros(queries.graph.num_vertices, dtype=np.int64)
        labels[source] = 1
        wlkg.refine(queries.graph.with_label_ids(labels, ["other", "source"]))


def main() -> None:
    """Print seconds, memory and the ratio."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=os.environ.get("WLKG_DATA"))
    place = parser.parse_args().data
    if place is None:
        parser.error("name the folder of public data sets by --data or WLKG_DATA")
    for name, target in FOLDERS.items():
        graph, test, valid = splits(place / name)
        wlkg.link_ceiling(graph, test, valid, rounds=1)  # loads or compiles the kernels
        seconds = best(lambda: wlkg.link_ceiling(graph, test, valid), 3)  # noqa: B023
        report(f"{name}, 1-rwl and rawl2", f"{seconds:.2f} s", f"below {target} s")
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 10**6
        report("  largest memory of the process so far", f"{memory:.2f} GB", "below 4 GB")
        queries = link_queries(graph, test, valid)
        slow = best(lambda: refine_marked(queries), 1)  # noqa: B023
        # Ranks as rawl2 does, without fitted scores.
        fast = best(lambda: wlkg.link_ceiling(graph, test, valid, ["rawl2-all"]), 3)  # noqa: B023
        ratio = slow / min(SOURCES, len(queries.arrays.sources)) / fast
        per_source = ratio * len(queries.arrays.sources)
        report("  against 1-rwl once for every marked source", f"{per_source:,.0f}x", "")


if __name__ == "__main__":
    main()
