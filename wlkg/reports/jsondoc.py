"""One JSON document per command, with the schema that scripts rely on."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any


def print_json(command: str, content: Mapping[str, Any]) -> None:
    """Write the document of a command to stdout."""
    document = {"schema": f"wlkg/{command}/1", **content}
    json.dump(document, sys.stdout, ensure_ascii=True, indent=2)
    sys.stdout.write("\n")
