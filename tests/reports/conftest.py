"""Fixtures of the tests of reports."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.reports.documents import Document, document
from wlkg.reports.report import _result
from wlkg.reports.results import Result


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for input files that lasts for the session."""
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="session")
def computed(folder: Path) -> Callable[[str], Document]:
    """The document with a name, as in ``computed("refine")``."""
    return lambda name: document(name, folder)


@pytest.fixture(scope="session")
def with_graphs(folder: Path) -> Callable[[str], Result]:
    """The result with a name, its graphs read again."""
    return lambda name: result_of_document(document(name, folder))


def result_of_document(content: Document) -> Result:
    from wlkg.progress import SILENT

    return _result(content, SILENT)
