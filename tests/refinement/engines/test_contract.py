"""One contract for every engine: each round's partition is that of the dictionary version."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import wlkg
from tests.oracles import refine_slowly
from tests.refinement.engines.tiny_graphs import many_tiny_graphs
from wlkg.catalogue import DIRECTIONS, SINGLE_VERTEX_TESTS, TESTS, Direction
from wlkg.engines import ENGINES
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.graph.union import disjoint_union
from wlkg.partition import Partition
from wlkg.refinement.engines.running import LOADERS, TEXTBOOK
from wlkg.refinement.proof import SORTED
from wlkg.refinement.refine import refine

EVERY = [
    pytest.param(
        name, marks=pytest.mark.skipif(not info.is_installed, reason=f"needs {info.module}")
    )
    for name, info in ENGINES.items()
]
every_engine = pytest.mark.parametrize("engine", EVERY, indirect=True)
every_direction = pytest.mark.parametrize("direction", DIRECTIONS)

#: Tests that every engine runs.
COMMON = ("1-wl", "weak-rwl", "1-rwl", "mean-rwl")


def test_no_engine_escapes_the_contract() -> None:
    assert set(LOADERS) == {*ENGINES, TEXTBOOK}
    assert all(set(COMMON) <= set(info.tests) for info in ENGINES.values())
    assert all(set(info.tests) <= {*TESTS, *SINGLE_VERTEX_TESTS} for info in ENGINES.values())


@every_engine
@pytest.mark.parametrize("test", COMMON)
@every_direction
def test_every_round_equals_the_dictionary_version_on_tiny_graphs(
    engine: str, test: str, direction: Direction
) -> None:
    graph = many_tiny_graphs(250, seed=len(test), labels=True)
    expected = refine_slowly(graph, test, direction)
    refinement = refine(graph, test, direction, engine=engine)
    assert refinement.exact
    assert refinement.stable
    assert refinement.proof != SORTED  # the textbook did not have to step in
    assert refinement.classes_per_round == [len(set(colours)) for colours in expected]
    for t, colours in enumerate(expected):
        assert refinement.history.partition(t) == Partition.of(np.array(colours, dtype=np.int64))


@every_engine
@pytest.mark.parametrize("rows", [[], [(0, 0, 0)], [(0, 0, 1)]])
def test_graphs_of_hardly_anything(engine: str, rows: list[tuple[int, int, int]]) -> None:
    head, relation, tail = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    for n in (2, 3) if rows else (0, 2):
        graph = RelationalGraph.from_arrays(head, relation, tail, num_vertices=n)
        expected = refine_slowly(graph, "1-rwl", "both")
        refinement = refine(graph, "1-rwl", "both", engine=engine)
        assert refinement.partition == Partition.of(np.array(expected[-1], dtype=np.int64))


@every_engine
@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_stopping_early_gives_the_first_rounds(engine: str, rounds: int) -> None:
    graph = many_tiny_graphs(40, seed=3, labels=False)
    whole = refine(graph)
    part = refine(graph, rounds=rounds, engine=engine)
    assert part.exact
    assert part.rounds == rounds
    assert not part.stable
    assert part.partition == whole.history.partition(rounds)


@every_engine
def test_a_path_has_half_as_many_rounds_as_vertices(engine: str) -> None:
    v = np.arange(40)
    path = RelationalGraph.from_arrays(v, v * 0, v + 1, num_vertices=41, direction="undirected")
    assert refine(path, engine=engine).classes_per_round == list(range(1, 22))


@pytest.mark.parametrize("engine", [p for p in EVERY if p.values[0] in ("local", "torch")])
def test_graphs_that_see_each_other_as_a_whole(engine: str) -> None:
    cycles = [wlkg.read(f"example:cycle,n={n}") for n in (3, 4)]
    union = disjoint_union(*cycles)
    refinement = refine(union, "1-wl-all", blocks=[3, 4], engine=engine)
    assert refinement.classes_per_round == [1, 2]


@pytest.mark.parametrize("engine", EVERY[1:], indirect=True)
@pytest.mark.parametrize(
    ("path", "test", "direction"),
    [
        ("aifb/aifb_stripped.nt.gz", "1-rwl", "both"),
        ("aifb/aifb_stripped.nt.gz", "mean-rwl", "out"),
        ("aac/aac_autry.nt.xz", "weak-rwl", "both"),
        ("aac/aac_autry.nt.xz", "1-wl", "in"),
        ("kg/WN18RR", "1-rwl", "undirected"),
        ("kg/FB15k-237", "1-rwl", "both"),
    ],
)
def test_every_engine_agrees_with_the_local_one_on_public_data(
    data_dir: Path, engine: str, path: str, test: str, direction: Direction
) -> None:
    graph = wlkg.read(data_dir / path)
    local, other = (refine(graph, test, direction, engine=name) for name in ("local", engine))
    assert other.exact
    assert other.classes_per_round == local.classes_per_round
    for t in range(local.rounds + 1):
        assert other.history.partition(t) == local.history.partition(t)
