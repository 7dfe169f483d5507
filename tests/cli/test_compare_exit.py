"""The exit status of ``wlkg compare``."""

from __future__ import annotations

import re
from typing import Any

import pytest
from typer.testing import CliRunner

from wlkg.cli import app

DIFFERENT = ("example:c6", "example:2xc3")
SAME = ("example:c6", "example:cycles-g")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["compare", *arguments], prog_name="wlkg")


def without_seconds(text: str) -> str:
    return re.sub(r"[\d.]+ s\b|\"seconds\": [\d.e-]+", "", text)


@pytest.mark.parametrize("output", [(), ("--json",)])
def test_exit_zero_prints_the_same_and_ends_with_0(output: tuple[str, ...]) -> None:
    usual, zero = run(*DIFFERENT, *output), run(*DIFFERENT, *output, "--exit-zero")
    assert (usual.exit_code, zero.exit_code) == (1, 0)
    assert without_seconds(zero.stdout) == without_seconds(usual.stdout)
    assert "2-rlwl" in zero.stdout
    assert zero.stderr == usual.stderr == ""


@pytest.mark.parametrize("options", [(), ("--exit-zero",)])
def test_graphs_that_no_test_separates_end_with_0(options: tuple[str, ...]) -> None:
    assert run(*SAME, *options).exit_code == 0


def test_exit_zero_does_not_hide_mistakes() -> None:
    assert run("example:c6", "example:none", "--exit-zero").exit_code == 2
