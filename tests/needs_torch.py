"""Tests of models are skipped if PyTorch is not installed, and the report says why."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

HAS_TORCH = find_spec("torch") is not None
HAS_DUCKDB = find_spec("duckdb") is not None
DUCKDB_REASON = "the engine duckdb needs DuckDB: pip install 'wlkg[duckdb]'"
HAS_PYSPARK = find_spec("pyspark") is not None
PYSPARK_REASON = "the engine spark needs PySpark: pip install 'wlkg[spark]'"
REASON = "models need PyTorch: pip install 'wlkg[gnn]'"

#: For single tests; the root ``conftest.py`` lists the folders and files that need PyTorch.
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason=REASON)
