"""The table of expressivity papers: how many pairs of each group of graphs each test separates.

Tests and models are rows, groups are columns (`wlkg.corpora`). Every graph of a group is refined
with the others, and pairs are counted by classes of graphs with equal histograms
(`batches`). A model is a function that says of each pair whether some random weights tell it
apart; None says that its numbers cannot carry a verdict.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from wlkg.analysis.hierarchy.batches import FEW, Pair, Tally, Within, count_separated
from wlkg.catalogue import find_test
from wlkg.corpora import Group
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import free_memory
from wlkg.progress import SILENT, Progress

DEFAULT_TESTS: tuple[str, ...] = ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "2-fwl")

Model = Callable[[Sequence[RelationalGraph], Sequence[Pair]], Sequence[bool | None]]
Report = Callable[[int], None]


@dataclass(frozen=True)
class Cell:
    """What a test or model says about the pairs of a group."""

    group: str
    separated: int
    total: int
    #: Pairs that did not fit into memory, and why the first of them did not.
    skipped: int = 0
    reason: str | None = None
    #: Pairs about which a model's numbers say nothing.
    undecided: int = 0
    #: The largest of the first separating rounds of a test.
    rounds: int | None = None
    #: The first few pairs that are not separated, as ``group#1/group#2``.
    missed: tuple[str, ...] = ()
    #: Whether it was proved, without hashing, that no colours were confused; None for a model.
    exact: bool | None = None

    @property
    def not_separated(self) -> int:
        """How many pairs were judged and look the same."""
        return self.total - self.separated - self.skipped - self.undecided


@dataclass(frozen=True)
class Row:
    """A test or a model, with a cell for each group."""

    test: str
    kind: Literal["test", "model"]
    cells: tuple[Cell, ...]

    @property
    def whole(self) -> Cell:
        """All groups together."""
        rounds = [cell.rounds for cell in self.cells if cell.rounds is not None]
        return Cell(
            "all",
            sum(cell.separated for cell in self.cells),
            sum(cell.total for cell in self.cells),
            sum(cell.skipped for cell in self.cells),
            next((cell.reason for cell in self.cells if cell.reason), None),
            sum(cell.undecided for cell in self.cells),
            max(rounds, default=None),
            tuple(pair for cell in self.cells for pair in cell.missed)[:FEW],
            None if self.kind == "model" else all(cell.exact for cell in self.cells),
        )


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A row for each test and model."""

    groups: tuple[Group, ...]
    rows: tuple[Row, ...]


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
    >>> found = hierarchy([Group("small", graphs)], ["1-rwl", "2-rlwl"])
    >>> [(row.test, row.whole.separated, row.whole.total) for row in found.rows]
    [('1-rwl', 2, 3), ('2-rlwl', 3, 3)]
    """
    names = tuple(dict.fromkeys(DEFAULT_TESTS if tests is None else tests))
    for name in names:
        find_test(name)
    chosen = tuple(groups)
    if not chosen:
        raise UsageError("there is no group of graphs, so there are no pairs to tell apart")
    limit = free_memory() // 2 if max_memory is None else max_memory
    judges: list[tuple[str, Literal["test", "model"], Callable[[Group, Report], Cell]]] = [
        *((name, "test", _by_test(name, limit)) for name in names),
        *((name, "model", _by_model(name, model)) for name, model in (models or {}).items()),
    ]
    total = sum(group.num_pairs for group in chosen) * len(judges)
    progress.start("telling pairs apart", total, "pairs")
    judged = 0

    def report(pairs: int) -> None:
        nonlocal judged
        judged += pairs
        progress.done(judged)

    rows = []
    try:
        for name, kind, judge in judges:
            cells = []
            for group in chosen:
                progress.say(f"{name} on {group.name}")
                report(0)
                cells.append(judge(group, report))
            rows.append(Row(name, kind, tuple(cells)))
    finally:
        progress.finish()
    return Hierarchy(chosen, tuple(rows))


def _by_test(test: str, max_memory: int) -> Callable[[Group, Report], Cell]:
    def cell(group: Group, report: Report) -> Cell:
        everyone = tuple(range(len(group.graphs)))
        batches = [everyone] if group.pairing == "all" else group.pairs()
        tallies = (
            count_separated(group.graphs, Within(places), test, max_memory, report)
            for places in batches
        )
        found = sum(tallies, Tally())
        return Cell(
            group.name,
            found.separated,
            found.total,
            found.skipped,
            found.reason,
            rounds=found.rounds,
            missed=_names(group, found.missed),
            exact=found.exact,
        )

    return cell


def _by_model(title: str, model: Model) -> Callable[[Group, Report], Cell]:
    def cell(group: Group, report: Report) -> Cell:
        pairs = list(group.pairs())
        found = list(model(group.graphs, pairs))
        if len(found) != len(pairs):
            raise UsageError(f"{title} gave {len(found)} verdicts on {len(pairs)} pairs")
        missed = (pair for pair, told in zip(pairs, found, strict=True) if told is False)
        report(len(pairs))
        return Cell(
            group.name,
            found.count(True),
            len(pairs),
            undecided=found.count(None),
            missed=_names(group, islice(missed, FEW)),
        )

    return cell


def _names(group: Group, pairs: Iterable[Pair]) -> tuple[str, ...]:
    return tuple(f"{group.name}#{i + 1}/{group.name}#{j + 1}" for i, j in pairs)
