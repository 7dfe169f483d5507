"""Partitions and split trees."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wlkg.partition import History, Partition

colours = st.lists(st.integers(0, 4), max_size=9)


@st.composite
def refining_colourings(draw: st.DrawFn) -> list[list[int]]:
    """A sequence of colourings, each refining the previous one."""
    count = draw(st.integers(1, 10))
    rounds = [draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))]
    for _ in range(draw(st.integers(0, 4))):
        extra = draw(st.lists(st.integers(0, 1), min_size=count, max_size=count))
        rounds.append([2 * a + b for a, b in zip(rounds[-1], extra, strict=True)])
    return rounds


@given(colours)
def test_colours_are_numbered_by_first_occurrence(keys: list[int]) -> None:
    numbers = Partition.of(np.array(keys, dtype=np.int64)).colours.tolist()
    firsts = list(dict.fromkeys(numbers))
    assert firsts == list(range(len(firsts)))
    for i, j in itertools.combinations(range(len(keys)), 2):
        assert (numbers[i] == numbers[j]) == (keys[i] == keys[j])


@given(colours)
def test_pairs_are_counted_correctly(keys: list[int]) -> None:
    partition = Partition.of(np.array(keys, dtype=np.int64))
    same = sum(a == b for a, b in itertools.combinations(keys, 2))
    assert partition.indistinguishable_pairs == same
    assert partition.distinguishable_pairs == len(keys) * (len(keys) - 1) // 2 - same


def test_pair_counts_stay_exact_beyond_ten_to_the_twelve() -> None:
    partition = Partition(np.zeros(3_000_001, dtype=np.int32))
    assert partition.indistinguishable_pairs == 3_000_001 * 3_000_000 // 2
    history = History(np.arange(2).repeat(2_000_000), np.array([0, 0]), np.array([0, 1]), rounds=1)
    assert history.distinguishable_per_round.tolist() == [0, 2_000_000**2]


@given(colours, st.data())
def test_refines_and_meet_agree_with_their_definitions(
    keys: list[int], data: st.DataObject
) -> None:
    others = data.draw(st.lists(st.integers(0, 2), min_size=len(keys), max_size=len(keys)))
    one = Partition.of(np.array(keys, dtype=np.int64))
    two = Partition.of(np.array(others, dtype=np.int64))
    pairs = list(itertools.combinations(range(len(keys)), 2))
    assert one.refines(two) == all(others[i] == others[j] for i, j in pairs if keys[i] == keys[j])
    both = one.meet(two).colours
    for i, j in pairs:
        assert (both[i] == both[j]) == (keys[i] == keys[j] and others[i] == others[j])


@given(colours)
def test_members_list_each_class_in_order(keys: list[int]) -> None:
    partition = Partition.of(np.array(keys, dtype=np.int64))
    for colour in range(partition.num_classes):
        expected = [i for i, c in enumerate(partition.colours.tolist()) if c == colour]
        assert partition.members(colour).tolist() == expected


@given(refining_colourings())
def test_a_history_knows_every_round_and_pair(rounds: list[list[int]]) -> None:
    history = History.from_rounds(rounds)
    counts = [len(set(colouring)) for colouring in rounds]
    last = max(t for t in range(len(rounds)) if t == 0 or counts[t] > counts[t - 1])
    assert history.rounds == last
    assert history.classes_per_round.tolist() == counts[: last + 1]
    apart = [sum(a != b for a, b in itertools.combinations(c, 2)) for c in rounds]
    assert history.distinguishable_per_round.tolist() == apart[: last + 1]
    for t, colouring in enumerate(rounds):
        assert history.partition(t) == Partition.of(colouring)
    for v, w in itertools.combinations(range(len(rounds[0])), 2):
        first = next((t for t, c in enumerate(rounds) if c[v] != c[w]), None)
        assert history.separated_at(v, w) == history.separated_at(w, v) == first


@given(refining_colourings())
def test_the_split_tree_is_at_most_logarithmically_deep(rounds: list[list[int]]) -> None:
    history = History.from_rounds(rounds)
    for c in range(len(history.parent)):
        depth, here = 0, c
        while history.birth[here] > 0:
            here = int(history.parent[here])
            depth += 1
        assert 2**depth <= len(rounds[0])


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=8))
def test_first_pair_split_by_gives_the_first_pair_that_the_other_partition_splits(
    colours: list[tuple[int, int]],
) -> None:
    one, two = (Partition.of([c[side] for c in colours]) for side in (0, 1))
    apart = [
        (v, w)
        for w, (a, b) in enumerate(colours)
        for v, (c, d) in enumerate(colours[:w])
        if a == c and b != d
    ]
    pair = one.first_pair_split_by(two)
    assert (pair is None) == (not apart) == one.refines(two)
    if pair is not None:
        assert pair in apart
        assert pair[1] == min(w for _, w in apart)


@given(refining_colourings(), st.data())
def test_the_meet_of_two_histories_is_the_meet_of_their_partitions_at_every_round(
    rounds: list[list[int]], data: st.DataObject
) -> None:
    count = len(rounds[0])
    others = data.draw(refining_colourings().filter(lambda other: len(other[0]) >= count))
    one, two = History.from_rounds(rounds), History.from_rounds([c[:count] for c in others])
    both = one.meet(two)
    last = max(one.rounds, two.rounds)
    expected = [one.partition(t).meet(two.partition(t)) for t in range(last + 1)]
    assert [both.partition(t) for t in range(last + 1)] == expected
    same = History.from_rounds([partition.colours for partition in expected])
    assert both.rounds == same.rounds
    assert both.classes_per_round.tolist() == same.classes_per_round.tolist()
    assert both.distinguishable_per_round.tolist() == same.distinguishable_per_round.tolist()
    assert both.birth.tolist() == sorted(both.birth.tolist())
    for v, w in itertools.combinations(range(count), 2):
        assert both.separated_at(v, w) == same.separated_at(v, w)


def test_a_history_of_members_has_the_colours_of_their_owners() -> None:
    history = History.from_rounds([[0, 0, 0], [0, 0, 1]])
    members = history.of_members(np.array([2, 0, 0, 1]))
    assert [members.partition(t).colours.tolist() for t in (0, 1)] == [[0, 0, 0, 0], [0, 1, 1, 1]]


@given(refining_colourings(), st.data())
def test_a_restricted_history_has_the_restricted_partitions(
    rounds: list[list[int]], data: st.DataObject
) -> None:
    history = History.from_rounds(rounds)
    items = data.draw(st.lists(st.sampled_from(range(history.num_items)), unique=True))
    part = history.restricted(items)
    assert part.num_items == len(items)
    for t in range(len(rounds)):
        expected = Partition.of(np.array(rounds[t])[np.array(items, dtype=np.int64)])
        assert part.partition(t) == expected
    sizes = [part.partition(t).num_classes for t in range(part.rounds + 1)]
    assert part.classes_per_round.tolist()[: len(sizes)] == sizes or not items
    for item in range(len(items)):
        final = part.partition().colours == part.partition().colours[item]
        first = next(
            t
            for t in range(len(rounds))
            if np.array_equal(part.partition(t).colours == part.partition(t).colours[item], final)
        )
        assert part.complete_since[part.class_of[item]] == first
