"""The panels in which the help lists the options of a command."""

from __future__ import annotations

import copy
from typing import Annotated, Any, get_args, get_origin

#: What is read and how.
INPUT = "Input"
#: Which model, and how it is computed.
MODEL = "Model"
#: How a model is trained, and what is special about links.
TRAINING = "Training"
LINKS = "Links"
#: What is shown and written.
OUTPUT = "Output"


def in_panel(annotation: Any, panel: str) -> Any:
    """An annotated option, listed in a panel unless it names one itself."""
    if get_origin(annotation) is not Annotated:
        return annotation
    value, *about = get_args(annotation)
    return Annotated[value, *(_placed(each, panel) for each in about)]


def _placed(about: Any, panel: str) -> Any:
    if getattr(about, "rich_help_panel", "") is not None:
        return about
    placed = copy.copy(about)
    placed.rich_help_panel = panel
    return placed
