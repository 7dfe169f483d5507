"""The ranks of answers among the candidates that are not known to be true, all tie rules at once.

Ties are equal scores, bit for bit. Candidates that the model cannot tell apart share one score, so
that rounding does not break their ties.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn

from wlkg.arrays import Int64Array, IntArray
from wlkg.gnn.links.link_scorer import LinkScorer
from wlkg.gnn.links.questions import Questions
from wlkg.links.scores import LinkScores, scores_of_ranks


class NoNumberError(ArithmeticError):
    """A score is not a number, so it has no rank: compared with it, no other score is larger."""


#: About how many numbers are compared at a time.
_NUMBERS = 4_000_000


def scores_of(model: nn.Module, scorer: LinkScorer, questions: Questions) -> dict[str, LinkScores]:
    """By tie rule, the filtered scores of a model on all answers."""
    return scores_of_ranks(*rank_answers(model, scorer, questions))


@torch.no_grad()
def rank_answers(
    model: nn.Module, scorer: LinkScorer, questions: Questions
) -> tuple[Int64Array, Int64Array]:
    """For each answer, how many candidates are ahead of it, and how many tie with it.

    A query about a relation that the model does not have gives all candidates the same score.
    """
    ahead = np.zeros(len(questions.answers), dtype=np.int64)
    rivals = np.zeros(len(questions.answers), dtype=np.int64)
    prepared = scorer.prepare(model)
    size = max(1, _NUMBERS // scorer.numbers_per_query)
    for low in range(0, len(questions), size):
        asked = np.arange(low, min(low + size, len(questions)))
        number = torch.from_numpy(questions.number[asked]).to(scorer.device)
        source = questions.source[asked]
        scores = scorer.tied_scores(model, prepared, source, number.clamp(min=0))
        if scores.isnan().any():
            raise NoNumberError
        scores[number < 0] = 0
        _rank_batch(scorer, questions, asked, scores.cpu().numpy(), (ahead, rivals))
    return ahead, rivals


def _rank_batch(
    scorer: LinkScorer,
    questions: Questions,
    asked: IntArray,
    scores: np.ndarray[tuple[int, int], np.dtype[np.floating]],
    out: tuple[Int64Array, Int64Array],
) -> None:
    """Rank the answers of consecutive queries whose scores are known."""
    ahead, rivals = out
    free = questions.free(asked, scorer.group_of, scorer.sizes)
    low, high = questions.answer_start[asked[0]], questions.answer_start[asked[-1] + 1]
    row = np.repeat(np.arange(len(asked)), np.diff(questions.answer_start)[asked])
    step = max(1, _NUMBERS // scores.shape[1])
    for begin in range(int(low), int(high), step):
        places = np.arange(begin, min(begin + step, int(high)))
        rows = row[places - low]
        own = scores[rows, scorer.group_of[questions.answers[places]]][:, None]
        theirs, count = scores[rows], free[rows]
        ahead[places] = np.where(theirs > own, count, 0).sum(axis=1)
        rivals[places] = np.where(theirs == own, count, 0).sum(axis=1)
