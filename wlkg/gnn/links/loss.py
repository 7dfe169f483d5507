"""The loss of training: the answer against all candidates that are not known to be true.

    loss = -log( e^s(answer) / ( e^s(answer) + sum over others v of e^s(v) ) )

The others are all candidates, or negative samples. Candidates that the model cannot tell apart have
one score, which counts as often as there are unknown candidates in their group: the loss is exactly
that over all vertices, computed once per group.
"""

from __future__ import annotations

import torch
from torch import Tensor


def softmax_loss(answer: Tensor, others: Tensor, weight: Tensor) -> Tensor:
    """The mean over answers; row i of ``others`` has scores that count ``weight`` times."""
    logits = torch.cat([answer[:, None], others + torch.log(weight)], dim=1)
    return (torch.logsumexp(logits, dim=1) - answer).mean()
