"""What the README says is what the project does."""

from __future__ import annotations

import re

from tests.places import ROOT
from wlkg.catalogue import TESTS, TUPLE_TESTS, TupleTest, VertexTest
from wlkg.gnn.config import MODELS

README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_table_of_tests_is_the_table_in_the_code() -> None:
    tests: list[VertexTest | TupleTest] = [*TESTS.values(), *TUPLE_TESTS.values()]
    rows = [f"| `{test.name}` | {test.summary} | {test.bounds} |" for test in tests]
    found = re.search(r"<!-- tests -->\n\n(.*?)\n\n<!-- /tests -->", README, re.DOTALL)
    assert found is not None
    assert found[1].splitlines()[2:] == rows


def test_the_table_of_models_is_the_table_in_the_code() -> None:
    rows = [f"| `{name}` | {kind.summary} | `{kind.bounded_by}` |" for name, kind in MODELS.items()]
    found = re.search(r"<!-- models -->\n\n(.*?)\n\n<!-- /models -->", README, re.DOTALL)
    assert found is not None
    assert found[1].splitlines()[2:] == rows


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    commands = re.findall(r"```sh\n(.*?)\n```", README)
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    for command in commands:
        assert any(line.startswith(command) for line in script.splitlines())


def test_every_example_file_has_a_line_in_the_examples_readme() -> None:
    folder = ROOT / "examples" / "graphs"
    text = (folder / "README.md").read_text(encoding="utf-8")
    for path in folder.iterdir():
        if path.name != "README.md":
            assert f"`{path.name}`" in text
