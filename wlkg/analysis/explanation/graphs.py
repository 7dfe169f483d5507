"""Why a test separates two graphs: a formula that is true of different numbers of vertices."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from wlkg.analysis.alike import Alike, why_graphs_are_alike
from wlkg.analysis.explanation.asked import Answer, without_whole_graph
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.separation import Separator
from wlkg.analysis.explanation.tuple_evidence import TupleClass, TupleRun
from wlkg.analysis.side_by_side import SideBySide, side_by_side
from wlkg.catalogue import DEFAULT_TEST, Direction, TupleTest, VertexTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History
from wlkg.progress import SILENT, Progress, phase


@dataclass(frozen=True)
class GraphsExplanation(Answer):
    """Why a test separates two graphs, or that it does not."""

    test: str
    direction: Direction
    #: The first round at which the colour histograms differ; None if they never do.
    round: int | None
    #: Of depth ``round``. K-wl and K-fwl have no formula here.
    formula: Formula | None = None
    #: The number of vertices, or of tuples, of each graph of which the formula is true.
    counts: tuple[int, int] | None = None
    #: For tuple tests, a class of tuples, with its numbers of tuples in each graph. The
    #: representative is a tuple of the graph that has more; vertices of the second graph are
    #: numbered after those of the first.
    tuple_class: TupleClass | None = None
    #: The names of the vertices of the representative, and whether they are the second graph's.
    representative: tuple[str, ...] | None = None
    in_second: bool | None = None
    #: If they are not separated: whether they are isomorphic, or which other test separates them.
    alike: Alike | None = None
    graphs: tuple[RelationalGraph, ...] = field(default=(), repr=False, compare=False)


def explain_graphs(
    one: RelationalGraph,
    two: RelationalGraph,
    test: str = DEFAULT_TEST,
    direction: Direction | None = None,
    *,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> GraphsExplanation:
    """A formula that is true of different numbers of vertices of two graphs.

    Its depth is the first round at which the graphs differ, the least possible.

    >>> import wlkg
    >>> graphs = wlkg.read("example:k33"), wlkg.read("example:cycle,n=6")
    >>> explanation = explain_graphs(*graphs, "1-wl")
    >>> explanation.round, explanation.counts
    (1, (6, 0))
    """
    chosen = find_test(test)
    pair = side_by_side(one, two, direction)
    pair.check_size(test, max_memory)
    asked = GraphsExplanation(
        test=test, direction=pair.graphs[0].direction, round=None, graphs=pair.graphs
    )
    if isinstance(chosen, TupleTest):
        return _by_tuples(asked, pair, chosen, max_memory, progress)
    seen = without_whole_graph(chosen)
    refinement = pair.refine(seen.name, progress=progress)
    t = refinement.differs_at
    if t is None:
        return _not_separated(asked, pair, max_memory, progress)
    with phase(progress, "looking for a formula"):
        formula, counts = counting_formula(pair, seen, refinement.history, t)
    return replace(asked, round=t, formula=formula, counts=counts)


def counting_formula(
    pair: SideBySide, test: VertexTest, history: History, t: int
) -> tuple[Formula, tuple[int, int]]:
    """A formula of depth t that is true of different numbers of vertices, and the numbers.

    ``t`` is the first round at which the run of the test separates the graphs.
    """
    first, second = np.split(np.arange(sum(pair.sizes)), [pair.sizes[0]])
    vertices = Vertices.seen_by(test, pair.union)
    formula = Separator(vertices, history).counting(first, second, t)
    holds = vertices.holds(formula)
    return formula, (int(holds[first].sum()), int(holds[second].sum()))


def _by_tuples(
    asked: GraphsExplanation,
    pair: SideBySide,
    test: TupleTest,
    max_memory: int | None,
    progress: Progress,
) -> GraphsExplanation:
    refinement = pair.refine(test.name, progress=progress)
    if refinement.differs_at is None:
        return _not_separated(asked, pair, max_memory, progress)
    evidence = TupleRun(pair.union, test, refinement, max_memory).between_graphs()
    assert evidence is not None
    vertices = evidence.tuple_class.representative
    in_second = vertices[0] >= pair.sizes[0]
    names = pair.graphs[in_second].vertex_names
    shift = pair.sizes[0] if in_second else 0
    return replace(
        asked,
        round=refinement.differs_at,
        formula=evidence.formula,
        counts=evidence.counts,
        tuple_class=evidence.tuple_class,
        representative=tuple(names[v - shift] for v in vertices),
        in_second=in_second,
    )


def _not_separated(
    asked: GraphsExplanation, pair: SideBySide, max_memory: int | None, progress: Progress
) -> GraphsExplanation:
    alike = why_graphs_are_alike(pair, asked.test, max_memory=max_memory, progress=progress)
    return replace(asked, alike=alike)
