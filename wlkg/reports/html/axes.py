"""The axes of a chart: where a value lies, and which values are written beside the axis."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

#: The most ticks of an axis.
_MOST_TICKS = 7
#: On a logarithmic axis, smaller values count as 0.
_ZERO = 1e-300


@dataclass(frozen=True)
class Axis:
    """Values from ``low`` to ``high`` on pixels from ``start`` to ``end``.

    On a logarithmic axis values that are not positive lie at ``start``, below a gap.
    """

    low: float
    high: float
    start: float
    end: float
    log: bool = False
    has_zero: bool = False
    whole: bool = False

    def at(self, value: float) -> float:
        """The pixel of a value."""
        start = self.start + (self.end - self.start) * (0.1 if self.has_zero else 0.0)
        if self.log and value <= _ZERO:
            return self.start
        low, high, value = (
            map(math.log10, (self.low, self.high, value))
            if self.log
            else (self.low, self.high, value)
        )
        return start + (self.end - start) * ((value - low) / (high - low))

    def ticks(self) -> list[float]:
        """The values that are written beside the axis."""
        values = self._powers() if self.log else self._steps()
        return [0.0, *values] if self.has_zero else values

    def _powers(self) -> list[float]:
        first, last = (
            math.ceil(math.log10(self.low) - 1e-9),
            math.floor(math.log10(self.high) + 1e-9),
        )
        step = max(1, math.ceil((last - first + 1) / _MOST_TICKS))
        powers = [10.0**power for power in range(first, last + 1, step)]
        if len(powers) < 3:
            finer = (m * 10.0**p for p in range(first - 1, last + 1) for m in (1, 2, 5))
            return [value for value in finer if self.low * 0.999 <= value <= self.high * 1.001]
        return powers

    def _steps(self) -> list[float]:
        step = _nice((self.high - self.low) / (_MOST_TICKS - 1), whole=self.whole)
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [round(i * step, 12) for i in range(first, last + 1)]


def axis(
    values: Iterable[float],
    start: float,
    end: float,
    *,
    log: bool = False,
    from_zero: bool = False,
    to_tick: bool = False,
) -> Axis:
    """An axis that holds some values.

    ``from_zero`` leaves room below the smallest, ``to_tick`` above the largest.
    """
    everything = list(values)
    shown = [value for value in everything if value > _ZERO] if log else everything
    low, high = min(shown, default=1.0), max(shown, default=1.0)
    whole = all(float(value).is_integer() for value in everything)
    if log:
        if low == high:
            low, high = low / 2, high * 2
        elif from_zero:
            low = low / 2
        has_zero = len(shown) < len(everything)
        return Axis(low, high, start, end, log=True, has_zero=has_zero, whole=whole)
    if from_zero:
        low = min(low, 0.0)
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        room = max(abs(low) * 1e-3, 1.0)
        low, high = (low, low + room) if from_zero or to_tick else (low - room / 2, low + room / 2)
    if to_tick:
        step = _nice((high - low) / (_MOST_TICKS - 1), whole=whole)
        high = math.ceil(high / step - 1e-9) * step
    return Axis(low, high, start, end, whole=whole)


def _nice(step: float, *, whole: bool) -> float:
    """The next of 1, 2, 5, 10, 20, ... from a step on."""
    power = 10.0 ** math.floor(math.log10(step))
    nice = next(m * power for m in (1, 2, 5, 10) if m * power >= step * (1 - 1e-9))
    return max(1.0, nice) if whole else nice
