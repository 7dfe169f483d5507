"""What decoders have in common: a vector for each query, and scores of many candidates at once.

There are 2R queries over R relations: query r asks (u, r, ?), and query R + r asks (?, r, u).
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from torch import Tensor, nn

from wlkg.gnn.models.parameters import random_matrix


class Decoder(nn.Module, ABC):
    """Scores of candidates; each query has a vector, which is learned."""

    #: Whether a vector is computed for each source and candidate, or only their score.
    HAS_PAIR_VECTORS = False

    def __init__(self, width: int, queries: int, *, vector_width: int | None = None) -> None:
        super().__init__()
        self.vectors = random_matrix(queries, width if vector_width is None else vector_width)

    def forward(self, source: Tensor, query: Tensor, candidates: Tensor) -> Tensor:
        """A row of scores for each source.

        ``source`` is (b, d), ``query`` has b numbers of queries; ``candidates`` are (c, d), the
        same for all sources, or (b, c, d).
        """
        return self.score(source, self.vectors.index_select(0, query), candidates)

    @abstractmethod
    def score(self, source: Tensor, vector: Tensor, candidates: Tensor) -> Tensor:
        """The scores, given the vector of each query."""


def dots(rows: Tensor, candidates: Tensor) -> Tensor:
    """The product of each row with its candidates: (b, d) with (c, d) or (b, c, d)."""
    if candidates.dim() == 2:
        return rows @ candidates.T
    return (candidates @ rows[:, :, None])[:, :, 0]


def beside(candidates: Tensor) -> Tensor:
    """Candidates as (1, c, d) or (b, c, d), to meet rows of the form (b, 1, d)."""
    return candidates if candidates.dim() == 3 else candidates[None]
