"""Fixtures of the command-line tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from tests.cli.running import Run, RunJson
from wlkg.cli import app


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs ``wlkg`` in this process, as in ``run("info", path, "--json")``."""

    def run(*arguments: object, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(app, [*map(str, arguments)], prog_name="wlkg", input=stdin)

    return run


@pytest.fixture(scope="session")
def run_json(run: Run) -> RunJson:
    """Runs ``wlkg`` with ``--json`` and returns the document that it prints."""

    def run_json(*arguments: object, status: int = 0) -> dict[str, Any]:
        result = run(*arguments, "--json")
        assert result.exit_code == status, result.output
        document: dict[str, Any] = json.loads(result.stdout)
        return document

    return run_json


@pytest.fixture
def people(tmp_path: Path) -> Path:
    """A small table of triples with a comment, a duplicate and a self-loop."""
    path = tmp_path / "people.tsv"
    path.write_text(
        "# who knows whom\nann\tknows\tbob\nbob\tknows\tbob\nann\tknows\tbob\nbob\tis\tx\n"
    )
    return path
