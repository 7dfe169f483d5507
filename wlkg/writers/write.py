"""Writing a graph to a file.

Output goes to a temporary file that is renamed at the end, so an interrupted or failed run leaves
nothing behind. What a format cannot hold is refused, or dropped if ``lossy`` allows it. In formats
without undirected edges, each edge is written in both directions: under direction mode ``both``
that graph has the same colourings.
"""

from __future__ import annotations

from pathlib import Path

from wlkg.errors import OutputError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.terms import kind
from wlkg.text import first_few
from wlkg.writers.aside import written_aside
from wlkg.writers.formats import Writer, find_writer


def write(
    graph: RelationalGraph,
    path: str | Path,
    *,
    format: str | None = None,  # noqa: A002
    lossy: bool = False,
) -> tuple[str, ...]:
    """Write a graph; the result lists what the format could not hold."""
    require_graphs(graph)
    place = Path(path)
    writer = find_writer(place, format)
    losses = _losses(graph, writer)
    if losses and not lossy:
        raise OutputError(
            f"{place}: this format cannot hold {' or '.join(losses)}. Write .json or .graphml, "
            "or pass --lossy to do without"
        )
    if graph.direction == "undirected" and not writer.holds_undirected:
        graph = graph.both_ways()
        losses += ("that edges are undirected (each was written both ways)",)
    with written_aside(place) as stream:
        writer(graph, stream)
    return losses


def _losses(graph: RelationalGraph, writer: Writer) -> tuple[str, ...]:
    losses: list[str] = []
    if len(graph.isolated) and not writer.holds_isolated:
        names = [graph.vertex_names[i] for i in graph.isolated[:4].tolist()]
        losses.append(f"isolated vertices ({len(graph.isolated):,}: {first_few(names)})")
    if graph.labels is not None and not writer.holds_labels:
        losses.append("vertex labels")
    if not writer.holds_occurrences and any(map(_is_occurrence, graph.vertex_names)):
        losses.append("several vertices for one literal (literal policy occurrence)")
    return tuple(losses)


def _is_occurrence(name: str) -> bool:
    return name.startswith('"') and name.endswith("]") and kind(name) == "literal"
