"""One JSON document per command, with the schema that scripts rely on."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

from wlkg.reports.results import Result, result_of


def print_result(result: Result) -> None:
    """Write the document of a result to stdout."""
    json.dump(result.document, sys.stdout, ensure_ascii=True, indent=2)
    sys.stdout.write("\n")


def print_json(command: str, content: Mapping[str, Any]) -> None:
    """Write the document of a command that only has text and JSON to stdout."""
    print_result(result_of(command, content))
