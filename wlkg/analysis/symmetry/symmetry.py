"""Orbits against classes: whether any model can separate more than a WL test does.

Automorphisms preserve whatever an invariant model computes, so vertices of one orbit are separated
by no test and no model: classes of a test are unions of orbits. If the classes *are* the orbits,
the test is complete on this graph. Otherwise some class has vertices of two orbits, an open pair,
which a stronger test could separate.

The colours of 1-RWL split the graph into blocks (`decomposition`), equal blocks are swapped, and
only cores are left to a library (`libraries`). Every generator is then checked arc by arc. So found
orbits are never too large, classes are never too small, and where they agree both are proven, even
if the library may miss symmetries.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.analysis.symmetry.arc_check import are_automorphisms
from wlkg.analysis.symmetry.canonical import block_types
from wlkg.analysis.symmetry.completeness import Completeness, completeness
from wlkg.analysis.symmetry.core_types import GivingUp, types_by
from wlkg.analysis.symmetry.deadline import Deadline
from wlkg.analysis.symmetry.decomposition import decompose
from wlkg.analysis.symmetry.generators import Generators
from wlkg.analysis.symmetry.group import Group, find_group
from wlkg.analysis.symmetry.libraries import Bliss, Dejavu, find_library
from wlkg.analysis.symmetry.remainder import remainder
from wlkg.catalogue import DEFAULT_TEST, Direction, find_test
from wlkg.compiled.compilation import Stopwatch
from wlkg.display import Displayed
from wlkg.errors import MissingExtraError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.progress import SILENT, Progress, phase

#: What an answer rests on where no library was asked.
REDUCTION = "1-rwl colours and swaps of equal parts"


@dataclass(frozen=True, eq=False)
class Symmetry(Displayed):
    """The symmetries of a graph, and the classes of tests compared with its orbits."""

    graph: RelationalGraph
    direction: Direction
    #: Checked symmetries that generate the group, or what was found of it.
    generators: Generators
    #: Which vertices a found symmetry maps to each other.
    orbits: Partition
    #: Whether these are proven to be all orbits.
    proven: bool
    #: The order of the group; None if it is not certain.
    group_order: int | None
    tests: tuple[Completeness, ...]
    #: The number of types of parts that were left to a library, and its name.
    cores: int
    rests_on: str
    seconds: float

    @property
    def complete(self) -> bool | None:
        """Whether the first test separates all that any invariant separates; None if open."""
        return self.tests[0].complete if self.tests else None

    def maps(self, v: int, w: int) -> dict[int, int] | None:
        """A symmetry that maps vertex v to vertex w, as the vertices that it moves.

        None if none was found. It swaps the two wherever the way between them allows it.

        >>> import wlkg
        >>> fork = wlkg.RelationalGraph.from_triples([("a", "r", "b"), ("a", "r", "c")])
        >>> symmetries = symmetry(fork)
        >>> symmetries.maps(1, 2), symmetries.maps(0, 1)
        ({1: 2, 2: 1}, None)
        """
        return self.generators.maps(v, w)


def symmetry(
    graph: RelationalGraph,
    tests: Sequence[str] = (DEFAULT_TEST,),
    direction: Direction | None = None,
    *,
    seconds: float = 60.0,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Symmetry:
    """The symmetries of a graph, and for each test whether its classes are the orbits.

    ``seconds`` limits the time for libraries. An optional part is needed unless colours and swaps
    settle everything, as they do on most knowledge graphs.

    >>> import wlkg
    >>> star = wlkg.RelationalGraph.from_triples([("hub", "r", leaf) for leaf in "abcd"])
    >>> symmetries = symmetry(star)
    >>> symmetries.orbits, symmetries.complete, symmetries.group_order
    (Partition(5 items, 2 classes), True, 24)
    """
    require_graphs(graph)
    watch = Stopwatch()
    graph = graph.with_direction(direction)
    library = find_library()
    group, is_sure = _find(graph, library, Deadline.after(seconds), progress)
    with phase(progress, "checking symmetries"):
        holds = are_automorphisms(graph, group.generators)
    generators = group.generators.chosen(holds)
    is_sure = is_sure and bool(holds.all())
    rows = tuple(
        completeness(
            graph, name, generators.orbits, proven=is_sure, max_memory=max_memory, progress=progress
        )
        for name in dict.fromkeys(find_test(each).name for each in tests)
    )
    return Symmetry(
        graph=graph,
        direction=graph.direction,
        generators=generators,
        orbits=generators.orbits,
        proven=is_sure or any(row.complete for row in rows),
        group_order=group.order if is_sure else None,
        tests=rows,
        cores=group.core_types,
        rests_on=_rests_on(group, library),
        seconds=watch.seconds,
    )


def _find(
    graph: RelationalGraph,
    library: Bliss | Dejavu | None,
    deadline: Deadline,
    progress: Progress,
) -> tuple[Group, bool]:
    """The group, and whether nothing of it can have been missed."""
    left = remainder(graph, [graph.num_vertices], progress)
    assert left is not None, "one graph is as balanced as itself"
    with phase(progress, "decomposing the graph"):
        tree = decompose(left)
    if library is None and tree.is_core.any():
        raise MissingExtraError("finding the symmetries of this graph", "symmetry")
    cores = GivingUp(types_by(library, deadline))
    with phase(progress, "looking for symmetries"):
        group = find_group(block_types(tree, cores), library, deadline)
    is_exact = library is None or library.is_exact or not tree.is_core.any()
    return group, is_exact and not (group.unsolved or cores.given_up)


def _rests_on(group: Group, library: Bliss | Dejavu | None) -> str:
    if not group.core_types or library is None:
        return REDUCTION
    return f"{REDUCTION}, and {library.name}"
