"""wlkg: Weisfeiler-Leman expressivity of knowledge graphs.

>>> import wlkg
>>> wlkg.read("example:c6")
RelationalGraph(6 vertices, 6 triples, 1 relation)

Names are loaded when they are first used, so that importing the package costs nothing.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from wlkg.version import __version__

if TYPE_CHECKING:
    from wlkg.analysis.ceiling.ceiling import Ceiling, ceiling
    from wlkg.analysis.certificates.certificate import Certificate
    from wlkg.analysis.certificates.certify import certify
    from wlkg.analysis.classes import Classes, classes
    from wlkg.analysis.compare import Comparison, compare
    from wlkg.analysis.compare_vertices import compare_vertices
    from wlkg.analysis.counterexample import Counterexample, counterexample
    from wlkg.analysis.explanation.explain import explain
    from wlkg.analysis.explanation.learned.rules import explain_predictions
    from wlkg.analysis.hierarchy.table import hierarchy
    from wlkg.analysis.isomorphism import find_isomorphism, isomorphic
    from wlkg.analysis.links.ceiling import LinkCeiling, link_ceiling
    from wlkg.analysis.pairs import same_pairs, separated_pairs
    from wlkg.analysis.relations.relations import Relations, relations
    from wlkg.analysis.symmetry.symmetry import Symmetry, symmetry
    from wlkg.catalogue import TESTS, TUPLE_TESTS
    from wlkg.corpora import read_corpus
    from wlkg.errors import WlkgError
    from wlkg.generation.generate import generate
    from wlkg.gnn.api import (
        pair_model,
        predict,
        predict_graphs,
        train,
        train_graphs,
        train_links,
        translate,
        versus,
        witness,
    )
    from wlkg.gnn.config import ModelChoice
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.graph.union import disjoint_union
    from wlkg.partition import History, Partition
    from wlkg.readers.labels import label
    from wlkg.readers.read import read, read_all
    from wlkg.refinement.refine import refine
    from wlkg.refinement.results import Refinement
    from wlkg.reports.report import report
    from wlkg.studies.reproduce import reproduce
    from wlkg.verification.verify import Verification, verify
    from wlkg.writers.write import write


_HOME = {
    "TESTS": "wlkg.catalogue",
    "TUPLE_TESTS": "wlkg.catalogue",
    "Ceiling": "wlkg.analysis.ceiling.ceiling",
    "Certificate": "wlkg.analysis.certificates.certificate",
    "Classes": "wlkg.analysis.classes",
    "Comparison": "wlkg.analysis.compare",
    "Counterexample": "wlkg.analysis.counterexample",
    "History": "wlkg.partition",
    "LinkCeiling": "wlkg.analysis.links.ceiling",
    "ModelChoice": "wlkg.gnn.config",
    "Partition": "wlkg.partition",
    "Refinement": "wlkg.refinement.results",
    "RelationalGraph": "wlkg.graph.relational_graph",
    "Relations": "wlkg.analysis.relations.relations",
    "Symmetry": "wlkg.analysis.symmetry.symmetry",
    "Verification": "wlkg.verification.verify",
    "WlkgError": "wlkg.errors",
    "ceiling": "wlkg.analysis.ceiling.ceiling",
    "certify": "wlkg.analysis.certificates.certify",
    "classes": "wlkg.analysis.classes",
    "compare": "wlkg.analysis.compare",
    "compare_vertices": "wlkg.analysis.compare_vertices",
    "counterexample": "wlkg.analysis.counterexample",
    "disjoint_union": "wlkg.graph.union",
    "explain": "wlkg.analysis.explanation.explain",
    "explain_predictions": "wlkg.analysis.explanation.learned.rules",
    "find_isomorphism": "wlkg.analysis.isomorphism",
    "generate": "wlkg.generation.generate",
    "hierarchy": "wlkg.analysis.hierarchy.table",
    "isomorphic": "wlkg.analysis.isomorphism",
    "label": "wlkg.readers.labels",
    "link_ceiling": "wlkg.analysis.links.ceiling",
    "pair_model": "wlkg.gnn.api",
    "predict": "wlkg.gnn.api",
    "predict_graphs": "wlkg.gnn.api",
    "read": "wlkg.readers.read",
    "read_all": "wlkg.readers.read",
    "read_corpus": "wlkg.corpora",
    "refine": "wlkg.refinement.refine",
    "relations": "wlkg.analysis.relations.relations",
    "report": "wlkg.reports.report",
    "reproduce": "wlkg.studies.reproduce",
    "same_pairs": "wlkg.analysis.pairs",
    "separated_pairs": "wlkg.analysis.pairs",
    "symmetry": "wlkg.analysis.symmetry.symmetry",
    "train": "wlkg.gnn.api",
    "train_graphs": "wlkg.gnn.api",
    "train_links": "wlkg.gnn.api",
    "translate": "wlkg.gnn.api",
    "verify": "wlkg.verification.verify",
    "versus": "wlkg.gnn.api",
    "witness": "wlkg.gnn.api",
    "write": "wlkg.writers.write",
}

__all__ = [
    "TESTS",
    "TUPLE_TESTS",
    "Ceiling",
    "Certificate",
    "Classes",
    "Comparison",
    "Counterexample",
    "History",
    "LinkCeiling",
    "ModelChoice",
    "Partition",
    "Refinement",
    "RelationalGraph",
    "Relations",
    "Symmetry",
    "Verification",
    "WlkgError",
    "__version__",
    "ceiling",
    "certify",
    "classes",
    "compare",
    "compare_vertices",
    "counterexample",
    "disjoint_union",
    "explain",
    "explain_predictions",
    "find_isomorphism",
    "generate",
    "hierarchy",
    "isomorphic",
    "label",
    "link_ceiling",
    "pair_model",
    "predict",
    "predict_graphs",
    "read",
    "read_all",
    "read_corpus",
    "refine",
    "relations",
    "report",
    "reproduce",
    "same_pairs",
    "separated_pairs",
    "symmetry",
    "train",
    "train_graphs",
    "train_links",
    "translate",
    "verify",
    "versus",
    "witness",
    "write",
]

#: Without PyTorch these are left out of ``import *``; using one says what to install.
_WITH_EXTRAS = (
    "pair_model",
    "predict",
    "predict_graphs",
    "train",
    "train_graphs",
    "train_links",
    "translate",
    "versus",
    "witness",
)


def _are_installed(*modules: str) -> bool:
    """Whether modules can be found; this does not load them."""
    return all(importlib.util.find_spec(module) is not None for module in modules)


if not _are_installed("torch", "safetensors"):
    for _name in _WITH_EXTRAS:
        __all__.remove(_name)


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'wlkg' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_WITH_EXTRAS})
