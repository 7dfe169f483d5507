"""Without PyTorch, tests of models are skipped, and the report says why."""

from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.needs_torch import HAS_TORCH, REASON

ROOT = Path(__file__).parent
CLI_TESTS = ROOT / "tests" / "cli"
#: Folders and files in which every test or example needs PyTorch.
MODELS = (
    ROOT / "tests" / "gnn",
    ROOT / "tests" / "fuzz" / "models.py",
    ROOT / "wlkg" / "gnn",
    CLI_TESTS / "test_explain_checkpoint.py",
    CLI_TESTS / "test_model_options.py",
    CLI_TESTS / "test_predict.py",
    CLI_TESTS / "test_reproduce.py",
    CLI_TESTS / "test_train.py",
    CLI_TESTS / "test_train_graphs.py",
    CLI_TESTS / "test_translate.py",
    CLI_TESTS / "test_versus.py",
    CLI_TESTS / "test_witness.py",
)


class NeedsTorch(pytest.File):
    """A file of tests or examples that is skipped without being imported."""

    def collect(self) -> Any:
        pytest.skip(REASON, allow_module_level=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Skip the files of models, which cannot be imported without PyTorch."""
    collectors = yield
    if HAS_TORCH or not collectors or not any(map(file_path.is_relative_to, MODELS)):
        return collectors
    return [NeedsTorch.from_parent(parent, path=file_path)]
