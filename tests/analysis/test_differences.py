"""What differs between two graphs, against counting colours in dictionaries."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import wlkg
from tests.oracles import (
    ORACLES,
    Colours,
    refine_slowly,
    refine_tuples_slowly,
    vertex_colours,
)
from tests.strategies import Pair, pairs, rebuilt
from wlkg.analysis.compare import compare
from wlkg.analysis.differences import ColourDifference, differences
from wlkg.analysis.side_by_side import SideBySide
from wlkg.graph.union import disjoint_union


def _colours_at(pair: Pair, test: str, at_round: int) -> Colours:
    """The colours of all vertices of both graphs at a round."""
    direction = pair[0].direction
    if test in ORACLES:
        sizes = [graph.num_vertices for graph in pair]
        return refine_slowly(disjoint_union(*pair), test, direction, sizes)[at_round]
    return vertex_colours(pair, test, refine_tuples_slowly(pair, test, direction)[at_round])


@settings(max_examples=400)
@given(pair=pairs(), test=st.sampled_from([*ORACLES, "2-rlwl", "2-wl", "2-fwl", "delta-2-lwl"]))
def test_differences_are_those_of_a_count_in_dictionaries(pair: Pair, test: str) -> None:
    sides = SideBySide(pair)
    refinement = sides.refine(test)
    if refinement.differs_at is None:
        return
    found = differences(sides, refinement)
    assert (found.test, found.round) == (test, refinement.differs_at)
    colours = _colours_at(pair, test, found.round)
    size = pair[0].num_vertices
    one, two = Counter(colours[:size]), Counter(colours[size:])
    differing = [colour for colour in dict.fromkeys(colours) if one[colour] != two[colour]]
    assert found.colours == len(differing) > 0
    expected = []
    for colour in differing:
        names = tuple(
            tuple(g.vertex_names[v] for v in range(g.num_vertices) if colours[v + shift] == colour)
            for g, shift in zip(pair, (0, size), strict=True)
        )
        expected.append(((one[colour], two[colour]), (names[0][:3], names[1][:3])))
    expected.sort(key=lambda row: (-abs(row[0][0] - row[0][1]), sum(row[0])))
    assert [(row.counts, row.vertices) for row in found.largest] == expected[:3]


def test_each_of_the_weakest_tests_shows_what_differs() -> None:
    pair = wlkg.read("example:two-cycles-g"), wlkg.read("example:two-cycles-h")
    comparison = compare(*pair)
    assert [found.test for found in comparison.differences] == ["1-wl", "2-rlwl"]
    assert comparison.differences[0].largest == (
        ColourDifference((4, 0), (("0", "1", "2"), ())),
        ColourDifference((0, 4), ((), ("0", "1", "2"))),
    )
    assert compare(*pair, ["1-rwl"]).differences == ()


def test_a_lost_triple_shows_the_vertices_that_lost_it() -> None:
    people = [("ann", "knows", "bob"), ("bob", "knows", "eve"), ("eve", "knows", "ann")]
    one = wlkg.RelationalGraph.from_triples([*people, ("ann", "likes", "eve")])
    two = wlkg.RelationalGraph.from_triples(people)
    (found,) = compare(one, two, ["1-rwl"]).differences
    shown = {(row.counts, row.vertices) for row in found.largest}
    assert shown == {
        ((1, 3), (("bob",), ("ann", "bob", "eve"))),
        ((1, 0), (("ann",), ())),
        ((1, 0), (("eve",), ())),
    }


def test_aifb_without_a_triple_differs_at_its_ends(data_dir: Path) -> None:
    aifb = wlkg.read(data_dir / "aifb" / "aifb_stripped.nt.gz")
    without = rebuilt(aifb, head=aifb.head[1:], relation=aifb.relation[1:], tail=aifb.tail[1:])
    comparison = compare(aifb, without)
    assert [v.test for v in comparison.verdicts if v.skipped] == ["1-rwl", "2-rlwl", "3-rlwl"]
    assert comparison.weakest_tests == ("1-wl", "weak-rwl")
    found = comparison.differences[1]
    assert (found.test, found.round) == ("weak-rwl", 1)
    ends = {aifb.vertex_names[aifb.head[0]], aifb.vertex_names[aifb.tail[0]]}
    only_here = [row.vertices[0] for row in found.largest if row.counts == (1, 0)]
    assert only_here
    assert {name for names in only_here for name in names} <= ends


def test_only_separated_graphs_differ() -> None:
    sides = SideBySide((wlkg.read("example:c6"), wlkg.read("example:2xc3")))
    with pytest.raises(AssertionError, match="does not separate"):
        differences(sides, sides.refine("1-rwl"))
