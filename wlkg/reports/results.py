"""A result as reports take it: the JSON document of a command, and the graphs that it is about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wlkg.graph.digest import graph_digest
from wlkg.reports.fields import Fields
from wlkg.version import __version__

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph


@dataclass(frozen=True, eq=False)
class NamedGraph:
    """A graph, what the user calls it, and the options with which it was read."""

    name: str
    graph: RelationalGraph
    options: Mapping[str, Any]

    def document(self) -> dict[str, Any]:
        """An entry of ``inputs``: enough to read the graph again and to see whether it changed."""
        return {
            "path": self.name,
            "options": dict(self.options),
            "sha256": graph_digest(self.graph),
        }


@dataclass(frozen=True, eq=False)
class Result:
    """The result of a command; ``graphs`` is empty if they are no longer available."""

    document: Mapping[str, Any]
    graphs: tuple[NamedGraph, ...] = ()
    #: Why graphs are missing, for the reader of a report.
    remarks: tuple[str, ...] = ()
    #: The file that the document was read from, for messages.
    file: str | None = None

    @property
    def command(self) -> str:
        return str(self.document["schema"]).split("/")[1]

    @property
    def fields(self) -> Fields:
        """The document, each value of which is checked as it is taken out."""
        return Fields(self.document, file=self.file)


def result_of(
    command: str, content: Mapping[str, Any], graphs: Sequence[NamedGraph] = ()
) -> Result:
    """The result of a command, with the schema that scripts rely on."""
    document = {"schema": f"wlkg/{command}/1", **content}
    if graphs:
        document["inputs"] = [graph.document() for graph in graphs]
    document["version"] = __version__
    return Result(document, tuple(graphs))
