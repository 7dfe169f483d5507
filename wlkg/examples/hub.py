"""ConnectHub(k): the relations of a hub, which no motif of up to k relations tells from others.

There are k + 1 *hub relations* and k + 1 *other relations*. The hub has an edge from a leaf of its
own under each hub relation. For every set of 2 to k hub relations there is a small star: a centre
with an edge from a leaf under each of them; and likewise for every set of 2 to k other relations.

Up to k relations share a tail among the hub relations exactly as among the others: all sets of up
to k do. All k + 1 do so at the hub only. So ULTRA (pairs), 3-paths and k-stars see no difference,
but (k + 1)-stars do. The task is to link the hub to the centres of stars of hub relations, and not
to those of other relations, under a relation that has no edge yet.

From Huang, Barceló, Bronstein, Ceylan, Galkin, Reutter and Romero Orth, "How Expressive are
Knowledge Graph Foundation Models?", 2025, with the sizes of their program's smallest graph for k.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from wlkg.examples.building import refuse_large
from wlkg.examples.model import Claim, Fact, at_round, never
from wlkg.graph.relational_graph import RelationalGraph

HUB = "hub"
#: The centres of the stars of the first two hub relations, and of the first two others.
CENTRES = ("h:1+2", "n:1+2")


def connect_hub(k: int) -> RelationalGraph:
    """The graph; the hub relations are h1, h2, ..., the others n1, n2, ...."""
    sets = 2 ** (k + 1) - k - 3
    ends = (k + 1) * (2**k - 2)
    refuse_large(f"connect-hub with k = {k}", 2 * (sets + ends) + k + 2, 2 * ends + k + 1)
    numbers = range(1, k + 2)
    triples = _star(HUB, "h", numbers)
    for kind in "hn":
        for size in range(2, k + 1):
            for chosen in combinations(numbers, size):
                triples += _star(f"{kind}:{'+'.join(map(str, chosen))}", kind, chosen)
    return RelationalGraph.from_triples(triples)


def _star(centre: str, kind: str, numbers: Iterable[int]) -> list[tuple[str, str, str]]:
    return [(f"{centre}/{number}", f"{kind}{number}", centre) for number in numbers]


def hub_claims(_values: Mapping[str, int]) -> tuple[Claim, ...]:
    """Tests that see relations see different ones at the two centres; 1-wl sees two leaves each."""
    return never("1-wl", "1-wl-all") + at_round(1, "weak-rwl", "1-rwl", "1-rwl-all", "mean-rwl")


def hub_facts(values: Mapping[str, int], graphs: Sequence[RelationalGraph]) -> tuple[Fact, ...]:
    """Which sets of relations share a tail."""
    k = values["k"]
    (graph,) = graphs
    at_tail: dict[str, set[str]] = {}
    for _, relation, tail in graph.named_triples():
        at_tail.setdefault(tail, set()).add(relation)
    shared = {frozenset(relations) for relations in at_tail.values()}
    up_to_k = {
        kind: {
            frozenset(f"{kind}{number}" for number in chosen)
            for size in range(2, k + 1)
            for chosen in combinations(range(1, k + 2), size)
        }
        for kind in "hn"
    }
    everything = {frozenset(f"{kind}{number}" for number in range(1, k + 2)) for kind in "h"}
    sizes = "2" if k == 2 else f"2 to {k}"
    return (
        Fact(
            f"every set of {sizes} hub relations, and of {sizes} others, has a tail in common",
            up_to_k["h"] | up_to_k["n"] <= shared,
        ),
        Fact(
            f"all {k + 1} hub relations have a tail in common, all {k + 1} others have none",
            shared == up_to_k["h"] | up_to_k["n"] | everything,
        ),
    )
