"""The table of tests against groups: its numbers, and how they are computed."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.analysis.counting import counting
from tests.analysis.hierarchy.samples import REGULAR, by_size, examples
from tests.strategies import relational_graphs, switched
from wlkg.analysis import side_by_side
from wlkg.analysis.hierarchy import graph_classes
from wlkg.analysis.hierarchy.batches import Across, Batch, Within
from wlkg.analysis.hierarchy.graph_classes import classes_of_graphs
from wlkg.analysis.hierarchy.table import DEFAULT_TESTS, Cell, hierarchy
from wlkg.analysis.hierarchy.tally import MAX_MISSED, Tally
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.verdicts import judge
from wlkg.corpora import PAIRINGS, Group, Pairing, read_corpus
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.refine import check_size, refine, run_test

TESTS = (*DEFAULT_TESTS, "2-wl", "delta-2-lwl", "1-fwl", "1-rlwl", "1-wl-all", "1-rwl-all")
ENOUGH = 2**40


# -- against pair by pair -------------------------------------------------------------------------


@st.composite
def groups(draw: st.DrawFn) -> Group:
    """A few tiny graphs of one direction mode, many of them hard to separate."""
    first = draw(relational_graphs(4, 2).filter(lambda graph: graph.num_vertices))
    graphs = [first]
    for _ in range(draw(st.integers(1, 5))):
        other = relational_graphs(3, 2, directions=(first.direction,))
        similar = st.sampled_from(graphs).flatmap(switched)
        graphs.append(draw(st.one_of(similar, other)))
    pairing = draw(st.sampled_from(PAIRINGS))
    if pairing == "consecutive" and len(graphs) % 2:
        graphs.append(draw(switched(graphs[0])))
    return Group("g", tuple(draw(st.permutations(graphs))), pairing)


def pair_by_pair(group: Group, test: str, max_memory: int) -> Cell:
    """The cell of the table, computed from verdicts about two graphs at a time."""
    verdicts = {
        (i, j): judge(SideBySide((group.graphs[i], group.graphs[j])), test, max_memory=max_memory)
        for i, j in group.pairs()
    }
    skipped = [verdict.skipped for verdict in verdicts.values() if verdict.skipped is not None]
    missed = [f"g#{i + 1}/g#{j + 1}" for (i, j), v in verdicts.items() if v.separated is False]
    return Cell(
        group="g",
        separated=sum(verdict.separated is True for verdict in verdicts.values()),
        total=len(verdicts),
        skipped=len(skipped),
        reason=skipped[0] if skipped else None,
        rounds=max((v.round for v in verdicts.values() if v.round is not None), default=None),
        missed=tuple(missed[:MAX_MISSED]),
        exact=True,
    )


def has_vertices(group: Group) -> bool:
    """Whether every pair has a vertex: `judge` does not take pairs without colours."""
    return all(
        group.graphs[i].num_vertices or group.graphs[j].num_vertices for i, j in group.pairs()
    )


@settings(max_examples=150)
@given(groups().filter(has_vertices), st.sampled_from(TESTS), st.data())
def test_refining_together_and_in_batches_agrees_with_pair_by_pair(
    group: Group, test: str, data: st.DataObject
) -> None:
    # From nothing fits, through single pairs and batches, to everything at once.
    limit = data.draw(st.sampled_from([100, 500, 1500, 3000, 6000, 12000, ENOUGH]))
    table = hierarchy([group], [test], max_memory=limit)
    expected = pair_by_pair(group, test, limit)
    (cell,) = table.rows[0].cells
    # Which skipped pair comes first depends on the batches.
    assert (cell.reason is None) == (expected.reason is None)
    assert cell == Cell(**{**vars(expected), "reason": cell.reason})


@pytest.mark.parametrize("test", ["1-wl", "2-rlwl", "3-rlwl"])
def test_graphs_without_vertices_are_separated_from_all_others_but_not_from_each_other(
    test: str,
) -> None:
    empty = RelationalGraph.from_triples([])
    group = Group("g", (empty, empty, RelationalGraph.from_triples([("a", "r", "b")])))
    (cell,) = hierarchy([group], [test]).rows[0].cells
    assert (cell.separated, cell.missed) == (2, ("g#1/g#2",))
    pair = Group("g", (empty, empty), "consecutive")
    assert hierarchy([pair], [test]).rows[0].whole.separated == 0


# -- batches --------------------------------------------------------------------------------------

BATCHES: list[Batch] = [
    Within((2, 3, 5, 8, 9)),
    Across((1, 2, 3, 4), (6, 7)),
    Across((1,), (4, 6, 7)),
]


def all_pairs(batch: Batch) -> list[tuple[int, int]]:
    return list(batch.alike(Partition.trivial(len(batch.graphs))))


@pytest.mark.parametrize("batch", BATCHES)
def test_the_parts_of_a_batch_have_its_pairs_once_each(batch: Batch) -> None:
    parts = batch.parts()
    assert sorted(pair for part in parts for pair in all_pairs(part)) == all_pairs(batch)
    assert len(all_pairs(batch)) == batch.total
    assert all(part.total < batch.total for part in parts)
    assert all(part.total == len(all_pairs(part)) for part in parts)


@pytest.mark.parametrize("batch", BATCHES)
@given(st.data())
def test_pairs_are_counted_and_listed_by_classes(batch: Batch, data: st.DataObject) -> None:
    count = len(batch.graphs)
    colours = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    colour_of = dict(zip(batch.graphs, colours, strict=True))
    same = [(i, j) for i, j in all_pairs(batch) if colour_of[i] == colour_of[j]]
    classes = Partition.of(np.array(colours))
    assert list(batch.alike(classes)) == same
    assert batch.separated(classes) == batch.total - len(same)


def test_tallies_add_up() -> None:
    one = Tally(separated=2, total=4, skipped=1, reason="why", rounds=3, missed=((0, 9),))
    two = Tally(separated=1, total=2, skipped=1, reason="other", missed=((0, 1),), exact=False)
    assert one + two == Tally(
        separated=3,
        total=6,
        skipped=2,
        reason="why",
        rounds=3,
        missed=((0, 1), (0, 9)),
        exact=False,
    )
    assert Tally() + two == two
    many = Tally(missed=tuple((5, n) for n in range(6, 6 + MAX_MISSED)))
    assert (many + two).missed == ((0, 1), *many.missed[: MAX_MISSED - 1])


@pytest.mark.parametrize("max_kept", [0, ENOUGH])
@given(group=groups(), test=st.sampled_from(TESTS))
def test_classes_of_graphs_are_those_of_every_single_round(
    max_kept: int, group: Group, test: str
) -> None:
    sizes = [graph.num_vertices for graph in group.graphs]
    refinement = refine(disjoint_union(*group.graphs), test, blocks=sizes)
    with mock.patch.object(graph_classes, "_MAX_TUPLES_KEPT", max_kept):
        classes = classes_of_graphs(SideBySide(group.graphs), test)
    by_round = classes.by_round
    assert classes.exact == refinement.exact
    ends = np.cumsum([size**refinement.arity for size in sizes])[:-1]
    for t in range(refinement.rounds + 1):
        blocks = np.split(refinement.history.partition(t).colours, ends)
        histograms = [tuple(sorted(block.tolist())) for block in blocks]
        expected = Partition.of([histograms.index(histogram) for histogram in histograms])
        assert by_round[max(s for s in by_round if s <= t)] == expected
    counts = [partition.num_classes for partition in by_round.values()]
    assert counts == sorted(set(counts))
    assert classes.last.num_classes == counts[-1]


@pytest.mark.parametrize("max_kept", [0, ENOUGH])
def test_rounds_of_tuple_tests_are_the_same_whether_or_not_they_are_kept(max_kept: int) -> None:
    names = ("decalin", "bicyclopentyl", "cfi-g", "cfi-h", "c6", "2xc3")
    group = Group("g", examples(*names), "consecutive")
    with mock.patch.object(graph_classes, "_MAX_TUPLES_KEPT", max_kept):
        (cell,) = hierarchy([group], ["2-rlwl"]).rows[0].cells
        classes = classes_of_graphs(SideBySide(group.graphs), "2-rlwl")
    assert cell == pair_by_pair(group, "2-rlwl", ENOUGH)
    # Sizes differ at once, the cycles at round 1, the other pairs at round 2.
    counts = {t: partition.num_classes for t, partition in classes.by_round.items()}
    assert counts == {0: 3, 1: 4, 2: 6}
    assert cell.rounds == 2


def test_late_rounds_are_found_without_visiting_all_rounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def path(length: int, marked: int) -> RelationalGraph:
        edges = [(v, "next", v + 1) for v in range(length)]
        return RelationalGraph.from_triples([*edges, (marked, "mark", marked)])

    # Vertices halfway between the mark and an end see both, at different distances.
    group = Group("g", tuple(path(400, marked) for marked in (200, 199, 100)))
    visited = []
    original = wlkg.History.partition

    def partition(history: wlkg.History, t: int | None = None) -> Partition:
        visited.append(t)
        return original(history, t)

    monkeypatch.setattr(wlkg.History, "partition", partition)
    (cell,) = hierarchy([group], ["1-rwl"]).rows[0].cells
    monkeypatch.undo()
    assert cell == pair_by_pair(group, "1-rwl", ENOUGH)
    assert cell.rounds == 101
    assert 2 < len(visited) < 30


# -- known corpora --------------------------------------------------------------------------------


def test_a_small_corpus_of_examples_has_the_known_table(tmp_path: Path) -> None:
    for folder, names in {
        "cycles": ("c6", "2xc3"),
        "regular": ("rook", "shrikhande"),
        "relations": ("relation-matters-g", "relation-matters-h"),
    }.items():
        (tmp_path / folder).mkdir()
        for name, graph in zip(names, examples(*names), strict=True):
            wlkg.write(graph, tmp_path / folder / f"{name}.graphml")
    corpus = read_corpus(tmp_path, direction="undirected", relation_attribute="relation")
    table = hierarchy(corpus.groups, [*DEFAULT_TESTS, "3-rlwl"])
    assert [group.name for group in table.groups] == ["cycles", "regular", "relations"]
    separated = {row.test: [cell.separated for cell in row.cells] for row in table.rows}
    assert separated == {
        "1-wl": [0, 0, 0],
        "weak-rwl": [0, 0, 0],
        "1-rwl": [0, 0, 1],
        "2-rlwl": [1, 0, 1],
        "2-fwl": [1, 0, 1],
        "3-rlwl": [1, 1, 1],
    }
    rounds = {row.test: [cell.rounds for cell in row.cells] for row in table.rows}
    assert rounds["1-rwl"] == [None, None, 2]
    assert rounds["3-rlwl"][:2] == [0, 1]
    fwl = table.rows[4]
    assert fwl.whole.missed == ("regular#1/regular#2",)
    assert (fwl.whole.separated, fwl.whole.total, fwl.whole.rounds) == (2, 3, 1)


def test_brec_has_its_known_verdicts(data_dir: Path) -> None:
    tests = ["1-wl", "1-rwl", "2-rlwl", "2-fwl"]
    table = hierarchy(read_corpus(data_dir / "brec").groups, tests)
    assert [group.name for group in table.groups] == ["basic", "extension", "regular"]
    for row in table.rows:
        expected = [60, 100, 50] if row.test in {"2-rlwl", "2-fwl"} else [0, 0, 0]
        assert [cell.separated for cell in row.cells] == expected
        assert [cell.total for cell in row.cells] == [60, 100, 50]
        assert row.whole.exact


def test_oblivious_2_wl_separates_nothing_in_brec(data_dir: Path) -> None:
    corpus = read_corpus(data_dir / "brec")
    last_pairs = [Group(group.name, group.graphs[-20:], "consecutive") for group in corpus.groups]
    (row,) = hierarchy(last_pairs, ["2-wl"]).rows
    assert (row.whole.separated, row.whole.total) == (0, 30)


def test_strongly_regular_graphs_have_their_known_verdicts(data_dir: Path) -> None:
    table = hierarchy(read_corpus(data_dir / "sr").groups, ["2-fwl", "3-rlwl"])
    folklore, local = table.rows
    assert [(cell.separated, cell.total) for cell in folklore.cells] == [(0, 1), (0, 105)]
    assert [(cell.separated, cell.total) for cell in local.cells] == [(1, 1), (105, 105)]
    assert folklore.cells[1].missed[:2] == ("sr251256#1/sr251256#2", "sr251256#1/sr251256#3")
    assert len(folklore.cells[1].missed) == MAX_MISSED


# -- tests, models and memory ---------------------------------------------------------------------


def test_the_default_tests_run_in_order_and_repeated_tests_run_once() -> None:
    group = Group("g", REGULAR[:2])
    assert tuple(row.test for row in hierarchy([group]).rows) == DEFAULT_TESTS
    table = hierarchy([group], ["1-wl", "2-fwl", "1-wl"])
    assert [row.test for row in table.rows] == ["1-wl", "2-fwl"]


def test_unknown_tests_and_no_groups_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown test '1-xl'"):
        hierarchy([Group("g", REGULAR[:2])], ["1-xl"])
    with pytest.raises(UsageError, match="no group of graphs"):
        hierarchy([])


def test_a_model_has_a_row_with_its_undecided_pairs() -> None:
    group = Group("g", REGULAR)
    table = hierarchy([group, Group("h", REGULAR[:2])], ["1-wl"], models={"sizes": by_size})
    row = table.rows[1]
    assert (row.test, row.kind) == ("sizes", "model")
    # Four graphs with 6 vertices, two with 16.
    cell = row.cells[0]
    assert (cell.separated, cell.total, cell.undecided, cell.not_separated) == (8, 15, 1, 6)
    pairs = ("1/2", "1/3", "1/4", "2/3", "2/4", "3/4")
    assert cell.missed == tuple(f"g#{pair.replace('/', '/g#')}" for pair in pairs)
    assert (row.whole.separated, row.whole.total, row.whole.undecided) == (8, 16, 1)
    assert (row.whole.rounds, row.whole.exact) == (None, None)


def test_a_model_must_give_a_verdict_on_every_pair() -> None:
    with pytest.raises(UsageError, match="lazy gave 0 verdicts on 1 pairs"):
        hierarchy([Group("g", REGULAR[:2])], [], models={"lazy": lambda _graphs, _pairs: []})


def test_pairs_that_do_not_fit_are_skipped_and_the_others_judged() -> None:
    group = Group("g", REGULAR)
    limit = 10_000  # pairs of graphs with 6 vertices need less, with 16 more
    check_size("2-fwl", (6, 6), limit)
    (cell,) = hierarchy([group], ["2-fwl"], max_memory=limit).rows[0].cells
    assert (cell.separated, cell.skipped, cell.total) == (6, 9, 15)
    assert cell.reason is not None
    assert "vertices has" in cell.reason
    (cell,) = hierarchy([group], ["1-fwl"], max_memory=limit).rows[0].cells
    assert (cell.separated, cell.skipped, cell.not_separated) == (8, 0, 7)


def test_a_single_refinement_serves_all_pairs_that_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    runs = []

    def watched(*arguments: Any, blocks: tuple[int, ...], **more: Any) -> Any:
        runs.append(blocks)
        return run_test(*arguments, blocks=blocks, **more)

    monkeypatch.setattr(side_by_side, "run_test", watched)
    hierarchy([Group("g", REGULAR)], ["2-rlwl"], max_memory=ENOUGH)
    assert runs == [(6, 6, 6, 6, 16, 16)]


@pytest.mark.parametrize("pairing", PAIRINGS)
def test_all_tests_share_the_unions_of_a_group(pairing: Pairing) -> None:
    group = Group("g", REGULAR, pairing)
    with counting() as built:
        table = hierarchy([group], max_memory=ENOUGH)
    assert len(table.rows) == len(DEFAULT_TESTS)
    unions = 1 if pairing == "all" else len(REGULAR) // 2
    assert (built.graphs, built.arcs) == (unions, unions)


class Watched:
    """Progress that records every call."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.calls.append((name, *arguments))


def test_progress_counts_the_pairs_of_all_rows() -> None:
    watched = Watched()
    group = Group("g", REGULAR)
    hierarchy(
        [group], ["1-wl", "2-fwl"], models={"m": by_size}, max_memory=10_000, progress=watched
    )
    assert watched.calls[0] == ("start", "telling pairs apart", 45, "pairs")
    assert watched.calls[-2:] == [("done", 45), ("finish",)]
    said = [call[1] for call in watched.calls if call[0] == "say"]
    assert said == ["1-wl on g", "2-fwl on g", "m on g"]


def test_only_one_union_of_consecutive_pairs_is_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    unions: list[weakref.ref[RelationalGraph]] = []
    alive: list[int] = []

    def watched(*graphs: RelationalGraph) -> RelationalGraph:
        union = disjoint_union(*graphs)
        gc.collect()
        alive.append(sum(reference() is not None for reference in unions))
        unions.append(weakref.ref(union))
        return union

    monkeypatch.setattr(side_by_side, "disjoint_union", watched)
    hierarchy([Group("g", REGULAR, "consecutive")], ["1-wl", "1-rwl"])
    assert len(unions) == len(REGULAR) // 2
    assert max(alive) <= 1
