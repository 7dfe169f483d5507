"""Blocks with equal histograms, and the rounds at which their classes split."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from wlkg.partition import Partition
from wlkg.refinement.histograms import rounds_that_split, with_equal_histograms

blocks_of_colours = st.lists(st.lists(st.integers(0, 2), max_size=4), min_size=1, max_size=6)


@given(blocks_of_colours)
def test_blocks_are_alike_if_every_colour_occurs_equally_often(blocks: list[list[int]]) -> None:
    colours = np.array([colour for block in blocks for colour in block], dtype=np.int64)
    partition = with_equal_histograms([len(block) for block in blocks], colours)
    for one, first in zip(partition.colours.tolist(), blocks, strict=True):
        for two, second in zip(partition.colours.tolist(), blocks, strict=True):
            assert (one == two) == (Counter(first) == Counter(second))


@given(st.lists(st.integers(0, 40), min_size=1, max_size=8), st.integers(0, 40))
def test_bisection_finds_every_round_that_splits_a_class(births: list[int], last: int) -> None:
    def partition_at(t: int) -> Partition:
        return Partition.of([min(birth, t + 1) for birth in births])

    asked: list[int] = []

    def watched(t: int) -> Partition:
        asked.append(t)
        return partition_at(t)

    by_round = rounds_that_split(watched, last)
    counts = [partition_at(t).num_classes for t in range(last + 1)]
    expected = [t for t in range(last + 1) if t == 0 or counts[t] > counts[t - 1]]
    assert list(by_round) == expected
    assert all(by_round[t] == partition_at(t) for t in expected)
    assert len(asked) == len(set(asked))


def test_a_million_rounds_need_few_looks() -> None:
    asked: list[int] = []

    def partition_at(t: int) -> Partition:
        asked.append(t)
        return Partition.of([0, int(t >= 654_321)])

    assert list(rounds_that_split(partition_at, 1_000_000)) == [0, 654_321]
    assert len(asked) < 25
