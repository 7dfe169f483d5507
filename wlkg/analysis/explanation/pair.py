"""Why a test separates two vertices of a graph: a formula that is true of one, not of the other."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from wlkg.analysis.explanation.asked import Answer, vertex_id, without_whole_graph
from wlkg.analysis.explanation.class_formula import ClassFormulas
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.separation import Separator
from wlkg.analysis.explanation.tuple_evidence import TupleClass, TupleRun
from wlkg.catalogue import DEFAULT_TEST, Direction, TupleTest, find_test
from wlkg.errors import TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proven_order import is_below
from wlkg.refinement.refine import check_size, refine, run_test

#: The round times the arcs and vertices up to which a class formula is looked for.
_MOST_WORK = 300_000_000


@dataclass(frozen=True)
class PairExplanation(Answer):
    """Why a test separates two vertices, or that it does not."""

    test: str
    direction: Direction
    #: The vertices, by id and by name.
    vertices: tuple[int, int]
    names: tuple[str, str]
    #: The first separating round; None if the test never separates them.
    round: int | None
    #: Of depth ``round``. K-wl and K-fwl have no formula here.
    formula: Formula | None
    #: The values of the formula for both vertices; None if it does not speak about them alone.
    holds: tuple[bool, bool] | None
    #: For tuple tests, how many tuples that begin with each vertex satisfy the formula, if it is
    #: not a formula about (v, ..., v).
    counts: tuple[int, int] | None = None
    #: For vertex tests, the number of vertices that share the first one's class at this round, and
    #: a formula that is true of them and of no other vertex. It is left out where it would take
    #: long: for late rounds of large graphs.
    class_size: int | None = None
    class_formula: Formula | None = None
    #: For tuple tests, a class of tuples; counted among those that begin with each vertex.
    tuple_class: TupleClass | None = None


def explain_pair(
    graph: RelationalGraph,
    v: str | int,
    w: str | int,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> PairExplanation:
    """A formula that is true of v and false of w, as deep as the round that separates them.

    >>> import wlkg
    >>> explanation = explain_pair(wlkg.read("example:decalin"), "0", "1", "1-wl")
    >>> explanation.round, explanation.formula
    (1, Formula(at_least, size 2, depth 1))
    """
    graph = graph.with_direction(direction)
    pair = (vertex_id(graph, v), vertex_id(graph, w))
    chosen = find_test(test)
    refinement = refine(graph, test, max_memory=max_memory, progress=progress)
    t = refinement.vertices.separated_at(*pair)
    asked = PairExplanation(
        test=test,
        direction=graph.direction,
        vertices=pair,
        names=(graph.vertex_names[pair[0]], graph.vertex_names[pair[1]]),
        round=t,
        formula=None,
        holds=None,
    )
    if t is None:
        return asked
    if isinstance(chosen, TupleTest):
        evidence = TupleRun(graph, chosen, refinement, max_memory).between_vertices(*pair)
        assert evidence is not None
        about_vertices = evidence.formula is not None and evidence.counts is None
        return replace(
            asked,
            formula=evidence.formula,
            holds=(True, False) if about_vertices else None,
            counts=evidence.counts,
            tuple_class=evidence.tuple_class,
        )
    vertices = Vertices.seen_by(without_whole_graph(chosen), graph)
    history = refinement.history
    separator = Separator(vertices, history)
    class_formula = None
    if t * (len(vertices.arcs) + graph.num_vertices) <= _MOST_WORK:
        class_formula = ClassFormulas(vertices, history, separator).select(pair[0], t).formula
    classes = history.class_at(np.arange(graph.num_vertices), t)
    return replace(
        asked,
        formula=separator.formula(*pair),
        holds=(True, False),
        class_size=int(np.count_nonzero(classes == classes[pair[0]])),
        class_formula=class_formula,
    )


# -- a pair that is not separated -----------------------------------------------------------------

#: The tests that are tried on a pair that a test does not separate.
OTHER_TESTS = ("1-wl", "weak-rwl", "1-rwl", "1-rlwl", "2-rlwl", "3-rlwl")
#: Tests with more tuples than this take long; they are left out.
_MOST_TUPLES = 10_000_000


@dataclass(frozen=True)
class OtherTest:
    """What another test says about a pair of vertices."""

    test: str
    #: The first separating round; None if it does not separate them or was not run.
    round: int | None
    #: Why it was not run.
    skipped: str | None = None


def other_tests(
    graph: RelationalGraph,
    v: str | int,
    w: str | int,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> tuple[OtherTest, ...]:
    """What the tests of the ladder say about two vertices that ``test`` does not separate.

    Tests that provably separate no more than ``test`` are left out.
    """
    graph = graph.with_direction(direction)
    pair = (vertex_id(graph, v), vertex_id(graph, w))
    found = []
    for name in OTHER_TESTS:
        if name == test or is_below(name, test):
            continue
        skipped = _reason_to_skip(name, graph.num_vertices, max_memory)
        first = None
        if skipped is None:
            first = run_test(graph, name, progress=progress).vertices.separated_at(*pair)
        found.append(OtherTest(name, first, skipped))
    return tuple(found)


def _reason_to_skip(name: str, num_vertices: int, max_memory: int | None) -> str | None:
    chosen = find_test(name)
    tuples = num_vertices**chosen.arity if isinstance(chosen, TupleTest) else 0
    if tuples > _MOST_TUPLES:
        return f"{name} has {tuples:,} tuples, more than the {_MOST_TUPLES:,} that are tried here"
    try:
        check_size(name, [num_vertices], max_memory)
    except TooLargeError as error:
        return str(error)
    return None
