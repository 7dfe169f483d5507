"""The graphs of a saved result, read again, if they are still what they were.

A document names its graphs by path and options, with a digest of each. A graph whose digest is
another now is not shown: the result is not about it. Nor is a file opened that is no plain file,
since a document may come from anywhere.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wlkg.analysis.counterexample import LIFT
from wlkg.errors import InputError, WlkgError
from wlkg.examples import PREFIX
from wlkg.graph.digest import graph_digest
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import parse_size
from wlkg.progress import SILENT, Progress
from wlkg.readers.labels import label
from wlkg.readers.options import ReadOptions
from wlkg.readers.read import read, split_choice
from wlkg.reports.fields import Fields
from wlkg.reports.results import NamedGraph, Result

_KNOWN = {*ReadOptions.__dataclass_fields__, "format", "direction", "labels"}


def read_graphs_again(
    result: Result, *, progress: Progress = SILENT
) -> tuple[tuple[NamedGraph, ...], tuple[str, ...]]:
    """The graphs, or why they are not shown. Several are shown only together."""
    if not result.fields.has("inputs"):
        return (), ()
    if result.command == "counterexample" and result.document.get("name") == LIFT:
        return (), ("The graphs of a lift are not files, so they are not shown.",)
    graphs, remarks = [], []
    for entry in result.fields.many("inputs"):
        try:
            graphs.append(_read(entry, result.file, progress))
        except WlkgError as error:
            if isinstance(error, InputError) and error.path == result.file:
                raise  # the document itself is damaged
            remarks.append(f"The graph is not shown. {error}")
    return ((), tuple(remarks)) if remarks else (tuple(graphs), ())


def _read(entry: Fields, file: str | None, progress: Progress) -> NamedGraph:
    name, options, digest = entry.text("path"), entry.one("options"), entry.text("sha256")
    given = _options(options)
    graph = _labelled(
        read(_found(name, file), progress=progress, **_for_reading(given)), given, file
    )
    if graph_digest(graph) != digest:
        raise InputError("the graph has changed since the result was computed", path=name)
    return NamedGraph(name, graph, given)


def _options(options: Fields) -> dict[str, Any]:
    """The options that the graph was read with; those of other versions are refused."""
    unknown = sorted(set(options.content) - _KNOWN)
    if unknown:
        raise InputError(f"it was read with an option that is not known here: {unknown[0]!r}")
    return {
        key: options.truth(key) if key == "header" else options.text(key) for key in options.content
    }


def _for_reading(given: dict[str, Any]) -> dict[str, Any]:
    options = {key: value for key, value in given.items() if key != "labels"}
    if "max_input" in options:
        options["max_input"] = parse_size(options["max_input"])
    return options


def _labelled(graph: RelationalGraph, given: dict[str, Any], file: str | None) -> RelationalGraph:
    if "labels" not in given:
        return graph
    labels = given["labels"]
    return label(graph, labels if labels in ("kind", "type") else _found(labels, file))


def _found(name: str, file: str | None) -> str:
    """Where a file is: as it was named, or beside the document."""
    if name.startswith(PREFIX):
        return name
    path, choice = split_choice(name)
    places = [Path(path)] + ([] if file is None else [Path(file).parent / path])
    for place in places:
        try:
            if place.is_file() or place.is_dir():
                return str(place) if choice is None else f"{place}#{choice}"
        except (OSError, ValueError):  # a name that no file can have
            continue
    raise InputError("the file is not there any more", path=name)
