"""Equal sums: which targets share a sum, and that nothing else changes."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.gnn.models.formulas import assert_close, random_rows
from wlkg.gnn.config import ModelConfig
from wlkg.gnn.models.plan import make_plan
from wlkg.gnn.models.step import Step

Message = tuple[int, int, int, float]


@st.composite
def steps(draw: st.DrawFn, keep: bool = True) -> Step:
    """Messages with few rows, relations and weights, so that many sums are equal."""
    message = st.tuples(
        st.integers(0, 4), st.integers(0, 2), st.integers(0, 2), st.sampled_from([0.5, 1.0])
    )
    messages = draw(st.lists(message, max_size=20))
    columns = list(zip(*messages, strict=True)) if messages else [(), (), (), ()]
    return Step(
        num_sources=3,
        num_targets=5,
        own=torch.zeros(5, dtype=torch.int64),
        target=torch.tensor(columns[0], dtype=torch.int64),
        relation=torch.tensor(columns[1], dtype=torch.int64),
        source=torch.tensor(columns[2], dtype=torch.int64),
        weight=torch.tensor(columns[3], dtype=torch.float64),
        keep=keep,
    )


def what_pairs_see(step: Step) -> list[tuple[int, tuple[tuple[int, float], ...]]]:
    """For each pair its relation, and its sources with their weights, sorted."""
    pairs = step.target_pairs
    seen: list[list[tuple[int, float]]] = [[] for _ in range(len(pairs))]
    columns = (pairs.position.tolist(), step.source.tolist(), step.weight.tolist())
    for pair, source, weight in zip(*columns, strict=True):
        seen[pair].append((source, weight))
    return [
        (relation, tuple(sorted(entries)))
        for relation, entries in zip(pairs.relation.tolist(), seen, strict=True)
    ]


@given(step=steps())
@settings(max_examples=150)
def test_sums_are_shared_exactly_by_pairs_that_see_the_same(step: Step) -> None:
    sums, seen = step.equal_sums, what_pairs_see(step)
    assert len(sums) == len(set(seen))
    assert sums.relation.tolist() == sorted(sums.relation.tolist())
    for pair, number in enumerate(sums.of_pair.tolist()):
        assert seen[pair] == seen[sums.example[number]]
        assert seen[pair][0] == sums.relation[number]


@given(step=steps(keep=False))
@settings(max_examples=30)
def test_a_step_that_is_used_once_compares_nothing(step: Step) -> None:
    pairs = step.target_pairs
    assert len(step.equal_sums) == len(pairs)
    assert step.equal_sums.of_pair.tolist() == list(range(len(pairs)))


@pytest.mark.parametrize("keep", [True, False])
def test_distinct_sums_add_up_to_the_sums_of_all_messages(keep: bool) -> None:
    @given(step=steps(keep))
    @settings(max_examples=80)
    def check(step: Step) -> None:
        by_source = random_rows(3, 2, seed=1)
        pairs = step.source_pairs
        by_pair = random_rows(len(pairs), 2, seed=2)
        sums, products = torch.zeros(2, 5, 2, dtype=torch.float64)
        for m, target in enumerate(step.target.tolist()):
            sums[target] += step.weight[m] * by_source[step.source[m]]
            products[target] += step.weight[m] * by_pair[pairs.position[m]]
        assert_close(step.sum_distinct(step.sum_sources(by_source)), sums)
        assert_close(step.sum_distinct(step.sum_products(by_pair)), products)

    check()


def test_leaves_of_a_star_share_a_sum() -> None:
    star = wlkg.RelationalGraph.from_arrays([0] * 5, [0] * 5, [1, 2, 3, 4, 5], num_vertices=6)
    config = ModelConfig("rgcn-mlp", in_width=2, width=2, out_width=2, relations=2, layers=1)
    (step,) = make_plan(star, config, range(6), compress=False).steps
    assert len(step.target_pairs) == 6
    assert len(step.equal_sums) == 2
