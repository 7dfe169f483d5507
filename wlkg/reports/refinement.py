"""A refinement as data and as text, and its colours as a file."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from rich.table import Table
from rich.text import Text

from wlkg.errors import OutputError
from wlkg.graph import RelationalGraph
from wlkg.refinement import Refinement
from wlkg.reports.terminal import bar, console, printable, shortened
from wlkg.wording import counted
from wlkg.writers.aside import written_aside

_LARGEST = 5
_MEMBERS = 3
#: Columns for the names of a class.
_ROOM = 62
_FIRST_ROUNDS = 12
_LAST_ROUNDS = 4

COLOUR_SUFFIXES = (".csv", ".json", ".parquet")


def refinement_document(result: Refinement, seconds: float) -> dict[str, Any]:
    """What ``wlkg refine --json`` prints."""
    return {
        "test": result.test,
        "direction": result.direction,
        "rounds": result.rounds,
        "stable": result.stable,
        "exact": result.exact,
        "proof": result.proof,
        "classes": result.classes,
        "classes_per_round": result.classes_per_round,
        "distinguishable_pairs": result.partition.distinguishable_pairs,
        "indistinguishable_pairs": result.partition.indistinguishable_pairs,
        "seconds": seconds,
    }


def print_refinement(name: str, graph: RelationalGraph, result: Refinement, seconds: float) -> None:
    """The rounds, the verdict and the largest classes."""
    out = console()
    out.print(Text(f"{printable(name)}: {result.test}, direction {result.direction}", style="bold"))
    out.print(_rounds_table(result))
    end = "stable at" if result.stable else "stopped after"
    classes = counted(result.classes, "class", "classes")
    out.print(f"{end} round {result.rounds:,} with {classes} of {graph.num_vertices:,} vertices")
    alike = counted(result.partition.indistinguishable_pairs, "pair", "pairs")
    out.print(f"{alike} cannot be told apart")
    out.print(Text(f"{'exact' if result.exact else 'not proved'}: {result.proof}", style="dim"))
    _print_largest(graph, result)
    out.print(Text(f"refined in {seconds:.3f} s", style="dim"))


def _rounds_table(result: Refinement) -> Table:
    classes = result.classes_per_round
    pairs = result.history.distinguishable_per_round.tolist()
    everything = max(result.history.num_items, 1)
    table = Table(box=None, pad_edge=False)
    for title in ("round", "classes", "pairs told apart"):
        table.add_column(title, justify="right", no_wrap=True)
    table.add_column("classes per vertex", no_wrap=True)
    shown = list(range(len(classes)))
    if len(shown) > _FIRST_ROUNDS + _LAST_ROUNDS + 1:
        shown = [*shown[:_FIRST_ROUNDS], -1, *shown[-_LAST_ROUNDS:]]
    for t in shown:
        if t < 0:
            table.add_row("...", "", "", "")
        else:
            table.add_row(
                f"{t:,}", f"{classes[t]:,}", f"{pairs[t]:,}", bar(classes[t] / everything, 24)
            )
    return table


def _print_largest(graph: RelationalGraph, result: Refinement) -> None:
    out = console()
    partition = result.partition
    sizes = partition.sizes
    largest = [
        int(c) for c in np.lexsort([np.arange(len(sizes)), -sizes])[:_LARGEST] if sizes[c] > 1
    ]
    if not largest:
        return
    out.print("largest classes")
    table = Table.grid(padding=(0, 2))
    table.add_column(justify="right", no_wrap=True)
    table.add_column(no_wrap=True)
    for colour in largest:
        names = [graph.vertex_names[v] for v in partition.members(colour)[:_MEMBERS].tolist()]
        if sum(map(len, names)) > _ROOM:
            names = names[:2]
        more = ", ..." if sizes[colour] > len(names) else ""
        width = _ROOM // len(names)
        shown = ", ".join(shortened(name, width) for name in names)
        table.add_row(f"{int(sizes[colour]):,}", Text(shown + more))
    out.print(table)


def check_colours_path(path: str) -> None:
    """Refuse a suffix that cannot be written before any work is done."""
    if Path(path).suffix.lower() not in COLOUR_SUFFIXES:
        raise OutputError(f"{path}: colours are written as {', '.join(COLOUR_SUFFIXES)}, by suffix")
    if not Path(path).resolve().parent.is_dir():
        raise OutputError(f"{path}: there is no such folder")


def write_colours(graph: RelationalGraph, result: Refinement, path: str) -> None:
    """Vertex names and colours, a row each."""
    check_colours_path(path)
    colours = result.partition.colours.tolist()
    with written_aside(Path(path)) as stream:
        _COLOUR_WRITERS[Path(path).suffix.lower()](graph, colours, stream)


def _write_csv(graph: RelationalGraph, colours: list[int], stream: BinaryIO) -> None:
    text = io.TextIOWrapper(stream, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["vertex", "colour"])
    writer.writerows(zip(graph.vertex_names, colours, strict=True))
    text.detach()


def _write_json(graph: RelationalGraph, colours: list[int], stream: BinaryIO) -> None:
    rows = [
        {"vertex": name, "colour": c} for name, c in zip(graph.vertex_names, colours, strict=True)
    ]
    stream.write(json.dumps(rows, indent=0).encode() + b"\n")


def _write_parquet(graph: RelationalGraph, colours: list[int], stream: BinaryIO) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = {
        "vertex": pa.array(graph.vertex_names, pa.large_string()),
        "colour": pa.array(colours),
    }
    pq.write_table(pa.table(columns), stream, compression="zstd")


_COLOUR_WRITERS = {".csv": _write_csv, ".json": _write_json, ".parquet": _write_parquet}
