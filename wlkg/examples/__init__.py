"""Counterexamples: graphs by name, families of them, and what is claimed about each.

`EXAMPLES` are single graphs (``example:cfi-g,k=3``); `FAMILIES` pair them up, or name two vertices
of one, and say which test separates them at which round. `lift_pair` makes a pair of any graph.

>>> [claim.test for claim in find_family("relation-matters").claims({}) if claim.separated]
['1-rwl', '2-wl', '2-rlwl', '2-fwl']
"""

from wlkg.examples.families import FAMILIES, Family, find_family
from wlkg.examples.graphs import cycles
from wlkg.examples.lifts import lift_pair
from wlkg.examples.model import Claim, Fact
from wlkg.examples.named import EXAMPLES, PREFIX, example
from wlkg.examples.pieces import piece_with_cycle

__all__ = [
    "EXAMPLES",
    "FAMILIES",
    "PREFIX",
    "Claim",
    "Fact",
    "Family",
    "cycles",
    "example",
    "find_family",
    "lift_pair",
    "piece_with_cycle",
]
