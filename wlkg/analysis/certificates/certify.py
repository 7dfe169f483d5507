"""Certify an answer: ``certify(one, two)`` decides what is true and gives evidence for it.

=======================  ===========================================================================
asked                    evidence
=======================  ===========================================================================
two graphs and a test    "same": the common stable partition with its quotient; or "different": a
                         formula with its two counts, for tuple tests the classes round by round
two graphs, isomorphic?  "isomorphic": the map; or "different", by the first test that separates
one graph                "complete": symmetries whose orbits are the classes of the test
=======================  ===========================================================================

Where an answer has no evidence that can be checked (graphs that are not isomorphic but that no test
separates, a test that is not complete), there is no certificate: `NoEvidenceError` says why.
"""

from __future__ import annotations

from wlkg.analysis.certificates.certificate import Certificate, certificate, name_order
from wlkg.analysis.certificates.partitions import check_fractional, common_partition
from wlkg.analysis.certificates.tuple_tables import class_sizes, stable_tuples
from wlkg.analysis.explanation.asked import without_whole_graph
from wlkg.analysis.explanation.formulas import program
from wlkg.analysis.explanation.graphs import counting_formula
from wlkg.analysis.isomorphism import decide_isomorphism
from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.symmetry.symmetry import symmetry
from wlkg.catalogue import DEFAULT_TEST, Direction, VertexTest, find_test
from wlkg.errors import NoEvidenceError, TooLargeError, UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress, phase
from wlkg.verification.plain_graph import PlainGraph
from wlkg.verification.tuples import check_steps
from wlkg.verification.wl_tests import TupleTest as CertifiedTupleTest
from wlkg.verification.wl_tests import find_test as find_certified_test

#: The tests that are asked, one after the other, for evidence that graphs are not isomorphic.
SEPARATING: tuple[str, ...] = ("1-rwl", "2-rlwl", "3-rlwl")


def certify(
    one: RelationalGraph,
    two: RelationalGraph | None = None,
    test: str | None = None,
    direction: Direction | None = None,
    *,
    isomorphic: bool = False,
    fractional: bool = False,
    seconds: float = 60.0,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Certificate:
    """Decide what is true of one graph or two, and give evidence for it.

    ``test`` is 1-rwl by default. ``isomorphic`` asks for a map, or for a test that separates.
    ``fractional`` adds the fractional isomorphism to evidence that a vertex test does not separate.
    ``seconds`` limits the search for symmetries or for a map.

    >>> import wlkg
    >>> certify(wlkg.read("example:c6"), wlkg.read("example:2xc3"))
    Certificate(same: 1-rwl does not separate the graphs)
    >>> certify(wlkg.read("example:c6"))  # doctest: +ELLIPSIS
    Certificate(complete: of two vertices that 1-rwl does not separate, ...)
    """
    require_graphs(one, *(() if two is None else (two,)))
    if test is not None:
        test = _checked(test)
    one = one.with_direction(direction)
    if two is None:
        if isomorphic or fractional:
            raise UsageError("an isomorphism needs two graphs")
        return _complete(one, test or DEFAULT_TEST, seconds, max_memory, progress)
    pair = SideBySide((one, two.with_direction(direction)))
    if not isomorphic:
        return _judged(pair, test or DEFAULT_TEST, fractional, max_memory, progress)
    if fractional:
        raise UsageError("a certificate has an isomorphism or a fractional one, not both")
    return _isomorphic(pair, test, seconds, max_memory, progress)


def _checked(test: str) -> str:
    """The name of a test; those that are unknown, or whose tuples are too long, are refused."""
    name = find_test(test).name
    find_certified_test(name)
    return name


def _judged(
    pair: SideBySide, test: str, fractional: bool, max_memory: int | None, progress: Progress
) -> Certificate:
    """A certificate of what a test says about two graphs."""
    chosen, certified = find_test(test), find_certified_test(test)
    if fractional:
        if not isinstance(chosen, VertexTest):
            raise UsageError(f"{test} colours tuples, and gives no fractional isomorphism")
        check_fractional(pair, chosen)
    if isinstance(certified, CertifiedTupleTest):
        check_steps([PlainGraph.of(graph) for graph in pair.graphs], certified, test)
    pair.check_size(test, max_memory)
    if isinstance(chosen, VertexTest):
        # Tests that see the whole graph separate the same graphs as those that do not.
        chosen = without_whole_graph(chosen)
    refinement = pair.refine(chosen.name, progress=progress)
    t = refinement.differs_at
    if not isinstance(chosen, VertexTest):
        evidence = stable_tuples(pair, refinement) if t is None else class_sizes(refinement, t)
    elif t is None:
        evidence = common_partition(pair, chosen, refinement.partition, fractional=fractional)
    else:
        formula, counts = counting_formula(pair, chosen, refinement.history, t)
        evidence = {"formula": program(formula), "counts": list(counts)}
    return certificate("same" if t is None else "different", pair.graphs, evidence, test)


def _isomorphic(
    pair: SideBySide,
    test: str | None,
    seconds: float,
    max_memory: int | None,
    progress: Progress,
) -> Certificate:
    """A certificate that two graphs are isomorphic, or that some test separates them."""
    with phase(progress, "looking for an isomorphism"):
        verdict = decide_isomorphism(pair, seconds=seconds)
    if verdict.mapping is not None:
        one, two = pair.graphs
        image = verdict.mapping.tolist()
        names = [[one.vertex_names[v], two.vertex_names[image[v]]] for v in name_order(one)]
        return certificate("isomorphic", pair.graphs, {"map": names})
    asked = []
    for name in SEPARATING if test is None else (test,):
        try:
            judged = _judged(pair, name, False, max_memory, progress)
        except TooLargeError:
            continue
        if judged.kind == "different":
            return judged
        asked.append(name)
    answer = "are not isomorphic" if verdict.isomorphic is False else "may or may not be isomorphic"
    tests = f"{' and '.join(asked)} do not separate them" if asked else "the tests are too large"
    raise NoEvidenceError(
        f"no certificate: the graphs {answer} ({verdict.rests_on}), but {tests}. A certificate"
        " needs a map or a test that separates; try --test with another"
    )


def _complete(
    graph: RelationalGraph,
    test: str,
    seconds: float,
    max_memory: int | None,
    progress: Progress,
) -> Certificate:
    """A certificate that a test separates all that any invariant of the graph separates."""
    if not isinstance(find_test(test), VertexTest):
        raise UsageError(
            f"{test} colours tuples; about one graph only tests of vertices are certified"
        )
    symmetries = symmetry(graph, (test,), seconds=seconds, max_memory=max_memory, progress=progress)
    if not symmetries.complete:
        why = (
            f"{test} is not complete: some vertices that it does not separate are not swapped by a"
            " symmetry"
            if symmetries.complete is False
            else f"whether {test} is complete was not decided in {seconds:g} s"
        )
        raise NoEvidenceError(f"no certificate: {why}. wlkg symmetry says more")
    names = graph.vertex_names
    generators = [
        sorted([names[v], names[w]] for v, w in moved.items()) for moved in symmetries.generators
    ]
    evidence = {"orbits": symmetries.orbits.num_classes, "generators": sorted(generators)}
    return certificate("complete", [graph], evidence, test)
