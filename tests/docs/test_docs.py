"""A reader who follows a page of the documentation, step by step, sees what the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

import pytest

from tests.needs_torch import HAS_TORCH
from tests.places import ROOT
from tools.docs import public_data
from tools.docs.consoles import Command, Step, commands, steps
from tools.docs.outputs import renewed
from tools.docs.reader import Reader, complaint

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
WITH_STEPS = [page for page in PAGES if any(steps(page.read_text(encoding="utf-8")))]
MODELS = r"^wlkg (train|predict|versus|witness|translate)\b|--(model|checkpoint|module)\b"


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def needs_public_data(step: Step) -> bool:
    return isinstance(step, Command) and bool(public_data.named(step.line))


def needs_models(step: Step) -> bool:
    return isinstance(step, Command) and re.search(MODELS, step.line) is not None


@pytest.fixture
def fresh_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder as a reader has it who works in a clone of the repository."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def follow(page: list[Step]) -> Iterator[str]:
    """What is wrong with each step."""
    reader = Reader()
    for step, following in zip_longest(page, page[1:]):
        asks = isinstance(following, Command) and following.line == "echo $?"
        yield complaint(reader, step, last=not asks)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch-geometric's
@pytest.mark.parametrize("page", WITH_STEPS, ids=name_of)
def test_every_step_of_a_page_works_as_shown(page: Path, fresh_folder: Path) -> None:
    assert fresh_folder == Path.cwd()
    todo = [step for step in steps(text_of(page)) if not needs_public_data(step)]
    if not HAS_TORCH and any(needs_models(step) for step in todo):
        pytest.skip("the page shows models, which need PyTorch: pip install 'wlkg[gnn]'")
    assert [wrong for wrong in follow(todo) if wrong] == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch-geometric's
@pytest.mark.parametrize(
    "page", [p for p in WITH_STEPS if any(map(needs_public_data, steps(text_of(p))))], ids=name_of
)
def test_steps_on_public_data_work_as_shown(page: Path, fresh_folder: Path, data_dir: Path) -> None:
    assert fresh_folder == Path.cwd()
    todo = [s for s in steps(text_of(page)) if needs_public_data(s) or not isinstance(s, Command)]
    for step in todo:
        if isinstance(step, Command):
            public_data.link(step.line, data_dir)
    assert [wrong for wrong in follow(todo) if wrong] == []


def test_most_pages_have_something_to_try() -> None:
    assert len(WITH_STEPS) > 8


def test_a_wrong_output_and_a_wrong_status_are_noticed(fresh_folder: Path) -> None:
    assert fresh_folder == Path.cwd()
    page = "```console\n$ wlkg compare example:c6 example:c6 --test 1-wl\nnonsense\n```"
    (wrong,) = follow(list(steps(page)))
    assert "but the page shows:\nnonsense" in wrong
    (wrong,) = follow(list(steps("```console\n$ wlkg info nowhere.ttl\n```")))
    assert "ended with 2" in wrong
    assert list(follow(list(steps("```console\n$ wlkg info nowhere.ttl\n$ echo $?\n2\n```")))) == [
        "",
        "",
    ]


def test_wrong_python_is_noticed() -> None:
    (wrong,) = follow(list(steps("```pycon\n>>> 1 + 1\n3\n```")))
    assert "Expected:" in wrong


def test_blocks_are_read_as_they_are_meant() -> None:
    console = "$ wlkg info a.ttl \\\n    --json\n{}\n$ wlkg info b.ttl\n"
    assert list(commands(console)) == [
        Command("wlkg info a.ttl --json", "{}\n"),
        Command("wlkg info b.ttl", ""),
    ]
    assert list(steps("```python\nprint()\n```\n\n```sh\n$ rm x\n```")) == []


def test_outputs_are_renewed_only_where_they_differ(fresh_folder: Path) -> None:
    assert fresh_folder == Path.cwd()
    kept = "```console\n$ wlkg info example:c6\n...\nvertices         6\n...\n```"
    assert renewed(kept) == kept
    assert "vertices" in renewed("```console\n$ wlkg info example:c6\n?\n```")


def test_every_path_that_a_page_names_exists() -> None:
    for page in PAGES:
        named = re.findall(
            r"`((?:wlkg|tests|docs|benchmarks|examples|tools)/[\w./-]*)`", text_of(page)
        )
        assert [path for path in named if not (ROOT / path).exists()] == [], page
