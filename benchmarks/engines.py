"""What the engines for vertex tests cost, from their file on: time, memory, per arc and round.

``python -m benchmarks.engines 1e5 1e6 1e7 --max-memory 512M`` makes a graph with about as many arcs
for each number and runs every engine on it, each in a process of its own. The time of refining is
processor time, of all threads together; that of duckdb and spark includes reading and numbering the
names. The last column is the time per arc and round, as a multiple of that for the first number.

``python -m benchmarks.engines 1e7 1e8 --engine local`` shows how the local engine scales: about 7
GB of memory for 10^8 arcs, 2 GB of temporary files, and some minutes.

The graph looks like a knowledge graph: few frequent and many rare relations, heads with few triples
and some tails with many. It is written as Parquet, which costs little to read.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

#: Triples for each vertex, and relations, of the graphs.
_TRIPLES_PER_VERTEX = 3.5
_RELATIONS = 60
_PIECE = 1 << 20
#: Spark computes on as many threads as the other engines have.
_MASTER = "local[2]"
_SELF, _CHILDREN = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN


def write_graph(path: Path, triples: int, seed: int = 0) -> None:
    """Write a graph with this many triples, a piece at a time."""
    draw = np.random.default_rng(seed)
    n = max(int(triples / _TRIPLES_PER_VERTEX), 1)
    schema = pa.schema([(title, pa.int64()) for title in ("head", "relation", "tail")])
    with pq.ParquetWriter(path, schema) as writer:
        for begin in range(0, triples, _PIECE):
            count = min(_PIECE, triples - begin)
            columns = [
                draw.integers(0, n, count),
                (_RELATIONS * draw.random(count) ** 3).astype(np.int64),
                (n * draw.random(count) ** 4).astype(np.int64),
            ]
            writer.write_table(pa.table(columns, schema=schema))


def measure(path: str, engine: str, test: str, max_memory: int | None) -> dict[str, float]:
    """Run one engine, in this process."""
    from wlkg.engines import EngineChoice
    from wlkg.refinement.engines.from_file import refine_from_file

    started, used = time.perf_counter(), time.process_time()
    if engine in ("duckdb", "spark"):
        choice = EngineChoice(engine, max_memory=max_memory, master=_MASTER)
        summary = refine_from_file(choice, path, test)
        rounds, arcs, classes = summary.rounds, summary.arcs, summary.classes
        refining = time.process_time() - used + _seconds_of_children()
    else:
        import wlkg
        from wlkg.refinement.refine import refine

        ends = np.random.default_rng(0).integers(0, 5000, (2, 20_000))
        small = wlkg.RelationalGraph.from_arrays(ends[0], ends[0] % 3, ends[1], num_vertices=5000)
        refine(small, test, engine=engine)  # loads and compiles
        graph = wlkg.read(path)
        arcs = len(graph.arcs())
        before = time.process_time()
        refinement = refine(graph, test, engine=EngineChoice(engine))
        refining = time.process_time() - before
        rounds, classes = refinement.rounds, refinement.classes
    peaks = [resource.getrusage(who).ru_maxrss * 1024 for who in (_SELF, _CHILDREN)]
    return {
        "arcs": arcs,
        "rounds": rounds,
        "classes": classes,
        "all": time.perf_counter() - started,
        "cpu": time.process_time() - used + _seconds_of_children(),
        "refining": refining,
        "peak": max(peaks),
    }


def _seconds_of_children() -> float:
    """Processor time of processes that have ended: the JVM of Spark."""
    usage = resource.getrusage(_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Print a row for each graph and engine."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("arcs", nargs="*", type=float, default=[1e5, 1e6])
    parser.add_argument("--engine", action="append", choices=["local", "torch", "duckdb", "spark"])
    parser.add_argument("--test", default="1-rwl")
    parser.add_argument("--max-memory")
    parser.add_argument("--run", nargs=2, metavar=("FILE", "ENGINE"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    from wlkg.memory import parse_size

    limit = None if given.max_memory is None else parse_size(given.max_memory)
    if given.run:
        path, engine = given.run
        print(json.dumps(measure(path, engine, given.test, limit)))
        return
    columns = (
        "arcs",
        "engine",
        "rounds",
        "all s",
        "CPU s",
        "refining",
        "ns/arc/round",
        "MB",
        "ratio",
    )
    first: dict[str, float] = {}
    print(" ".join(f"{title:>12}" for title in columns))
    for wanted in given.arcs:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "graph.parquet"
            write_graph(path, int(wanted / 2))
            for engine in given.engine or ("local", "torch", "duckdb"):
                words = ["--run", str(path), engine, "--test", given.test]
                words += ["--max-memory", given.max_memory] if given.max_memory else []
                done = subprocess.run(
                    [sys.executable, "-m", "benchmarks.engines", *words],
                    check=True,
                    capture_output=True,
                    text=True,
                )
                row = json.loads(done.stdout)
                each = 1e9 * row["refining"] / row["arcs"] / max(row["rounds"], 1)
                print(
                    f"{row['arcs']:12,} {engine:>12} {row['rounds']:12} {row['all']:12.2f}"
                    f" {row['cpu']:12.2f} {row['refining']:12.2f} {each:12.1f}"
                    f" {row['peak'] / 1e6:12,.0f} {each / first.setdefault(engine, each):12.2f}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
