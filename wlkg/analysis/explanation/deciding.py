"""The part of a formula that decides between two vertices."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wlkg.analysis.explanation.formulas import Formula
from wlkg.arrays import BoolArray


def deciding_part(
    formula: Formula,
    v: int,
    w: int,
    hold: Callable[[Sequence[Formula]], Sequence[BoolArray]],
    *,
    holds: bool = True,
) -> tuple[Formula, bool]:
    """A part that alone tells v from w, neither "and", "or" nor "not", and its value for v.

    The formula has the value ``holds`` for v and the other one for w; ``hold`` gives the values of
    formulas on all vertices. Of several parts the smallest is taken.
    """
    while formula.op in ("and", "or", "not"):
        if formula.op == "not":
            formula, holds = formula.args[0], not holds
            continue
        telling = [
            arg
            for arg, value in zip(formula.args, hold(formula.args), strict=True)
            if value[v] == holds and value[w] != holds
        ]
        formula = min(telling, key=lambda arg: arg.size)
    return formula, holds
