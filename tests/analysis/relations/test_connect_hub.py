"""ConnectHub(k): what ULTRA, 3-paths and stars see of it."""

from __future__ import annotations

import pytest

import wlkg
from wlkg.analysis.links.ceiling import link_ceiling
from wlkg.catalogue import Direction
from wlkg.examples.hub import CENTRES, HUB

every_k = pytest.mark.parametrize("k", [2, 3, 4])


def alike_across(k: int, direction: Direction, model: str, **options: int) -> bool:
    """Whether some hub relation is alike to another relation, without a query."""
    graph = wlkg.read(f"example:connect-hub,k={k}")
    result = wlkg.relations(graph, model, direction=direction, **options)  # type: ignore[arg-type]
    mixed = [{name[0] for name in each} == {"h", "n"} for each in result.alike]
    assert any(mixed) == all(mixed), "either all of them or none"
    return any(mixed)


@every_k
@pytest.mark.parametrize("direction", ["both", "out", "in"])
def test_only_stars_of_more_than_k_relations_tell_the_hub(k: int, direction: Direction) -> None:
    assert alike_across(k, direction, "ultra")
    assert alike_across(k, direction, "motif")
    assert alike_across(k, direction, "motif", stars=k)
    assert not alike_across(k, direction, "motif", stars=k + 1)
    assert not alike_across(k, direction, "motif", paths=2, stars=k + 1)


@every_k
def test_links_of_the_hub_are_a_matter_of_names(k: int) -> None:
    """Neither ULTRA nor MOTIF with 3-paths tells a right tail of the hub from a wrong one."""
    graph = wlkg.read(f"example:connect-hub,k={k}")
    right, wrong = CENTRES
    result = link_ceiling(graph, [(HUB, "r0", right)], tests=["ultra", "motif", "rawl2"])
    tied = [{(each.tail, each.asked) for each in test.worst} for test in result.tests]
    assert (right, "tail") in tied[0]
    assert (right, "tail") in tied[1]
    assert tied[2] == set()
    assert graph.find_vertex(wrong) is not None
