"""The table of tests against groups: what is counted, how it is shown, and how it ends."""

from __future__ import annotations

import json
import sys
import types
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import wlkg
from tests.strategies import relational_graphs, switched
from tests.test_startup import HEAVY, NUMERIC, RUN, modules_after
from wlkg.analysis.compare import judge
from wlkg.analysis.hierarchy import batches
from wlkg.analysis.hierarchy.batches import FEW, Across, Batch, Tally, Within, classes_by_round
from wlkg.analysis.hierarchy.table import DEFAULT_TESTS, Cell, hierarchy
from wlkg.cli import app
from wlkg.corpora import PAIRINGS, Group, read_corpus
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.refine import check_size, refine

TESTS = (*DEFAULT_TESTS, "2-wl", "delta-2-lwl", "1-fwl")
ENOUGH = 2**40
runner = CliRunner()


def examples(*names: str) -> tuple[RelationalGraph, ...]:
    return tuple(wlkg.read(f"example:{name}") for name in names)


REGULAR = examples("c6", "2xc3", "k33", "triangular-prism", "rook", "shrikhande")


def run(*arguments: str | Path) -> Any:
    return runner.invoke(app, ["hierarchy", *map(str, arguments)], prog_name="wlkg")


# -- against pair by pair -------------------------------------------------------------------------


@st.composite
def groups(draw: st.DrawFn) -> Group:
    """A few tiny graphs of one direction, many of them hard to tell from each other."""
    first = draw(relational_graphs(4, 2).filter(lambda graph: graph.num_vertices))
    found = [first]
    for _ in range(draw(st.integers(1, 5))):
        other = relational_graphs(3, 2, directions=(first.direction,))
        like = st.sampled_from(found).flatmap(switched)
        found.append(draw(st.one_of(like, other)))
    pairing = draw(st.sampled_from(PAIRINGS))
    if pairing == "consecutive" and len(found) % 2:
        found.append(draw(switched(found[0])))
    return Group("g", tuple(draw(st.permutations(found))), pairing)


def pair_by_pair(group: Group, test: str, max_memory: int) -> Cell:
    """The cell of a table from nothing but verdicts about two graphs."""
    verdicts = {
        (i, j): judge(group.graphs[i], group.graphs[j], test, max_memory=max_memory)
        for i, j in group.pairs()
    }
    skipped = [found.skipped for found in verdicts.values() if found.skipped is not None]
    missed = [f"g#{i + 1}/g#{j + 1}" for (i, j), v in verdicts.items() if v.separated is False]
    return Cell(
        "g",
        sum(found.separated is True for found in verdicts.values()),
        len(verdicts),
        len(skipped),
        skipped[0] if skipped else None,
        rounds=max((v.round for v in verdicts.values() if v.round is not None), default=None),
        missed=tuple(missed[:FEW]),
        exact=True,
    )


def has_vertices(group: Group) -> bool:
    """Two graphs without vertices have no colours, and `judge` is not asked about them."""
    return all(group.graphs[i].num_vertices or group.graphs[j].num_vertices
               for i, j in group.pairs())  # fmt: skip


@settings(max_examples=150)
@given(groups().filter(has_vertices), st.sampled_from(TESTS), st.data())
def test_refining_together_and_in_chunks_says_the_same_as_pair_by_pair(
    group: Group, test: str, data: st.DataObject
) -> None:
    # From nothing fits, over single pairs and chunks, to everything at once.
    limit = data.draw(st.sampled_from([100, 500, 1500, 3000, 6000, 12000, ENOUGH]))
    found = hierarchy([group], [test], max_memory=limit)
    expected = pair_by_pair(group, test, limit)
    (cell,) = found.rows[0].cells
    # Which of the skipped pairs is the first depends on the chunks.
    assert (cell.reason is None) == (expected.reason is None)
    assert cell == Cell(**{**vars(expected), "reason": cell.reason})


@pytest.mark.parametrize("test", ["1-wl", "2-rlwl", "3-rlwl"])
def test_graphs_without_vertices_are_like_each_other_and_unlike_all_others(test: str) -> None:
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
EVERYTHING_ALIKE = Partition.trivial


def all_pairs(batch: Batch) -> list[tuple[int, int]]:
    return list(batch.alike(EVERYTHING_ALIKE(len(batch.graphs))))


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
    one = Tally(2, 4, 1, "why", 3, ((0, 9),), exact=True)
    two = Tally(1, 2, 1, "other", None, ((0, 1),), exact=False)
    assert one + two == Tally(3, 6, 2, "why", 3, ((0, 1), (0, 9)), exact=False)
    assert Tally() + two == two
    many = Tally(missed=tuple((5, n) for n in range(6, 6 + FEW)))
    assert (many + two).missed == ((0, 1), *many.missed[: FEW - 1])


@pytest.mark.parametrize("small", [0, ENOUGH])
@given(group=groups(), test=st.sampled_from(TESTS))
def test_classes_of_graphs_are_those_of_every_single_round(
    small: int, group: Group, test: str
) -> None:
    sizes = [graph.num_vertices for graph in group.graphs]
    found = refine(disjoint_union(*group.graphs), test, blocks=sizes)
    with mock.patch.object(batches, "_SMALL", small):
        by_round, exact = classes_by_round(group.graphs, test)
    assert exact == found.exact
    ends = np.cumsum([size**found.arity for size in sizes])[:-1]
    for t in range(found.rounds + 1):
        blocks = np.split(found.history.partition(t).colours, ends)
        histograms = [tuple(sorted(block.tolist())) for block in blocks]
        expected = Partition.of([histograms.index(histogram) for histogram in histograms])
        assert by_round[max(s for s in by_round if s <= t)] == expected
    counts = [classes.num_classes for classes in by_round.values()]
    assert counts == sorted(set(counts))


@pytest.mark.parametrize("small", [0, ENOUGH])
def test_rounds_of_tuple_tests_are_found_whether_or_not_they_are_kept(small: int) -> None:
    names = ("decalin", "bicyclopentyl", "cfi-g", "cfi-h", "c6", "2xc3")
    group = Group("g", examples(*names), "consecutive")
    with mock.patch.object(batches, "_SMALL", small):
        (cell,) = hierarchy([group], ["2-rlwl"]).rows[0].cells
        by_round, _ = classes_by_round(group.graphs, "2-rlwl")
    assert cell == pair_by_pair(group, "2-rlwl", ENOUGH)
    # Sizes differ at once, the cycles at round 1, the other pairs at round 2.
    assert {t: classes.num_classes for t, classes in by_round.items()} == {0: 3, 1: 4, 2: 6}
    assert cell.rounds == 2


def test_late_rounds_are_found_without_looking_at_all_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def path(length: int, marked: int) -> RelationalGraph:
        edges = [(v, "next", v + 1) for v in range(length)]
        return RelationalGraph.from_triples([*edges, (marked, "mark", marked)])

    # Vertices halfway between the mark and an end see both, at different distances.
    group = Group("g", tuple(path(400, marked) for marked in (200, 199, 100)))
    looks = []
    original = wlkg.History.partition

    def partition(history: wlkg.History, t: int | None = None) -> Partition:
        looks.append(t)
        return original(history, t)

    monkeypatch.setattr(wlkg.History, "partition", partition)
    (cell,) = hierarchy([group], ["1-rwl"]).rows[0].cells
    monkeypatch.undo()
    assert cell == pair_by_pair(group, "1-rwl", ENOUGH)
    assert cell.rounds == 101
    assert 2 < len(looks) < 30


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
    found = hierarchy(corpus.groups, [*DEFAULT_TESTS, "3-rlwl"])
    assert [group.name for group in found.groups] == ["cycles", "regular", "relations"]
    table = {row.test: [cell.separated for cell in row.cells] for row in found.rows}
    assert table == {
        "1-wl": [0, 0, 0],
        "weak-rwl": [0, 0, 0],
        "1-rwl": [0, 0, 1],
        "2-rlwl": [1, 0, 1],
        "2-fwl": [1, 0, 1],
        "3-rlwl": [1, 1, 1],
    }
    rounds = {row.test: [cell.rounds for cell in row.cells] for row in found.rows}
    assert rounds["1-rwl"] == [None, None, 2]
    assert rounds["3-rlwl"][:2] == [0, 1]
    fwl = found.rows[4]
    assert fwl.whole.missed == ("regular#1/regular#2",)
    assert (fwl.whole.separated, fwl.whole.total, fwl.whole.rounds) == (2, 3, 1)


def test_brec_is_as_it_is_known_to_be(data_dir: Path) -> None:
    tests = ["1-wl", "1-rwl", "2-rlwl", "2-fwl"]
    found = hierarchy(read_corpus(data_dir / "brec").groups, tests)
    assert [group.name for group in found.groups] == ["basic", "extension", "regular"]
    for row in found.rows:
        expected = [60, 100, 50] if row.test in {"2-rlwl", "2-fwl"} else [0, 0, 0]
        assert [cell.separated for cell in row.cells] == expected
        assert [cell.total for cell in row.cells] == [60, 100, 50]
        assert row.whole.exact


def test_oblivious_2_wl_sees_nothing_in_brec(data_dir: Path) -> None:
    corpus = read_corpus(data_dir / "brec")
    some = [Group(group.name, group.graphs[-20:], "consecutive") for group in corpus.groups]
    found = hierarchy(some, ["2-wl"])
    assert (found.rows[0].whole.separated, found.rows[0].whole.total) == (0, 30)


def test_strongly_regular_graphs_are_as_they_are_known_to_be(data_dir: Path) -> None:
    found = hierarchy(read_corpus(data_dir / "sr").groups, ["2-fwl", "3-rlwl"])
    folklore, local = found.rows
    assert [(cell.separated, cell.total) for cell in folklore.cells] == [(0, 1), (0, 105)]
    assert [(cell.separated, cell.total) for cell in local.cells] == [(1, 1), (105, 105)]
    assert folklore.cells[1].missed[:2] == ("sr251256#1/sr251256#2", "sr251256#1/sr251256#3")
    assert len(folklore.cells[1].missed) == FEW


# -- tests, models and memory ---------------------------------------------------------------------


def test_the_default_tests_run_in_order_and_repeated_ones_once() -> None:
    group = Group("g", REGULAR[:2])
    assert tuple(row.test for row in hierarchy([group]).rows) == DEFAULT_TESTS
    found = hierarchy([group], ["1-wl", "2-fwl", "1-wl"])
    assert [row.test for row in found.rows] == ["1-wl", "2-fwl"]


def test_unknown_tests_and_no_groups_are_refused() -> None:
    with pytest.raises(UsageError, match="unknown test '1-xl'"):
        hierarchy([Group("g", REGULAR[:2])], ["1-xl"])
    with pytest.raises(UsageError, match="no group of graphs"):
        hierarchy([])


def by_size(
    graphs: Sequence[RelationalGraph], pairs: Sequence[tuple[int, int]]
) -> list[bool | None]:
    """A model that sees numbers of vertices, and is not sure about graphs of 16."""
    sizes = [graph.num_vertices for graph in graphs]
    return [None if {sizes[i], sizes[j]} == {16} else sizes[i] != sizes[j] for i, j in pairs]


def test_a_model_has_a_row_with_what_it_leaves_undecided() -> None:
    group = Group("g", REGULAR)
    found = hierarchy([group, Group("h", REGULAR[:2])], ["1-wl"], models={"sizes": by_size})
    row = found.rows[1]
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

    def watched(*arguments: Any, blocks: list[int], **more: Any) -> Any:
        runs.append(blocks)
        return refine(*arguments, blocks=blocks, **more)

    monkeypatch.setattr(batches, "refine", watched)
    hierarchy([Group("g", REGULAR)], ["2-rlwl"], max_memory=ENOUGH)
    assert runs == [[6, 6, 6, 6, 16, 16]]


class Watched:
    """Progress that remembers the last of everything."""

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


# -- the command ----------------------------------------------------------------------------------


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    place = tmp_path / "corpus"
    place.mkdir()
    for name, chosen in {"small": REGULAR[:4], "strong": REGULAR[4:]}.items():
        lines = [wlkg.readers.graph6.encode_graph6(graph) for graph in chosen]
        (place / f"{name}.g6").write_bytes(b"\n".join(lines) + b"\n")
    return place


def rows_of(output: str) -> list[list[str]]:
    return [line.split() for line in output.splitlines()]


def test_the_table_has_tests_as_rows_and_groups_as_columns(corpus: Path) -> None:
    tests = ("weak-rwl", "1-fwl", "2-fwl", "3-rlwl")
    result = run(corpus, *(word for test in tests for word in ("--test", test)))
    assert result.exit_code == 0, result.output
    rows = rows_of(result.stdout)
    assert rows[1:6] == [
        ["test", "small", "strong", "all", "by", "round"],
        ["weak-rwl", "4/6", "0/1", "4/7", "1"],
        ["1-fwl", "0/6", "0/1", "0/7"],
        ["2-fwl", "6/6", "0/1", "6/7", "1"],
        ["3-rlwl", "6/6", "1/1", "7/7", "1"],
    ]
    missed = "small#1/small#2, small#3/small#4, strong#1/strong#2"
    assert f"\nweak-rwl misses {missed}\n2-fwl misses strong#1/strong#2\n" in result.stdout
    assert "1-fwl misses" not in result.stdout  # too many to be of use
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_the_document_has_the_keys_that_scripts_rely_on(corpus: Path) -> None:
    result = run(corpus, "--test", "2-fwl", "--pairing", "consecutive", "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "wlkg/hierarchy/1"
    assert document["seconds"] >= 0
    sizes = [(g["group"], g["graphs"], g["pairs"], g["pairing"]) for g in document["groups"]]
    assert sizes == [("small", 4, 2, "consecutive"), ("strong", 2, 1, "consecutive")]
    (row,) = document["rows"]
    assert (row["test"], row["kind"], row["separated"], row["total"]) == ("2-fwl", "test", 2, 3)
    small, strong = row["cells"]
    keys = {"group", "separated", "total", "skipped", "undecided", "rounds", "missed"}
    assert keys <= set(small)
    assert (small["separated"], small["rounds"], small["missed"]) == (2, 1, [])
    assert (strong["separated"], strong["rounds"]) == (0, None)
    assert strong["missed"] == ["strong#1/strong#2"]


def test_many_groups_are_rows_and_very_wide_tables_are_lists(tmp_path: Path) -> None:
    line = b"\n".join(wlkg.readers.graph6.encode_graph6(graph) for graph in REGULAR[:2])
    for number in range(12):
        (tmp_path / f"group-{number:02}.g6").write_bytes(line)
    result = run(tmp_path)
    rows = rows_of(result.stdout)
    assert rows[1] == ["group", *DEFAULT_TESTS]
    assert rows[2] == ["group-00", "0/1", "0/1", "0/1", "1/1", "1/1"]
    assert rows[14][0:] == ["all", "0/12", "0/12", "0/12", "12/12", "12/12"]
    many = [f"delta-{k}-lwl" for k in (1, 2, 3)] + [f"{k}-rlwl" for k in (1, 2, 3)]
    many += ["1-fwl", "2-fwl", "1-wl", "2-wl", "3-wl"]
    result = run(tmp_path, *(word for name in many for word in ("--test", name)))
    rows = rows_of(result.stdout)
    assert rows[1] == ["group", "test", "separated", "by", "round"]
    assert rows[2] == ["group-00", "delta-1-lwl", "0/1"]
    assert rows[3] == ["group-00", "delta-2-lwl", "1/1", "1"]
    assert ["all", "3-wl", "12/12", "0"] in rows
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_skipped_pairs_are_marked_with_the_reason(corpus: Path) -> None:
    result = run(corpus, "--test", "2-fwl", "--max-memory", "10k")
    assert result.exit_code == 0
    assert ["2-fwl", "6/6", "0/1*", "6/7*", "1"] in rows_of(result.stdout)
    assert "* 2-fwl: 1 skipped: 2-fwl on 16 and 16 vertices has 512 tuples" in result.stdout


def test_names_from_files_cannot_steer_the_terminal(tmp_path: Path) -> None:
    (tmp_path / "\x1b[31mred.g6").write_bytes(b"A_\nA?\nA_")
    result = run(tmp_path, "--test", "1-wl")
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert "1-wl misses" in result.stdout


@pytest.fixture
def model_stub(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """In the place of random weights: what was asked of them."""
    asked = []

    def separated_by_model(
        graphs: Sequence[RelationalGraph],
        pairs: Sequence[tuple[int, int]],
        config_name: str,
        **options: Any,
    ) -> list[bool | None]:
        asked.append({"name": config_name, **options})
        return by_size(graphs, pairs)

    stub = types.ModuleType("wlkg.gnn.api")
    stub.separated_by_model = separated_by_model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wlkg.gnn.api", stub)
    return asked


def test_models_have_rows_beside_the_tests(corpus: Path, model_stub: list[dict[str, Any]]) -> None:
    options = ("--test", "1-wl", "--model", "rgcn", "--model", "k-rn", "-k", "3", "--seed", "7")
    result = run(corpus, *options, "--draws", "5")
    assert result.exit_code == 0, result.output
    rows = rows_of(result.stdout)
    assert ["rgcn,", "random", "weights", "0/6", "0/1?", "0/7?"] in rows
    assert "? k-rn, random weights: 1 undecided: its numbers" in result.stdout
    expected = {"k": 3, "draws": 5, "seed": 7}
    assert model_stub == [{"name": n, **expected} for n in ("rgcn", "rgcn", "k-rn", "k-rn")]
    document = json.loads(run(corpus, *options, "--json").stdout)
    assert [row["kind"] for row in document["rows"]] == ["test", "model", "model"]
    assert document["rows"][1]["cells"][1]["undecided"] == 1
    assert document["rows"][1]["undecided"] == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--test", "9-xl"], "unknown test '9-xl'"),
        (["--model", "gat"], "unknown model 'gat'. Known: rgcn, rgcn-mlp, compgcn, k-rn"),
        (["--pairing", "rows"], "unknown pairing 'rows'. Known: consecutive, all"),
        (["--max-memory", "much"], "'much' is no size of memory"),
        (["--direction", "up"], "direction"),
    ],
)
def test_wrong_options_end_with_a_message(
    arguments: list[str], message: str, corpus: Path, model_stub: list[dict[str, Any]]
) -> None:
    result = run(corpus, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not model_stub


def test_bad_input_ends_with_a_message(corpus: Path) -> None:
    (corpus / "odd.npy").write_bytes(b"no array")
    result = run(corpus)
    assert result.exit_code == 2
    assert f"error: {corpus / 'odd.npy'}: not a NumPy array" in result.stderr
    assert run(corpus / "small.g6").exit_code == 0
    assert run(corpus / "none.g6").exit_code == 2


def test_what_is_passed_over_is_noted_on_stderr(corpus: Path) -> None:
    (corpus / "README.md").write_text("words")
    result = run(corpus, "--test", "1-wl")
    assert "note: 1 file of unknown format passed over" in result.stderr
    assert "README" not in result.stdout


def test_random_weights_separate_what_their_tests_do(corpus: Path) -> None:
    tests = ("--test", "1-rwl", "--test", "2-rlwl")
    result = run(corpus, *tests, "--model", "rgcn", "--model", "k-rn", "--json")
    assert result.exit_code == 0, result.output
    rows = json.loads(result.stdout)["rows"]
    separated = [[cell["separated"] for cell in row["cells"]] for row in rows]
    assert separated == [[4, 0], [6, 0]] * 2
    assert [row["undecided"] for row in rows] == [0] * 4


def test_help_and_the_tests_load_no_gnn_library(corpus: Path) -> None:
    assert not modules_after(RUN.format(arguments=["hierarchy", "--help"])) & (HEAVY | NUMERIC)
    found = modules_after(RUN.format(arguments=["hierarchy", str(corpus), "--test", "1-wl"]))
    assert "numpy" in found
    assert not found & {"torch", "rdflib"}
