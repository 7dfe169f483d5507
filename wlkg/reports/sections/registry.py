"""The section of a result, by the command that computed it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from wlkg.errors import UsageError
from wlkg.reports.blocks import Paragraph, Section
from wlkg.reports.results import Result
from wlkg.reports.sections.ceiling import ceiling_section
from wlkg.reports.sections.classes import classes_section
from wlkg.reports.sections.compare import compare_section
from wlkg.reports.sections.counterexample import counterexample_section
from wlkg.reports.sections.estimate import estimate_section
from wlkg.reports.sections.explain import explain_section
from wlkg.reports.sections.hierarchy import hierarchy_section
from wlkg.reports.sections.info import info_section
from wlkg.reports.sections.pairs import pairs_section
from wlkg.reports.sections.refine import refine_section
from wlkg.reports.sections.relations import relations_section
from wlkg.reports.sections.reproduce import reproduce_section
from wlkg.reports.sections.symmetry import symmetry_section
from wlkg.reports.sections.train_links import training_section
from wlkg.reports.sections.versus import versus_section

SECTIONS: dict[str, Callable[[Result], Section]] = {
    "ceiling": ceiling_section,
    "classes": classes_section,
    "compare": compare_section,
    "counterexample": counterexample_section,
    "estimate": estimate_section,
    "explain": explain_section,
    "hierarchy": hierarchy_section,
    "info": info_section,
    "pairs": pairs_section,
    "refine": refine_section,
    "relations": relations_section,
    "reproduce": reproduce_section,
    "symmetry": symmetry_section,
    "train": training_section,
    "versus": versus_section,
}


def section_of(result: Result) -> Section:
    """What a result has to say, what its reader should know, and how it was computed."""
    make = SECTIONS.get(result.command)
    if make is None:
        raise UsageError(f"a result of wlkg {result.command} has no report")
    section = make(result)
    remarks = tuple(Paragraph(text, "warning") for text in result.remarks)
    # The answer comes first, then what the reader should know about it.
    blocks = (*section.blocks[:1], *remarks, *section.blocks[1:])
    return replace(section, blocks=blocks, provenance=_provenance(result))


def _provenance(result: Result) -> dict[str, Any]:
    """How the result was computed, as far as its document says."""
    fields = result.fields
    provenance: dict[str, Any] = {"command": f"wlkg {result.command}"}
    for key, take in (("version", fields.text), ("seconds", fields.number)):
        provenance[key] = fields.maybe(take, key)
    if fields.has("inputs"):
        provenance["inputs"] = [
            {"path": each.text("path"), "sha256": each.text("sha256")}
            for each in fields.many("inputs")
        ]
    return {key: value for key, value in provenance.items() if value is not None}
