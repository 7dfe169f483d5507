"""The site builds strictly, complete, and without anything from elsewhere."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import wlkg
from tests.places import ROOT
from tools.docs import pictures, python_pages, reference
from tools.docs.contract import KEYS, REMARKS


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built strictly: a broken link is an error."""
    pytest.importorskip("material", reason="the site needs pip install 'wlkg[docs]'")
    pytest.importorskip("mkdocstrings", reason="the site needs pip install 'wlkg[docs]'")
    folder = tmp_path_factory.mktemp("site")
    line = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(folder)]
    done = subprocess.run(
        line,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def test_the_site_has_a_page_for_every_command(site: Path) -> None:
    for name in reference.all_commands():
        assert f"wlkg {name}" in (site / "commands" / f"{name}.html").read_text(encoding="utf-8")


def test_the_site_has_every_picture(site: Path) -> None:
    for picture in pictures.PICTURES:
        assert (site / picture.path).stat().st_size > 500


def test_no_page_loads_anything_from_elsewhere(site: Path) -> None:
    loading = re.compile(
        r"<(?:script|img|iframe|source)\b[^>]*\bsrc=\"?(?:https?:)?//[^\s\">]*"
        r"|<link\b(?=[^>]*\brel=\"?(?:stylesheet|preconnect|preload|icon))[^>]*href=\"?(?:https?:)?//[^\s\">]*"
    )
    for page in site.rglob("*.html"):
        assert loading.findall(page.read_text(encoding="utf-8")) == [], page


def test_every_public_name_is_on_a_page_of_the_python_reference() -> None:
    listed = {name for names in python_pages.places().values() for name in names}
    assert set(dir(wlkg)) <= listed | set(python_pages.DATA)


def test_every_option_of_every_command_is_in_the_reference() -> None:
    pages = reference.pages()
    for name, command in reference.all_commands().items():
        for parameter in command.params:
            if parameter.param_type_name == "option" and not parameter.hidden:
                assert parameter.opts[0] in pages[f"commands/{name}.md"]


def test_the_contract_speaks_of_commands_that_exist() -> None:
    assert KEYS.keys() | REMARKS.keys() <= reference.all_commands().keys()


def test_doctests_become_blocks_and_comments_describe_fields() -> None:
    docstrings = pytest.importorskip("tools.docs.docstrings", exc_type=ImportError)
    assert docstrings.with_blocks("Do it.\n\n>>> 1 + 1\n2\n\nDone.") == (
        "Do it.\n\n```pycon\n>>> 1 + 1\n2\n```\n\nDone."
    )
    source = [
        "class A:",
        "    #: How many",
        "    #: there are.",
        "    count: int",
        "    other: int",
    ]
    assert docstrings.comment_above(source, 4) == "How many there are."
    assert docstrings.comment_above(source, 5) == ""


def test_every_numbered_result_of_the_paper_is_on_the_page_of_the_theory() -> None:
    text = (ROOT / "docs" / "theory" / "index.md").read_text(encoding="utf-8")
    spans = [(int(a), int(b)) for a, b in re.findall(r"(\d+) to (\d+)", text)]
    named = {int(number) for number in re.findall(r"\b\d+\b", text)}
    named |= {number for first, last in spans for number in range(first, last + 1)}
    assert set(range(1, 30)) <= named
