"""Numbers as people write them, by what they mean."""

from __future__ import annotations

import math

from wlkg.reports.blocks import NumberStyle, Value

_WORDS = {True: "yes", False: "no"}


def written(value: Value, style: NumberStyle | str = "number") -> str:
    """A value as text: 1,234; 0.93; 93.1 %; 2.4e-02; 1.2 s; None is empty.

    >>> written(1234, "count"), written(0.931, "share"), written(0.024, "scientific")
    ('1,234', '93.1 %', '2.4e-02')
    >>> written(0.5, "number"), written(1.234567, "number"), written(12.0, "seconds")
    ('0.5', '1.235', '12 s')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return _WORDS[value]
    if isinstance(value, str):
        return value
    if not math.isfinite(value):
        return str(value)
    return _number(value, style)


def _number(value: float, style: str) -> str:
    if style == "share":
        return f"{100 * value:.1f} %"
    if style == "scientific":
        return "0" if value == 0 else f"{value:.1e}"
    if style == "seconds":
        digits = 3 if value < 10 else 1
        return f"{_plain(round(value, digits), digits)} s"
    return _plain(value, 3)


def _plain(value: float, digits: int) -> str:
    """With thousands separated and without zeros at the end; tiny numbers by their exponent."""
    if isinstance(value, int) or value == int(value):
        return f"{int(value):,}"
    if abs(value) < 0.5 * 10**-digits:
        return f"{value:.1e}"
    return f"{value:,.{digits}f}".rstrip("0")
