"""RDF through pyoxigraph: Turtle, TriG, N3, RDF/XML and JSON-LD."""

from __future__ import annotations

from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleTable
from wlkg.readers.json_nesting import CheckedJson
from wlkg.readers.options import ReadOptions
from wlkg.readers.quads_in_bulk import QuadsInBulk
from wlkg.readers.rdf_names import GraphChoice, TermNames
from wlkg.readers.rdf_parsing import FORMATS, finished, parsed_quads, parsed_rows, syntax_error
from wlkg.readers.rdf_stream import RecordingStream
from wlkg.readers.source import Readable, Source
from wlkg.readers.turtle_in_bulk import LARGE, PLAIN_FORMATS, LargeTurtle
from wlkg.readers.xml import CheckedXml

_START = 1 << 20


def read_rdf(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read a document in any of `FORMATS`."""
    table = TripleTable(source.progress)
    choice = GraphChoice(options.named_graph)
    with source.open() as stream:
        start = stream.read(_START)
        if format_name in PLAIN_FORMATS and choice.wanted is None:
            while len(start) < LARGE and (more := stream.read(LARGE - len(start))):
                start += more
            if len(start) >= LARGE:
                return _read_large(source, format_name, options, start, stream)
        xml = CheckedXml(start, stream, source) if format_name == "rdfxml" else None
        json = CheckedJson(start, stream, source.path) if format_name == "jsonld" else None
        text = RecordingStream(xml or json or stream, start)
        names = TermNames(text)
        prefixes = {} if xml is None else dict(xml.prefixes)
        try:
            quads = parsed_quads(text, FORMATS[format_name], source.path, options.base, prefixes)
            if choice.wanted is None:
                QuadsInBulk(format_name, names, options.literals).add(table, quads)
            else:
                # Graphs may be blank nodes without a label, and are then numbered with the others.
                table.add_rows(parsed_rows(quads, names, choice, options.literals))
        except (SyntaxError, ValueError) as error:
            raise syntax_error(error, source.path) from error
    choice.check(source.path)
    return finished(table, source, options, prefixes)


def _read_large(
    source: Source, format_name: str, options: ReadOptions, start: bytes, stream: Readable
) -> RelationalGraph:
    table = TripleTable(source.progress)
    try:
        document = LargeTurtle(format_name, source.path, options)
    except ValueError as error:
        raise syntax_error(error, source.path) from error
    document.add(table, start, stream)
    return finished(table, source, options, document.prefixes)
