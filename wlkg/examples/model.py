"""What a built-in graph is, and what may be claimed about one: plain data.

Claims are written down, not computed, so that a run of the tests can be held against them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wlkg.errors import UsageError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph

#: The tests that colour vertices.
VERTEX_TESTS = ("1-wl", "weak-rwl", "1-rwl")


@dataclass(frozen=True)
class Parameter:
    """A whole number that a built-in graph depends on."""

    default: int
    least: int
    most: int = 999_999
    meaning: str = ""


@dataclass(frozen=True)
class Example:
    """A graph by name; ``build`` takes the parameters by name."""

    summary: str
    build: Callable[..., RelationalGraph]
    parameters: Mapping[str, Parameter]


@dataclass(frozen=True)
class Claim:
    """What a test says about two graphs, or about two vertices of one."""

    test: str
    separated: bool
    #: The first round that separates; None where nothing is separated or no round is claimed.
    round: int | None = None


@dataclass(frozen=True)
class Fact:
    """A structural statement, and whether it was found to hold when it was computed."""

    text: str
    holds: bool


def never(*tests: str) -> tuple[Claim, ...]:
    """The claims that these tests never separate."""
    return tuple(Claim(test, separated=False) for test in tests)


def at_round(first: int, *tests: str) -> tuple[Claim, ...]:
    """The claims that these tests separate, and not before round ``first``."""
    return tuple(Claim(test, separated=True, round=first) for test in tests)


def sometime(*tests: str) -> tuple[Claim, ...]:
    """The claims that these tests separate, no matter when."""
    return tuple(Claim(test, separated=True) for test in tests)


def checked_values(
    owner: str, parameters: Mapping[str, Parameter], given: Mapping[str, int | str]
) -> dict[str, int]:
    """A value for every parameter: the one given, checked, or the default."""
    values = {name: parameter.default for name, parameter in parameters.items()}
    for name, value in given.items():
        if not parameters:
            raise UsageError(f"{owner} takes no parameters, found {name!r}")
        if name not in parameters:
            raise unknown_name(f"parameter of {owner}:", name, parameters)
        values[name] = _checked(f"{owner}: {name}", parameters[name], value)
    return values


def _checked(what: str, parameter: Parameter, given: int | str) -> int:
    text = str(given)
    if not (text.isascii() and text.removeprefix("-").isdecimal()):
        raise UsageError(f"{what} must be a whole number, found {text!r}")
    # Python refuses to read numbers of thousands of digits; no parameter has more than these.
    if len(text) > 18 or int(text) > parameter.most:
        raise UsageError(f"{what} must be a whole number up to {parameter.most:,}, found {text}")
    if int(text) < parameter.least:
        raise UsageError(f"{what} must be at least {parameter.least:,}, found {text}")
    return int(text)
