"""Without PyTorch, tests of models are skipped, and the report says why."""

from __future__ import annotations

from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent
HAS_TORCH = find_spec("torch") is not None
#: Folders in which nothing can be imported without PyTorch.
MODELS = (ROOT / "tests" / "gnn", ROOT / "wlkg" / "gnn")


class NeedsTorch(pytest.File):
    """A file of tests or examples that is skipped without being imported."""

    def collect(self) -> Any:
        pytest.skip("models need PyTorch: pip install 'wlkg[gnn]'", allow_module_level=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Let no collector near the files of models if they cannot be imported."""
    collectors = yield
    if HAS_TORCH or not collectors or not any(map(file_path.is_relative_to, MODELS)):
        return collectors
    return [NeedsTorch.from_parent(parent, path=file_path)]
