"""Numbers that a test shows of vertices, whose comparison with a threshold is a formula.

==========================  ==============================  ========================================
column                      value of a vertex v             formula "the value is at least n"
==========================  ==============================  ========================================
atom                        1 if it is true of v            the atom itself
relation R, argument F      neighbours in N_R(v) with F     at_least n R F
the same, by shares         their share of N_R(v)           share_at_least n R F
==========================  ==============================  ========================================

Atoms are labels, loops where the test starts with them, and for weak-rwl ``degree`` R n. A column
is stored as the vertices with a value other than 0, so all columns together cost no more than the
arcs of the vertices, times the arguments that are true of a neighbour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import (
    ANY,
    TRUE,
    Formula,
    Relation,
    at_least,
    degree,
    label,
    loop,
    negation,
    share_at_least,
)
from wlkg.arrays import FloatArray, Int64Array, IntArray


class Compare(NamedTuple):
    """The formula "the value is at least ...", given a value that occurs, and its size."""

    formula: Callable[[float], Formula]
    size: int


@dataclass(frozen=True, eq=False)
class Columns:
    """Columns of a kind; entry i says that column ``column[i]`` has ``value[i]`` at ``item[i]``."""

    compare: Sequence[Compare]
    column: IntArray
    item: IntArray
    value: FloatArray


@dataclass(frozen=True, eq=False)
class Arguments:
    """Formulas that neighbours may satisfy: entry i says that ``which[i]`` is true of a vertex."""

    formulas: Sequence[Formula]
    which: IntArray
    #: Where the entries of each vertex begin, and where those of the last one end.
    starts: Int64Array


def gathered(starts: Int64Array, rows: IntArray) -> tuple[Int64Array, Int64Array]:
    """The places of all entries of some rows, and for each the position of its row in ``rows``."""
    lengths = starts[rows + 1] - starts[rows]
    owner = np.repeat(np.arange(len(rows)), lengths)
    ends = np.cumsum(lengths)
    places = np.arange(len(owner)) + np.repeat(starts[rows] - (ends - lengths), lengths)
    return places, owner


def atom_columns(vertices: Vertices, items: IntArray) -> Columns:
    """What is true of vertices before the first round: labels, and loops if the test sees them."""
    parts: list[tuple[Formula, IntArray]] = []
    graph = vertices.graph
    if graph.labels is not None:
        of_item = graph.labels[items]
        order = np.argsort(of_item, kind="stable")
        present, begin = np.unique(of_item[order], return_index=True)
        groups = np.split(order, begin[1:]) if len(present) else []
        parts += [
            (label(graph.label_names[number]), members)
            for number, members in zip(present.tolist(), groups, strict=True)
        ]
    if vertices.test.starts_with_loops:
        parts += [
            (loop(relation), np.flatnonzero(vertices.holds(loop(relation))[items]))
            for relation in vertices.relations
        ]
    return _boolean(parts)


def degree_columns(vertices: Vertices, items: IntArray) -> Columns:
    """The atoms of weak-rwl: a number of arcs of a relation, and whether there are any."""
    parts: list[tuple[Formula, IntArray]] = []
    for relation in vertices.relations:
        degrees = vertices.degrees(relation)[items]
        parts.append((negation(degree(relation, 0)), np.flatnonzero(degrees)))
        parts += [
            (degree(relation, count), np.flatnonzero(degrees == count))
            for count in np.unique(degrees[degrees > 0]).tolist()
        ]
    return _boolean(parts)


def _boolean(parts: Sequence[tuple[Formula, IntArray]]) -> Columns:
    lengths = [len(members) for _, members in parts]
    return Columns(
        compare=[_always(formula) for formula, _ in parts],
        column=np.repeat(np.arange(len(parts)), lengths),
        item=np.concatenate([np.zeros(0, dtype=np.int64), *(members for _, members in parts)]),
        value=np.ones(sum(lengths)),
    )


def _always(formula: Formula) -> Compare:
    return Compare(lambda _: formula, formula.size)


def neighbour_columns(
    vertices: Vertices, items: IntArray, arguments: Arguments
) -> Iterator[Columns]:
    """For each relation, the numbers or shares of neighbours that satisfy each argument.

    An argument that is true of most neighbours is also counted where it is false.
    """
    test = vertices.test
    relations = vertices.relations if test.sees_relations else (ANY,)
    place = np.full(vertices.graph.num_vertices, -1)
    place[items] = np.arange(len(items))
    for relation in relations:
        source, neighbour = vertices.arcs_of(relation)
        mine = place[source] >= 0
        item, neighbour = place[source[mine]], neighbour[mine]
        if len(item):
            degrees = np.bincount(item, minlength=len(items))
            yield _of_relation(relation, item, neighbour, degrees, arguments, test.sees_shares)


def _of_relation(
    relation: Relation,
    item: IntArray,
    neighbour: IntArray,
    degrees: Int64Array,
    arguments: Arguments,
    shares: bool,
) -> Columns:
    places, owner = gathered(arguments.starts, neighbour)
    which = arguments.which[places]
    column, counted, count = _counted(which, item[owner], len(degrees))
    formulas, parts = list(arguments.formulas), [(column, counted, count)]
    some = np.flatnonzero(degrees)
    mostly = np.bincount(which, minlength=len(formulas)) * 2 > len(item)
    for number in np.flatnonzero(mostly).tolist():
        begin, end = np.searchsorted(column, [number, number + 1])
        absent = degrees.copy()
        absent[counted[begin:end]] -= count[begin:end]
        lacking = some[absent[some] > 0]
        if len(lacking):
            parts.append((np.full(len(lacking), len(formulas)), lacking, absent[lacking]))
            formulas.append(negation(arguments.formulas[number]))
    parts.append((np.full(len(some), len(formulas)), some, degrees[some]))
    formulas.append(TRUE)
    column, counted, count = (np.concatenate(piece) for piece in zip(*parts, strict=True))
    value = count / degrees[counted] if shares else count.astype(np.float64)
    used, column = np.unique(column, return_inverse=True)
    most = int(degrees.max())
    make = _by_share if shares else _by_count
    compare = [make(relation, formulas[number], most) for number in used.tolist()]
    return Columns(compare=compare, column=column.reshape(-1), item=counted, value=value)


def _counted(
    which: IntArray, item: IntArray, num_items: int
) -> tuple[IntArray, IntArray, Int64Array]:
    keys, count = np.unique(which.astype(np.int64) * num_items + item, return_counts=True)
    return keys // num_items, keys % num_items, count


def _by_count(relation: Relation, arg: Formula, _: int) -> Compare:
    return Compare(lambda value: at_least(round(value), relation, arg), arg.size + 1)


def _by_share(relation: Relation, arg: Formula, most: int) -> Compare:
    # Shares of up to `most` neighbours are further apart than a rounding error.
    def formula(value: float) -> Formula:
        return share_at_least(Fraction(value).limit_denominator(most), relation, arg)

    return Compare(formula, arg.size + 1)
