"""N-Triples and N-Quads in bulk.

There are two lanes, which always agree: plain lines are read in bulk (`plain_lines`), and every
line in doubt is left to pyoxigraph.
"""

from __future__ import annotations

import pyarrow as pa
import pyoxigraph as ox

from wlkg.arrays import Int32Array, Int64Array
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleSink, TripleTable
from wlkg.readers.ahead import map_ahead, workers
from wlkg.readers.lines import Block, blocks
from wlkg.readers.options import ReadOptions
from wlkg.readers.plain_lines import plain_lines
from wlkg.readers.rdf_names import GraphChoice, TermNames
from wlkg.readers.rdf_parsing import FORMATS, finished, parsed_quads, parsed_rows, syntax_error
from wlkg.readers.rdf_stream import check_open_terms
from wlkg.readers.source import Source

#: Arrow releases the interpreter lock, so two blocks are parsed at a time.
_WORKERS = 2


def read_ntriples(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read ``ntriples`` or ``nquads``."""
    table = TripleTable(source.progress)
    add_ntriples(source, format_name, options, table)
    return finished(table, source, options)


def add_ntriples(source: Source, format_name: str, options: ReadOptions, table: TripleSink) -> None:
    """Add the triples of a file to a table, block by block."""
    lanes = _Lanes(format_name, options)
    with source.open() as stream, workers(_WORKERS + 1) as pool:
        for block, names, codes, in_doubt in map_ahead(
            pool, lanes.fast, blocks(stream, source.path, pool), _WORKERS
        ):
            table.add_codes(names, codes)
            if len(in_doubt):
                table.add_rows(lanes.careful(block, in_doubt))
    lanes.choice.check(source.path)


class _Lanes:
    """The two ways through a block of lines."""

    def __init__(self, format_name: str, options: ReadOptions) -> None:
        self.choice = GraphChoice(options.named_graph)
        self._format = FORMATS[format_name]
        self._policy = options.literals
        self._names = TermNames()

    def fast(self, block: Block) -> tuple[Block, pa.Array, Int32Array, Int64Array]:
        """The block, its names, its plain lines as rows of name indices, and the lines in doubt."""
        plain = plain_lines(
            block,
            self.choice,
            quads=self._format == ox.RdfFormat.N_QUADS,
            drop_literals=self._policy == "drop",
        )
        return block, *plain.table(self._policy), plain.in_doubt

    def careful(self, block: Block, in_doubt: Int64Array) -> list[tuple[str, str, str]]:
        """The triples of the lines in doubt, parsed by pyoxigraph."""
        lines = [block.line(i) for i in in_doubt.tolist()]
        try:
            for line in lines:
                check_open_terms(line.count(b"<<("))
            return self._parsed(b"\n".join(lines), block.path)
        except (SyntaxError, ValueError) as error:
            raise self._first_error(lines, block, in_doubt) from error

    def _parsed(self, document: bytes, path: str) -> list[tuple[str, str, str]]:
        quads = parsed_quads(document, self._format, path)
        return list(parsed_rows(quads, self._names, self.choice, self._policy))

    def _first_error(self, lines: list[bytes], block: Block, in_doubt: Int64Array) -> InputError:
        """The error in the first wrong line; pyoxigraph may report it one line too late."""
        for line, index in zip(lines, in_doubt.tolist(), strict=True):
            try:
                check_open_terms(line.count(b"<<("))
                self._parsed(line, block.path)
            except (SyntaxError, ValueError) as error:
                return syntax_error(error, block.path, block.first_line + index)
        raise AssertionError("lines that fail together must include one that fails alone")
