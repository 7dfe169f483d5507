"""What is loaded when: the cost of starting, seen as a list of modules."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

HEAVY = {"torch", "torch_geometric", "rdflib", "numba", "networkx", "duckdb", "pyspark"}
NUMERIC = {"pyarrow", "numpy", "pyoxigraph"}

RUN = """
import sys
sys.argv = ["wlkg", *{arguments!r}]
from wlkg.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
"""


def modules_after(program: str) -> set[str]:
    """The top-level modules that a fresh interpreter has loaded after the program."""
    tail = "\nimport sys; print('\\n' + '\\n'.join(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", program + tail], capture_output=True, text=True, check=True
    )
    found = {name.partition(".")[0] for name in done.stderr.split()}
    assert "wlkg" in found
    return found


@pytest.mark.parametrize(
    "program",
    [
        "import wlkg",
        "import wlkg; wlkg.__version__, dir(wlkg)",
        RUN.format(arguments=["--help"]),
        RUN.format(arguments=["--version"]),
        RUN.format(arguments=["info", "--help"]),
        RUN.format(arguments=["convert", "-h"]),
    ],
)
def test_help_and_import_load_nothing_heavy(program: str) -> None:
    assert not modules_after(program) & (HEAVY | NUMERIC)


def test_import_of_all_public_names_does_without_pytorch() -> None:
    assert "torch" not in modules_after("from wlkg import *")


def test_looking_at_an_example_loads_no_gnn_or_rdf_library() -> None:
    found = modules_after(RUN.format(arguments=["info", "example:c6"]))
    assert "numpy" in found
    assert not found & (HEAVY | {"pyarrow", "pyoxigraph"})


def test_every_public_name_is_there_and_no_other() -> None:
    import wlkg

    assert set(dir(wlkg)) == {*wlkg.__all__, "train", "versus"}
    assert all(getattr(wlkg, name) is not None for name in dir(wlkg))
    # Once loaded, a module of the same name would stand in the way.
    modules = {module.name for module in pkgutil.iter_modules(wlkg.__path__)}
    assert not modules & set(dir(wlkg))
    with pytest.raises(AttributeError, match="module 'wlkg' has no attribute 'nothing'"):
        wlkg.nothing  # noqa: B018
