"""The quads that pyoxigraph has parsed, read in bulk.

A Python call for each term of each quad would take several times as long as the parser. Instead
pyoxigraph writes the quads as N-Quads, a piece at a time, and the plain lines are read in bulk
(`plain_lines`); only the terms of the other lines are named one by one. Blank nodes without a label
are numbered in the order in which the parser reports them, in whichever lane their lines are.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyoxigraph as ox

from wlkg.arrays import Int64Array
from wlkg.graph.triple_table import TripleTable
from wlkg.readers.ahead import map_ahead, workers
from wlkg.readers.lines import BLOCK_BYTES, Block
from wlkg.readers.plain_lines import PlainLines, plain_lines
from wlkg.readers.rdf_names import RENAMED, GraphChoice, TermNames
from wlkg.readers.rdf_parsing import FORMATS, parsed_rows

#: The formats whose terms have the grammar of N-Quads, so that quads can be parsed again from their
#: text. Those of other formats are kept: only RDF/XML has the label ``a.``, for example.
_SAME_TERMS = ("turtle", "trig")
#: The formats without named graphs.
_TRIPLES = ("turtle", "rdfxml")
#: The most quads of a piece.
_PIECE_QUADS = 1 << 16
#: Pieces that Arrow splits while the parser goes on.
_AHEAD = 1
_ALL_GRAPHS = GraphChoice(None)

Quad = ox.Quad | ox.Triple


@dataclass(frozen=True, eq=False)
class _Piece:
    """Some quads as text, a line for each, and the quads themselves if they are kept."""

    text: Block
    quads: list[Quad]


class QuadsInBulk:
    """Adds quads to a table, by way of their text."""

    def __init__(self, format_name: str, names: TermNames, policy: str) -> None:
        self._keep = format_name not in _SAME_TERMS
        self._has_graphs = format_name not in _TRIPLES
        self._written = FORMATS["nquads" if self._has_graphs else "ntriples"]
        self._names = names
        self._policy = policy

    def add(self, table: TripleTable, quads: Iterator[Quad]) -> None:
        """Add all quads."""
        with workers(_AHEAD) as pool:
            for piece, lines in map_ahead(pool, self._split, self._pieces(quads), _AHEAD):
                is_renamed = pc.match_substring_regex(lines.names, RENAMED)
                renamed = lines.names.filter(is_renamed).to_pylist()
                nodes = [ox.BlankNode(name.removeprefix("_:")) for name in renamed]
                first_lines = lines.first_lines[is_renamed.to_numpy(zero_copy_only=False)]
                in_doubt = self._in_doubt(piece, lines, nodes, first_lines)
                rows = list(parsed_rows(in_doubt, self._names, _ALL_GRAPHS, self._policy))
                fresh = pa.array(map(self._names, nodes), pa.large_string())
                names = pc.replace_with_mask(lines.names, is_renamed, fresh)
                table.add_codes(*replace(lines, names=names).table(self._policy))
                table.add_rows(rows)

    def _pieces(self, quads: Iterator[Quad]) -> Iterator[_Piece]:
        while True:
            kept: list[Quad] = []
            text = io.BytesIO()
            ox.serialize(
                cast("Iterator[ox.Quad]", self._some(quads, text, kept)), text, self._written
            )
            if not text.tell():
                return
            yield _Piece(Block(text.getvalue(), 1, ""), kept)

    def _some(self, quads: Iterator[Quad], text: io.BytesIO, kept: list[Quad]) -> Iterator[Quad]:
        """The next quads, fewer where names are long."""
        for quad in islice(quads, _PIECE_QUADS):
            if self._keep:
                kept.append(quad)
            yield quad
            if text.tell() > BLOCK_BYTES:
                return

    def _split(self, piece: _Piece) -> tuple[_Piece, PlainLines]:
        drop = self._policy == "drop"
        return piece, plain_lines(
            piece.text, _ALL_GRAPHS, quads=self._has_graphs, drop_literals=drop
        )

    def _in_doubt(
        self, piece: _Piece, lines: PlainLines, nodes: list[ox.BlankNode], first_lines: Int64Array
    ) -> Iterator[Quad]:
        """The quads of the lines in doubt; before each, blank nodes of the lines above are named.

        That numbers them from line to line. ``nodes`` are those that plain lines first name in
        ``first_lines``.
        """
        places = lines.in_doubt.tolist()
        quads: Iterable[Quad]
        if self._keep:
            quads = [piece.quads[place] for place in places]
        else:
            quads = ox.parse(b"\n".join(map(piece.text.line, places)), self._written)
        earlier = np.searchsorted(first_lines, lines.in_doubt, side="right").tolist()
        named = 0
        for quad, count in zip(quads, earlier, strict=True):
            for node in nodes[named:count]:
                self._names(node)
            named = count
            yield quad
