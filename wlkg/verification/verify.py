"""Verify a certificate: ``verify("proof.json", one, two)`` says whether its evidence holds.

===============  =================================================================================
kind             what is checked
===============  =================================================================================
same             `colourings` or, for tuple tests, `tuples`: vertices of one class see the same
different        `formulas`: how many vertices satisfy a formula; or `tuples`: the rounds again
isomorphic       `maps`: every triple and label
complete         `maps`: the symmetries; `refinement`: that their orbits are the test's classes
===============  =================================================================================

A document that is not a certificate, or one about other graphs, is an `InputError`. Evidence that
does not hold gives a `Verification` that is not valid, with the reasons.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from wlkg.errors import InputError, UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.text import counted
from wlkg.verification import colourings, formulas, maps, tuples
from wlkg.verification.certificates import (
    check_frame,
    check_graphs,
    claim_of,
    kind_of,
    read_certificate,
    seal,
)
from wlkg.verification.fields import as_list, as_number, as_numbers, wrong
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.refinement import stable_colours
from wlkg.verification.wl_tests import TupleTest, VertexTest

#: Reasons that are given if a certificate does not hold.
MOST_REASONS = 10

_CHANGED = (
    "the evidence holds, but the seal does not fit the content: something was changed after the"
    " certificate was written"
)


@dataclass(frozen=True)
class Verification:
    """What a certificate claims, whether its evidence holds, and what the claim rests on."""

    valid: bool
    kind: str
    test: str | None
    direction: str
    #: What is true if the certificate is valid.
    claim: str
    #: What was checked.
    rests_on: str
    #: Why the certificate does not hold; the first few if there are many.
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Evidence:
    """A part of a certificate that can be checked."""

    rests_on: str
    failures: Iterator[str]


def verify(
    certificate: str | Path | Mapping[str, Any],
    one: RelationalGraph,
    two: RelationalGraph | None = None,
) -> Verification:
    """Check a certificate, a file or its document, about one graph or two."""
    document = read_certificate(certificate)
    try:
        return _verify(document, one, two)
    except InputError as error:
        if isinstance(certificate, Mapping):
            raise
        raise InputError(error.message, path=str(certificate), remedy=error.remedy) from error


def _verify(
    document: dict[str, Any], one: RelationalGraph, two: RelationalGraph | None
) -> Verification:
    kind, test = kind_of(document)
    form = _form(kind, test)
    check_frame(document, form.keys, form.optional)
    given = [one] if two is None else [one, two]
    if len(given) != form.graphs:
        expected = counted(form.graphs, "graph", "graphs")
        raise UsageError(f"a certificate of kind {kind!r} is about {expected}, {len(given)} given")
    graphs = [PlainGraph.of(graph) for graph in given]
    check_graphs(document, graphs)
    evidence = form.read(document, test, graphs)
    reasons = list(islice(evidence.failures, MOST_REASONS))
    if not reasons and document["seal"] != seal(document):
        reasons = [_CHANGED]
    return Verification(
        valid=not reasons,
        kind=kind,
        test=document.get("test"),
        direction=document["direction"],
        claim=claim_of(document),
        rests_on=evidence.rests_on,
        reasons=tuple(reasons),
    )


# -- the kinds ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Form:
    """What a kind of certificate holds, and how it is read."""

    graphs: int
    keys: set[str]
    read: Callable[[dict[str, Any], Any, list[PlainGraph]], _Evidence]
    optional: set[str]


def _form(kind: str, test: VertexTest | TupleTest | None) -> _Form:
    about_tuples = isinstance(test, TupleTest)
    if kind == "same" and about_tuples:
        return _Form(2, {"test", "colours", "sizes"}, _same_tuples, set())
    if kind == "same":
        keys = {"test", "relations", "classes", "colours"}
        return _Form(2, keys, _same_vertices, {"fractional"})
    if kind == "different" and about_tuples:
        return _Form(2, {"test", "rounds"}, _different_tuples, set())
    if kind == "different":
        return _Form(2, {"test", "formula", "counts"}, _different_vertices, set())
    if kind == "isomorphic":
        return _Form(2, {"map"}, _isomorphic, set())
    if kind == "complete" and not about_tuples:
        return _Form(1, {"test", "generators", "orbits"}, _complete, set())
    if kind == "complete":
        raise InputError("test: a certificate of kind 'complete' is about a test of vertices")
    raise wrong("kind", "same, different, isomorphic or complete", kind)


def _same_vertices(
    document: dict[str, Any], test: VertexTest, graphs: list[PlainGraph]
) -> _Evidence:
    found = colourings.read_colouring(document, test, graphs)
    rests_on = (
        f"a common equitable partition into {counted(len(found.sizes), 'class', 'classes')},"
        " checked at every vertex of both graphs"
    )
    if found.values is not None:
        rests_on += ", and the fractional isomorphism that it gives"
        _check_fractional(document, test)
    return _Evidence(rests_on, colourings.failures(found, test, graphs))


def _check_fractional(document: dict[str, Any], test: VertexTest) -> None:
    if test.shares or document["direction"] not in ("both", "undirected"):
        raise InputError(
            f"fractional: {document['test']} in direction mode {document['direction']} gives no"
            " fractional isomorphism"
        )


def _same_tuples(document: dict[str, Any], test: TupleTest, graphs: list[PlainGraph]) -> _Evidence:
    tuples.check_steps(graphs, test, document["test"])
    sizes = as_list(document["sizes"], "sizes")
    for number, size in enumerate(sizes):
        as_number(size, f"sizes, entry {number:,}", least=1)
    colours = [
        as_numbers(some, f"colours, graph {i}", len(g.names) ** test.arity, below=len(sizes))
        for i, (some, g) in enumerate(
            zip(as_list(document["colours"], "colours", 2), graphs, strict=True), 1
        )
    ]
    rests_on = (
        f"a common stable partition of the {test.arity}-tuples into"
        f" {counted(len(sizes), 'class', 'classes')}, checked at every tuple of both graphs"
    )
    failures = tuples.same_failures(graphs, test, colours, sizes)
    return _Evidence(rests_on, failures)


def _different_vertices(
    document: dict[str, Any], test: VertexTest, graphs: list[PlainGraph]
) -> _Evidence:
    lines = formulas.read_formula(document["formula"], test, document["direction"])
    claimed = [as_number(n, "counts") for n in as_list(document["counts"], "counts", 2)]
    rests_on = (
        f"a formula of {counted(len(lines), 'line', 'lines')} that {document['test']} sees, true of"
        f" {claimed[0]:,} vertices of the first graph and of {claimed[1]:,} of the second"
    )

    def failures() -> Iterator[str]:
        for number, (graph, claim) in enumerate(zip(graphs, claimed, strict=True), 1):
            found = formulas.count_satisfying(lines, test, graph)
            if found != claim:
                yield (
                    f"graph {number}: the formula is true of {found:,} vertices, and {claim:,} are"
                    " claimed"
                )
        if claimed[0] == claimed[1]:
            yield f"the formula is claimed to be true of {claimed[0]:,} vertices in both graphs"

    return _Evidence(rests_on, failures())


def _different_tuples(
    document: dict[str, Any], test: TupleTest, graphs: list[PlainGraph]
) -> _Evidence:
    tuples.check_steps(graphs, test, document["test"])
    rows = as_list(document["rounds"], "rounds")
    if not rows:
        raise InputError("rounds: expected at least one, found none")
    claimed = [
        [as_numbers(row, f"rounds, entry {t}", 3, below=10**18) for row in as_list(some, "rounds")]
        for t, some in enumerate(rows)
    ]
    rests_on = (
        f"the classes of all {test.arity}-tuples, computed again up to round {len(rows) - 1}, where"
        " some class has more tuples in one graph than in the other"
    )
    failures = tuples.different_failures(graphs, test, claimed)
    return _Evidence(rests_on, failures)


def _isomorphic(document: dict[str, Any], _: None, graphs: list[PlainGraph]) -> _Evidence:
    one, two = graphs
    image = maps.read_map(document["map"], "map", maps.numbers_of(one), maps.numbers_of(two))
    return _Evidence(
        f"a map of {counted(len(image), 'vertex', 'vertices')} that keeps labels and triples",
        maps.isomorphism_failures(image, one, two),
    )


def _complete(document: dict[str, Any], test: VertexTest, graphs: list[PlainGraph]) -> _Evidence:
    (graph,) = graphs
    numbers = maps.numbers_of(graph)
    generators = [
        maps.read_map(value, f"generators, entry {i:,}", numbers, numbers)
        for i, value in enumerate(as_list(document["generators"], "generators"))
    ]
    claimed = as_number(document["orbits"], "orbits")
    return _Evidence(
        f"{counted(len(generators), 'symmetry', 'symmetries')} of the graph and the classes of"
        f" {document['test']}, computed again: {counted(claimed, 'orbit', 'orbits')}",
        _complete_failures(generators, claimed, test, graph),
    )


def _complete_failures(
    generators: list[dict[int, int]], claimed: int, test: VertexTest, graph: PlainGraph
) -> Iterator[str]:
    at, there = maps.triples_at(graph), maps.triples_of(graph)
    for number, moved in enumerate(generators):
        for failure in maps.symmetry_failures(moved, graph, at, there):
            yield f"generator {number:,}: {failure}"
    orbit = maps.orbits(generators, len(graph.names))
    if len(set(orbit)) != claimed:
        yield f"the generators have {len(set(orbit)):,} orbits, and {claimed:,} are claimed"
    first: dict[int, int] = {}
    for v, colour in enumerate(stable_colours(graph, test)):
        w = first.setdefault(colour, v)
        if orbit[v] != orbit[w]:
            yield (
                f"vertices {graph.names[w]!r} and {graph.names[v]!r} are in one class of the test,"
                " but in different orbits"
            )
