"""Edge lists: one triple per line, as TSV, CSV or whitespace-separated text.

Names are kept exactly as written, never stripped or converted, so a vertex called "NA", "001" or
" x" keeps its name. Only CSV has quotes (RFC 4180). A line with the wrong number of fields is an
error that gives the line number.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from wlkg.arrays import Int32Array, Int64Array
from wlkg.errors import InputError, UsageError
from wlkg.graph.names import DEFAULT_RELATION
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.triple_table import TripleSink, TripleTable
from wlkg.readers.ahead import map_ahead, workers
from wlkg.readers.columns import Columns, choose_columns, is_header
from wlkg.readers.lines import Block, blocks
from wlkg.readers.options import ReadOptions
from wlkg.readers.source import Source

WHITESPACE = "whitespace"
_DELIMITERS = {"tsv": "\t", "csv": ",", "edgelist": WHITESPACE}
_SPOKEN = {"\t": "tab-separated", ",": "comma-separated", WHITESPACE: "whitespace-separated"}
_WORKERS = 2
#: The first lines of a file have about this many bytes.
_FIRST_LINES = 1 << 16
#: From this many triples on, names that occur only in the first row look like titles.
_MANY = 10


def read_edgelist(source: Source, format_name: str, options: ReadOptions) -> RelationalGraph:
    """Read ``tsv``, ``csv``, ``edgelist`` (whitespace), or ``txt`` (tabs if row one has any)."""
    table = TripleTable(source.progress)
    layout, comments = _read(source, format_name, options, table)
    if not len(table):
        raise InputError("the file holds no triple", path=source.path)
    graph = RelationalGraph.from_arrays(**table.arrays(), notes=layout.notes(comments))
    doubt = () if options.header is False else _header_doubt(graph, layout)
    return replace(graph, notes=(*graph.notes, *doubt))


def read_edges(
    source: Source, format_name: str, options: ReadOptions, table: TripleSink
) -> tuple[str, ...]:
    """Add the triples of one file to a table; the notes say which lines were skipped."""
    layout, comments = _read(source, format_name, options, table)
    return layout.notes(comments)


def _read(
    source: Source, format_name: str, options: ReadOptions, table: TripleSink
) -> tuple[_Layout, int]:
    """Add the triples of one file to a table; its layout, and the number of comments."""
    with source.open() as stream, workers(_WORKERS + 1) as pool:
        incoming = blocks(stream, source.path, pool)
        opening, number, sample = _first_row(incoming, options.comment)
        all_blocks = chain(opening, incoming)
        layout = _layout(number, sample, format_name, options, source.path)
        quoted: list[Block] = []
        comments = 0
        plain = layout.plain(all_blocks, quoted)
        for names, codes, remarks in map_ahead(pool, layout.split, plain, _WORKERS):
            table.add_codes(names, codes)
            comments += remarks
        if quoted:
            rows = _QuotedRows(chain(quoted, all_blocks), layout)
            table.add_rows(rows)
            comments += rows.comments
    return layout, comments


@dataclass(frozen=True)
class _Layout:
    """How to split the lines of one file."""

    delimiter: str
    columns: Columns
    comment: str
    header_line: int | None
    quoted: bool
    #: The first row, which may be a header with titles that nobody knows.
    first_line: int
    first_row: tuple[str, ...]

    def notes(self, comments: int) -> tuple[str, ...]:
        """What a user should know about lines that were not read as triples."""
        notes = []
        if self.header_line is not None:
            notes.append(
                f"line {self.header_line} was taken as a header (--no-header reads it as a triple)"
            )
        if comments:
            notes.append(
                f"{comments:,} lines that start with {self.comment!r} were skipped as comments "
                "(--comment '' reads them)"
            )
        return tuple(notes)

    def plain(self, all_blocks: Iterable[Block], quoted: list[Block]) -> Iterator[Block]:
        """The blocks before the first quote; from there on, a row of CSV may span several lines.

        Stray carriage returns are left to the CSV parser, too.
        """
        for block in all_blocks:
            if self.quoted and (b'"' in block.data or b"\r" in block.data):
                quoted.append(block)
                return
            yield block

    def split(self, block: Block) -> tuple[pa.Array, Int32Array, int]:
        """The distinct words of a block, the triples as their indices, the number of comments."""
        if block.is_blank:
            return pa.array([], pa.large_string()), np.empty((0, 3), dtype=np.int32), 0
        words, widths = split_words(block, self.delimiter)
        kept, comments = self._triple_lines(block, widths)
        if len(kept) < len(widths):
            chosen = np.zeros(len(widths), dtype=bool)
            chosen[kept] = True
            words = words.filter(pa.array(np.repeat(chosen, widths)))
        width = self.columns.width
        wrong = np.flatnonzero(widths[kept] != width)
        if len(wrong):
            index = int(kept[wrong[0]])
            raise self.width_error(int(widths[index]), block.path, block.first_line + index)
        encoded = words.dictionary_encode()
        fields = encoded.indices.to_numpy(zero_copy_only=False).reshape(-1, width)
        names = encoded.dictionary
        head, relation, tail = self.columns.places
        empty = pc.index(names, "").as_py()
        for place in (head, relation, tail):
            if place is None:
                continue
            rows = np.flatnonzero(fields[:, place] == empty)
            if len(rows):
                raise empty_name(block.path, block.first_line + int(kept[rows[0]]))
        if relation is None:
            names = pa.concat_arrays([names, pa.array([DEFAULT_RELATION], pa.large_string())])
            single = np.full((len(fields), 1), len(names) - 1, dtype=np.int32)
            return names, np.hstack([fields[:, [head]], single, fields[:, [tail]]]), comments
        return names, fields[:, [head, relation, tail]], comments

    def _triple_lines(self, block: Block, widths: Int64Array) -> tuple[Int64Array, int]:
        """The indices of the lines that hold triples, and the number of comments."""
        lengths = np.diff(block.ends, prepend=0)
        skipped = (lengths == 1) | (widths == 0)
        comments = 0
        if self.comment:
            remarks = pc.starts_with(block.arrow(), self.comment).to_numpy(zero_copy_only=False)
            comments = int(np.count_nonzero(remarks))
            skipped |= remarks
        if self.header_line is not None and 0 <= self.header_line - block.first_line < len(skipped):
            skipped[self.header_line - block.first_line] = True
        return np.flatnonzero(~skipped), comments

    def width_error(self, width: int, path: str, line: int) -> InputError:
        """The error for a row with the wrong number of fields."""
        spoken = _SPOKEN.get(self.delimiter, f"{self.delimiter!r}-separated")
        remedy = None
        if width == 2 and self.columns.width == 3:
            remedy = "For a graph with one relation pass --columns head,tail"
        elif width > self.columns.width:
            remedy = "Name the columns with --columns head,relation,tail,_ where _ skips one"
        elif width == 1:
            remedy = "Is the separator right? --delimiter changes it"
        return InputError(
            f"expected {self.columns.width} {spoken} fields, found {width}",
            path=path,
            line=line,
            remedy=remedy,
        )


def split_words(block: Block, delimiter: str) -> tuple[pa.Array, Int64Array]:
    """All fields of a block in order, and the number of fields in each line.

    Once the separators are deleted from the bytes, the fields lie end to end, which is Arrow's
    layout: only their offsets have to be computed.
    """
    data = np.frombuffer(block.data, dtype=np.uint8)
    if delimiter == WHITESPACE:
        separators = b" \t\n"
        is_gap = np.isin(data, np.frombuffer(separators, dtype=np.uint8))
        starts = np.flatnonzero(~is_gap & np.concatenate([[True], is_gap[:-1]]))
        gaps_before = np.cumsum(is_gap)
        offsets = np.append(starts - gaps_before[starts], len(data) - gaps_before[-1])
        widths = np.diff(np.searchsorted(starts, block.ends), prepend=0)
    else:
        separators = delimiter.encode() + b"\n"
        places = np.flatnonzero((data == separators[0]) | (data == ord("\n")))
        offsets = np.concatenate([[0], places - np.arange(len(places))])
        widths = np.diff(np.flatnonzero(data[places] == ord("\n")), prepend=-1)
    text = pa.py_buffer(block.data.translate(None, separators))
    buffers = [None, pa.py_buffer(offsets.astype(np.int64)), text]
    return pa.Array.from_buffers(pa.large_string(), len(offsets) - 1, buffers), widths


def empty_name(path: str, line: int) -> InputError:
    """The error for a triple with an empty name."""
    return InputError(
        "an empty name", path=path, line=line, remedy="Every vertex and relation needs a name"
    )


def _first_row(all_blocks: Iterator[Block], comment: str) -> tuple[list[Block], int, str]:
    """The first line that is neither empty nor a comment, its number, and the blocks up to it."""
    remark = f"|{re.escape(comment)}[^\n]*\n" if comment else ""
    skipped = re.compile(rf"(?:[^\S\n]*\n{remark})*+")
    opening: list[Block] = []
    for block in all_blocks:
        opening.append(block)
        # The row is nearly always among the first lines, and the rest need not be decoded.
        for data in (block.data[: 1 + block.data.find(b"\n", _FIRST_LINES)], block.data):
            text = data.decode()
            before = skipped.match(text)
            start = 0 if before is None else before.end()
            if start < len(text):
                number = block.first_line + text.count("\n", 0, start)
                return opening, number, text[start : text.index("\n", start)]
    return opening, 0, ""


def _layout(number: int, sample: str, format_name: str, options: ReadOptions, path: str) -> _Layout:
    """The layout of a file, from its first row and the options."""
    delimiter = (
        options.delimiter
        or _DELIMITERS.get(format_name)
        or ("\t" if "\t" in sample else WHITESPACE)
    )
    delimiter = {"\\t": "\t", "tab": "\t", "comma": ",", "space": " "}.get(delimiter, delimiter)
    if delimiter != WHITESPACE and not (
        len(delimiter) == 1 and delimiter.isascii() and delimiter not in "\r\n"
    ):
        raise UsageError(
            f"--delimiter must be one ASCII character, or 'whitespace', not {delimiter!r}"
        )
    quoted = format_name == "csv" and delimiter != WHITESPACE
    if quoted:
        try:
            fields = next(csv.reader([sample], delimiter=delimiter), [])
        except csv.Error as error:
            raise _not_csv(error, path, number) from error
    else:
        fields = sample.split(delimiter)
        if delimiter == WHITESPACE:  # as in `split_words`: other white space is part of a name
            fields = sample.replace("\t", " ").split(" ")
            fields = [field for field in fields if field]
    by_name = "=" in (options.columns or "")
    header = by_name or is_header(fields) if options.header is None else options.header
    header = header and bool(sample or by_name)  # a file without rows has no header either
    columns = choose_columns(options.columns, fields if header else None, path)
    return _Layout(
        delimiter=delimiter,
        columns=columns,
        comment=options.comment,
        header_line=number if header else None,
        quoted=quoted,
        first_line=number,
        first_row=tuple(fields),
    )


def _header_doubt(graph: RelationalGraph, layout: _Layout) -> tuple[str, ...]:
    """A note if the first row is not known as a header, but its names occur nowhere else."""
    if layout.header_line is not None or graph.num_triples < _MANY:
        return ()
    places = [place for place in layout.columns.places if place is not None]
    names = [layout.first_row[place] for place in places]
    if any(map(str.isdecimal, names)) or (len(names) == 3 and _is_common(graph, names[1])):
        return ()
    head, tail = (graph.find_vertex(name) for name in (names[0], names[-1]))
    if head is None or tail is None:
        return ()
    ends = np.concatenate([graph.head, graph.tail])
    if max(np.count_nonzero(ends == vertex) for vertex in (head, tail)) > 1:
        return ()
    note = (
        f"line {layout.first_line} may be a header, because {', '.join(names)} occur nowhere else "
        "(--header skips it, --no-header says that it is a triple)"
    )
    return (note,)


def _is_common(graph: RelationalGraph, relation: str) -> bool:
    """Whether several triples have a relation, by its name."""
    uses = graph.relation == graph.relation_names.index(relation)
    return int(np.count_nonzero(uses)) > 1


class _QuotedRows:
    """The triples of a CSV file from its first quote on, by the standard library's parser.

    A row may span several lines. Errors name its first line, and comments are recognised only where
    a row could start.
    """

    def __init__(self, all_blocks: Iterable[Block], layout: _Layout) -> None:
        self._blocks = all_blocks
        self._layout = layout
        self._path = ""
        self._line = 0
        self._between_rows = True
        self.comments = 0

    def __iter__(self) -> Iterator[tuple[str, str, str]]:
        layout = self._layout
        try:
            for row in csv.reader(self._lines(), delimiter=layout.delimiter, strict=True):
                self._between_rows = True
                if not row or self._line == layout.header_line:
                    continue
                if len(row) != layout.columns.width:
                    raise layout.width_error(len(row), self._path, self._line)
                triple = [DEFAULT_RELATION if j is None else row[j] for j in layout.columns.places]
                if not all(triple):
                    raise empty_name(self._path, self._line)
                yield triple[0], triple[1], triple[2]
        except csv.Error as error:
            raise _not_csv(error, self._path, self._line) from error

    def _lines(self) -> Iterator[str]:
        comment = self._layout.comment
        for block in self._blocks:
            self._path = block.path
            text = io.StringIO(block.data.decode(), newline="\n")
            for number, line in enumerate(text, block.first_line):
                if self._between_rows:
                    if comment and line.startswith(comment):
                        self.comments += 1
                        continue
                    self._line = number
                    self._between_rows = False
                yield line


def _not_csv(error: csv.Error, path: str, line: int) -> InputError:
    return InputError(f"not valid CSV: {error}", path=path, line=line, remedy="Check the quotes")
