"""The options of every command that reads graphs."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, cast

from wlkg.catalogue import DIRECTIONS, LITERAL_POLICIES
from wlkg.commands.options.completing import complete_format, one_of
from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.single import listed, quiet_option
from wlkg.shell.panels import INPUT

if TYPE_CHECKING:
    from wlkg.catalogue import Direction
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.readers.collection import GraphCollection
    from wlkg.readers.options import ReadOptions
    from wlkg.reports.next_steps import Asked
    from wlkg.reports.results import NamedGraph

Text = str | None


@dataclass(frozen=True)
class Reading:
    """How to read graphs: the options of `wlkg.read`, and labels."""

    PANEL: ClassVar[str] = INPUT

    format: Annotated[
        Text,
        quiet_option(
            "--format",
            metavar="FORMAT",
            help="Format of the input, as in ttl or tsv; by default its suffix decides.",
            autocompletion=complete_format,
        ),
    ] = None
    direction: Annotated[
        Text,
        quiet_option(
            "--direction",
            metavar="MODE",
            help=f"Which way vertices see triples: {listed(DIRECTIONS)}. By default undirected for"
            " undirected input such as graph6, and both otherwise.",
            autocompletion=one_of(DIRECTIONS),
        ),
    ] = None
    literals: Annotated[
        Text,
        quiet_option(
            "--literals",
            metavar="POLICY",
            help="RDF: literals are one vertex per value (shared, the default), one per triple"
            " (occurrence), or left out (drop).",
            autocompletion=one_of(LITERAL_POLICIES),
        ),
    ] = None
    named_graph: Annotated[
        Text, quiet_option("--graph", metavar="IRI", help="Quads: read this named graph only.")
    ] = None
    base: Annotated[
        Text, quiet_option("--base", metavar="IRI", help="RDF: the base of relative IRIs.")
    ] = None
    columns: Annotated[
        Text,
        quiet_option(
            "--columns",
            metavar="NAMES",
            help="Tables: what the columns are, by default head,relation,tail; also head,tail for"
            " one relation, and _ for a column to skip.",
        ),
    ] = None
    delimiter: Annotated[
        Text,
        quiet_option(
            "--delimiter",
            metavar="CHAR",
            help="Tables: what separates columns; by default a tab, or a comma in .csv.",
        ),
    ] = None
    header: Annotated[
        bool | None,
        quiet_option(
            "--header/--no-header", help="Tables: whether the first line names the columns."
        ),
    ] = None
    comment: Annotated[
        Text,
        quiet_option(
            "--comment",
            metavar="CHAR",
            help="Tables: what comment lines start with, # by default; '' for none.",
        ),
    ] = None
    splits: Annotated[
        Text,
        quiet_option(
            "--splits",
            metavar="NAMES",
            help="Folders: which of train,valid,test to read; train by default.",
        ),
    ] = None
    relation_attribute: Annotated[
        Text,
        quiet_option(
            "--relation-attribute",
            metavar="NAME",
            help="GraphML, GEXF, JSON: the edge attribute that holds the relation.",
        ),
    ] = None
    label_attribute: Annotated[
        Text,
        quiet_option(
            "--label-attribute",
            metavar="NAME",
            help="GraphML, GEXF, JSON: the node attribute that holds the label.",
        ),
    ] = None
    max_input: Annotated[
        Text,
        quiet_option(
            "--max-input",
            metavar="SIZE",
            help="Refuse inputs that decompress to more than this, as in 4G; by default 250 times"
            " the size of the file, and at least 16 MiB.",
        ),
    ] = None
    labels: Annotated[
        Text,
        quiet_option(
            "--labels",
            metavar="LABELS",
            help="What vertices start with instead of one colour for all: a TSV of vertices and"
            " labels, kind (IRI, blank node or literal) or type (their rdf:type).",
            autocompletion=one_of(("kind", "type")),
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

    def options(self) -> ReadOptions:
        """The options that concern the content of a file, for engines that read it themselves."""
        from wlkg.readers.options import ReadOptions

        others = ("format", "direction")
        return ReadOptions(**{k: v for k, v in self.given().items() if k not in others})

    def named(self, name: str, graph: RelationalGraph) -> NamedGraph:
        """A graph as results refer to it: its name, and the options that the user gave."""
        from wlkg.reports.results import NamedGraph

        options = {field.name: getattr(self, field.name) for field in fields(self)}
        given = {key: value for key, value in options.items() if value is not None}
        return NamedGraph(name, graph, given)

    def asked(self, *graphs: str) -> Asked:
        """The graphs as the user named them, with the options to read them again."""
        from wlkg.reports.next_steps import Asked

        return Asked(graphs, tuple(self.words()))

    def words(self) -> list[str]:
        """The options that the user gave, as words of a command line."""
        words = []
        for field in fields(self):
            value = getattr(self, field.name)
            name = "graph" if field.name == "named_graph" else field.name.replace("_", "-")
            if isinstance(value, bool):
                words.append(f"--{name}" if value else f"--no-{name}")
            elif value is not None:
                words += [f"--{name}", value]
        return words

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
