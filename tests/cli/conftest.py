"""Fixtures of the command-line tests."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small table of triples with a comment, a duplicate and a self-loop."""
    path = tmp_path / "people.tsv"
    path.write_text(
        "# who knows whom\nann\tknows\tbob\nbob\tknows\tbob\nann\tknows\tbob\nbob\tis\tx\n"
    )
    return path
