from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wlkg.studies import statistics
from wlkg.studies.statistics import mean_interval, paired_test, sign_flip_p, t_cdf, t_quantile

#: From printed tables of Student's t: degrees of freedom, probability, quantile.
PRINTED = [
    (1, 0.975, 12.706),
    (1, 0.995, 63.657),
    (2, 0.975, 4.303),
    (4, 0.95, 2.132),
    (4, 0.975, 2.776),
    (4, 0.9995, 8.610),
    (9, 0.99, 2.821),
    (30, 0.975, 2.042),
    (120, 0.995, 2.617),
]


@pytest.mark.parametrize(("freedom", "p", "quantile"), PRINTED)
def test_quantiles_are_those_of_printed_tables(freedom: int, p: float, quantile: float) -> None:
    assert t_quantile(p, freedom) == pytest.approx(quantile, abs=5e-4)
    assert t_cdf(t_quantile(p, freedom), freedom) == pytest.approx(p, abs=1e-12)


def test_one_and_two_degrees_of_freedom_have_closed_forms() -> None:
    for t in np.linspace(-20, 20, 81):
        assert t_cdf(float(t), 1) == pytest.approx(0.5 + math.atan(t) / math.pi, abs=1e-12)
        assert t_cdf(float(t), 2) == pytest.approx(0.5 + t / (2 * math.sqrt(2 + t * t)), abs=1e-12)


@pytest.mark.parametrize("freedom", [3, 4, 7, 25])
def test_the_distribution_is_the_integral_of_the_density(freedom: int) -> None:
    x = np.linspace(0, 3, 20_001)
    log_front = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    density = np.exp(log_front) / math.sqrt(freedom * math.pi)
    density = density * (1 + x * x / freedom) ** (-(freedom + 1) / 2)
    assert t_cdf(3.0, freedom) == pytest.approx(0.5 + np.trapezoid(density, x), abs=1e-8)


def test_an_interval_is_the_textbook_one() -> None:
    interval = mean_interval([2.0, 4.0, 4.0, 5.0, 7.0])
    assert interval.count == 5
    assert interval.mean == pytest.approx(4.4)
    assert interval.deviation == pytest.approx(math.sqrt(3.3))
    assert interval.high == pytest.approx(4.4 + 2.7764451 * math.sqrt(3.3 / 5))


def test_one_value_has_no_interval_and_no_test() -> None:
    test = paired_test([0.25])
    assert (test.mean, test.low, test.high, test.p, test.differs) == (0.25, None, None, None, False)


def test_a_wider_confidence_gives_a_wider_interval() -> None:
    narrow, wide = (paired_test([0.1, 0.2, 0.3], level) for level in (0.95, 0.99))
    assert narrow.low is not None
    assert wide.low is not None
    assert wide.low < narrow.low
    assert wide.p == narrow.p


@given(st.lists(st.integers(-36, 36), min_size=2, max_size=9))
def test_the_sign_flip_test_tries_all_signs(counts: list[int]) -> None:
    exact = [Fraction(count, 36) for count in counts]
    signs = list(product((1, -1), repeat=len(exact)))
    zero = Fraction(0)
    sums = [abs(sum((s * d for s, d in zip(row, exact, strict=True)), zero)) for row in signs]
    expected = sum(value >= sums[0] for value in sums) / len(signs)
    assert sign_flip_p([count / 36 for count in counts]) == expected


def test_two_equal_differences_are_no_evidence() -> None:
    assert not paired_test([0.1, 0.1]).differs
    assert paired_test([0.1, 0.1, 0.1]).differs


def test_with_few_seeds_p_cannot_be_small() -> None:
    assert sign_flip_p([0.5] * 5) == 2 / 2**5
    assert sign_flip_p([0.0] * 5) == 1.0


def test_with_many_seeds_signs_are_drawn_and_the_result_is_about_the_same(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    differences = np.random.default_rng(1).normal(0.4, 1, 12).tolist()
    exact = sign_flip_p(differences)
    monkeypatch.setattr(statistics, "EXACT", 4)
    drawn = sign_flip_p(differences)
    assert drawn == pytest.approx(exact, abs=0.01)
    assert drawn == sign_flip_p(differences)
