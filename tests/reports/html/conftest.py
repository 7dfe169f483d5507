"""A real browser for pages, in which nothing may go wrong and from which no request may leave."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.reports.pages import Opened

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, Route


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: install the extra test"
    )
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no chromium on this machine: install the Debian package chromium")
    with playwright.sync_playwright() as running:
        browser = running.chromium.launch(
            executable_path=chromium, args=["--headless", "--no-sandbox"]
        )
        yield browser
        browser.close()


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Opened]:
    """Opens a page from a file, as ``opened(html, width=360, dark=True)``.

    Afterwards: no error in the console, and no request but that for the file itself.
    """
    problems: list[str] = []
    contexts: list[BrowserContext] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            problems.append(message.text)

    def asked(route: Route, request: Request) -> None:
        if request.url.startswith(tmp_path.as_uri()):
            route.continue_()
        else:
            problems.append(f"request to {request.url}")
            route.abort()

    def open_page(html: str, *, width: int = 1440, dark: bool = False, **options: Any) -> Page:
        path = tmp_path / f"page{len(contexts)}.html"
        path.write_bytes(html.encode())
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            color_scheme="dark" if dark else "light",
            **options,
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("console", heard)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.route("**/*", asked)
        page.goto(path.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert problems == []


# The node of playwright writes a warning about its environment to stderr otherwise.
os.environ.setdefault("NODE_NO_WARNINGS", "1")
