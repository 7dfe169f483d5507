"""A finding made small: pieces of its data are left out for as long as the finding stays."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TypeVar

from tests.fuzz.case import Case

#: The most cases that are tried for one finding.
ATTEMPTS = 400

Part = TypeVar("Part", bytes, Sequence[str])


def minimised(case: Case, is_found: Callable[[Case], bool]) -> Case:
    """A case with less data for which ``is_found`` still holds, as it does for the given one."""
    budget = _Budget(is_found)
    if case.kind == "arguments":
        found: list[str] = json.loads(case.data)

        def stays(arguments: Sequence[str]) -> bool:
            return budget.holds(case.with_data(json.dumps(list(arguments)).encode()))

        return case.with_data(json.dumps(list(_shortened(found, stays))).encode())
    fewer = _with_fewer_options(case, budget.holds)
    return fewer.with_data(_shortened(fewer.data, lambda data: budget.holds(fewer.with_data(data))))


class _Budget:
    """Answers a question a limited number of times, then with no."""

    def __init__(self, is_found: Callable[[Case], bool]) -> None:
        self._is_found = is_found
        self._left = ATTEMPTS

    def holds(self, case: Case) -> bool:
        self._left -= 1
        return self._left >= 0 and self._is_found(case)


def _with_fewer_options(case: Case, holds: Callable[[Case], bool]) -> Case:
    for name in [name for name in case.options if name != "graphs"]:
        options = {key: value for key, value in case.options.items() if key != name}
        fewer = Case(case.kind, case.name, case.data, options)
        if holds(fewer):
            case = fewer
    return case


def _shortened(whole: Part, stays: Callable[[Part], bool]) -> Part:
    """Leave out halves, quarters, ... until no single piece can be left out."""
    size = max(len(whole) // 2, 1)
    while True:
        start = 0
        while start < len(whole):
            rest = whole[:start] + whole[start + size :]  # type: ignore[operator]
            if stays(rest):
                whole = rest
            else:
                start += size
        if size == 1:
            return whole
        size //= 2
