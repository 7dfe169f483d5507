"""The queries of triples in the numbers of a model, with their answers and known answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from wlkg.arrays import FloatArray, Int64Array, IntArray
from wlkg.links.queries import LinkQueries


@dataclass(frozen=True, eq=False)
class Questions:
    """Queries that a model is asked; see `wlkg.gnn.models.decoders.decoder` for their numbers."""

    queries: LinkQueries
    #: For each query: its source, and its number, which is -1 if the model lacks the relation.
    source: Int64Array
    number: Int64Array

    @classmethod
    def of(cls, queries: LinkQueries, num_relations: int) -> Questions:
        """The queries, where the model has the first ``num_relations`` of their relations."""
        relation = queries.relation.astype(np.int64)
        number = relation + np.where(queries.asks_tail, 0, num_relations)
        return cls(
            queries=queries,
            source=queries.source.astype(np.int64),
            number=np.where(relation < num_relations, number, -1),
        )

    def __len__(self) -> int:
        return len(self.source)

    @property
    def answer_start(self) -> IntArray:
        """Query q has the answers from ``answer_start[q]`` up to ``answer_start[q + 1]``."""
        return self.queries.arrays.answer_start

    @property
    def answers(self) -> IntArray:
        return self.queries.arrays.answers

    @property
    def query_of_answer(self) -> IntArray:
        """The query that each answer belongs to."""
        return np.repeat(np.arange(len(self)), np.diff(self.answer_start))

    def known(self, query: int) -> IntArray:
        """All that is known to be true, in ascending order."""
        start = self.queries.arrays.known_start
        return self.queries.arrays.known[start[query] : start[query + 1]]

    def free(self, asked: IntArray, group_of: IntArray, sizes: IntArray) -> FloatArray:
        """For each of some queries and each group, its candidates that are not known to be true."""
        counts = np.diff(self.queries.arrays.known_start)[asked]
        row = np.repeat(np.arange(len(asked)), counts)
        known = np.concatenate([self.known(query) for query in asked.tolist()])
        places = row * len(sizes) + group_of[known]
        taken = np.bincount(places, minlength=len(asked) * len(sizes))
        return (sizes - taken.reshape(len(asked), len(sizes))).astype(np.float64)
