"""Why a test separates two vertices of a graph: a formula that is true of one, not of the other."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from wlkg.analysis.alike import Alike, why_vertices_are_alike
from wlkg.analysis.explanation.asked import Answer, vertex_id, without_whole_graph
from wlkg.analysis.explanation.class_formula import ClassFormulas
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.separation import Separator
from wlkg.analysis.explanation.tuple_evidence import TupleClass, TupleRun
from wlkg.catalogue import DEFAULT_TEST, Direction, TupleTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress, phase
from wlkg.refinement.refine import refine

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
    #: If they are not separated: whether a symmetry or another test decides about them.
    alike: Alike | None = None
    graph: RelationalGraph | None = field(default=None, repr=False, compare=False)


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
        graph=graph,
    )
    if t is None:
        alike = why_vertices_are_alike(graph, *pair, test, max_memory=max_memory, progress=progress)
        return replace(asked, alike=alike)
    if isinstance(chosen, TupleTest):
        with phase(progress, "looking for a formula"):
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
    with phase(progress, "looking for a formula"):
        if t * (len(vertices.arcs) + graph.num_vertices) <= _MOST_WORK:
            class_formula = ClassFormulas(vertices, history, separator).select(pair[0], t).formula
        formula = separator.formula(*pair)
    classes = history.class_at(np.arange(graph.num_vertices), t)
    return replace(
        asked,
        formula=formula,
        holds=(True, False),
        class_size=int(np.count_nonzero(classes == classes[pair[0]])),
        class_formula=class_formula,
    )
