"""The classes of a test against the orbits, and which stronger test separates an open pair."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.catalogue import TupleTest, find_test
from wlkg.errors import TooLargeError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.progress import Progress
from wlkg.refinement.refine import check_size, refine, run_test

#: Tests that are tried on an open pair, the weaker ones first.
STRONGER = ("1-rwl", "2-rlwl", "2-fwl", "3-rlwl", "3-fwl")
#: They are tried if a round looks at no more than this many tuples, which takes seconds.
_MOST_LOOKS = 100_000_000
#: A local test looks at the neighbours of a vertex; few graphs have more on average.
_NEIGHBOURS = 50


@dataclass(frozen=True)
class Completeness:
    """How the classes of a test compare with the orbits."""

    test: str
    classes: int
    #: Whether the classes are the orbits; None if some symmetries may be missing.
    complete: bool | None
    #: Two vertices of one class that no symmetry maps to each other.
    open_pair: tuple[str, str] | None = None
    #: A stronger test that separates them, if one that is cheap enough does.
    separated_by: str | None = None


def completeness(
    graph: RelationalGraph,
    test: str,
    orbits: Partition,
    *,
    proven: bool,
    max_memory: int | None,
    progress: Progress,
) -> Completeness:
    """Run a test and compare; ``proven`` says that the orbits cannot be larger."""
    classes = refine(graph, test, max_memory=max_memory, progress=progress).vertices.partition()
    pair = classes.first_pair_split_by(orbits)
    if pair is None:
        return Completeness(test, classes.num_classes, complete=True)
    stronger = separating_test(graph, pair, not_by=test, max_memory=max_memory, progress=progress)
    if not proven and stronger is None:
        return Completeness(test, classes.num_classes, complete=None)
    names = graph.vertex_names
    return Completeness(
        test,
        classes.num_classes,
        complete=False,
        open_pair=(names[pair[0]], names[pair[1]]),
        separated_by=stronger,
    )


def separating_test(
    graph: RelationalGraph,
    pair: tuple[int, int],
    *,
    not_by: str,
    max_memory: int | None,
    progress: Progress,
) -> str | None:
    """The first of the stronger tests that separates two vertices, if it is cheap enough."""
    for name in STRONGER:
        if name == not_by or not _is_cheap(name, graph.num_vertices):
            continue
        try:
            check_size(name, [graph.num_vertices], max_memory)
        except TooLargeError:
            continue
        if run_test(graph, name, progress=progress).vertices.separated_at(*pair) is not None:
            return name
    return None


def _is_cheap(name: str, num_vertices: int) -> bool:
    test = find_test(name)
    if not isinstance(test, TupleTest):
        return True
    seen = _NEIGHBOURS if test.looks == "local" else num_vertices
    looks: int = num_vertices**test.arity * seen
    return looks <= _MOST_LOOKS
