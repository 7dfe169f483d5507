"""Counterexample families: the graphs, their origin, and what each test says about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from wlkg.errors import unknown_name
from wlkg.examples import named
from wlkg.examples.cfi import cfi_claims, cfi_facts
from wlkg.examples.graphs import check_skips, copies_claims, csl_claims, cycle_claims
from wlkg.examples.hub import CENTRES, hub_claims, hub_facts
from wlkg.examples.links import SOURCE, SOURCES_DIFFER, TRI_SQR, tri_sqr_claims
from wlkg.examples.model import (
    VERTEX_TESTS,
    Claim,
    Fact,
    Parameter,
    at_round,
    checked_values,
    never,
)
from wlkg.examples.small import PAIRS, Pair
from wlkg.graph.relational_graph import RelationalGraph

Claims = Callable[[Mapping[str, int]], tuple[Claim, ...]]
Facts = Callable[[Mapping[str, int], Sequence[RelationalGraph]], tuple[Fact, ...]]


def _no_facts(_values: Mapping[str, int], _graphs: Sequence[RelationalGraph]) -> tuple[Fact, ...]:
    return ()


def _any_values(_values: Mapping[str, int]) -> None:
    """Nothing to refuse beyond the range of each parameter."""


@dataclass(frozen=True)
class Family:
    """Two graphs, two vertices or two pairs, and the verdicts that are claimed for them."""

    name: str
    summary: str
    #: The origin: a publication, folklore, or this project.
    source: str
    #: One or two names from `EXAMPLES`; these graphs take the parameters of the family.
    graphs: tuple[str, ...]
    parameters: Mapping[str, Parameter]
    #: The claims, given a value for each parameter.
    claims: Claims
    #: Structural statements, checked on the graphs of the given values.
    facts: Facts = _no_facts
    #: The vertices, if the claims are about two: of the only graph, or one of each graph.
    vertices: tuple[str, str] | None = None
    #: The pairs of a source and a candidate, if the claims are about two, likewise.
    pairs: tuple[tuple[str, str], tuple[str, str]] | None = None
    #: Refuses values that are valid one by one but not together.
    check: Callable[[Mapping[str, int]], None] = _any_values

    def values(self, given: Mapping[str, int | str]) -> dict[str, int]:
        """A value for every parameter: the one given, checked, or the default."""
        values = checked_values(f"family {self.name!r}", self.parameters, given)
        self.check(values)
        return values

    def build(self, values: Mapping[str, int]) -> tuple[RelationalGraph, ...]:
        """The graphs; parameters that are not given take their defaults."""
        full = self.values(values)
        return tuple(named.EXAMPLES[graph].build(**full) for graph in self.graphs)


def _fixed(name: str, summary: str, source: str, graphs: tuple[str, str], *seeing: Claim) -> Family:
    """Two undirected graphs of one relation that look alike to all vertex tests and to 2-wl."""
    claims = never(*VERTEX_TESTS, "2-wl") + seeing
    return Family(
        name=name,
        summary=summary,
        source=source,
        graphs=graphs,
        parameters={},
        claims=lambda _: claims,
    )


def _two_vertices(
    name: str, summary: str, source: str, *, vertices: tuple[str, str], seeing: tuple[Claim, ...]
) -> Family:
    """Two vertices of the graph of the same name that look alike to 1-wl and weak-rwl."""
    claims = never("1-wl", "1-wl-all", "weak-rwl") + seeing
    return Family(
        name=name,
        summary=summary,
        source=source,
        graphs=(name,),
        parameters={},
        claims=lambda _: claims,
        vertices=vertices,
    )


_PAIR_TESTS = ("2-rlwl", "delta-2-lwl", "2-fwl")

_PAPER = (
    Family(
        name="cycles",
        summary="C_2n / 2 x C_n: no R-GCN or CompGCN tells them apart",
        source="the paper, Section 4, with n = 3",
        graphs=("cycles-g", "cycles-h"),
        parameters=named.CYCLES,
        claims=cycle_claims,
    ),
    Family(
        name="cfi",
        summary="G_k / H_k: separated by k-RLWL but not by (k-1)-RLWL",
        source="the paper, Section 4, after Morris, Rattan and Mutzel 2020",
        graphs=("cfi-g", "cfi-h"),
        parameters=named.CFI,
        claims=cfi_claims,
        facts=cfi_facts,
    ),
    _two_vertices(
        "weak-rwl",
        "vertices v and w: separated by 1-RWL but not by weak RWL",
        "the paper, Section 3",
        vertices=("v", "w"),
        seeing=at_round(1, "1-rwl", "1-rwl-all", "mean-rwl"),
    ),
    _two_vertices(
        "weak-rwl-unlabelled",
        "vertices 1 and 2: separated by 1-RWL but not by weak RWL, without labels",
        "this project",
        vertices=("1", "2"),
        seeing=at_round(2, "1-rwl", "1-rwl-all") + at_round(3, "mean-rwl"),
    ),
    Family(
        name="copies",
        summary="a vertex of C_n / of 2 x C_n: separated only if it sees non-neighbours too",
        source="the paper, Section 2, footnote on 1-WL and colour refinement",
        graphs=("cycle", "cycles-h"),
        parameters=named.CYCLES,
        claims=copies_claims,
        vertices=("0", "0"),
    ),
)

_FOUNDATION = (
    Family(
        name="connect-hub",
        summary="ConnectHub(k): ULTRA, and MOTIF with k-stars, cannot tell its relations apart",
        source="Huang, Barceló, Bronstein, Ceylan, Galkin, Reutter and Romero Orth 2025",
        graphs=("connect-hub",),
        parameters=named.HUB,
        claims=hub_claims,
        facts=hub_facts,
        vertices=CENTRES,
    ),
)

_CLASSICAL = (
    _fixed(
        "decalin",
        "decalin / bicyclopentyl: two molecules, with six-rings and with five-rings",
        "folklore",
        ("decalin", "bicyclopentyl"),
        *at_round(2, *_PAIR_TESTS),
    ),
    _fixed(
        "rook",
        "rook's graph 4 x 4 / Shrikhande graph: strongly regular, pairs do not suffice",
        "Shrikhande 1959",
        ("rook", "shrikhande"),
        *never(*_PAIR_TESTS, "3-wl"),
        *at_round(1, "3-rlwl", "delta-3-lwl", "3-fwl"),
    ),
    _fixed(
        "petersen",
        "Petersen graph / pentagonal prism: 3-regular on ten vertices",
        "folklore",
        ("petersen", "pentagonal-prism"),
        *at_round(1, *_PAIR_TESTS),
    ),
    _fixed(
        "k33",
        "K_3,3 / triangular prism: the smallest connected 3-regular pair",
        "folklore",
        ("k33", "triangular-prism"),
        *at_round(1, *_PAIR_TESTS),
    ),
    _fixed(
        "dodecahedron",
        "dodecahedron / Desargues graph: 3-regular on twenty vertices",
        "folklore",
        ("dodecahedron", "desargues"),
        *at_round(2, *_PAIR_TESTS),
    ),
    Family(
        name="csl",
        summary="CSL(n, a) / CSL(n, b): cycles with skip links",
        source="Murphy, Srinivasan, Rao and Ribeiro 2019",
        graphs=("csl-g", "csl-h"),
        parameters=named.CSL,
        claims=csl_claims,
        check=check_skips,
    ),
)


_LINKS = (
    Family(
        name="tri-sqr",
        summary="a source beside triangles / squares: separated only with a global readout",
        source="Huang, Romero Orth, Ceylan and Barcelo 2023, TRI-SQR",
        graphs=("tri-sqr-g", "tri-sqr-h"),
        parameters=TRI_SQR,
        claims=tri_sqr_claims,
        pairs=((SOURCE, "r1.0"), (SOURCE, "r1.0")),
    ),
    Family(
        name="one-triple",
        summary="pairs (0, 2) and (1, 2): rwl2 separates them, as it also updates the source",
        source="this project",
        graphs=("one-triple",),
        parameters={},
        claims=lambda _: SOURCES_DIFFER,
        pairs=(("0", "2"), ("1", "2")),
    ),
)


def _small(name: str, pair: Pair) -> Family:
    return Family(
        name=name,
        summary=f"{pair.g_is} / {pair.h_is}: {pair.shows}",
        source="this project",
        graphs=(f"{name}-g", f"{name}-h"),
        parameters={},
        claims=lambda _: pair.claims,
    )


FAMILIES: dict[str, Family] = {
    family.name: family
    for family in (
        *_PAPER,
        *_CLASSICAL,
        *_FOUNDATION,
        *(_small(name, pair) for name, pair in PAIRS.items()),
        *_LINKS,
    )
}


def find_family(name: str) -> Family:
    """The family of that name, or an error that lists the families."""
    if name not in FAMILIES:
        raise unknown_name("family", name, FAMILIES)
    return FAMILIES[name]
