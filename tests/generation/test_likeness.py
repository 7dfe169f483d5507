"""A graph that follows a real one: what is kept, measured."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from tests.strategies import relational_graphs
from wlkg.errors import WlkgError
from wlkg.generation.likeness import Likeness


def degrees(graph: wlkg.RelationalGraph, relation: str) -> tuple[list[int], list[int]]:
    """The out- and in-degrees in a relation, of the vertices that have any, sorted."""
    rows = graph.relation == graph.relation_names.index(relation)
    counts = (np.bincount(ends[rows]) for ends in (graph.head, graph.tail))
    heads, tails = (sorted(count[count > 0].tolist()) for count in counts)
    return heads, tails


@given(relational_graphs().filter(lambda g: g.num_triples), st.integers(1, 40), st.integers(0, 9))
def test_every_relation_has_its_share_and_every_vertex_its_degrees(
    real: wlkg.RelationalGraph, vertices: int, seed: int
) -> None:
    source = Likeness(real, vertices, seed)
    head, relation, tail = source.piece(0, source.count)
    rows = list(zip(head.tolist(), relation.tolist(), tail.tolist(), strict=True))
    assert len(set(rows)) == len(rows)
    assert max(head.max(initial=0), tail.max(initial=0)) < vertices
    count = np.bincount(real.relation, minlength=real.num_relations)
    wanted = np.floor(count * vertices / real.num_vertices + 0.5)
    assert (np.bincount(relation, minlength=real.num_relations) <= wanted).all()
    assert source.count == wanted.sum()
    copies = vertices // real.num_vertices
    for ends, real_ends in ((head, real.head), (tail, real.tail)):
        real_degrees = Counter(zip(real_ends.tolist(), real.relation.tolist(), strict=True))
        new_degrees = Counter(zip(ends.tolist(), relation.tolist(), strict=True))
        for (vertex, number), degree in new_degrees.items():
            if vertex < copies * real.num_vertices:
                assert degree <= real_degrees[vertex % real.num_vertices, number]
    if len(rows) == source.count and vertices % real.num_vertices == 0:
        for number in range(real.num_relations):
            for ends, real_ends in ((head, real.head), (tail, real.tail)):
                new = np.bincount(ends[relation == number], minlength=vertices)
                old = np.bincount(real_ends[real.relation == number], minlength=real.num_vertices)
                assert new.tolist() == old.tolist() * copies


def compare_with_real(real: wlkg.RelationalGraph, tmp_path: Path, times: float) -> None:
    """Shares of relations within 5 %, and quantiles of degrees in each large relation."""
    vertices = round(times * real.num_vertices)
    target = tmp_path / "like.parquet"
    generated = wlkg.generate(target, like=real, vertices=vertices, seed=5)
    new = wlkg.read(target)
    assert new.relation_names == real.relation_names
    assert 0.98 * vertices <= new.num_vertices <= vertices
    assert generated.triples + generated.repeated == pytest.approx(
        times * real.num_triples, abs=real.num_relations
    )
    for number, relation in enumerate(real.relation_names):
        old_count = int(np.count_nonzero(real.relation == number))
        new_count = int(np.count_nonzero(new.relation == number))
        assert new_count == pytest.approx(times * old_count, rel=0.05, abs=1)
        if old_count < 100:
            continue
        pairs = zip(degrees(real, relation), degrees(new, relation), strict=True)
        for old_degrees, new_degrees in pairs:
            if len(old_degrees) < 20:
                continue
            # This kind of quantile does not change when all values are repeated.
            old, fresh = (
                np.quantile(values, [0.1, 0.5, 0.9], method="inverted_cdf")
                for values in (old_degrees, new_degrees)
            )
            assert (np.abs(fresh - old) <= np.maximum(1, 0.1 * old)).all(), relation


@pytest.mark.parametrize("times", [4, 7.3])
def test_a_sample_is_followed(tmp_path: Path, times: float) -> None:
    compare_with_real(wlkg.read("example:university"), tmp_path, times)


@pytest.mark.parametrize("times", [3, 4.5])
def test_aifb_is_followed(data_dir: Path, tmp_path: Path, times: float) -> None:
    real = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")
    compare_with_real(real, tmp_path, times)


def test_undirected_graphs_are_followed_by_undirected_ones(tmp_path: Path) -> None:
    ring = wlkg.read("example:c6")
    generated = wlkg.generate(tmp_path / "g.tsv", like=ring, vertices=600)
    graph = wlkg.read(tmp_path / "g.tsv", direction="undirected")
    assert not generated.directed
    ends = np.bincount(graph.head, minlength=600) + np.bincount(graph.tail, minlength=600)
    assert Counter(ends.tolist())[2] > 550


def test_a_graph_without_triples_cannot_be_followed(tmp_path: Path) -> None:
    empty = wlkg.RelationalGraph.from_triples([], vertices=["a"])
    with pytest.raises(WlkgError, match="nothing to follow"):
        wlkg.generate(tmp_path / "g.tsv", like=empty, vertices=3)
