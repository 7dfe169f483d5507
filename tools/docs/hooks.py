"""What mkdocs calls while it builds the site: generated pages, pictures, and their places."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tools.docs import pictures, plan_drawing, python_pages, reference  # noqa: E402  found by the line above


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the generated pages into the navigation, after those that are written by hand."""
    generated = {"Commands": _commands(), "Python": _python()}
    for entry in config.nav or []:
        for title, children in generated.items():
            if title in entry:
                entry[title] = [*entry[title], *children]
    return config


def _commands() -> list[Any]:
    pages: list[Any] = [f"{reference.FOLDER}/index.md"]
    for title, names in reference.groups().items():
        pages.append({title: [{name: f"{reference.FOLDER}/{name}.md"} for name in names]})
    return pages


def _python() -> list[Any]:
    return [{title: python_pages.path_of(title)} for title in python_pages.places()]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages and pictures."""
    for path, text in {**reference.pages(), **python_pages.pages()}.items():
        files.append(File.generated(config, path, content=text))
    for path, content in pictures.drawn().items():
        files.append(File.generated(config, path, content=content))
    return files


def on_page_markdown(markdown: str, page: Page, **_: Any) -> str:
    """Draw the plan of the house where its page has it in Mermaid."""
    is_plan = page.file.src_uri == "architecture.md"
    return plan_drawing.with_drawing(markdown) if is_plan else markdown
