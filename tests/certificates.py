"""Helpers for tests of certificates: pairs of graphs, true answers, and changed documents."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from typing import Any

from hypothesis import strategies as st

from tests.oracles import ORACLES, differ_slowly, refine_slowly, refine_tuples_slowly
from tests.strategies import rebuilt, relational_graphs, switched
from wlkg.catalogue import DIRECTIONS, Direction
from wlkg.errors import InputError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.verification.certificates import seal
from wlkg.verification.verify import verify

VERTEX_TESTS = ("1-rwl", "weak-rwl", "1-wl", "mean-rwl")
MORE_VERTEX_TESTS = ("1-rlwl", "delta-1-lwl", "1-wl-all", "1-rwl-all")
TUPLE_TESTS = ("2-rlwl", "delta-2-lwl", "2-wl", "2-fwl", "1-fwl")


@st.composite
def pairs(
    draw: st.DrawFn, max_vertices: int = 6, directions: tuple[Direction, ...] = DIRECTIONS
) -> tuple[RelationalGraph, RelationalGraph]:
    """Two graphs that are hard to tell apart, often isomorphic, with different vertex names."""
    one = draw(relational_graphs(max_vertices=max_vertices, directions=directions))
    two = draw(switched(one))
    return one, rebuilt(two, vertex_names=[f"{name}'" for name in two.vertex_names])


def separates(test: str, one: RelationalGraph, two: RelationalGraph) -> bool:
    """Whether a test separates two graphs, by the definitions."""
    if test not in ORACLES:
        rounds = refine_tuples_slowly((one, two), test, one.direction)
        return differ_slowly((one, two), test, rounds) is not None
    union, sizes = disjoint_union(one, two), (one.num_vertices, two.num_vertices)
    colours: list[Hashable] = refine_slowly(union, test, one.direction, sizes)[-1]
    return Counter(colours[: sizes[0]]) != Counter(colours[sizes[0] :])


def resealed(document: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the seal that fits it."""
    return {**document, "seal": seal(document)}


def holds(document: Mapping[str, Any], *graphs: RelationalGraph) -> bool:
    """Whether a document is a certificate that holds; a malformed one does not."""
    try:
        return verify(document, *graphs).valid
    except InputError:
        return False


def one_value_changed(document: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The document with one number, text or truth value changed, in every place and several ways.

    The seal and the remarks about reading are left alone. Each comes with where it was changed.
    """
    for path in _leaves({k: v for k, v in document.items() if k not in ("seal", "reading")}):
        value: Any = document
        for key in path:
            value = value[key]
        for other in _others(value):
            changed = copy.deepcopy(dict(document))
            place: Any = changed
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = other
            yield f"{path}: {value!r} -> {other!r}", changed


def _leaves(document: Any) -> Iterator[tuple[Any, ...]]:
    waiting: list[tuple[tuple[Any, ...], Any]] = [((), document)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict):
            waiting += [((*path, key), part) for key, part in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, i), part) for i, part in enumerate(value)]
        else:
            yield path


def _others(value: Any) -> list[Any]:
    """Values that are not this one, some of them of another type."""
    if isinstance(value, bool):
        return [not value, int(value)]
    if isinstance(value, int):
        return [value + 1, value - 1, 10**17, float(value)]
    if isinstance(value, str) and "/" in value and value.replace("/", "").isdecimal():
        p, q = map(int, value.split("/"))
        return [f"{p + 1}/{q}", f"{p}/{q + 1}", f"{2 * p}/{2 * q}", p / q]
    return [f"{value}x", 1]


def as_text(document: Mapping[str, Any]) -> bytes:
    """The document as it would be in a file."""
    return json.dumps(document).encode()
