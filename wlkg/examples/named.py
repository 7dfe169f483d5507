"""Built-in graphs by name: ``example:NAME[,parameter=value]...`` wherever a graph is expected."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from wlkg.errors import UsageError, unknown_name
from wlkg.examples.cfi import cfi_graph
from wlkg.examples.graphs import (
    bicyclopentyl,
    circulant,
    complete_bipartite,
    cycles,
    decalin,
    generalised_petersen,
    rook,
    shrikhande,
)
from wlkg.examples.links import TRI_SQR, one_triple, tri_sqr_g, tri_sqr_h
from wlkg.examples.model import Example, Parameter, checked_values
from wlkg.examples.samples import family, traffic
from wlkg.examples.small import PAIRS, graph_of, weak_rwl, weak_rwl_unlabelled
from wlkg.examples.university import university
from wlkg.graph.relational_graph import RelationalGraph

PREFIX = "example:"

_R = Parameter(1, 1, meaning="number of relations; every edge is in each of them")

#: Parameters of graphs that come in pairs: both graphs of a pair accept all of them.
CYCLES = {"n": Parameter(3, 3, meaning="length of the short cycles"), "r": _R}
CFI = {
    "k": Parameter(2, 2, meaning="degree of the base graph, complete on k + 1 vertices"),
    "r": _R,
}
CSL = {
    "n": Parameter(11, 7, meaning="length of the cycle"),
    "a": Parameter(2, 2, meaning="skip of the first graph, less than n / 2"),
    "b": Parameter(3, 2, meaning="skip of the second graph, less than n / 2"),
}


def _grouped(group: str, examples: dict[str, Example]) -> dict[str, Example]:
    """The same examples, listed under this heading."""
    return {name: replace(example, group=group) for name, example in examples.items()}


_SAMPLES = {
    "family": Example("two marriages and their children, in RDF", family, {}),
    "traffic": Example("lines between four stops, with a loop", traffic, {}),
    "university": Example(
        "people, papers and topics in RDF: which group is a person in?", university, {}
    ),
}

_PAPER = {
    "2xc3": Example("two disjoint triangles", lambda r: cycles(3, 2, r), {"r": _R}),
    "c6": Example("the cycle on six vertices", lambda r: cycles(6, 1, r), {"r": _R}),
    "cycles-g": Example("the cycle on 2n vertices", lambda n, r: cycles(2 * n, 1, r), CYCLES),
    "cycles-h": Example("two cycles on n vertices", lambda n, r: cycles(n, 2, r), CYCLES),
    "cycle": Example("the cycle on n vertices", lambda n, r: cycles(n, 1, r), CYCLES),
    "cfi-g": Example("the paper's G_k", partial(cfi_graph, odd=False), CFI),
    "cfi-h": Example("the paper's H_k", partial(cfi_graph, odd=True), CFI),
    "weak-rwl": Example("the paper's graph for weak RWL, labelled", weak_rwl, {}),
    "weak-rwl-unlabelled": Example("a similar graph without labels", weak_rwl_unlabelled, {}),
}

_CLASSICAL = {
    "decalin": Example("two hexagons that share an edge", decalin, {}),
    "bicyclopentyl": Example("two pentagons joined by an edge", bicyclopentyl, {}),
    "rook": Example("the moves of a rook on a 4 x 4 board", rook, {}),
    "shrikhande": Example("the Shrikhande graph", shrikhande, {}),
    "petersen": Example("the Petersen graph", lambda: generalised_petersen(5, 2), {}),
    "pentagonal-prism": Example("two joined pentagons", lambda: generalised_petersen(5, 1), {}),
    "k33": Example("the complete bipartite graph K_3,3", lambda: complete_bipartite(3), {}),
    "triangular-prism": Example("two joined triangles", lambda: generalised_petersen(3, 1), {}),
    "dodecahedron": Example("the dodecahedron", lambda: generalised_petersen(10, 2), {}),
    "desargues": Example("the Desargues graph", lambda: generalised_petersen(10, 3), {}),
    "csl-g": Example("a cycle with skip links over a", lambda n, a, **_: circulant(n, a), CSL),
    "csl-h": Example("a cycle with skip links over b", lambda n, b, **_: circulant(n, b), CSL),
}

_SMALL_PAIRS = {
    f"{name}-{side}": Example(what, partial(graph_of, text, pair.direction), {})
    for name, pair in PAIRS.items()
    for side, text, what in (("g", pair.g, pair.g_is), ("h", pair.h, pair.h_is))
}

_LINKS = {
    "one-triple": Example("one triple, and a vertex apart", one_triple, {}),
    "tri-sqr-g": Example("a random graph beside two triangles", tri_sqr_g, TRI_SQR),
    "tri-sqr-h": Example("the same random graph beside two squares", tri_sqr_h, TRI_SQR),
}

EXAMPLES: dict[str, Example] = {
    **_grouped("samples of knowledge graphs", _SAMPLES),
    **_grouped("graphs of the paper", _PAPER),
    **_grouped("classical graphs", _CLASSICAL),
    **_grouped("small pairs that tell tests apart", _SMALL_PAIRS),
    **_grouped("graphs whose pairs tell tests of links apart", _LINKS),
}


def example(spec: str) -> RelationalGraph:
    """The graph of ``NAME[,parameter=value]...``, with or without the prefix ``example:``.

    >>> example("cfi-g,k=3,r=2")
    RelationalGraph(28 vertices, 108 triples, 2 relations)
    """
    name, *settings = spec.removeprefix(PREFIX).split(",")
    if name not in EXAMPLES:
        raise unknown_name("example", name, EXAMPLES)
    given: dict[str, int | str] = {}
    for setting in settings:
        key, _, text = setting.partition("=")
        if key in given:
            raise UsageError(f"example {name!r}: {key} is given twice")
        given[key] = text
    chosen = EXAMPLES[name]
    return chosen.build(**checked_values(f"example {name!r}", chosen.parameters, given))
