"""Means over seeds with intervals, and paired tests.

Two models are compared on the same seeds. With differences d_1 .. d_n, mean m and deviation s:

============  ====================================================================================
interval      m ± q s / sqrt(n), where q is a quantile of Student's t with n - 1 degrees of freedom
p             the sign-flip test: the share of all 2^n choices of signs for which the mean of
              ±d_1 .. ±d_n is at least as far from 0 as m; exact, without any assumption but that
              d and -d are equally likely if there is no difference
============  ====================================================================================

With n seeds p is never below 2 / 2^n: five seeds give 0.0625 at best. Above `EXACT` seeds the signs
are drawn at random.

The distribution of Student's t is computed from the regularised incomplete beta function, by its
continued fraction (Lentz's method), and inverted by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

#: Up to this many seeds, all signs are tried.
EXACT = 16
#: With fewer seeds no difference is claimed: two runs on a few test vertices often agree by chance.
FEWEST = 3
_DRAWS = 100_000
_TINY = 1e-300


@dataclass(frozen=True)
class Interval:
    """A mean and an interval for it; there is no interval for fewer than two values."""

    count: int
    mean: float
    deviation: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class PairedTest(Interval):
    """The mean of differences, with the p-value of the sign-flip test."""

    p: float | None

    @property
    def differs(self) -> bool:
        """Whether the interval excludes 0, and rests on at least `FEWEST` seeds."""
        if self.low is None or self.high is None or self.count < FEWEST:
            return False
        return not self.low <= 0 <= self.high


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval:
    """The mean of at least one value, with its interval.

    >>> interval = mean_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    >>> interval.mean, round(interval.low, 4), round(interval.high, 4)
    (3.0, 1.0368, 4.9632)
    """
    count = len(values)
    mean = math.fsum(values) / count
    if count < 2:
        return Interval(count=count, mean=mean, deviation=None, low=None, high=None)
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (count - 1))
    reach = t_quantile((1 + confidence) / 2, count - 1) * deviation / math.sqrt(count)
    return Interval(
        count=count, mean=mean, deviation=deviation, low=mean - reach, high=mean + reach
    )


def paired_test(differences: Sequence[float], confidence: float = 0.95) -> PairedTest:
    """The mean of paired differences, its interval, and the sign-flip test.

    >>> paired_test([0.1, 0.2, 0.1, 0.3, 0.2]).p
    0.0625
    """
    interval = mean_interval(differences, confidence)
    p = sign_flip_p(differences) if len(differences) > 1 else None
    return PairedTest(**vars(interval), p=p)


def sign_flip_p(differences: Sequence[float]) -> float:
    """The two-sided p-value of the sign-flip test."""
    values = np.asarray(differences, dtype=np.float64)
    count = len(values)
    # Sums that are equal in exact arithmetic may differ by rounding.
    reached = abs(values.sum()) * (1 - 1e-9) - 1e-15
    if count <= EXACT:
        bits = np.arange(2**count)[:, None] >> np.arange(count)
        signs = 1 - 2 * (bits & 1)
        return float((np.abs(signs @ values) >= reached).mean())
    signs = np.random.default_rng(0).choice([-1, 1], size=(_DRAWS, count))
    extreme = int((np.abs(signs @ values) >= reached).sum())
    return (extreme + 1) / (_DRAWS + 1)


def t_cdf(t: float, freedom: int) -> float:
    """The distribution function of Student's t.

    >>> round(t_cdf(2.776445, 4), 6)
    0.975
    """
    tail = _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_quantile(p: float, freedom: int) -> float:
    """The inverse of `t_cdf` for p of at least 1/2.

    >>> round(t_quantile(0.975, 4), 4)
    2.7764
    """
    high = 1.0
    while t_cdf(high, freedom) < p:
        high *= 2
    return _bisect(lambda t: t_cdf(t, freedom) < p, 0.0, high)


def _bisect(is_below: Callable[[float], bool], low: float, high: float) -> float:
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """I_x(a, b); the continued fraction converges fast below the mean of the distribution."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, 1 - x)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    log_front += a * math.log(x) + b * math.log1p(-x)
    return math.exp(log_front) * _beta_fraction(a, b, x) / a


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    upper, lower = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, 300):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            lower = 1 / _away_from_zero(1 + term * lower)
            upper = _away_from_zero(1 + term / upper)
            value *= lower * upper
        if abs(lower * upper - 1) < 1e-15:
            break
    return value


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
