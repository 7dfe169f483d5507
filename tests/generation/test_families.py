"""Graphs by rule: each family against its obvious construction."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

import wlkg
from wlkg.errors import WlkgError
from wlkg.generation import generate as module
from wlkg.generation.permutation import Permutation


def written(tmp_path: Path, family: str, **settings: Any) -> wlkg.RelationalGraph:
    target = tmp_path / "graph.tsv"
    generated = wlkg.generate(target, family, force=True, **settings)
    graph = wlkg.read(target, direction="both" if generated.directed else "undirected")
    assert (graph.num_vertices, graph.num_triples) == (generated.vertices, generated.triples)
    assert (graph.num_relations, graph.duplicates) == (generated.relations, 0)
    return graph


def edges(graph: wlkg.RelationalGraph) -> set[tuple[int, int]]:
    names = [int(name) for name in graph.vertex_names]
    ends = zip(graph.head.tolist(), graph.tail.tolist(), strict=True)
    return {(names[h], names[t]) for h, t in ends}


@pytest.mark.parametrize("size", [*range(1, 40), 1000, 4096, 4097])
def test_a_permutation_is_one(size: int) -> None:
    values = Permutation(size, key=size)(np.arange(size))
    assert sorted(values.tolist()) == list(range(size))


def test_another_key_gives_another_permutation_and_none_keeps_the_order() -> None:
    one, other = (Permutation(1000, key)(np.arange(1000)) for key in (1, 2))
    for first, second in ((one, other), (one, np.arange(1000)), (other, np.arange(1000))):
        assert np.count_nonzero(first == second) < 20


def test_a_path_is_a_path(tmp_path: Path) -> None:
    assert edges(written(tmp_path, "path", vertices=6)) == {(i, i + 1) for i in range(5)}


@pytest.mark.parametrize("vertices", [2, 7, 30])
@pytest.mark.parametrize("width", [1, 2, 5, 40, None])
def test_a_grid_joins_right_and_lower_neighbours(
    tmp_path: Path, vertices: int, width: int | None
) -> None:
    given = {} if width is None else {"width": width}
    length = width or {2: 2, 7: 3, 30: 6}[vertices]
    place = {(i // length, i % length): i for i in range(vertices)}
    expected = {
        (i, place[neighbour])
        for (row, column), i in place.items()
        for neighbour in ((row, column + 1), (row + 1, column))
        if neighbour in place
    }
    assert edges(written(tmp_path, "grid", vertices=vertices, **given)) == expected


def test_a_complete_tree_has_its_children(tmp_path: Path) -> None:
    tree = edges(written(tmp_path, "tree", vertices=10, branching=3))
    assert tree == {(0, 1), (0, 2), (0, 3), (1, 4), (1, 5), (1, 6), (2, 7), (2, 8), (2, 9)}


def test_a_random_tree_is_a_tree_whose_parents_are_earlier(tmp_path: Path) -> None:
    tree = edges(written(tmp_path, "tree", vertices=2000, seed=3))
    assert nx.is_tree(nx.Graph(tree))
    assert all(parent < child for parent, child in tree)
    # A parent is any earlier vertex: on average, it is half-way.
    assert 0.45 < np.mean([parent / child for parent, child in tree]) < 0.55


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("odd", [False, True])
def test_cfi_is_the_graph_of_the_paper(tmp_path: Path, k: int, odd: bool) -> None:
    known = wlkg.read(f"example:cfi-{'h' if odd else 'g'},k={k}") if k > 1 else None
    graph = written(tmp_path, "cfi", k=k, **({"odd": True} if odd else {}))
    if known is None:  # the example begins at k = 2
        assert graph.num_triples == 3
        return
    ends = zip(known.head.tolist(), known.tail.tolist(), strict=True)
    assert edges(graph) == set(ends)


def test_random_triples_are_distinct_and_spread_evenly(tmp_path: Path) -> None:
    graph = written(tmp_path, "random", vertices=50, triples=5000, relations=4)
    assert graph.num_triples == 5000  # of 10,000
    for column, count in ((graph.head, 50), (graph.relation, 4), (graph.tail, 50)):
        assert np.abs(np.bincount(column) / 5000 * count - 1).max() < 0.3
    assert written(tmp_path, "random", vertices=3, triples=18, relations=2).num_triples == 18


def test_shuffled_vertices_are_renumbered_and_nothing_else(tmp_path: Path) -> None:
    plain = written(tmp_path, "grid", vertices=30)
    wlkg.generate(tmp_path / "s.tsv", "grid", vertices=30, shuffle=True)
    shuffled = wlkg.read(tmp_path / "s.tsv", direction="undirected")
    assert edges(shuffled) != edges(plain)
    assert wlkg.isomorphic(plain, shuffled)


@pytest.mark.parametrize("suffix", [".tsv", ".nt", ".parquet", ".nt.gz"])
@pytest.mark.parametrize("family", ["random", "tree", "like"])
def test_a_file_depends_on_the_seed_and_not_on_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, family: str
) -> None:
    like = wlkg.read("example:university") if family == "like" else None
    name = None if family == "like" else family

    def content(seed: int, piece: int) -> bytes:
        monkeypatch.setattr(module, "PIECE", piece)
        target = tmp_path / f"graph{suffix}"
        wlkg.generate(target, name, like=like, vertices=300, seed=seed, force=True)
        return target.read_bytes()

    expected = content(1, 1 << 18)
    assert all(content(1, piece) == expected for piece in (1, 7, 100))
    assert content(2, 100) != expected


@pytest.mark.parametrize("suffix", [".nt", ".parquet", ".nt.gz", ".parquet.gz", ".tsv.gz"])
def test_all_formats_hold_the_same_graph(tmp_path: Path, suffix: str) -> None:
    plain = written(tmp_path, "random", vertices=40, relations=3)
    wlkg.generate(tmp_path / f"g{suffix}", "random", vertices=40, relations=3)
    assert wlkg.read(tmp_path / f"g{suffix}") == plain


def test_row_groups_of_parquet_do_not_depend_on_pieces(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow.parquet as pq

    from wlkg.writers import streamed

    monkeypatch.setattr(streamed, "_GROUP", 50)
    monkeypatch.setattr(module, "PIECE", 30)
    wlkg.generate(tmp_path / "g.parquet", "path", vertices=121)
    metadata = pq.read_metadata(tmp_path / "g.parquet")
    rows = [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)]
    assert rows == [50, 50, 20]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"family": "path"}, "path needs --vertices"),
        ({"family": "cfi", "vertices": 3}, "cfi has no option --vertices"),
        ({"family": "cfi"}, "cfi needs -k"),
        ({"family": "cfi", "k": 60}, "k = 60 has more than 2^40 vertices"),
        ({"family": "path", "vertices": 3, "triples": 5}, "path has no option --triples"),
        ({"family": "path", "vertices": 0}, "--vertices must be at least 1, found 0"),
        ({"family": "path", "vertices": 1}, "would have no triples"),
        ({"family": "random", "vertices": 2, "triples": 5}, "only 4 possible triples, not 5"),
        ({"family": "random", "vertices": 10**10}, "more than 2^62 possible triples"),
        ({"family": "path", "vertices": 3, "seed": -1}, "--seed must be from 0 to"),
        ({"family": "ring", "vertices": 3}, "unknown family 'ring'. Known: random, path"),
        ({"vertices": 3}, "name a family"),
    ],
)
def test_what_cannot_be_generated_is_refused(
    tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    with pytest.raises(WlkgError, match=message.replace("^", r"\^")):
        wlkg.generate(tmp_path / "g.tsv", **settings)
    assert not list(tmp_path.iterdir())
