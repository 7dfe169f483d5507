"""Without PyTorch, DuckDB or PySpark their tests are skipped, and the report says why.

Tests run side by side, and on matrices as small as theirs several threads of PyTorch only wait for
each other. So it uses one thread, here and in every process that a test starts.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.needs_torch import (
    DUCKDB_REASON,
    HAS_DUCKDB,
    HAS_PYSPARK,
    HAS_TORCH,
    PYSPARK_REASON,
    REASON,
)

os.environ.setdefault("OMP_NUM_THREADS", "1")  # heeded when PyTorch is imported

ROOT = Path(__file__).parent
CLI_TESTS = ROOT / "tests" / "cli"
#: Folders and files in which every test or example needs PyTorch.
MODELS = (
    ROOT / "tests" / "gnn",
    ROOT / "tests" / "fuzz" / "models.py",
    ROOT / "tests" / "refinement" / "engines" / "other_device.py",
    ROOT / "tests" / "refinement" / "engines" / "test_torch.py",
    ROOT / "wlkg" / "gnn",
    ROOT / "wlkg" / "refinement" / "engines" / "torch_engine",
    CLI_TESTS / "test_explain_checkpoint.py",
    CLI_TESTS / "test_model_options.py",
    CLI_TESTS / "test_predict.py",
    CLI_TESTS / "test_reproduce.py",
    CLI_TESTS / "test_train.py",
    CLI_TESTS / "test_train_graphs.py",
    CLI_TESTS / "test_train_links.py",
    CLI_TESTS / "test_translate.py",
    CLI_TESTS / "test_versus.py",
    CLI_TESTS / "test_witness.py",
)


ENGINES = Path("refinement", "engines")
#: The same for DuckDB.
DATABASE = (
    ROOT / "tests" / ENGINES / "test_duckdb.py",
    ROOT / "tests" / ENGINES / "test_files.py",
    ROOT / "wlkg" / ENGINES / "duckdb_engine",
)
#: The same for PySpark.
SPARK = (ROOT / "tests" / ENGINES / "spark", ROOT / "wlkg" / ENGINES / "spark")
#: Which files cannot be imported, and why.
MISSING = (
    *((path, REASON) for path in MODELS if not HAS_TORCH),
    *((path, DUCKDB_REASON) for path in DATABASE if not HAS_DUCKDB),
    *((path, PYSPARK_REASON) for path in SPARK if not HAS_PYSPARK),
)


class NeedsExtra(pytest.File):
    """A file of tests or examples that is skipped without being imported."""

    reason: str

    def collect(self) -> Any:
        pytest.skip(self.reason, allow_module_level=True)


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path, parent: pytest.Collector
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Skip files that cannot be imported without an optional part."""
    collectors = yield
    reasons = [reason for path, reason in MISSING if file_path.is_relative_to(path)]
    if not collectors or not reasons:
        return collectors
    skipped: NeedsExtra = NeedsExtra.from_parent(parent, path=file_path)
    skipped.reason = reasons[0]
    return [skipped]
