"""Built-in graphs: ``example:NAME`` wherever a graph is expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from wlkg.errors import UsageError, unknown_name
from wlkg.graph import RelationalGraph
from wlkg.names import DEFAULT_RELATION

PREFIX = "example:"


@dataclass(frozen=True)
class Example:
    """A family of graphs: what it is, and the parameters it takes with their defaults."""

    summary: str
    build: Callable[..., RelationalGraph]
    defaults: Mapping[str, int]


def cycles(length: int, copies: int, r: int) -> RelationalGraph:
    """Disjoint cycles, every edge in each of r relations (``edge`` if there is only one)."""
    if length < 3 or copies < 1 or r < 1:
        raise UsageError("cycles need a length of at least 3, at least one copy and one relation")
    vertex = np.arange(length * copies)
    following = vertex - vertex % length + (vertex + 1) % length
    names = [DEFAULT_RELATION] if r == 1 else [f"{DEFAULT_RELATION}{i}" for i in range(1, r + 1)]
    return RelationalGraph.from_arrays(
        np.tile(np.minimum(vertex, following), r),
        np.repeat(np.arange(r), len(vertex)),
        np.tile(np.maximum(vertex, following), r),
        num_vertices=len(vertex),
        relation_names=names,
        direction="undirected",
    )


EXAMPLES: dict[str, Example] = {
    "c6": Example("the cycle on six vertices", lambda r: cycles(6, 1, r), {"r": 1}),
    "2xc3": Example("two disjoint triangles", lambda r: cycles(3, 2, r), {"r": 1}),
}


def example(spec: str) -> RelationalGraph:
    """The graph of ``NAME[,parameter=value]...``, with or without the prefix ``example:``."""
    name, *settings = spec.removeprefix(PREFIX).split(",")
    if name not in EXAMPLES:
        raise unknown_name("example", name, sorted(EXAMPLES))
    family = EXAMPLES[name]
    values = dict(family.defaults)
    for setting in settings:
        key, _, text = setting.partition("=")
        if key not in values:
            raise unknown_name(f"parameter of example {name!r}:", key, family.defaults)
        if not text.isdecimal() or len(text) > 6:
            raise UsageError(f"example {name!r}: {key} must be a whole number, found {text!r}")
        values[key] = int(text)
    return family.build(**values)
