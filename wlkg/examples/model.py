"""Built-in graphs and the claims about them, as plain data.

Claims are written down, not computed, so that running the tests can confirm or refute them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from wlkg.catalogue import TESTS
from wlkg.errors import UsageError, unknown_name
from wlkg.graph.relational_graph import RelationalGraph

#: The names of the tests that colour vertices. All families make a claim about each of them.
VERTEX_TESTS = tuple(TESTS)


@dataclass(frozen=True)
class Parameter:
    """A whole number that a built-in graph depends on."""

    default: int
    least: int
    most: int = 999_999
    meaning: str = ""


@dataclass(frozen=True)
class Example:
    """How to build a graph; ``build`` takes the parameters by name."""

    summary: str
    build: Callable[..., RelationalGraph]
    parameters: Mapping[str, Parameter]
    #: The heading under which it is listed.
    group: str = ""


@dataclass(frozen=True)
class Claim:
    """What a test says about two graphs, or about two vertices."""

    test: str
    separated: bool
    #: The first round that separates; None if nothing is separated or no round is claimed.
    round: int | None = None


@dataclass(frozen=True)
class Fact:
    """A structural statement, and whether a computation confirmed it."""

    text: str
    holds: bool


def never(*tests: str) -> tuple[Claim, ...]:
    """The claims that these tests never separate."""
    return tuple(Claim(test, separated=False) for test in tests)


def at_round(first: int, *tests: str) -> tuple[Claim, ...]:
    """The claims that these tests separate at round ``first`` and not before."""
    return tuple(Claim(test, separated=True, round=first) for test in tests)


def sometime(*tests: str) -> tuple[Claim, ...]:
    """The claims that these tests separate at some round."""
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
    # Python refuses to parse numbers with thousands of digits; no parameter needs more than 18.
    if len(text) > 18 or int(text) > parameter.most:
        raise UsageError(f"{what} must be a whole number up to {parameter.most:,}, found {text}")
    if int(text) < parameter.least:
        raise UsageError(f"{what} must be at least {parameter.least:,}, found {text}")
    return int(text)
