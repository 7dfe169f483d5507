"""Ceilings: the best scores of one label per class, against dictionaries and all choices."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

import wlkg
from tests.oracles import (
    ORACLES,
    Colours,
    all_tuples,
    arity,
    refine_slowly,
    refine_tuples_slowly,
    vertex_colours,
)
from tests.strategies import relational_graphs
from wlkg.analysis.ceiling import macro_f1
from wlkg.analysis.ceiling.ceiling import Ceiling, ceiling
from wlkg.analysis.ceiling.macro_f1 import MacroF1, best_macro_f1, best_of_all, bound, climbed
from wlkg.analysis.ceiling.rounds import steps
from wlkg.analysis.ceiling.scores import Table
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.readers.targets import Targets, read_targets

vertex_tests = st.sampled_from(sorted(ORACLES))
words = st.sampled_from(["x", "y", "10", "9"])
#: Classes and labels of a few targets.
labelled = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=8)


@st.composite
def labelled_graphs(
    draw: st.DrawFn, max_vertices: int = 7
) -> tuple[RelationalGraph, dict[str, str], dict[str, str]]:
    """A graph with the labels of train vertices and of test vertices."""
    graph = draw(relational_graphs(max_vertices=max_vertices))
    assume(graph.num_vertices)
    labels = st.dictionaries(st.sampled_from(graph.vertex_names), words, min_size=1)
    return graph, draw(labels), draw(labels)


def of_names(graph: RelationalGraph, colours: Colours) -> dict[str, Hashable]:
    return dict(zip(graph.vertex_names, colours, strict=True))


def counted_slowly(
    colour: Mapping[str, Hashable], labels: Mapping[str, str]
) -> dict[Hashable, Counter[str]]:
    counts: dict[Hashable, Counter[str]] = {}
    for name, label in labels.items():
        counts.setdefault(colour[name], Counter())[label] += 1
    return counts


def balanced_slowly(counts: Mapping[Hashable, Counter[str]]) -> Fraction:
    totals = sum(counts.values(), Counter())
    shares = [max(Fraction(n, totals[w]) for w, n in c.items()) for c in counts.values()]
    return sum(shares, Fraction(0)) / len(totals)


def first_of_most(counts: Counter[str]) -> str:
    """The most frequent label, in canonical order among equals: numbers first, by value."""
    most = max(counts.values())
    tied = [label for label, n in counts.items() if n == most]
    return min(tied, key=lambda label: (not label.isdecimal(), int(label, 36), label))


def fitted_slowly(
    rounds: Sequence[Mapping[str, Hashable]], train: Mapping[str, str], test: Mapping[str, str]
) -> int:
    """The number of test labels that are guessed right at the last of these rounds."""
    right = 0
    for name, truth in test.items():
        guess = first_of_most(Counter(train.values()))
        for colour in rounds:
            seen = Counter(label for other, label in train.items() if colour[other] == colour[name])
            guess = first_of_most(seen) if seen else guess
        right += guess == truth
    return right


def check_against_dictionaries(
    result: Ceiling,
    rounds: Sequence[Mapping[str, Hashable]],
    parts: Sequence[Mapping[str, str]],
) -> None:
    assert result.rounds == len(rounds) - 1
    for split, labels in zip(result.splits, parts, strict=True):
        for score, colour in zip(split.rounds, rounds, strict=True):
            counts = counted_slowly(colour, labels)
            assert score.correct == sum(max(c.values()) for c in counts.values())
            assert score.total == len(labels)
            assert score.classes == len(counts)
            assert score.balanced_accuracy == pytest.approx(float(balanced_slowly(counts)))
    assert result.fitted is not None
    for fitted in result.fitted:
        assert fitted.correct == fitted_slowly(rounds[: fitted.round + 1], parts[0], parts[1])
    everyone = [(name, label) for labels in parts for name, label in labels.items()]
    mixed: dict[Hashable, list[tuple[str, str]]] = {}
    for name, label in everyone:
        mixed.setdefault(rounds[-1][name], []).append((name, label))
    expected = [sorted(each) for each in mixed.values() if len({label for _, label in each}) > 1]
    listed = [sorted((t.name, t.label) for t in c.targets) for c in result.collisions.classes]
    assert sorted(listed) == sorted(expected)
    assert result.collisions.num_classes == len(expected)
    assert result.collisions.num_targets == sum(map(len, expected))


@given(given=labelled_graphs(), test=vertex_tests)
def test_scores_fits_and_collisions_of_vertices_are_those_of_dictionaries(
    given: tuple[RelationalGraph, dict[str, str], dict[str, str]], test: str
) -> None:
    graph, train, held_out = given
    rounds = [of_names(graph, c) for c in refine_slowly(graph, test, graph.direction)]
    result = ceiling(graph, train, held_out, test, limit=None)
    check_against_dictionaries(result, rounds, (train, held_out))


@given(given=labelled_graphs(max_vertices=4), test=st.sampled_from(["2-rlwl", "2-wl", "2-fwl"]))
def test_tests_of_tuples_have_ceilings_for_vertices(
    given: tuple[RelationalGraph, dict[str, str], dict[str, str]], test: str
) -> None:
    graph, train, held_out = given
    colours = refine_tuples_slowly([graph], test, graph.direction)
    rounds = [of_names(graph, vertex_colours([graph], test, c)) for c in colours]
    result = ceiling(graph, train, held_out, test, limit=None)
    check_against_dictionaries(result, rounds, (train, held_out))


@given(
    graphs=st.lists(
        relational_graphs(max_vertices=4, labels=False, directions=("both",)),
        min_size=1,
        max_size=6,
    ),
    test=st.sampled_from(["1-rlwl", "2-rlwl", "2-wl"]),
    data=st.data(),
)
def test_graphs_are_alike_while_their_histograms_are(
    graphs: list[RelationalGraph], test: str, data: st.DataObject
) -> None:
    parts = []
    for _ in range(2):
        labels = st.dictionaries(st.integers(0, len(graphs) - 1), words, min_size=1)
        parts.append(data.draw(labels))
    items = list(all_tuples(graphs, arity(test)))
    rounds = []
    for colours in refine_tuples_slowly(graphs, test, "both"):
        histograms: list[Counter[Hashable]] = [Counter() for _ in graphs]
        for (g, _), colour in zip(items, colours, strict=True):
            histograms[g][colour] += 1
        rounds.append({f"#{g}": frozenset(h.items()) for g, h in enumerate(histograms, 1)})
    targets = [Targets(np.array(list(p)), tuple(p.values())) for p in parts]
    result = ceiling(graphs, targets[0], targets[1], test, limit=None)
    named = [{f"#{g + 1}": label for g, label in p.items()} for p in parts]
    check_against_dictionaries(result, rounds, named)
    assert ceiling(graphs, named[0], named[1], test, limit=None) == result


# -- macro-F1 -------------------------------------------------------------------------------------


def table_of(targets: Sequence[tuple[int, int]]) -> Table:
    return Table.of(np.array([c for c, _ in targets]), np.array([label for _, label in targets]))


def best_slowly(targets: Sequence[tuple[int, int]]) -> Fraction:
    """The best macro-F1 over all choices of one label per class."""
    labels = sorted({label for _, label in targets})
    classes = sorted({c for c, _ in targets})
    best = Fraction(0)
    for choice in itertools.product(labels, repeat=len(classes)):
        predicted = dict(zip(classes, choice, strict=True))
        total = Fraction(0)
        for label in labels:
            hits = sum(predicted[c] == label == truth for c, truth in targets)
            guessed = sum(predicted[c] == label for c, _ in targets)
            total += Fraction(2 * hits, guessed + sum(truth == label for _, truth in targets))
        best = max(best, total / len(labels))
    return best


@given(labelled)
@example([(0, 0), (0, 1)])
@example([(0, 0), (0, 0), (0, 1), (1, 1), (1, 2), (2, 2), (2, 0)])
def test_the_best_macro_f1_lies_between_what_is_reached_and_the_bound(
    targets: list[tuple[int, int]],
) -> None:
    table, best = table_of(targets), float(best_slowly(targets))
    assert best_of_all(table) == pytest.approx(best)
    exact = best_of_all(table)
    assert best_macro_f1(table) == MacroF1(reached=exact, bound=exact)
    for start in (table.majority, table.balanced):
        assert climbed(table, start) <= best + 1e-12
    assert best <= bound(table) + 1e-12


@given(labelled)
def test_too_many_choices_are_searched_and_bounded(targets: list[tuple[int, int]]) -> None:
    table = table_of(targets)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(macro_f1, "_MAX_CHOICES", 0)
        score = best_macro_f1(table)
    assert score.reached == max(climbed(table, table.majority), climbed(table, table.balanced))
    assert score.reached <= best_of_all(table) + 1e-12
    assert score.bound == bound(table)


def test_the_search_leaves_both_starts_if_that_helps() -> None:
    # Label 1 has no majority anywhere, and no class holds most of it: one class must switch to it.
    targets = [(0, 0)] * 3 + [(0, 1)] * 2 + [(1, 0)] * 3 + [(1, 1)] * 2
    table = table_of(targets)
    assert climbed(table, table.majority) == pytest.approx(float(best_slowly(targets)))
    starts = Fraction(1, 2) * Fraction(2 * 6, 6 + 10)
    assert best_slowly(targets) > starts


def test_the_search_continues_until_no_change_helps() -> None:
    # A single sweep over the classes ends at 0.656.
    table = table_of([(0, 0), (0, 2), (1, 0), (1, 1), (2, 2), (3, 0)])
    assert climbed(table, table.majority) == best_of_all(table) == pytest.approx(2 / 3)


def test_the_search_does_not_depend_on_the_numbers_of_classes() -> None:
    draw = np.random.default_rng(0)
    for _ in range(100):
        classes, labels = draw.integers(0, 8, 40), draw.integers(0, 4, 40)
        one, two = Table.of(classes, labels), Table.of(draw.permutation(8)[classes], labels)
        assert climbed(one, one.majority) == climbed(two, two.majority)


def test_pure_classes_are_exact_without_a_search() -> None:
    table = table_of([(c, c % 3) for c in range(300)])
    assert best_macro_f1(table) == MacroF1(reached=1.0, bound=1.0)


def test_many_mixed_classes_are_searched_in_reasonable_time() -> None:
    draw = np.random.default_rng(0)
    table = Table.of(draw.integers(0, 2000, 10_000), draw.integers(0, 5, 10_000))
    score = best_macro_f1(table)
    assert table.balanced_accuracy / 2 < score.reached < score.bound < 1


# -- properties -----------------------------------------------------------------------------------


def scores_of(result: Ceiling) -> object:
    """The scores, which do not depend on the names and numbers of vertices."""
    return [split.rounds for split in result.splits], result.fitted


@given(given=labelled_graphs(), data=st.data(), test=vertex_tests)
def test_neither_numbering_nor_order_matters(
    given: tuple[RelationalGraph, dict[str, str], dict[str, str]], data: st.DataObject, test: str
) -> None:
    graph, *parts = given
    order = data.draw(st.permutations(range(graph.num_vertices)))
    shuffled = [dict(data.draw(st.permutations(list(part.items())))) for part in parts]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(macro_f1, "_MAX_CHOICES", 0)
        one = ceiling(graph, parts[0], parts[1], test)
        two = ceiling(graph.permuted(order), shuffled[0], shuffled[1], test)
    assert scores_of(one) == scores_of(two)


@given(given=labelled_graphs(), test=vertex_tests)
def test_more_rounds_and_stronger_tests_never_lower_a_ceiling(
    given: tuple[RelationalGraph, dict[str, str], dict[str, str]], test: str
) -> None:
    graph, train, held_out = given
    result = ceiling(graph, train, held_out, test)
    strongest = ceiling(graph, train, held_out, "1-rwl")
    for split, strong in zip(result.splits, strongest.splits, strict=True):
        for score, later in itertools.pairwise(split.rounds):
            assert score.correct <= later.correct
            assert score.balanced_accuracy <= later.balanced_accuracy + 1e-12
            assert score.macro_f1 <= later.macro_f1 + 1e-12
        for score in split.rounds:
            assert score.correct <= strong.rounds[min(score.round, strongest.rounds)].correct
            assert score.macro_f1 == score.macro_f1_bound
    assert result.fitted is not None
    for fitted, best in zip(result.fitted, result.splits[1].rounds, strict=True):
        assert fitted.correct <= best.correct


@given(given=labelled_graphs(), test=vertex_tests)
def test_labels_fitted_on_the_test_targets_reach_the_ceiling(
    given: tuple[RelationalGraph, dict[str, str], dict[str, str]], test: str
) -> None:
    graph, train, _ = given
    result = ceiling(graph, train, train, test)
    assert result.in_both == len(train)
    assert result.fitted is not None
    assert [s.correct for s in result.fitted] == [s.correct for s in result.splits[0].rounds]


@given(given=labelled_graphs(), rounds=st.integers(0, 3))
def test_stopping_early_does_not_change_the_rounds_before(
    given: tuple[RelationalGraph, dict[str, str], dict[str, str]], rounds: int
) -> None:
    graph, train, held_out = given
    whole = ceiling(graph, train, held_out)
    part = ceiling(graph, train, held_out, rounds=rounds)
    last = min(rounds, whole.rounds)
    assert part.splits[1].rounds == whole.splits[1].rounds[: last + 1]
    assert part.fitted is not None
    assert whole.fitted is not None
    assert part.fitted == whole.fitted[: last + 1]


@given(
    splits=st.lists(st.lists(st.integers(0, 1), min_size=6, max_size=6), min_size=1, max_size=6),
    items=st.lists(st.integers(0, 5), min_size=1, unique=True),
)
def test_steps_are_the_rounds_that_split_the_targets(
    splits: list[list[int]], items: list[int]
) -> None:
    rounds = [Partition.of(splits[0])]
    for more in splits[1:]:
        rounds.append(rounds[-1].meet(Partition.of(more)))
    history = History.from_rounds([partition.colours for partition in rounds])
    for last in range(len(rounds)):
        expected: list[tuple[int, Partition]] = []
        for number, partition in enumerate(rounds[: last + 1]):
            here = partition.restricted(items)
            if not expected or here != expected[-1][1]:
                expected.append((number, here))
        computed = [
            (step.round, Partition(step.classes)) for step in steps(history, np.array(items), last)
        ]
        assert computed == expected


def test_rounds_that_split_no_targets_repeat_the_scores() -> None:
    n = 2001
    path = RelationalGraph.from_arrays(
        np.arange(n - 1), np.zeros(n - 1, int), np.arange(1, n), direction="undirected"
    )
    result = ceiling(path, {"10": "x", "500": "y", "999": "x"})
    assert result.rounds == 1000
    scores = result.splits[0].rounds
    assert [score.round for score in scores] == list(range(1001))
    assert [s.classes for s in scores if s.round in (10, 11, 500, 501, 999)] == [1, 2, 2, 3, 3]
    assert [s.correct for s in scores if s.round in (500, 501)] == [2, 3]


def test_a_class_without_training_targets_takes_the_label_of_its_class_before() -> None:
    # Round 1 does not separate c and d, round 2 does.
    graph = RelationalGraph.from_triples(
        [("c", "r", "d"), ("d", "r", "e")], vertices="ab", direction="out"
    )
    result = ceiling(graph, {"a": "y", "b": "y", "e": "y", "d": "x"}, {"c": "x"})
    assert result.fitted is not None
    assert [score.correct for score in result.fitted] == [0, 1, 1]


def test_ties_go_to_the_first_label_in_canonical_order() -> None:
    graph = RelationalGraph.from_triples([], vertices="abc")
    for truth, right in (("9", 1), ("10", 0)):
        result = ceiling(graph, {"a": "10", "b": "9"}, {"c": truth})
        assert result.fitted is not None
        assert result.fitted[0].correct == right


def test_collisions_come_worst_first_and_are_counted_beyond_the_limit() -> None:
    graph = RelationalGraph.from_triples(
        [("a", "r", "b"), ("c", "r", "d"), ("e", "r", "f")], direction="out"
    )
    labels = {"a": "x", "c": "y", "b": "1", "d": "2", "f": "3", "e": "x"}
    collisions = ceiling(graph, labels, {"a": "x"}, limit=1).collisions
    assert (collisions.num_classes, collisions.num_targets) == (2, 7)
    (worst,) = collisions.classes
    assert [(t.name, t.label, t.split) for t in worst.targets] == [
        ("b", "1", "train"),
        ("d", "2", "train"),
        ("f", "3", "train"),
    ]
    assert ceiling(graph, labels, limit=0).collisions.classes == ()
    everything = ceiling(graph, labels, {"a": "x"}).collisions.classes
    assert [t.split for t in everything[1].targets] == ["train", "test", "train", "train"]
    colours = wlkg.refine(graph).partition.colours
    assert [c.number for c in everything] == [colours[graph.vertex(v)] for v in "ba"]


def test_a_split_without_targets_is_refused() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    with pytest.raises(UsageError, match="there is no target to train on"):
        ceiling(graph, {"nobody": "x"})
    with pytest.raises(UsageError, match="there is no target to test on"):
        ceiling(graph, {"a": "x"}, {"nobody": "x"})


def test_missing_targets_are_reported() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    result = ceiling(graph, {"a": "x", "nobody": "y"})
    assert result.splits[0].missing == ("nobody",)
    assert result.splits[0].last.total == 1
    assert result.fitted is None


# -- the benchmark --------------------------------------------------------------------------------

AIFB = {
    ("1-rwl", "shared"): [(58, 15), (133, 33), (138, 36)],
    ("1-rwl", "drop"): [(58, 15), (131, 32), (136, 33)],
    ("1-rwl", "occurrence"): [(58, 15), (133, 33), (136, 34)],
    ("1-wl", "shared"): [(58, 15), (100, 31), (138, 35)],
}


@pytest.mark.parametrize(("test", "literals"), AIFB)
def test_the_ceilings_of_aifb_are_those_computed_by_hand(
    test: str, literals: str, data_dir: Path
) -> None:
    folder = data_dir / "aifb"
    graph = wlkg.read(folder / "aifb_stripped.nt.gz", literals=literals)
    parts = [read_targets(graph, str(folder / f"{n}.tsv")) for n in ("trainingSet", "testSet")]
    result = ceiling(graph, parts[0], parts[1], test, "both")
    pairs = zip(*(split.rounds for split in result.splits), strict=True)
    expected = AIFB[test, literals]
    right = [(one.correct, two.correct) for one, two in pairs]
    assert right == expected + [expected[-1]] * (result.rounds - 2)
    assert [split.last.total for split in result.splits] == [140, 36]
