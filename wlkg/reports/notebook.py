"""Results in notebooks: the section of the report, in a frame of its own."""

from __future__ import annotations

from typing import Any

from wlkg.reports.html.frame import frame
from wlkg.reports.python_results import as_result
from wlkg.reports.sections.registry import section_of


def notebook_html(value: Any) -> str:
    """The section of a result, sandboxed, so that several of them fit into one notebook."""
    return frame(section_of(as_result(value)))
