"""What a report consists of: blocks of text, tables, charts and drawings, in no format yet.

A section is what one result has to say. It is made from the result's JSON document (and its graphs,
where they are at hand), and rendered as HTML, Markdown or LaTeX; its charts and drawings also as
figures. Cells and points hold the numbers of the document itself, and renderers format them, so
every format shows the same numbers. All text is plain text: renderers escape it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

#: What a cell of a table holds.
Value = str | int | float | bool | None

#: What a number means, and so how it is written: 1,234; 0.93; 93.1 %; 2.4e-02; 1.2 s.
NumberStyle = Literal["count", "number", "share", "scientific", "seconds"]


@dataclass(frozen=True)
class Paragraph:
    """Text. A verdict is the answer of the section and stands out; so does a warning."""

    text: str
    kind: Literal["plain", "verdict", "note", "warning"] = "plain"


@dataclass(frozen=True)
class Code:
    """Text to copy, with its line breaks: a query, a formula, a command."""

    text: str
    title: str = ""
    language: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    title: str
    style: NumberStyle | Literal["text"] = "text"


@dataclass(frozen=True)
class Table:
    """Rows of values under titles; ``title`` says what the table shows."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Value, ...], ...]
    #: A remark below the table: what was left out, what a symbol means.
    note: str = ""
    #: Whether a page offers to search the rows.
    searchable: bool = False


@dataclass(frozen=True)
class Series:
    """Points of one line (or one group of bars) of a chart; y is None where there is no value."""

    name: str
    points: tuple[tuple[float, float | None], ...]
    #: A bound is drawn as a dashed line, which other series should not cross.
    kind: Literal["line", "bars", "bound"] = "line"


@dataclass(frozen=True)
class Chart:
    """Series over a common axis."""

    title: str
    x_title: str
    y_title: str
    series: tuple[Series, ...]
    log_x: bool = False
    log_y: bool = False
    #: How the values of y are written.
    style: NumberStyle = "number"
    #: If the places 0, 1, ... on the axis of x are no numbers but things: their names.
    x_names: tuple[str, ...] = ()


@dataclass(frozen=True)
class DrawnGraph:
    """A graph with the places of its vertices, in the unit square; y grows downwards."""

    name: str
    vertices: tuple[str, ...]
    places: tuple[tuple[float, float], ...]
    #: Triples as (head, relation, tail), by position in ``vertices`` and ``Drawing.relations``.
    triples: tuple[tuple[int, int, int], ...]
    #: The label of each vertex, or empty if the graph has none.
    labels: tuple[str, ...] = ()
    #: If vertices stand for classes: how many vertices each of them stands for.
    sizes: tuple[int, ...] = ()
    #: If vertices stand for classes: how many triples each triple stands for.
    counts: tuple[int, ...] = ()
    #: Vertices that have more triples than are drawn.
    partial: tuple[int, ...] = ()


@dataclass(frozen=True)
class Colouring:
    """The classes of all vertices at every round of a test, numbered for all graphs together.

    ``rounds[t][g][v]`` is the class of vertex v of graph g at round t. Classes are numbered from 1
    in the order in which they appear, and the largest part of a class that splits keeps its number.
    """

    test: str
    #: How colours are refined: "vertices", or "tuples" if classes of vertices come from tuples.
    of: Literal["vertices", "tuples"]
    rounds: tuple[tuple[tuple[int, ...], ...], ...]
    #: The first round at which two graphs have different histograms, if there are two.
    separated_at: int | None = None


@dataclass(frozen=True)
class Drawing:
    """One or two small graphs with the colourings of some tests, to be looked at round by round."""

    title: str
    graphs: tuple[DrawnGraph, ...]
    relations: tuple[str, ...]
    direction: str
    colourings: tuple[Colouring, ...]
    #: Vertices to point out, as (graph, vertex): a pair that is explained, violated or lost.
    marked: tuple[tuple[int, int], ...] = ()
    #: Whether only a part of larger graphs is drawn; classes are those of the whole graphs.
    is_part: bool = False


@dataclass(frozen=True)
class Neighbourhoods:
    """Some vertices of a large graph with all that is around them, to be searched and opened."""

    title: str
    #: Names of the vertices that occur; the first ``searchable`` of them have their triples here.
    vertices: tuple[str, ...]
    searchable: int
    #: The class of each vertex in the last round, and the number of vertices in its class.
    classes: tuple[int, ...]
    sizes: tuple[int, ...]
    relations: tuple[str, ...]
    #: Triples by position in ``vertices`` and ``relations``.
    triples: tuple[tuple[int, int, int], ...]
    #: The triples of each vertex that can be searched, also those that are not here.
    degrees: tuple[int, ...]
    #: What was left out.
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A finished SVG picture of our own making, such as unfolding trees; its text is escaped."""

    title: str
    svg: str


@dataclass(frozen=True)
class Details:
    """Blocks that a page folds away under a title."""

    title: str
    blocks: tuple[Block, ...]


Block = Paragraph | Code | Table | Chart | Drawing | Neighbourhoods | Picture | Details


@dataclass(frozen=True)
class Section:
    """What one result has to say: a title, and blocks in reading order, the answer first."""

    title: str
    blocks: tuple[Block, ...]
    #: How the result was computed: command, version, seconds, inputs.
    provenance: Mapping[str, Any] = field(default_factory=dict)
    #: What ``--figure`` draws, side by side; empty if there is nothing to draw.
    figure: tuple[Chart | Drawing, ...] = ()


def flat(blocks: Sequence[Block]) -> list[Block]:
    """All blocks, those of `Details` included, in reading order."""
    every: list[Block] = []
    for block in blocks:
        every += flat(block.blocks) if isinstance(block, Details) else [block]
    return every
