"""The kinds of certificates: what each holds, how it is read, and what is checked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from wlkg.errors import InputError
from wlkg.text import counted
from wlkg.verification import colourings, formulas, maps, tuples
from wlkg.verification.fields import as_list, as_number, as_numbers, wrong
from wlkg.verification.fractional import fractional_failures
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.refinement import stable_colours
from wlkg.verification.wl_tests import TupleTest, VertexTest


@dataclass(frozen=True)
class Evidence:
    """A part of a certificate that can be checked."""

    rests_on: str
    failures: Iterator[str]


@dataclass(frozen=True)
class Form:
    """What a kind of certificate holds, and how it is read."""

    graphs: int
    keys: set[str]
    read: Callable[[dict[str, Any], Any, list[PlainGraph]], Evidence]
    optional: set[str]


def form_of(kind: str, test: VertexTest | TupleTest | None) -> Form:
    """What a certificate of a kind about a test holds."""
    about_tuples = isinstance(test, TupleTest)
    if kind == "same" and about_tuples:
        return Form(2, {"test", "colours", "sizes"}, _same_tuples, set())
    if kind == "same":
        keys = {"test", "relations", "classes", "colours"}
        return Form(2, keys, _same_vertices, {"fractional"})
    if kind == "different" and about_tuples:
        return Form(2, {"test", "rounds"}, _different_tuples, set())
    if kind == "different":
        return Form(2, {"test", "formula", "counts"}, _different_vertices, set())
    if kind == "isomorphic":
        return Form(2, {"map"}, _isomorphic, set())
    if kind == "complete" and not about_tuples:
        return Form(1, {"test", "generators", "orbits"}, _complete, set())
    if kind == "complete":
        raise InputError("test: a certificate of kind 'complete' is about a test of vertices")
    raise wrong("kind", "same, different, isomorphic or complete", kind)


def _same_vertices(
    document: dict[str, Any], test: VertexTest, graphs: list[PlainGraph]
) -> Evidence:
    colouring = colourings.read_colouring(document, test, graphs)
    rests_on = (
        f"a common equitable partition into {counted(len(colouring.sizes), 'class', 'classes')},"
        " checked at every vertex of both graphs"
    )
    if colouring.values is not None:
        rests_on += ", and the fractional isomorphism that it gives"
        _check_fractional(document, test)
    return Evidence(rests_on, _colouring_failures(colouring, test, graphs))


def _colouring_failures(
    colouring: colourings.Colouring, test: VertexTest, graphs: list[PlainGraph]
) -> Iterator[str]:
    yield from colourings.failures(colouring, test, graphs)
    if colouring.values is not None:
        yield from fractional_failures(colouring, test, graphs)


def _check_fractional(document: dict[str, Any], test: VertexTest) -> None:
    if test.shares or document["direction"] not in ("both", "undirected"):
        raise InputError(
            f"fractional: {document['test']} in direction mode {document['direction']} gives no"
            " fractional isomorphism"
        )


def _same_tuples(document: dict[str, Any], test: TupleTest, graphs: list[PlainGraph]) -> Evidence:
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
    return Evidence(rests_on, failures)


def _different_vertices(
    document: dict[str, Any], test: VertexTest, graphs: list[PlainGraph]
) -> Evidence:
    lines = formulas.read_formula(document["formula"], test, document["direction"])
    claimed = [as_number(n, "counts") for n in as_list(document["counts"], "counts", 2)]
    rests_on = (
        f"a formula of {counted(len(lines), 'line', 'lines')} that {document['test']} sees, true of"
        f" {claimed[0]:,} vertices of the first graph and of {claimed[1]:,} of the second"
    )

    def failures() -> Iterator[str]:
        for number, (graph, claim) in enumerate(zip(graphs, claimed, strict=True), 1):
            true_of = formulas.count_satisfying(lines, test, graph)
            if true_of != claim:
                yield (
                    f"graph {number}: the formula is true of {true_of:,} vertices, and {claim:,}"
                    " are claimed"
                )
        if claimed[0] == claimed[1]:
            yield f"the formula is claimed to be true of {claimed[0]:,} vertices in both graphs"

    return Evidence(rests_on, failures())


def _different_tuples(
    document: dict[str, Any], test: TupleTest, graphs: list[PlainGraph]
) -> Evidence:
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
    return Evidence(rests_on, failures)


def _isomorphic(document: dict[str, Any], _: None, graphs: list[PlainGraph]) -> Evidence:
    one, two = graphs
    image = maps.read_map(document["map"], "map", maps.numbers_of(one), maps.numbers_of(two))
    return Evidence(
        f"a map of {counted(len(image), 'vertex', 'vertices')} that keeps labels and triples",
        maps.isomorphism_failures(image, one, two),
    )


def _complete(document: dict[str, Any], test: VertexTest, graphs: list[PlainGraph]) -> Evidence:
    (graph,) = graphs
    numbers = maps.numbers_of(graph)
    generators = [
        maps.read_map(value, f"generators, entry {i:,}", numbers, numbers)
        for i, value in enumerate(as_list(document["generators"], "generators"))
    ]
    claimed = as_number(document["orbits"], "orbits")
    return Evidence(
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
