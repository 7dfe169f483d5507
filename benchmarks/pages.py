"""The cost of pages: seconds beyond the analysis itself, and their size.

Run it as ``python -m benchmarks.pages [--data DIR]``. A page is made from the document and the
graphs of a result, so it refines them again; that is part of what is measured. Targets are printed
beside the figures.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

import wlkg
from benchmarks.reading import best
from wlkg.reports.html.page import page
from wlkg.reports.python_results import as_result
from wlkg.reports.sections.registry import section_of

#: Data sets with the seconds and kilobytes that a page of their refinement may take.
DATA = {
    "AIFB": ("aifb/aifb_stripped.nt.gz", None, 3000),
    "aac_npg": ("aac/aac_npg.nt.xz", 20, 3000),
}


def measure(name: str, value: Any, seconds: float | None, kilobytes: int) -> None:
    """Print what the page of a result takes."""
    html = page([section_of(as_result(value))])
    took = best(lambda: page([section_of(as_result(value))]), 3)
    target = "" if seconds is None else f" ({seconds:g})"
    print(f"{name:<20} {took:8.2f} s{target:<6} {len(html.encode()) / 1000:8.0f} kB ({kilobytes})")


def main() -> None:
    """Pages of small graphs, and of data sets if they are there."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", default=os.environ.get("WLKG_DATA"))
    data = parser.parse_args().data
    for one, two in (("c6", "2xc3"), ("cfi-g,k=2", "cfi-h,k=2"), ("rook", "shrikhande")):
        graphs = wlkg.read(f"example:{one}"), wlkg.read(f"example:{two}")
        measure(f"{one} / {two}", wlkg.compare(*graphs), 2, 300)
    for name, (path, seconds, kilobytes) in DATA.items() if data else ():
        measure(name, wlkg.refine(wlkg.read(Path(data) / path)), seconds, kilobytes)


if __name__ == "__main__":
    main()
