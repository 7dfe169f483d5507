"""Command lines that write files: each is put to every test of this folder.

``OUT`` stands for the folder that is written to, ``STOCK`` for small files of every kind.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.fuzz.command_lines import run_placed
from tests.needs_torch import HAS_TORCH
from wlkg.writers.formats import WRITERS

_GRAPHS = {
    f"graph {suffix}": f"convert STOCK/c6.g6 OUT/g{suffix} --lossy --force"
    for suffix in (*(writer.suffixes[0] for writer in WRITERS.values()), ".nt.gz", ".csv.gz")
}
_COLOURS = {
    f"colours {suffix}": f"refine STOCK/g.tsv --test 1-rwl --colours OUT/c{suffix}"
    for suffix in (".csv", ".json", ".parquet")
}
WRITING = {
    **_GRAPHS,
    **_COLOURS,
    "tuples": "refine STOCK/g.tsv --test 2-rlwl --tuples OUT/t.csv",
    "orbits": "symmetry STOCK/g.tsv --orbits OUT/o.csv",
    "unfolding": "explain STOCK/g.tsv ann bob --svg OUT/u.svg",
    "page": "refine STOCK/g.tsv --html OUT/p.html",
    "texts": "compare STOCK/c6.g6 STOCK/2xc3.g6 --exit-zero --markdown OUT/p.md --latex OUT/p.tex",
    "picture": "refine STOCK/g.tsv --figure OUT/p.svg",
    "report": "report STOCK/result.json -o OUT/p.html",
    "certificate": "certify STOCK/c6.g6 STOCK/2xc3.g6 -o OUT/c.json",
    "counterexample": "counterexample k33 --out OUT/pair --format json",
}
if HAS_TORCH:
    WRITING |= {
        "training": "train STOCK/g.tsv --targets STOCK/targets.tsv --model rgcn --epochs 3 --dim 2"
        " --save OUT/run --log OUT/log.csv",
        "predictions": "predict STOCK/model.pt STOCK/model-graph.tsv --out OUT/p.csv",
        "witness": "witness STOCK/g.tsv --model rgcn --layers 1 --out OUT/w.pt",
    }


_seconds = re.compile(rb"[0-9.]+ (?:s|core-hours)\b").sub


def run_line(line: str, out: Path) -> tuple[object, str]:
    """Run a command line; its exit status and what it wrote to standard error."""
    status, _, errors = run_placed(line.split(), out)
    return status, errors


def files_below(folder: Path) -> dict[str, bytes]:
    """All files of a folder with their content; times that results record are left out."""
    return {
        path.relative_to(folder).as_posix(): _timeless(path)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def _timeless(path: Path) -> bytes:
    data = path.read_bytes()
    if path.suffix in (".html", ".md", ".tex"):
        return _seconds(b"", data)
    if path.suffix != ".json" or b'"seconds"' not in data:
        return data
    document = json.loads(data)
    for key in ("seconds", "seconds_per_epoch"):
        document.pop(key, None)
    return json.dumps(document).encode()
