"""Where the project's own files are."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
EXAMPLE_GRAPHS = ROOT / "examples" / "graphs"
