"""The Python reference: which public name stands on which page.

The pages only name objects; mkdocstrings reads their docstrings and signatures from the sources,
without importing them.
"""

from __future__ import annotations

import wlkg

FOLDER = "python"

#: Pages with the public names on them, and the classes of results that have no public name.
PAGES: dict[str, tuple[str, ...]] = {
    "Graphs": (
        "RelationalGraph",
        "read",
        "read_all",
        "read_corpus",
        "write",
        "label",
        "disjoint_union",
    ),
    "Refinement": (
        "refine",
        "Refinement",
        "Partition",
        "History",
        "classes",
        "Classes",
        "separated_pairs",
        "same_pairs",
        "wlkg.analysis.pairs.SeparatedPairs",
    ),
    "Two graphs": (
        "compare",
        "Comparison",
        "wlkg.analysis.compare.Verdict",
        "compare_vertices",
        "isomorphic",
        "find_isomorphism",
        "hierarchy",
        "counterexample",
        "Counterexample",
    ),
    "Explanations and evidence": (
        "explain",
        "explain_predictions",
        "symmetry",
        "Symmetry",
        "certify",
        "Certificate",
        "verify",
        "Verification",
    ),
    "Models": (
        "versus",
        "train",
        "predict",
        "train_graphs",
        "predict_graphs",
        "pair_model",
        "ceiling",
        "Ceiling",
        "link_ceiling",
        "LinkCeiling",
        "relations",
        "Relations",
        "reproduce",
        "witness",
        "translate",
        "ModelChoice",
    ),
    "Errors": ("WlkgError",),
}
#: Public names that are data or plain text.
DATA = ("TESTS", "TUPLE_TESTS", "__version__")
REST = "Everything else"


def places() -> dict[str, tuple[str, ...]]:
    """The pages with all public names; those that no page lists stand on the last one."""
    listed = {name for names in PAGES.values() for name in names}
    rest = tuple(name for name in dir(wlkg) if name not in listed and name not in DATA)
    return {**PAGES, REST: rest} if rest else PAGES


def path_of(title: str) -> str:
    """The place of a page."""
    return f"{FOLDER}/{title.lower().replace(' ', '-')}.md"


def pages() -> dict[str, str]:
    """Every generated page by its place in the documentation."""
    return {
        path_of(title): f"# {title}\n\n" + "\n".join(_entry(name) for name in names)
        for title, names in places().items()
    }


def _entry(name: str) -> str:
    """The object where it is defined, with a heading as users write its name."""
    home = name if "." in name else f"{wlkg._HOME[name]}.{name}"
    shown = name.rpartition(".")[2] if "." in name else f"wlkg.{name}"
    return f"::: {home}\n    options:\n      heading: {shown}\n      toc_label: {shown}\n"
