"""What the README says is what the project does: its tables, commands and outputs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import wlkg
from tests.places import EXAMPLE_GRAPHS, ROOT
from wlkg.cli import app
from wlkg.gnn.config import MODELS

README = (ROOT / "README.md").read_text(encoding="utf-8")

#: What the README calls the files of the public data sets, and what they are called there.
DATA = {
    "aifb.nt.gz": "aifb/aifb_stripped.nt.gz",
    "trainingSet.tsv": "aifb/trainingSet.tsv",
    "testSet.tsv": "aifb/testSet.tsv",
    "brec": "brec",
}
NEED_TORCH = ("versus", "witness", "train", "translate")


def table(name: str) -> list[str]:
    """The rows of a table between two comments."""
    match = re.search(rf"<!-- {name} -->\n\n(.*?)\n\n<!-- /{name} -->", README, re.DOTALL)
    assert match is not None
    return match[1].splitlines()[2:]


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def test_the_table_of_tests_is_the_table_in_the_code() -> None:
    tests: dict[str, Any] = {**wlkg.TESTS, **wlkg.TUPLE_TESTS}
    assert table("tests") == [
        f"| `{name}` | {test.summary} | {test.bounds} |" for name, test in tests.items()
    ]


def test_the_table_of_models_is_the_table_in_the_code() -> None:
    assert table("models") == [
        f"| `{name}` | {kind.summary} | `{kind.bounded_by}` |" for name, kind in MODELS.items()
    ]


def test_ci_runs_the_two_commands_of_the_readme() -> None:
    commands = [block.strip() for block in blocks("sh")]
    assert len(commands) == 2
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    for command in commands:
        assert any(line.startswith(command) for line in script)


def test_every_example_file_has_a_line_in_the_examples_readme() -> None:
    text = (EXAMPLE_GRAPHS / "README.md").read_text(encoding="utf-8")
    for path in EXAMPLE_GRAPHS.iterdir():
        if path.name != "README.md":
            assert f"`{path.name}`" in text


def test_every_path_that_the_readme_names_exists() -> None:
    named = re.findall(r"`((?:wlkg|tests|docs|benchmarks|examples)/[\w./-]*)`", README)
    assert len(named) > 8
    assert [path for path in named if not (ROOT / path).exists()] == []


def examples() -> list[tuple[str, str]]:
    """The commands of the README whose output it shows, with that output."""
    pairs = []
    for block in blocks("console"):
        for part in block.split("$ ")[1:]:
            command, _, output = part.partition("\n")
            if output:
                pairs.append((command, output))
    return pairs


def pattern(output: str) -> str:
    """A regular expression; a line ``...`` stands for any lines."""
    lines = (
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n"
        for line in comparable(output).splitlines()
    )
    return "".join(lines)


def comparable(text: str) -> str:
    """Without times, rounding errors and spaces at the ends of lines: they differ everywhere."""
    text = re.sub(r"^.*\b\d+\.\d+ s$\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\d\.\de[+-]\d\d", "1.0e+00", text)
    return re.sub(r" +$", "", text, flags=re.MULTILINE)


@pytest.fixture
def user_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as the README assumes it, without the public data."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "mymodel.py").write_text(own_model())
    pair = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    wlkg.certify(*pair).write(str(tmp_path / "proof.json"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def own_model() -> str:
    (code,) = (block for block in blocks("python") if block.startswith("# mymodel.py"))
    return code


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch-geometric's
@pytest.mark.parametrize(("command", "output"), examples(), ids=[c for c, _ in examples()])
def test_commands_print_what_the_readme_shows(
    command: str, output: str, user_folder: Path, request: pytest.FixtureRequest
) -> None:
    words = shlex.split(command)
    assert words.pop(0) == "wlkg"
    if words[0] in NEED_TORCH:
        pytest.importorskip("torch", reason="models need PyTorch: pip install 'wlkg[gnn]'")
        request.getfixturevalue("one_torch_thread")
    for name in set(DATA) & set(words):
        (user_folder / name).symlink_to(request.getfixturevalue("data_dir") / DATA[name])
    result = CliRunner().invoke(app, words)
    assert result.exit_code in (0, 1), result.output
    assert re.fullmatch(pattern(output), comparable(result.stdout)), result.stdout


def test_the_readme_shows_some_outputs() -> None:
    assert len(examples()) > 8


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch-geometric's
def test_the_readme_shows_python_that_runs(user_folder: Path) -> None:
    pytest.importorskip("torch", reason="models need PyTorch: pip install 'wlkg[gnn]'")
    assert user_folder == Path.cwd()
    (code,) = (block for block in blocks("python") if block.startswith("import wlkg"))
    scope: dict[str, Any] = {"__name__": "readme"}
    exec(own_model(), scope)
    exec(code, scope | {"my_model": scope["Net"]})


def test_the_first_command_is_the_first_output(tmp_path: Path) -> None:
    """The command that anybody runs first ends with 0 and prints what the README opens with."""
    command = blocks("sh")[0].strip().rpartition("/")[2]
    line = [sys.executable, "-m", *shlex.split(command)]
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 0, done.stderr
    assert comparable(done.stdout) == examples()[0][1]
