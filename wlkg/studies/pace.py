"""How long a run will take: a rough guess, corrected by the runs that are finished.

The guess is a polynomial in the width, fitted once to runs on AIFB and scaled by the number of arcs
of the graph. Every finished run of the same kind of model corrects it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from wlkg.studies.runs import RunResult
from wlkg.studies.study import Run

#: Milliseconds per epoch on AIFB: constant, per unit of width, per square of the width.
_MILLISECONDS: dict[str, tuple[float, float, float]] = {
    "rgcn": (1.2, 0.03, 0.0004),
    "rgcn-mlp": (2.2, 0.04, 0.00045),
    "compgcn": (1.7, 0.04, 0.0005),
}
_OTHER = (5.0, 0.5, 0.001)
_AIFB_ARCS = 2 * 29_043
#: Reading the data set and starting a run, in seconds.
_START = 0.1


class Pace:
    """Estimates the seconds of runs on one data set."""

    def __init__(self, num_arcs: int, finished: Iterable[RunResult] = ()) -> None:
        self._scale = max(num_arcs / _AIFB_ARCS, 0.05)
        #: For each kind of model, the seconds that runs took and those that were guessed.
        self._taken: dict[str, float] = defaultdict(float)
        self._guessed: dict[str, float] = defaultdict(float)
        for result in finished:
            self.learn(result)

    def learn(self, result: RunResult) -> None:
        """Take a finished run into account."""
        if result.failure is None:
            kind = result.run.choice.model
            self._taken[kind] += result.seconds
            self._guessed[kind] += self._guess(result.run)

    def seconds(self, run: Run) -> float:
        """The seconds that a run will take on one core."""
        kind = run.choice.model
        correction = self._taken[kind] / self._guessed[kind] if self._guessed[kind] else 1.0
        return self._guess(run) * correction

    def _guess(self, run: Run) -> float:
        width = run.choice.width
        constant, linear, square = _MILLISECONDS.get(run.choice.model, _OTHER)
        milliseconds = constant + linear * width + square * width * width
        return _START + run.epochs * milliseconds * self._scale / 1000
