"""Damage that keeps the structure: to lines and columns, trees of JSON and XML, and encodings."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from random import Random
from typing import Any

from tests.fuzz.mutators import NUMBERS, TELLING, WORDS, Mutator

#: How deep a document is nested.
_DEPTHS = (2, 30, 65, 200, 1000, 3000, 30_000)
#: Values for a place in a tree.
VALUES: list[Any] = [
    *(None, True, False, 0, -1, 1, 2, 0.5, -0.0, 1e308, 2**31, 2**53 + 1, 2**63, 2**64, -(2**63)),
    *(10**30, "", "a", "1", "é", "\ud800", "\0", "x" * 5000, "http://a/b", "_:b", "1/0", "-1/3"),
    *([], {}, [[]], [{}], {"": {}}, {"@id": "a:b"}, {"id": "a"}, ["a", 1, None], [0] * 300),
    *(float("nan"), float("inf")),
]


# -- lines and columns ----------------------------------------------------------------------------


def _separator(data: bytes) -> bytes:
    return max((b"\t", b",", b" "), key=data.count)


def _on_lines(change: Callable[[Random, list[bytes]], object]) -> Mutator:
    def mutate(rng: Random, data: bytes, _: bytes) -> bytes:
        lines = data.split(b"\n")
        change(rng, lines)
        return b"\n".join(lines)

    return mutate


def _on_cells(change: Callable[[Random, list[bytes]], object]) -> Mutator:
    """Damage to the columns of one line, or of all lines in the same way."""

    def mutate(rng: Random, data: bytes, _: bytes) -> bytes:
        separator, lines = _separator(data), data.split(b"\n")
        everywhere, fate = rng.random() < 0.3, rng.random()
        chosen = range(len(lines)) if everywhere else [rng.randrange(len(lines))]
        for i in chosen:
            cells = lines[i].split(separator)
            change(Random(fate), cells)
            lines[i] = separator.join(cells)
        return b"\n".join(lines)

    return mutate


def _swap(rng: Random, parts: list[bytes]) -> None:
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]


def _drop(rng: Random, parts: list[bytes]) -> None:
    del parts[rng.randrange(len(parts))]


def _double(rng: Random, parts: list[bytes]) -> None:
    i = rng.randrange(len(parts))
    parts[i:i] = [parts[i]] * rng.choice((1, 1, 2, 10, 1000))


def _copy(rng: Random, parts: list[bytes]) -> None:
    parts[rng.randrange(len(parts))] = rng.choice(parts)


def _word(rng: Random, parts: list[bytes]) -> None:
    parts[rng.randrange(len(parts))] = rng.choice(rng.choice((WORDS, NUMBERS, TELLING)))


def _blank(rng: Random, parts: list[bytes]) -> None:
    parts.insert(
        rng.randint(0, len(parts)), rng.choice((b"", b" ", b"\t", b"#", b"# a\tb\tc", b","))
    )


def _shuffle(rng: Random, parts: list[bytes]) -> None:
    rng.shuffle(parts)


def _separate_otherwise(rng: Random, data: bytes, _: bytes) -> bytes:
    return data.replace(_separator(data), rng.choice((b"\t", b",", b" ", b";", b"  ", b"\xc2\xa0")))


def _end_otherwise(rng: Random, data: bytes, _: bytes) -> bytes:
    ends = (b"\r\n", b"\r", b"\n\n", b"\x0b", b"\xe2\x80\xa8", b"\n\r", b" \n", b"\0\n")
    return data.replace(b"\n", rng.choice(ends))


LINES: tuple[Mutator, ...] = (
    *map(_on_lines, (_swap, _drop, _double, _copy, _blank, _shuffle)),
    *map(_on_cells, (_swap, _drop, _double, _copy, _word, _word)),
    _separate_otherwise,
    _end_otherwise,
)


# -- encodings ------------------------------------------------------------------------------------


def encode_otherwise(rng: Random, data: bytes, _: bytes) -> bytes:
    """The text in another encoding, with or without a byte-order mark."""
    text = data.decode("utf-8", "replace")
    encoding = rng.choice(
        ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "latin-1", "utf-7")
    )
    return text.encode(encoding, "replace")


# -- trees of JSON --------------------------------------------------------------------------------


def _places(tree: Any) -> list[tuple[Any, Any]]:
    """All places of a tree: a container and the key of a value in it."""
    places: list[tuple[Any, Any]] = []
    waiting = [tree]
    while waiting and len(places) < 2000:
        part = waiting.pop()
        keys = part.keys() if isinstance(part, dict) else range(len(part))
        for key in list(keys):
            places.append((part, key))
            if isinstance(part[key], dict | list):
                waiting.append(part[key])
    return places


def _value(rng: Random, places: list[tuple[Any, Any]]) -> Any:
    if rng.random() < 0.4:
        container, key = rng.choice(places)
        return container[key]
    return rng.choice(VALUES)


def damage_tree(rng: Random, tree: Any) -> Any:
    """A tree of JSON with one place changed."""
    wrapped = [tree]
    places = _places(wrapped)
    container, key = rng.choice(places)
    value = container[key]
    match rng.choice(("value", "value", "drop", "double", "key", "number", "wrap")):
        case "value":
            container[key] = json.loads(json.dumps(_value(rng, places)))
        case "drop" if container is not wrapped:
            del container[key]
        case "double" if isinstance(container, list) and container is not wrapped:
            container[key:key] = [value] * rng.choice((1, 2, 50))
        case "key" if isinstance(container, dict):
            container[rng.choice((*container, "", "x", "@id", "id", "__class__"))] = container.pop(
                key
            )
        case "number" if isinstance(value, int | float) and not isinstance(value, bool):
            container[key] = rng.choice((value + 1, value - 1, -value, value * 2**40, value + 0.5))
        case _:
            container[key] = rng.choice(([value], {"a": value}, str(value), [value, value]))
    return wrapped[0]


def _json(rng: Random, data: bytes, _: bytes) -> bytes:
    try:
        tree = json.loads(data)
    except (ValueError, RecursionError):
        return data
    for _i in range(rng.choice((1, 1, 2, 4))):
        tree = damage_tree(rng, tree)
    return json.dumps(tree, ensure_ascii=rng.random() < 0.5).encode("utf-8", "surrogatepass")


def _nest(opening: bytes, closing: bytes) -> Mutator:
    """A bracket at some place, repeated, and closed if that is drawn."""

    def mutate(rng: Random, data: bytes, _: bytes) -> bytes:
        depth, place = rng.choice(_DEPTHS), rng.randint(0, len(data))
        end = rng.randint(place, len(data))
        inside = data[place:end] if rng.random() < 0.5 else b""
        closed = closing * depth if rng.random() < 0.7 else b""
        return data[:place] + opening * depth + inside + closed + data[end:]

    return mutate


def _double_key(rng: Random, data: bytes, _: bytes) -> bytes:
    """An entry of an object, twice."""
    entries = list(re.finditer(rb'"[^"]{0,40}"\s*:\s*[^,{}\[\]]{1,40},', data))
    if not entries:
        return data
    start, end = rng.choice(entries).span()
    return data[:start] + data[start:end] * rng.choice((2, 3)) + data[end:]


JSON: tuple[Mutator, ...] = (
    _json,
    _json,
    _json,
    _nest(b"[", b"]"),
    _nest(b'{"a":', b"}"),
    _double_key,
)


# -- trees of XML ---------------------------------------------------------------------------------


def _elements(data: bytes) -> list[re.Match[bytes]]:
    return list(re.finditer(rb"<[^<>]{1,200}>", data))


def _xml_tags(rng: Random, data: bytes, _: bytes) -> bytes:
    """Two tags swapped, or one dropped, doubled or moved."""
    tags = _elements(data)
    if not tags:
        return data
    one, two = rng.choice(tags), rng.choice(tags)
    match rng.choice(("swap", "drop", "double", "nest")):
        case "swap":
            pieces = list(re.split(rb"(<[^<>]{1,200}>)", data))
            i, j = rng.randrange(len(pieces)), rng.randrange(len(pieces))
            pieces[i], pieces[j] = pieces[j], pieces[i]
            return b"".join(pieces)
        case "drop":
            return data[: one.start()] + data[one.end() :]
        case "double":
            count = rng.choice((1, 2, 100))
            return data[: one.start()] + two.group() * count + data[one.start() :]
        case _:
            name = re.sub(rb"[\s/>].*", b"", one.group()[1:], flags=re.DOTALL) or b"a"
            depth = rng.choice(_DEPTHS)
            inside = b"<" + name + b">"
            closing = inside.replace(b"<", b"</")
            return data[: one.start()] + inside * depth + closing * depth + data[one.start() :]


def _xml_attributes(rng: Random, data: bytes, _: bytes) -> bytes:
    """The value or the name of an attribute taken from elsewhere."""
    found = list(re.finditer(rb'(?<![\w:.])([\w:.]{1,60})="([^"]{0,500})"', data))
    if not found:
        return data
    one, two = rng.choice(found), rng.choice(found)
    group = rng.choice((1, 2))
    value = two.group(group) if rng.random() < 0.5 else rng.choice(WORDS + NUMBERS)
    return data[: one.start(group)] + value + data[one.end(group) :]


_DECLARATIONS = (
    b'<!ENTITY x "y">',
    b'<!ENTITY x SYSTEM "file:///etc/passwd">',
    b'<!ENTITY % x "y">%x;',
    b'<!ENTITY x "' + b"y" * 900 + b'">',
    b'<!ENTITY x "&x;">',
    b"<!ELEMENT a ANY>",
    b"",
)


def _xml_prolog(rng: Random, data: bytes, _: bytes) -> bytes:
    """Declarations before the root, and references to what they declare."""
    entity = rng.choice(_DECLARATIONS)
    standalone = b'<?xml version="1.%d" encoding="%s"?>' % (
        rng.randrange(3),
        rng.choice((b"utf-8", b"utf-16", b"latin-1", b"x", b"ascii", b"UTF-7")),
    )
    body = re.sub(rb"<\?xml[^>]{0,200}\?>", b"", data, count=1)
    grown = body.replace(b'="', b'="&x;', rng.choice((0, 1, 3)))
    return standalone + b"<!DOCTYPE a [" + entity + b"]>" + grown


XML: tuple[Mutator, ...] = (_xml_tags, _xml_tags, _xml_attributes, _xml_attributes, _xml_prolog)
TURTLE: tuple[Mutator, ...] = (_nest(b"[ <a:b> ", b"]"), _nest(b"(", b")"), _nest(b"<<(", b")>>"))
TOML: tuple[Mutator, ...] = (_nest(b"[", b"]"), _nest(b"{a=", b"}"), _nest(b"[[", b"]]"))
