"""wlkg: Weisfeiler-Leman expressivity of knowledge graphs.

>>> import wlkg
>>> wlkg.read("example:c6")
RelationalGraph(6 vertices, 6 triples, 1 relation)

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wlkg.ceilings import Ceiling, ceiling
    from wlkg.comparison import Comparison, compare
    from wlkg.corpora import read_corpus
    from wlkg.errors import WlkgError
    from wlkg.gnn.studies import versus as versus
    from wlkg.graph import RelationalGraph
    from wlkg.hierarchies import hierarchy
    from wlkg.isomorphism import isomorphic
    from wlkg.labels import label
    from wlkg.pairs import separated_pairs
    from wlkg.partition import History, Partition
    from wlkg.readers import read, read_all
    from wlkg.refinement import TESTS, TUPLE_TESTS, Refinement, refine
    from wlkg.unions import disjoint_union
    from wlkg.writers import write

__version__ = "0.1.0"

_HOME = {
    "TESTS": "wlkg.refinement",
    "TUPLE_TESTS": "wlkg.refinement",
    "Ceiling": "wlkg.ceilings",
    "Comparison": "wlkg.comparison",
    "History": "wlkg.partition",
    "Partition": "wlkg.partition",
    "Refinement": "wlkg.refinement",
    "RelationalGraph": "wlkg.graph",
    "WlkgError": "wlkg.errors",
    "ceiling": "wlkg.ceilings",
    "compare": "wlkg.comparison",
    "disjoint_union": "wlkg.unions",
    "hierarchy": "wlkg.hierarchies",
    "isomorphic": "wlkg.isomorphism",
    "label": "wlkg.labels",
    "read": "wlkg.readers",
    "read_all": "wlkg.readers",
    "read_corpus": "wlkg.corpora",
    "refine": "wlkg.refinement",
    "separated_pairs": "wlkg.pairs",
    "versus": "wlkg.gnn.studies",
    "write": "wlkg.writers",
}

__all__ = [
    "TESTS",
    "TUPLE_TESTS",
    "Ceiling",
    "Comparison",
    "History",
    "Partition",
    "Refinement",
    "RelationalGraph",
    "WlkgError",
    "__version__",
    "ceiling",
    "compare",
    "disjoint_union",
    "hierarchy",
    "isomorphic",
    "label",
    "read",
    "read_all",
    "read_corpus",
    "refine",
    "separated_pairs",
    "write",
]

#: Public, too, but not of ``import *``, which must work without PyTorch.
_WITH_EXTRAS = ["versus"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wlkg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__ + _WITH_EXTRAS)
