"""Verdicts about our own models against the truth in exact arithmetic: never wrong."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wlkg
from tests.gnn.against_wl.exact_cases import (
    Case,
    Outcomes,
    assert_never_wrong,
    complete,
    outcomes,
    own_outcomes,
    path,
    random_case,
    star,
)
from tests.gnn.choices import plain
from wlkg.gnn.against_wl import exact_evidence
from wlkg.gnn.against_wl import exact_layers as exact_layers_module
from wlkg.gnn.against_wl.exact_layers import exact_layers, square_part
from wlkg.gnn.against_wl.exact_table import Budget, RootWeights, Table, TooMuchWorkError
from wlkg.gnn.against_wl.judging import Versus, versus_random
from wlkg.gnn.against_wl.setting import make_setting
from wlkg.gnn.config import ModelChoice
from wlkg.graph.relational_graph import RelationalGraph


@pytest.mark.parametrize("seed", [0, 50, 100])
def test_verdicts_are_the_truth_on_random_graphs_models_and_depths(seed: int) -> None:
    # `python -m tests.gnn.against_wl.exact_cases` runs thousands.
    total: Outcomes = Counter()
    for number in range(seed, seed + 50):
        total += outcomes(random_case(number))
    assert_never_wrong(total)
    assert {true for _, true in total} == {"equal", "coarser"}


def test_nothing_wrong_is_said_about_the_same_models_as_users_own() -> None:
    total: Outcomes = Counter()
    for number in range(60):
        total += own_outcomes(random_case(number))
    assert all(said in (true, "undecided") for said, true in total)
    assert total["equal", "equal"] > total["undecided", "equal"]
    assert total["coarser", "coarser"] > total["undecided", "coarser"]


@pytest.mark.parametrize("seed", [0, 20])
def test_single_precision_is_never_wrong_either(seed: int) -> None:
    total: Outcomes = Counter()
    for number in range(seed, seed + 20):
        total += outcomes(random_case(number), "float32")
    assert all(said in (true, "undecided") for said, true in total)


@pytest.mark.parametrize(
    "graph", [complete(12), star(15), path(14)], ids=["complete", "star", "path"]
)
@pytest.mark.parametrize(
    "choice",
    [
        plain("rgcn", 2, layers=8),
        plain("rgcn", 2, layers=8, aggregation="mean"),
        plain("compgcn", 2, layers=6, composition="corr"),
    ],
    ids=["sum", "mean", "corr"],
)
def test_graphs_whose_features_collapse(graph: RelationalGraph, choice: ModelChoice) -> None:
    assert_never_wrong(outcomes(Case(graph, choice, 1)))


def on(graph: RelationalGraph, choice: ModelChoice, seed: int = 0) -> Versus:
    setting = make_setting(graph, width=choice.width, device="cpu")
    return versus_random(setting, setting.completed(choice), draws=1, seed=seed)


@pytest.mark.parametrize("vertices", [100, 300])
def test_a_total_collapse_is_not_called_coarser(vertices: int) -> None:
    result = on(complete(vertices), plain("rgcn", 16, layers=8))
    assert [layer.relation for layer in result.layers] == ["equal"] * 8
    assert [layer.model_classes for layer in result.layers] == [2] * 8
    # Nothing in floating point shows it.
    assert result.layers[-1].min_gap is None
    assert [layer.exact for layer in (result.layers[0], result.layers[-1])] == [False, True]


def test_above_the_limit_of_work_close_features_are_undecided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exact_evidence, "_WORK", 10)
    result = on(complete(100), plain("rgcn", 16, layers=8))
    assert result.layers[0].relation == "equal"
    assert result.layers[-1].relation == "undecided"
    assert result.layers[-1].unclear is not None
    assert result.bound_holds is True


def test_an_evaluation_that_is_not_the_models_proves_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def another(*arguments: Any) -> list[Table]:
        return [rows.plus(rows) for rows in exact_layers(*arguments)]

    monkeypatch.setattr(exact_evidence, "exact_layers", another)
    assert on(complete(100), plain("rgcn", 16, layers=8)).layers[-1].relation == "undecided"


def test_a_formula_that_is_not_known_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(exact_layers_module._PRODUCTS, "corr")
    choice = plain("compgcn", 16, layers=8, composition="corr")
    assert on(complete(100), choice).layers[-1].relation == "undecided"


def test_a_few_classes_short_on_wn18rr(data_dir: Path) -> None:
    # 5 + 9 neighbours are the same sum as 7 + 7 unless a ReLU bends in between.
    result = on(wlkg.read(data_dir / "kg" / "WN18RR"), plain("rgcn", 16, layers=2))
    assert [layer.relation for layer in result.layers] == ["equal", "coarser"]
    assert 28_700 < result.layers[1].model_classes < 28_787


def test_messages_with_equal_weights_are_merged_whatever_the_square_roots() -> None:
    # Round 2 sees the neighbours' relations, the first layer only their degrees.
    graph = RelationalGraph.from_triples(
        [("a", "r", "b"), ("b", "s", "c"), ("d", "r", "e"), ("e", "t", "f")]
    )
    result = on(graph, ModelChoice("compgcn", width=8, layers=1))
    assert result.layers[0].relation == "coarser"


# -- tables of exact numbers ----------------------------------------------------------------------


def table(rows: list[list[float]], work: float = 1e6) -> Table:
    return Table.of(np.array(rows), Budget(work))


def test_floats_are_taken_as_they_are() -> None:
    numbers = [[0.1, -3.0, 0.0], [2.0**-1000, 1e300, 2.0**-1074]]
    exact = table(numbers)
    for row, integers in zip(numbers, exact.parts[1].tolist(), strict=True):
        assert [Fraction(n, 2**exact.shift) for n in integers] == [Fraction(x) for x in row]
    assert exact.floats().tolist() == numbers


def rooted(*terms: tuple[int, int]) -> Table:
    """A single number: the sum of coefficient times square root."""
    count = np.array([c for c, _ in terms], dtype=object)
    weights = RootWeights(
        count, np.full(len(terms), 1, dtype=object), np.array([q for _, q in terms])
    )
    one = table([[1.0]])
    places = np.zeros(len(terms), dtype=np.int64)
    return one.weighted_sums(places, weights, places, 1)


def near_root_of_two(steps: int) -> tuple[tuple[int, int], ...]:
    """The difference p - q sqrt(2) of a convergent: positive after an even number of steps."""
    p, q = 1, 0
    for _ in range(steps):
        p, q = p + 2 * q, p + q
    return (p, 1), (-q, 2)


@pytest.mark.parametrize(
    ("terms", "sign"),
    [
        (((1, 2), (1, 3), (-1, 10)), -1),
        (((1, 2), (-1, 2)), 0),
        (near_root_of_two(20), 1),
        (near_root_of_two(21), -1),
        (near_root_of_two(200), 1),
        (near_root_of_two(201), -1),
    ],
)
def test_signs_of_sums_of_square_roots(terms: tuple[tuple[int, int], ...], sign: int) -> None:
    number = rooted(*terms)
    assert number.signs().tolist() == [[sign]]
    assert number.sign().floats().tolist() == [[float(sign)]]
    assert (number.relu().keys() == rooted((0, 1)).keys()) == (sign <= 0)


def test_equal_numbers_have_equal_keys_however_they_are_written() -> None:
    one, third = table([[1.0], [0.0]]), np.array([3], dtype=object)
    weights = RootWeights(np.array([6], dtype=object), third, np.array([1]))
    here = np.zeros(1, dtype=np.int64)
    two = one.weighted_sums(here, weights, here, 2)
    assert two.keys() == table([[2.0], [0.0]]).keys()
    assert two.keys()[0] != one.keys()[0]


def test_square_parts() -> None:
    for number in range(1, 500):
        square, rest = square_part(number)
        assert square * square * rest == number
        assert not any(rest % (d * d) == 0 for d in range(2, 23))


def test_work_is_refused_before_it_is_done() -> None:
    with pytest.raises(TooMuchWorkError):
        table([[1.0] * 50] * 50, work=100).times(table([[1.0] * 50] * 50))


def test_giving_up_an_unfolding_early_changes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    refused, reserve = Counter[int](), Budget.reserve

    def counted(budget: Budget, operations: float) -> None:
        try:
            reserve(budget, operations)
        except TooMuchWorkError:
            refused[work] += 1
            raise

    def verdicts() -> list[Versus]:
        return [on(path(14), plain(model, 2, layers=8)) for model in ("gnn", "rgcn", "compgcn")]

    for work in (100, 300, 1000, 3000):
        with monkeypatch.context() as patch:
            patch.setattr(exact_evidence, "_WORK", work)
            patch.setattr(Budget, "reserve", counted)
            early = verdicts()
            patch.setattr(Budget, "reserve", lambda *_: None)
            late = verdicts()
        assert [result.draws for result in early] == [result.draws for result in late]
    assert refused[100] > refused[300] > 0
