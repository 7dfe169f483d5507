"""Counterexamples: graphs by name, families of graphs, and the claims about each family.

`EXAMPLES` are single graphs (``example:cfi-g,k=3``). A family pairs two of them, or names two
vertices of one, and says which test separates them at which round. `lift_pair` builds a pair from
any graph that has a cycle.

>>> [claim.test for claim in find_family("relation-matters").claims({}) if claim.separated]
['1-rwl', '1-rwl-all', 'mean-rwl', '2-wl', '2-rlwl', '2-fwl']
"""

from wlkg.examples.families import FAMILIES, Family, find_family
from wlkg.examples.graphs import cycles
from wlkg.examples.lifts import lift_pair
from wlkg.examples.model import Claim, Fact
from wlkg.examples.named import EXAMPLES, PREFIX, example
from wlkg.examples.pieces import piece_with_cycle
from wlkg.examples.samples import TARGETS, TARGETS_HEADER

__all__ = [
    "EXAMPLES",
    "FAMILIES",
    "PREFIX",
    "TARGETS",
    "TARGETS_HEADER",
    "Claim",
    "Fact",
    "Family",
    "cycles",
    "example",
    "find_family",
    "lift_pair",
    "piece_with_cycle",
]
