"""The table of expressivity papers: how many pairs of each group of graphs each test separates.

Tests and models are rows, groups are columns (`wlkg.corpora`). The graphs of a group are refined
together, and pairs are counted by classes of graphs with equal histograms (`graph_classes`); all
tests share the unions of a group. A model is a function that says for each pair whether some
random weights separate it, or None if its numbers are too close to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Literal

from wlkg.analysis.hierarchy.batches import Pair, Within
from wlkg.analysis.hierarchy.tally import MAX_MISSED, Tally, count_separated
from wlkg.analysis.side_by_side import SideBySide
from wlkg.catalogue import find_test
from wlkg.corpora import Group
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import free_memory
from wlkg.progress import SILENT, Progress

DEFAULT_TESTS: tuple[str, ...] = ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "2-fwl")

Kind = Literal["test", "model"]
Model = Callable[[Sequence[RelationalGraph], Sequence[Pair]], Sequence[bool | None]]
#: Receives the number of pairs that have just been judged.
Report = Callable[[int], None]


@dataclass(frozen=True)
class Cell:
    """What a test or model says about the pairs of a group."""

    group: str
    separated: int
    total: int
    #: The number of pairs that did not fit into memory, and the reason for the first of them.
    skipped: int = 0
    reason: str | None = None
    #: The number of pairs that a model's numbers do not decide.
    undecided: int = 0
    #: The largest of the first separating rounds of a test.
    rounds: int | None = None
    #: The first few pairs that are not separated, as ``group#1/group#2``.
    missed: tuple[str, ...] = ()
    #: Whether it was proved, without hashing, that no colours were confused; None for a model.
    exact: bool | None = None

    @property
    def not_separated(self) -> int:
        """The number of pairs that were judged and not separated."""
        return self.total - self.separated - self.skipped - self.undecided


@dataclass(frozen=True)
class Row:
    """A test or a model, with a cell for each group."""

    test: str
    kind: Kind
    cells: tuple[Cell, ...]

    @property
    def whole(self) -> Cell:
        """All groups together."""
        rounds = [cell.rounds for cell in self.cells if cell.rounds is not None]
        return Cell(
            group="all",
            separated=sum(cell.separated for cell in self.cells),
            total=sum(cell.total for cell in self.cells),
            skipped=sum(cell.skipped for cell in self.cells),
            reason=next((cell.reason for cell in self.cells if cell.reason), None),
            undecided=sum(cell.undecided for cell in self.cells),
            rounds=max(rounds, default=None),
            missed=tuple(pair for cell in self.cells for pair in cell.missed)[:MAX_MISSED],
            exact=None if self.kind == "model" else all(cell.exact for cell in self.cells),
        )


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A row for each test and model."""

    groups: tuple[Group, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, eq=False)
class _Column:
    """A group with its batches of pairs, and the graphs of each batch side by side."""

    group: Group
    batches: tuple[tuple[Within, SideBySide], ...]

    @classmethod
    def of(cls, group: Group) -> _Column:
        everyone = tuple(range(len(group.graphs)))
        places_of_batches = [everyone] if group.pairing == "all" else group.pairs()
        return cls(
            group,
            tuple(
                (Within(places), SideBySide(tuple(group.graphs[place] for place in places)))
                for places in places_of_batches
            ),
        )


@dataclass(frozen=True, eq=False)
class _Judge:
    """A test or a model that fills a row."""

    name: str
    kind: Kind
    cell: Callable[[_Column, Report], Cell]


def hierarchy(
    groups: Iterable[Group],
    tests: Iterable[str] | None = None,
    *,
    models: Mapping[str, Model] | None = None,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Hierarchy:
    """How many pairs of each group each test and each model separates.

    >>> import wlkg
    >>> graphs = tuple(wlkg.read(f"example:{name}") for name in ("c6", "2xc3", "rook"))
    >>> table = hierarchy([Group("small", graphs)], ["1-rwl", "2-rlwl"])
    >>> [(row.test, row.whole.separated, row.whole.total) for row in table.rows]
    [('1-rwl', 2, 3), ('2-rlwl', 3, 3)]
    """
    names = tuple(dict.fromkeys(DEFAULT_TESTS if tests is None else tests))
    for name in names:
        find_test(name)
    groups = tuple(groups)
    if not groups:
        raise UsageError("there is no group of graphs, so there are no pairs to tell apart")
    limit = free_memory() // 2 if max_memory is None else max_memory
    judges = [_Judge(name, "test", partial(_test_cell, name, limit)) for name in names]
    for name, model in (models or {}).items():
        judges.append(_Judge(name, "model", partial(_model_cell, name, model)))
    cells = _cells(groups, judges, progress)
    return Hierarchy(
        groups=groups,
        rows=tuple(
            Row(judge.name, judge.kind, row) for judge, row in zip(judges, cells, strict=True)
        ),
    )


def _cells(
    groups: Sequence[Group], judges: Sequence[_Judge], progress: Progress
) -> list[tuple[Cell, ...]]:
    """The cells of every row. They are filled column by column, so that judges share unions."""
    total = sum(group.num_pairs for group in groups) * len(judges)
    progress.start("telling pairs apart", total, "pairs")
    judged = 0

    def report(pairs: int) -> None:
        nonlocal judged
        judged += pairs
        progress.done(judged)

    cells: list[list[Cell]] = [[] for _ in judges]
    try:
        for group in groups:
            column = _Column.of(group)
            for judge, row in zip(judges, cells, strict=True):
                progress.say(f"{judge.name} on {group.name}")
                report(0)
                row.append(judge.cell(column, report))
    finally:
        progress.finish()
    return [tuple(row) for row in cells]


def _test_cell(test: str, max_memory: int, column: _Column, report: Report) -> Cell:
    tallies = (
        count_separated(graphs, batch, test, max_memory, report) for batch, graphs in column.batches
    )
    tally = sum(tallies, Tally())
    return Cell(
        group=column.group.name,
        separated=tally.separated,
        total=tally.total,
        skipped=tally.skipped,
        reason=tally.reason,
        rounds=tally.rounds,
        missed=_names(column.group, tally.missed),
        exact=tally.exact,
    )


def _model_cell(name: str, model: Model, column: _Column, report: Report) -> Cell:
    group = column.group
    pairs = list(group.pairs())
    verdicts = list(model(group.graphs, pairs))
    if len(verdicts) != len(pairs):
        raise UsageError(f"{name} gave {len(verdicts)} verdicts on {len(pairs)} pairs")
    missed = (pair for pair, verdict in zip(pairs, verdicts, strict=True) if verdict is False)
    report(len(pairs))
    return Cell(
        group=group.name,
        separated=verdicts.count(True),
        total=len(pairs),
        undecided=verdicts.count(None),
        missed=_names(group, islice(missed, MAX_MISSED)),
    )


def _names(group: Group, pairs: Iterable[Pair]) -> tuple[str, ...]:
    return tuple(f"{group.name}#{i + 1}/{group.name}#{j + 1}" for i, j in pairs)
