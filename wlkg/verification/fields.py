"""Reads untrusted JSON, and checks every value before it is used.

Certificates may come from anywhere. Numbers are whole and have at most 18 digits, rationals are
texts p/q in lowest terms, objects have exactly the expected keys, each once. Values are never
walked deeper than the format goes, so nested input costs no more than parsing it. Everything else
is an `InputError`, with the place in the document.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Collection
from fractions import Fraction
from typing import Any, NoReturn

from wlkg.errors import InputError

#: Larger numbers cannot count anything in a graph.
MOST_DIGITS = 18
_SHOWN = 60
_is_share = re.compile(
    rf"(0|[1-9][0-9]{{0,{MOST_DIGITS - 1}}})/([1-9][0-9]{{0,{MOST_DIGITS - 1}}})"
)


def parse(data: bytes) -> Any:
    """The value of a JSON document; numbers that a certificate never holds are refused."""
    try:
        return json.loads(
            data.decode(),
            parse_int=_integer,
            parse_float=_refused_number,
            parse_constant=_refused_number,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise InputError(f"not JSON: {error.msg}", line=error.lineno, column=error.colno) from error
    except UnicodeDecodeError as error:
        raise InputError(f"not JSON: not UTF-8 text at byte {error.start:,}") from error
    except RecursionError as error:
        raise InputError("not a certificate: lists or objects are nested too deeply") from error


def _integer(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise InputError(
            f"not a certificate: expected numbers of at most {MOST_DIGITS} digits, found one with"
            f" {len(text):,} characters: {shown(text)}"
        )
    return int(text)


def _refused_number(text: str) -> NoReturn:
    raise InputError(f"not a certificate: expected whole numbers only, found {shown(text)}")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content: dict[str, Any] = {}
    for key, value in pairs:
        if key in content:
            raise InputError(f"not a certificate: the key {shown(key)} occurs twice in an object")
        content[key] = value
    return content


def shown(text: str) -> str:
    """A text in quotes, cut if it is long."""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}..."


def wrong(where: str, expected: str, found: object) -> InputError:
    """The error for a value that is not what the format says."""
    names = {dict: "an object", list: "a list", type(None): "null", bool: "true or false"}
    if isinstance(found, str):
        text = shown(found)
    elif type(found) is int:
        text = str(found) if abs(found) < 10**MOST_DIGITS else "a huge number"
    else:
        text = names.get(type(found), f"a {type(found).__name__}")
    return InputError(f"{where}: expected {expected}, found {text}")


def as_object(
    value: Any, where: str, required: Collection[str], optional: Collection[str] = ()
) -> dict[str, Any]:
    """An object that has all required keys and no others but the optional ones."""
    if not isinstance(value, dict):
        raise wrong(where, "an object", value)
    for key in required:
        if key not in value:
            raise InputError(f"{where}: the key {key!r} is missing")
    for key in value:
        if key not in required and key not in optional:
            raise InputError(f"{where}: the key {shown(str(key))} is unknown")
    return value


def as_list(value: Any, where: str, length: int | None = None) -> list[Any]:
    """A list, if a length is given of that length."""
    if not isinstance(value, list):
        raise wrong(where, "a list", value)
    if length is not None and len(value) != length:
        raise InputError(f"{where}: expected {length:,} entries, found {len(value):,}")
    return value


def as_text(value: Any, where: str) -> str:
    """A text."""
    if not isinstance(value, str):
        raise wrong(where, "a text", value)
    return value


def as_truth(value: Any, where: str) -> bool:
    """True or false, and no number."""
    if not isinstance(value, bool):
        raise wrong(where, "true or false", value)
    return value


def as_number(value: Any, where: str, *, least: int = 0, below: int = 10**MOST_DIGITS) -> int:
    """A whole number in a range. Note that True is no number here."""
    if type(value) is not int or not least <= value < below:
        upper = f" and below {below:,}" if below < 10**MOST_DIGITS else ""
        raise wrong(where, f"a whole number from {least:,} on{upper}", value)
    return value


def as_numbers(value: Any, where: str, length: int, *, below: int) -> list[int]:
    """A list of numbers of a given length, each below a bound."""
    numbers = as_list(value, where, length)
    for place, number in enumerate(numbers):
        if type(number) is not int or not 0 <= number < below:
            as_number(number, f"{where}, entry {place:,}", below=below)
    return numbers


def as_share(value: Any, where: str) -> Fraction:
    """A rational p/q in lowest terms."""
    match = _is_share.fullmatch(value) if isinstance(value, str) else None
    if match is None or math.gcd(int(match[1]), int(match[2])) != 1:
        raise wrong(where, "a rational p/q in lowest terms", value)
    return Fraction(int(match[1]), int(match[2]))
