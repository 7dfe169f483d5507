"""Which modules a program loads, for tests of start-up cost."""

from __future__ import annotations

import subprocess
import sys

HEAVY = {"torch", "torch_geometric", "rdflib", "numba", "networkx", "duckdb", "pyspark"}
HEAVY |= {"igraph", "dejavu_gi"}
NUMERIC = {"pyarrow", "numpy", "pyoxigraph"}


def command(*arguments: object) -> str:
    """A program that runs ``wlkg`` with these arguments and fails if the command does."""
    return f"""
import sys
sys.argv = ["wlkg", *{[str(argument) for argument in arguments]!r}]
from wlkg.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


def modules_after(program: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after the program."""
    modules = {name.partition(".")[0] for name in all_modules_after(program)}
    assert "wlkg" in modules
    return modules


def all_modules_after(program: str) -> set[str]:
    """As `modules_after`, with the modules of packages."""
    tail = "\nimport sys; print('\\n' + '\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program + tail], capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())
