"""Writing a built-in graph to a file, and the tables that belong to it beside it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from wlkg.errors import UsageError
from wlkg.examples import PREFIX, TARGETS, TARGETS_HEADER, example
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.source import Source
from wlkg.writers.aside import written_aside
from wlkg.writers.formats import find_writer
from wlkg.writers.overwriting import refuse_overwriting
from wlkg.writers.write import write

_LABELS_HEADER = ("vertex", "label")
Rows = Iterable[tuple[str, str]]


@dataclass(frozen=True)
class ExampleFiles:
    """A graph that was written, and the files: the graph's first, then the tables by their use."""

    graph: RelationalGraph
    output: str
    lost: tuple[str, ...]
    #: By the option that takes it: ``targets``, ``holdout`` or ``labels``.
    tables: dict[str, str]


def write_example(
    name: str,
    output: str,
    *,
    format: str | None = None,  # noqa: A002
    targets: bool = False,
    lossy: bool = False,
    force: bool = False,
) -> ExampleFiles:
    """Write a graph; labels that the format cannot hold go to a table, as do the targets."""
    graph = example(name)
    writer = find_writer(Path(output), format)
    tables = _target_tables(name, output) if targets else {}
    if graph.labels is not None and not writer.holds_labels:
        tables["labels"] = (_beside(output, "labels"), _LABELS_HEADER, _labels(graph))
    for path in (output, *(path for path, _, _ in tables.values())):
        refuse_overwriting(path, force=force)
    plain = graph if writer.holds_labels else _without_labels(graph)
    lost = write(plain, output, format=format, lossy=lossy)
    for path, header, rows in tables.values():
        _write_table(path, header, rows)
    return ExampleFiles(graph, output, lost, {use: path for use, (path, _, _) in tables.items()})


def _target_tables(name: str, output: str) -> dict[str, tuple[str, tuple[str, str], Rows]]:
    key = name.removeprefix(PREFIX)
    if key not in TARGETS:
        raise UsageError(
            f"example {key!r} has no targets. Examples with targets: {', '.join(TARGETS)}"
        )
    rows = TARGETS[key]()
    uses = {"targets": "train", "holdout": "test"}
    return {
        use: (_beside(output, split), TARGETS_HEADER, rows[split]) for use, split in uses.items()
    }


def _beside(output: str, what: str) -> str:
    """The path of a table: ``university.train.tsv`` beside ``university.ttl.gz``."""
    path = Path(output)
    ending = sum(map(len, Source(path.name).suffixes))
    stem = path.name[: len(path.name) - ending]
    return str(path.with_name(f"{stem}.{what}.tsv"))


def _labels(graph: RelationalGraph) -> list[tuple[str, str]]:
    assert graph.labels is not None
    names = (graph.label_names[i] for i in graph.labels.tolist())
    return list(zip(graph.vertex_names, names, strict=True))


def _without_labels(graph: RelationalGraph) -> RelationalGraph:
    return replace(graph, labels=None, label_names=())


def _write_table(path: str, header: tuple[str, str], rows: Rows) -> None:
    with written_aside(Path(path)) as stream:
        for row in (header, *rows):
            stream.write(("\t".join(row) + "\n").encode())
