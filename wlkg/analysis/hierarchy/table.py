"""The table of expressivity papers: how many pairs of each group of graphs each test separates.

Tests and models are rows, groups are columns (`wlkg.corpora`). The graphs of a group are refined
together, and pairs are counted by classes of graphs with equal histograms (`graph_classes`). The
union of the graphs is built once for all tests. A model is a function that says for each pair
whether some random weights separate it, or None if its numbers are too close to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from wlkg.analysis.hierarchy.batches import Pair, Within
from wlkg.analysis.hierarchy.tally import MAX_MISSED, Tally, count_separated
from wlkg.analysis.side_by_side import SideBySide
from wlkg.catalogue import find_test
from wlkg.corpora import Group
from wlkg.display import Displayed
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.memory import check_fits, free_memory
from wlkg.progress import SILENT, Progress

#: Bytes for each pair that a model judges.
_PER_PAIR = 200

DEFAULT_TESTS: tuple[str, ...] = ("1-wl", "weak-rwl", "1-rwl", "2-rlwl", "2-fwl")

Kind = Literal["test", "model"]
Model = Callable[[Sequence[RelationalGraph], Sequence[Pair]], Sequence[bool | None]]


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
class Hierarchy(Displayed):
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
    >>> table = hierarchy([Group("small", graphs)], ["1-rwl", "2-rlwl"])
    >>> [(row.test, row.whole.separated, row.whole.total) for row in table.rows]
    [('1-rwl', 2, 3), ('2-rlwl', 3, 3)]
    """
    chosen = DEFAULT_TESTS if tests is None else tests
    names = tuple(dict.fromkeys(find_test(name).name for name in chosen))
    models = models or {}
    groups = tuple(groups)
    for group in groups:
        if not isinstance(group, Group):
            raise UsageError(
                f"expected groups of graphs, found {type(group).__name__}. wlkg.read_corpus reads"
                " them, and wlkg.corpora.Group makes one"
            )
    if not groups:
        raise UsageError("there is no group of graphs, so there are no pairs to tell apart")
    limit = free_memory() // 2 if max_memory is None else max_memory
    total = sum(group.num_pairs for group in groups) * (len(names) + len(models))
    progress.start("telling pairs apart", total, "pairs")
    count = _PairCount(progress)
    columns: list[list[Cell]] = []
    try:
        for group in groups:
            cells = _test_cells(group, names, limit, count)
            for name, model in models.items():
                cells.append(_model_cell(group, name, model, limit, count))
            columns.append(cells)
    finally:
        progress.finish()
    kinds: list[tuple[str, Kind]] = [(name, "test") for name in names]
    kinds += [(name, "model") for name in models]
    rows = zip(*columns, strict=True)
    return Hierarchy(
        groups=groups,
        rows=tuple(Row(name, kind, row) for (name, kind), row in zip(kinds, rows, strict=True)),
    )


class _PairCount:
    """Reports the number of pairs judged so far, over all groups and rows."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._judged = 0

    def begin(self, name: str, group: Group) -> None:
        self._progress.say(f"{name} on {group.name}")
        self.add(0)

    def add(self, pairs: int) -> None:
        self._judged += pairs
        self._progress.done(self._judged)


def _test_cells(
    group: Group, tests: Sequence[str], max_memory: int, count: _PairCount
) -> list[Cell]:
    """The cells of all tests. They share the union of each batch, and only one is in memory."""
    tallies = [Tally()] * len(tests)
    for batch in _batches(group):
        graphs = SideBySide(tuple(group.graphs[place] for place in batch.graphs))
        for row, test in enumerate(tests):
            count.begin(test, group)
            tallies[row] += count_separated(graphs, batch, test, max_memory, count.add)
    return [
        Cell(
            group=group.name,
            separated=tally.separated,
            total=tally.total,
            skipped=tally.skipped,
            reason=tally.reason,
            rounds=tally.rounds,
            missed=_names(group, tally.missed),
            exact=tally.exact,
        )
        for tally in tallies
    ]


def _batches(group: Group) -> Iterator[Within]:
    """All graphs of a group if all of them are paired, otherwise one batch per pair."""
    if group.pairing == "all":
        yield Within(tuple(range(len(group.graphs))))
    else:
        yield from map(Within, group.pairs())


def _model_cell(group: Group, name: str, model: Model, max_memory: int, count: _PairCount) -> Cell:
    count.begin(name, group)
    check_fits(
        f"{name} on {group.name}",
        f"{group.num_pairs:,} pairs",
        _PER_PAIR * group.num_pairs,
        max_memory,
        "give fewer graphs",
    )
    pairs = list(group.pairs())
    verdicts = list(model(group.graphs, pairs))
    if len(verdicts) != len(pairs):
        raise UsageError(f"{name} gave {len(verdicts)} verdicts on {len(pairs)} pairs")
    missed = (pair for pair, verdict in zip(pairs, verdicts, strict=True) if verdict is False)
    count.add(len(pairs))
    return Cell(
        group=group.name,
        separated=verdicts.count(True),
        total=len(pairs),
        undecided=verdicts.count(None),
        missed=_names(group, islice(missed, MAX_MISSED)),
    )


def _names(group: Group, pairs: Iterable[Pair]) -> tuple[str, ...]:
    return tuple(f"{group.name}#{i + 1}/{group.name}#{j + 1}" for i, j in pairs)
