"""Negative samples: candidates that are not known to be true, all equally likely.

Of the n candidates of a query, k are known. A number below n - k is drawn and becomes the candidate
with as many unknown ones before it, so nothing is drawn twice because it was known.
"""

from __future__ import annotations

import numpy as np

from wlkg.arrays import BoolArray, Int64Array, IntArray
from wlkg.gnn.links.questions import Questions


def draw_negatives(
    questions: Questions, asked: IntArray, count: int, random: np.random.Generator
) -> tuple[Int64Array, BoolArray]:
    """``count`` candidates for each of some queries, and which of them may be used.

    None may be used where every candidate is known.
    """
    candidates = questions.queries.graph.num_vertices
    sampled = np.zeros((len(asked), count), dtype=np.int64)
    usable = np.ones((len(asked), count), dtype=bool)
    numbers = random.random((len(asked), count))
    for row, query in enumerate(asked.tolist()):
        known = questions.known(query)
        unknown = candidates - len(known)
        if not unknown:
            usable[row] = False
            continue
        place = (numbers[row] * unknown).astype(np.int64)
        # The i-th known candidate has known[i] - i unknown ones before it.
        before = np.searchsorted(known - np.arange(len(known)), place, side="right")
        sampled[row] = place + before
    return sampled, usable
