"""Drawings of small graphs and overviews of large ones hold what refinement says."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import wlkg
from tests.reports.pages import TESTS, drawings, drawn, named, page_of
from wlkg.partition import Partition
from wlkg.reports.blocks import Chart, Neighbourhoods, Paragraph, Table
from wlkg.reports.pictures.looks import looks


def _cycles(*lengths: int) -> wlkg.RelationalGraph:
    """Directed cycles."""
    triples = [
        (f"{c}-{i}", "next", f"{c}-{(i + 1) % n}") for c, n in enumerate(lengths) for i in range(n)
    ]
    return wlkg.RelationalGraph.from_triples(triples)


def _large() -> wlkg.RelationalGraph:
    """A hub with 300 leaves of two kinds, a chain and a loop."""
    triples = [("hub", f"r{i % 2}", f"leaf {i}") for i in range(300)]
    triples += [(f"chain {i}", "next", f"chain {i + 1}") for i in range(40)]
    return wlkg.RelationalGraph.from_triples([*triples, ("hub", "self", "hub")])


@pytest.mark.parametrize("test", TESTS)
def test_colours_of_every_round_are_those_of_the_refinement(test: str) -> None:
    one, two = wlkg.read("example:relation-matters-g"), wlkg.read("example:relation-matters-h")
    (colouring,) = drawn(one, two, tests=[test]).colourings
    union = wlkg.disjoint_union(one, two)
    blocks = [one.num_vertices, two.num_vertices]
    refinement = wlkg.refine(union, test, blocks=blocks)
    assert len(colouring.rounds) == refinement.rounds + 1
    for t, (first, second) in enumerate(colouring.rounds):
        assert Partition.of([*first, *second]) == refinement.vertices.partition(t)
    assert colouring.separated_at == refinement.differs_at


def test_classes_are_numbered_from_one_and_the_largest_part_keeps_its_number() -> None:
    (colouring,) = drawn(_cycles(3, 4).induced([0, 1, 2, 3, 4, 5]), tests=["1-rwl"]).colourings
    for before, after in zip(colouring.rounds, colouring.rounds[1:], strict=False):
        for number, size in Counter(before[0]).items():
            parts = Counter(b for a, b in zip(before[0], after[0], strict=True) if a == number)
            assert parts[number] == max(parts.values())
            assert sum(parts.values()) == size
    assert set(colouring.rounds[0][0]) == {1}


def test_relations_of_both_graphs_are_matched_by_name() -> None:
    one = wlkg.RelationalGraph.from_triples([("a", "p", "b"), ("a", "q", "b")])
    two = wlkg.RelationalGraph.from_triples([("a", "q", "b")])
    drawing = drawn(one, two, tests=["1-rwl"])
    names = [[drawing.relations[r] for _, r, _ in graph.triples] for graph in drawing.graphs]
    assert names == [["p", "q"], ["q"]]


def test_labels_are_shown() -> None:
    drawing = drawn("example:weak-rwl", tests=["1-rwl"])
    assert dict(zip(drawing.graphs[0].vertices, drawing.graphs[0].labels, strict=True)) == {
        "u1": "1",
        "u2": "2",
        "v": "0",
        "w": "0",
    }


def test_without_graphs_there_is_nothing_to_look_at() -> None:
    assert looks([], tests=["1-rwl"]) == ()
    assert looks(named("example:c6"), tests=[]) == ()


def test_a_graph_without_vertices_is_no_drawing_and_no_error() -> None:
    looks(named(wlkg.RelationalGraph.from_triples([])), tests=["1-rwl"])


def test_tuple_tests_that_are_too_large_are_named() -> None:
    graph = wlkg.RelationalGraph.from_triples([(i, "r", i + 1) for i in range(140)])
    blocks = looks(named(graph), tests=["1-rwl", "4-rlwl"])
    assert [c.test for d in drawings(blocks) for c in d.colourings] == ["1-rwl"]
    assert any(isinstance(b, Paragraph) and "4-rlwl" in b.text for b in blocks)


def test_a_large_graph_gets_an_overview_whose_numbers_are_right() -> None:
    graph = _large()
    blocks = looks(named(graph), tests=["1-rwl"])
    partition = wlkg.refine(graph, "1-rwl").partition
    sizes = sorted(partition.sizes.tolist(), reverse=True)
    chart = next(b for b in blocks if isinstance(b, Chart))
    classes, vertices = chart.series
    assert sum(y or 0 for _, y in classes.points) == partition.num_classes
    assert sum(y or 0 for _, y in vertices.points) == graph.num_vertices
    table = next(b for b in blocks if isinstance(b, Table))
    assert [row[1] for row in table.rows] == [size for size in sizes if size > 1]
    (quotient,) = drawings(blocks)
    assert quotient.graphs[0].sizes[:2] == (150, 150)


def test_edges_of_the_quotient_count_the_triples_between_classes() -> None:
    graph = _large()
    (quotient,) = drawings(looks(named(graph), tests=["1-rwl"]))
    drawn_graph = quotient.graphs[0]
    hub = next(v for v, name in enumerate(drawn_graph.vertices) if name == "hub")
    of_hub = {
        (quotient.relations[r], drawn_graph.sizes[t]): count
        for (h, r, t), count in zip(drawn_graph.triples, drawn_graph.counts, strict=True)
        if h == hub
    }
    assert of_hub == {("r0", 150): 150, ("r1", 150): 150, ("self", 1): 1}


def test_neighbourhoods_hold_triples_of_the_graph_and_say_what_is_missing() -> None:
    graph = _large()
    block = next(b for b in looks(named(graph), tests=["1-rwl"]) if isinstance(b, Neighbourhoods))
    known = set(graph.named_triples())
    for head, relation, tail in block.triples:
        assert (block.vertices[head], block.relations[relation], block.vertices[tail]) in known
    hub = block.vertices.index("hub")
    assert hub < block.searchable
    assert block.degrees[hub] == 302  # 300 leaves, and the loop in both directions
    stored = sum(hub in (head, tail) for head, _, tail in block.triples)
    assert stored < block.degrees[hub]
    degree_of = dict(zip(block.vertices, block.degrees, strict=False))
    degrees = np.diff(graph.arcs().offsets)
    for name in block.vertices[: block.searchable]:
        assert degree_of[name] == degrees[graph.vertex(name)]


def test_marked_vertices_of_a_large_graph_are_drawn_in_context() -> None:
    graph = _large()
    v, w = graph.vertex("chain 1"), graph.vertex("chain 2")
    blocks = looks(named(graph), tests=["1-rwl"], marked=[(0, v), (0, w)])
    context = drawings(blocks)[0]
    marked = [context.graphs[g].vertices[i] for g, i in context.marked]
    assert marked == ["chain 1", "chain 2"]
    assert {"chain 0", "chain 3"} <= set(context.graphs[0].vertices)
    partial = {context.graphs[0].vertices[i] for i in context.graphs[0].partial}
    assert partial == {"chain 0", "chain 3"} - ({"chain 0"})
    rounds = context.colourings[0].rounds
    history = wlkg.refine(graph, "1-rwl").history
    ids = [graph.vertex(name) for name in context.graphs[0].vertices]
    for t, colours in enumerate(rounds):
        assert Partition.of(colours[0]) == Partition.of(history.class_at(ids, t))


def test_two_large_graphs_are_compared_class_by_class() -> None:
    one, two = _cycles(100, 100), _cycles(200)
    blocks = looks(named(one, two), tests=["1-rwl"])
    table = next(b for b in blocks if isinstance(b, Table))
    assert table.rows[0][1:4] == (400, 200, 200)


def test_the_overview_of_a_large_data_set_is_small(data_dir: Path) -> None:
    graph = wlkg.read(str(data_dir / "aac" / "aac_npg.nt.xz"))
    blocks = looks(named(graph), tests=["1-rwl"])
    html = page_of(*blocks)
    assert len(html.encode()) < 3_000_000
    search = next(b for b in blocks if isinstance(b, Neighbourhoods))
    assert search.searchable == 2000
    assert "434,328 are left out" in search.note
