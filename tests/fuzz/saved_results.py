"""Saved results as inputs: what commands print with ``--json``, which ``wlkg report`` reads.

In the documents ``STOCK/`` stands for the folder of small files, and all times are the same, so
that a result is the same in every process.
"""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from random import Random
from typing import Any

from tests.fuzz.case import Case
from tests.fuzz.command_lines import run_command, run_placed, stock

_LINES = [
    "info STOCK/g.tsv",
    "refine STOCK/g.tsv --test 1-rwl",
    "pairs STOCK/g.tsv --limit 3",
    "compare STOCK/c6.g6 STOCK/2xc3.g6",
    "explain STOCK/g.tsv ann bob",
    "symmetry STOCK/g.tsv",
    "ceiling STOCK/g.tsv --targets STOCK/targets.tsv",
    "hierarchy STOCK/many.g6 --test 1-wl",
    "counterexample k33",
]
_seconds = re.compile(r'("[a-z_]*seconds[a-z_]*": )[0-9.e+-]+')


def result_seeds() -> list[Case]:
    """The result of each command that has a report."""
    with tempfile.TemporaryDirectory() as folder:
        texts = [run_placed([*line.split(), "--json"], Path(folder))[1] for line in _LINES]
    return [
        Case("result/report", "r.json", _seconds.sub(r"\g<1>0.5", _placeless(text)).encode())
        for text in texts
    ]


def _placeless(text: str) -> str:
    return text.replace(f"{stock()}/", "STOCK/")


def page_suffix(rng: Random) -> dict[str, Any]:
    """The kind of file that a report is written to."""
    return {"page": rng.choice((".html", ".md", ".tex"))}


def write_report(case: Case, path: Path, folder: Path) -> None:
    """Read a result and write its report."""
    path.write_bytes(case.data.replace(b"STOCK/", f"{stock()}/".encode()))
    run_command(["report", str(path), "-o", str(folder / f"page{case.options.get('page', '.md')}")])
