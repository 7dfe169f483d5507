"""Time and memory for reading graphs, compared with other libraries in the same run.

Run it as ``python -m benchmarks.reading [--data DIR] [--repeat 3]``. Timings are the best of all
repetitions. Peak memory is measured in a separate process. Targets are printed beside the results.
"""

from __future__ import annotations

import argparse
import lzma
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

MUSEUM = "aac/aac_npg.nt.xz"
ROWS = 1_000_000


def best(
    work: Callable[[], object], repeat: int, clock: Callable[[], float] = time.perf_counter
) -> float:
    """The smallest of several timings, in seconds."""
    timings = []
    for _ in range(repeat):
        started = clock()
        work()
        timings.append(clock() - started)
    return min(timings)


def report(what: str, value: str, target: str) -> None:
    """Print one line of the results."""
    print(f"{what:<58}{value:>12}   {target}", flush=True)


def read_with_wlkg(path: Path) -> None:
    """Read a graph with wlkg."""
    import wlkg

    wlkg.read(path)


def loop_over_pyoxigraph(path: Path) -> None:
    """Parse every triple with pyoxigraph and do nothing else."""
    import pyoxigraph

    for _ in pyoxigraph.parse(path=path):
        pass


def convert_with_pyoxigraph(path: Path, suffix: str) -> Path:
    """The same graph in the format of another suffix, beside it."""
    import pyoxigraph

    other = path.with_suffix(suffix)
    pyoxigraph.serialize(pyoxigraph.parse(path=path), other)
    return other


def read_with_polars(path: Path) -> None:
    """Read a table of triples with polars, names as categories."""
    import polars

    if path.suffix == ".parquet":
        polars.read_parquet(path).cast(polars.Categorical)
        return
    schema = dict.fromkeys(("head", "relation", "tail"), polars.Categorical)
    polars.read_csv(path, separator="\t", has_header=False, schema=schema)


def parse_with_rdflib(path: Path) -> None:
    """Read a graph with rdflib."""
    import rdflib

    rdflib.Graph().parse(path, format="nt")


BOTH = (read_with_wlkg, loop_over_pyoxigraph)


def peak_megabytes(path: Path) -> float:
    """The peak resident memory of a new process that reads the graph."""
    code = (
        "import re, sys, wlkg; wlkg.read(sys.argv[1]); "
        "print(int(re.search(r'VmHWM:\\s+(\\d+)', open('/proc/self/status').read())[1]) / 1024)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code, str(path)], check=True, capture_output=True, text=True
    )
    return float(process.stdout)


def command_seconds(*words: str) -> float:
    """The time of a Python process: the best of ten runs."""
    return best(
        lambda: subprocess.run([sys.executable, *words], check=True, capture_output=True), 10
    )


def write_rows(path: Path, seed: int) -> None:
    """A TSV of a million random rows."""
    draw = random.Random(seed).randrange
    with path.open("w") as file:
        for _ in range(ROWS):
            file.write(f"entity_{draw(300_000)}\trelation_{draw(200)}\tentity_{draw(300_000)}\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--data", default=os.environ.get("WLKG_DATA"), help="folder with real data sets"
    )
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = Path(folder, "rows.tsv")
        write_rows(rows, options.seed)
        seconds = best(lambda: read_with_wlkg(rows), options.repeat)
        report("TSV, rows per second", f"{ROWS / seconds:,.0f}", "at least 1,000,000")
        measure_tables(rows, options.repeat)
        if options.data is None:
            print("museum graph skipped: neither --data nor WLKG_DATA is given")
        else:
            museum = Path(folder, "museum.nt")
            museum.write_bytes(lzma.decompress(Path(options.data, MUSEUM).read_bytes()))
            measure_museum(museum, options.repeat)
            measure_documents(museum, options.repeat)
    imports = command_seconds("-c", "import typer, rich")
    help_page = command_seconds("-m", "wlkg", "--help")
    report("wlkg --help / import typer, rich", f"{help_page / imports:.2f}", "at most 2")


def measure_tables(rows: Path, repeat: int) -> None:
    """Processor time for a million rows, compared with polars."""
    from pyarrow import csv, parquet

    names = csv.ReadOptions(column_names=["head", "relation", "tail"])
    table = csv.read_csv(rows, names, csv.ParseOptions(delimiter="\t"))
    columns = rows.with_suffix(".parquet")
    parquet.write_table(table, columns)
    has_polars = find_spec("polars") is not None
    for what, path in (("TSV", rows), ("Parquet", columns)):
        ours = best(partial(read_with_wlkg, path), repeat, time.process_time)
        report(f"{what}, a million rows: seconds of processor time", f"{ours:.2f}", "")
        if has_polars:
            theirs = best(partial(read_with_polars, path), repeat, time.process_time)
            ratio = f"{ours / theirs:.2f}"
            report(f"{what}: wlkg / polars with categories", ratio, "at most 1.1")
    if not has_polars:
        print("polars skipped: it is not installed")


def measure_documents(museum: Path, repeat: int) -> None:
    """Formats that pyoxigraph parses, compared with its bare loop."""
    for suffix in (".ttl", ".trig", ".rdf", ".jsonld"):
        path = convert_with_pyoxigraph(museum, suffix)
        ours, loop = (best(partial(work, path), repeat) for work in BOTH)
        ours_cpu, loop_cpu = (best(partial(work, path), 1, time.process_time) for work in BOTH)
        report(f"museum, {suffix}: wlkg / bare loop", f"{ours / loop:.2f}", "at most 2")
        report("  in processor time", f"{ours_cpu / loop_cpu:.2f}", "")
        path.unlink()


def measure_museum(path: Path, repeat: int) -> None:
    """Measure the N-Triples targets."""
    ours = best(lambda: read_with_wlkg(path), repeat)
    loop = best(lambda: loop_over_pyoxigraph(path), repeat)
    rdflib_seconds = best(lambda: parse_with_rdflib(path), 1)
    report("museum, 1.31 million triples: seconds", f"{ours:.2f}", "")
    report("museum: wlkg / bare loop over pyoxigraph.parse", f"{ours / loop:.2f}", "at most 1.5")
    report("museum: rdflib / wlkg", f"{rdflib_seconds / ours:.1f}", "at least 10")
    report("museum: peak memory, MB", f"{peak_megabytes(path):,.0f}", "under 1,200")


if __name__ == "__main__":
    main()
