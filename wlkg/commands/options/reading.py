"""The options of every command that reads graphs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, cast

from wlkg.catalogue import DIRECTIONS, LITERAL_POLICIES
from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.single import listed, quiet_option

if TYPE_CHECKING:
    from wlkg.catalogue import Direction
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.readers.collection import GraphCollection

Text = str | None


@dataclass(frozen=True)
class Reading:
    """How to read graphs: the options of `wlkg.read`, and labels."""

    format: Annotated[
        Text, quiet_option("--format", help="The format, if the suffix does not show it.")
    ] = None
    direction: Annotated[
        Text,
        quiet_option(
            "--direction",
            help=f"{listed(DIRECTIONS)}; by default undirected for undirected input, else both.",
        ),
    ] = None
    literals: Annotated[
        Text,
        quiet_option("--literals", help=f"RDF: {listed(LITERAL_POLICIES)}; shared by default."),
    ] = None
    named_graph: Annotated[
        Text, quiet_option("--graph", metavar="IRI", help="Quads: read only this named graph.")
    ] = None
    base: Annotated[
        Text, quiet_option("--base", metavar="IRI", help="RDF: base of relative IRIs.")
    ] = None
    columns: Annotated[
        Text,
        quiet_option(
            "--columns",
            help="Tables: head,relation,tail in another order, or head,tail; _ skips a column.",
        ),
    ] = None
    delimiter: Annotated[Text, quiet_option("--delimiter", help="Tables: the separator.")] = None
    header: Annotated[
        bool | None,
        quiet_option("--header/--no-header", help="Tables: whether there is a header line."),
    ] = None
    comment: Annotated[
        Text,
        quiet_option(
            "--comment", help="Tables: what comment lines start with, # by default; '' for none."
        ),
    ] = None
    splits: Annotated[
        Text,
        quiet_option(
            "--splits", help="Folders: which of train,valid,test to read; train by default."
        ),
    ] = None
    relation_attribute: Annotated[
        Text,
        quiet_option(
            "--relation-attribute",
            metavar="NAME",
            help="GraphML, GEXF, JSON: the attribute of edges that holds the relation.",
        ),
    ] = None
    label_attribute: Annotated[
        Text,
        quiet_option(
            "--label-attribute",
            metavar="NAME",
            help="GraphML, GEXF, JSON: the attribute of nodes that holds the label.",
        ),
    ] = None
    max_input: Annotated[
        Text,
        quiet_option(
            "--max-input",
            metavar="SIZE",
            help="The most bytes that an input may have once decompressed and expanded, as in 4G;"
            " by default 250 times its size, or 64 MiB if that is more.",
        ),
    ] = None
    labels: Annotated[
        Text,
        quiet_option(
            "--labels", help="Initial colours: a TSV of vertices and labels, or kind, or type."
        ),
    ] = None

    def read(self, path: str) -> RelationalGraph:
        """The graph at ``path``, labelled; its notes and progress go to stderr."""
        from wlkg.readers.read import read
        from wlkg.reports.progressbar import TerminalProgress

        return self._labelled(read(path, progress=TerminalProgress(), **self.given()))

    def read_all(self, path: str) -> list[RelationalGraph]:
        """All graphs at ``path``."""
        from wlkg.readers.read import read_all
        from wlkg.reports.progressbar import TerminalProgress

        graphs = read_all(path, progress=TerminalProgress(), **self.given())
        return [self._labelled(graph) for graph in graphs]

    def read_collection(self, path: str, tables: Collection[str]) -> GraphCollection:
        """The graphs of a folder or file with their names; ``tables`` may lie beside them."""
        from wlkg.readers.collection import read_collection

        any_suffix = self.format is not None
        return read_collection(path, self.read_all, skipped=tables, any_suffix=any_suffix)

    @property
    def chosen_direction(self) -> Direction | None:
        """The direction mode if the user chose one; reading refuses unknown modes."""
        return cast("Direction | None", self.direction)

    def given(self) -> dict[str, Any]:
        """The options of `wlkg.read` that the user gave."""
        from wlkg.memory import parse_size

        options = {field.name: getattr(self, field.name) for field in fields(self)}
        del options["labels"]
        if self.max_input is not None:
            options["max_input"] = parse_size(self.max_input)
        return {name: value for name, value in options.items() if value is not None}

    def that_matters(self) -> dict[str, str]:
        """The options, by their names, that decide which graph a file is; not the direction."""
        options = {field.name: getattr(self, field.name) for field in fields(self)}
        names = {name: name.replace("_", "-") for name in options} | {"named_graph": "graph"}
        return {
            names[name]: value
            for name, value in options.items()
            if isinstance(value, str) and name not in ("format", "direction")
        }

    def _labelled(self, graph: RelationalGraph) -> RelationalGraph:
        from wlkg.readers.labels import label
        from wlkg.reports.terminal import note

        for text in graph.notes:
            note(text)
        return graph if self.labels is None else label(graph, self.labels)


def reads_graphs(command: Command) -> Command:
    """Replace the parameter ``reading`` of a command by the fields of `Reading` as options."""
    return with_options(command, "reading", Reading, {})
