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
    from wlkg.analysis.ceiling.ceiling import Ceiling, ceiling
    from wlkg.analysis.certificates.certificate import Certificate
    from wlkg.analysis.certificates.certify import certify
    from wlkg.analysis.compare import Comparison, compare, compare_vertices
    from wlkg.analysis.explanation.explain import explain
    from wlkg.analysis.explanation.learned.rules import explain_predictions
    from wlkg.analysis.hierarchy.table import hierarchy
    from wlkg.analysis.isomorphism import find_isomorphism, isomorphic
    from wlkg.analysis.pairs import separated_pairs
    from wlkg.analysis.symmetry.symmetry import Symmetry, symmetry
    from wlkg.catalogue import TESTS, TUPLE_TESTS
    from wlkg.corpora import read_corpus
    from wlkg.errors import WlkgError
    from wlkg.gnn.api import pair_model as pair_model
    from wlkg.gnn.api import predict as predict
    from wlkg.gnn.api import predict_graphs as predict_graphs
    from wlkg.gnn.api import train as train
    from wlkg.gnn.api import train_graphs as train_graphs
    from wlkg.gnn.api import versus as versus
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.graph.union import disjoint_union
    from wlkg.partition import History, Partition
    from wlkg.readers.labels import label
    from wlkg.readers.read import read, read_all
    from wlkg.refinement.refine import refine
    from wlkg.refinement.results import Refinement
    from wlkg.studies.reproduce import reproduce
    from wlkg.verification.verify import Verification, verify
    from wlkg.writers.write import write

__version__ = "0.1.0"

_HOME = {
    "TESTS": "wlkg.catalogue",
    "TUPLE_TESTS": "wlkg.catalogue",
    "Ceiling": "wlkg.analysis.ceiling.ceiling",
    "Certificate": "wlkg.analysis.certificates.certificate",
    "Comparison": "wlkg.analysis.compare",
    "History": "wlkg.partition",
    "Partition": "wlkg.partition",
    "Refinement": "wlkg.refinement.results",
    "RelationalGraph": "wlkg.graph.relational_graph",
    "Symmetry": "wlkg.analysis.symmetry.symmetry",
    "Verification": "wlkg.verification.verify",
    "WlkgError": "wlkg.errors",
    "ceiling": "wlkg.analysis.ceiling.ceiling",
    "certify": "wlkg.analysis.certificates.certify",
    "compare": "wlkg.analysis.compare",
    "compare_vertices": "wlkg.analysis.compare",
    "disjoint_union": "wlkg.graph.union",
    "explain": "wlkg.analysis.explanation.explain",
    "explain_predictions": "wlkg.analysis.explanation.learned.rules",
    "find_isomorphism": "wlkg.analysis.isomorphism",
    "hierarchy": "wlkg.analysis.hierarchy.table",
    "isomorphic": "wlkg.analysis.isomorphism",
    "label": "wlkg.readers.labels",
    "pair_model": "wlkg.gnn.api",
    "predict": "wlkg.gnn.api",
    "predict_graphs": "wlkg.gnn.api",
    "read": "wlkg.readers.read",
    "read_all": "wlkg.readers.read",
    "read_corpus": "wlkg.corpora",
    "refine": "wlkg.refinement.refine",
    "reproduce": "wlkg.studies.reproduce",
    "separated_pairs": "wlkg.analysis.pairs",
    "symmetry": "wlkg.analysis.symmetry.symmetry",
    "train": "wlkg.gnn.api",
    "train_graphs": "wlkg.gnn.api",
    "verify": "wlkg.verification.verify",
    "versus": "wlkg.gnn.api",
    "write": "wlkg.writers.write",
}

__all__ = [
    "TESTS",
    "TUPLE_TESTS",
    "Ceiling",
    "Certificate",
    "Comparison",
    "History",
    "Partition",
    "Refinement",
    "RelationalGraph",
    "Symmetry",
    "Verification",
    "WlkgError",
    "__version__",
    "ceiling",
    "certify",
    "compare",
    "compare_vertices",
    "disjoint_union",
    "explain",
    "explain_predictions",
    "find_isomorphism",
    "hierarchy",
    "isomorphic",
    "label",
    "read",
    "read_all",
    "read_corpus",
    "refine",
    "reproduce",
    "separated_pairs",
    "symmetry",
    "verify",
    "write",
]

#: Public as well, but left out of ``import *``, which must work without PyTorch.
_WITH_EXTRAS = ["pair_model", "predict", "predict_graphs", "train", "train_graphs", "versus"]


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wlkg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__ + _WITH_EXTRAS)
