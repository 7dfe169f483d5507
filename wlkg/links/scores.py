"""Scores of ranked answers: MRR, Hits@k and mean rank, under each rule for ties.

An answer behind b candidates that ties with s others has one of the ranks b + 1, ..., b + s + 1:

=============  ====================================================================
ties           the rank of the answer
=============  ====================================================================
`random`       all of these are equally likely, and the expected score counts
`pessimistic`  b + s + 1
`optimistic`   b + 1
=============  ====================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from wlkg.arrays import FloatArray, IntArray
from wlkg.display import Brief

TIES = ("random", "pessimistic", "optimistic")
METRICS = ("mrr", "hits_at_1", "hits_at_3", "hits_at_10", "mean_rank")

#: The expected metric of answers with any of the ranks from the first to the last.
Expected = Callable[[FloatArray, FloatArray], FloatArray]


@dataclass(frozen=True)
class LinkScores(Brief):
    """Means over all answers."""

    mrr: float
    hits_at_1: float
    hits_at_3: float
    hits_at_10: float
    mean_rank: float


def scores_of_ranks(ahead: IntArray, rivals: IntArray) -> dict[str, LinkScores]:
    """By tie rule, the scores of answers behind ``ahead`` candidates that tie with ``rivals``.

    >>> scores = scores_of_ranks(np.array([0, 1]), np.array([1, 0]))
    >>> [scores[tie].mrr for tie in TIES]
    [0.625, 0.5, 0.75]
    """
    first = (ahead + 1).astype(np.float64)
    last = first + rivals.astype(np.float64)
    ranks = {"random": (first, last), "pessimistic": (last, last), "optimistic": (first, first)}
    expected: tuple[Expected, ...] = (_reciprocal, _hits(1), _hits(3), _hits(10), _rank)
    return {
        tie: LinkScores(*(float(metric(*ranks[tie]).mean()) for metric in expected)) for tie in TIES
    }


def _reciprocal(first: FloatArray, last: FloatArray) -> FloatArray:
    most = int(last.max(initial=0))
    harmonic = np.concatenate([[0.0], np.cumsum(1 / np.arange(1, most + 1))])
    total = harmonic[last.astype(np.int64)] - harmonic[first.astype(np.int64) - 1]
    # One rank needs no sums, whose rounding would show.
    return np.where(first == last, 1 / last, total / (last - first + 1))


def _hits(most: int) -> Expected:
    def hits(first: FloatArray, last: FloatArray) -> FloatArray:
        within = np.minimum(last, most) - np.minimum(first - 1, most)
        return within / (last - first + 1)

    return hits


def _rank(first: FloatArray, last: FloatArray) -> FloatArray:
    return (first + last) / 2
