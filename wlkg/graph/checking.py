"""What public functions of Python refuse: a file's name, or another library's graph, as a graph."""

from __future__ import annotations

from pathlib import Path

from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph


def require_graphs(*graphs: object) -> None:
    """Refuse what is not a graph, and say how to make one of it.

    >>> require_graphs("people.ttl")
    Traceback (most recent call last):
        ...
    wlkg.errors.UsageError: expected a graph, found 'people.ttl'. Use wlkg.read('people.ttl')
    """
    for graph in graphs:
        if isinstance(graph, RelationalGraph):
            continue
        if isinstance(graph, str | Path):
            name = str(graph)
            raise UsageError(f"expected a graph, found {name!r}. Use wlkg.read({name!r})")
        kind = f"{type(graph).__module__}.{type(graph).__qualname__}".removeprefix("builtins.")
        raise UsageError(
            f"expected a graph, found {kind}. Use"
            " wlkg.RelationalGraph.from_triples, from_pandas, from_networkx, from_rdflib, from_pyg"
            " or from_pykeen"
        )
