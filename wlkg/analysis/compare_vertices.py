"""Run several tests on a vertex of one graph and a vertex of another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from wlkg.analysis.side_by_side import side_by_side
from wlkg.analysis.verdicts import NOT_RUN, Verdict, judge_vertices, known_tests
from wlkg.catalogue import Direction, TupleTest, find_test
from wlkg.engines import DEFAULT_ENGINE, EngineChoice
from wlkg.graph.checking import require_graphs
from wlkg.graph.lookup import find_vertex
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.running import engine_kept_open


def compare_vertices(
    one: RelationalGraph,
    v: str,
    two: RelationalGraph,
    w: str,
    tests: Iterable[str] | None = None,
    direction: Direction | None = None,
    *,
    all_tests: bool = False,
    prefixes: Mapping[str, str] | None = None,
    max_memory: int | None = None,
    engine: EngineChoice = DEFAULT_ENGINE,
    progress: Progress = SILENT,
) -> tuple[Verdict, ...]:
    """Run tests, by default the ladder, on vertex ``v`` of one graph and ``w`` of another.

    The graphs are refined side by side. Of the ladder, tests of tuples are left out once a test
    separates the vertices, unless ``all_tests``; given tests are all run. Names may be cut or
    prefixed as on the command line. Only tests that see more than what surrounds a vertex tell how
    large its graph is:

    >>> import wlkg
    >>> cycles = wlkg.read("example:cycle,n=3"), wlkg.read("example:cycle,n=4")
    >>> verdicts = compare_vertices(cycles[0], "0", cycles[1], "0", ["1-wl", "1-wl-all"])
    >>> [(verdict.test, verdict.round) for verdict in verdicts]
    [('1-wl', None), ('1-wl-all', 1)]
    """
    require_graphs(one, two)
    names = known_tests(tests)
    pair = side_by_side(one, two, direction, engine)
    first, second = (
        find_vertex(graph, name, prefixes) for graph, name in zip(pair.graphs, (v, w), strict=True)
    )
    ids = (first, one.num_vertices + second)
    stops = tests is None and not all_tests
    verdicts: list[Verdict] = []
    with engine_kept_open(engine):
        for test in names:
            by = next((verdict.test for verdict in verdicts if verdict.separated), None)
            if stops and by is not None and isinstance(find_test(test), TupleTest):
                why = f"{NOT_RUN}{by} separates the vertices; --all runs it"
                verdicts.append(Verdict(test, separated=None, skipped=why))
            else:
                verdicts.append(
                    judge_vertices(pair, ids, test, max_memory=max_memory, progress=progress)
                )
    return tuple(verdicts)
