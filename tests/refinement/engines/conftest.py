"""Engines by name, for tests that all engines share."""

from __future__ import annotations

import os

import pytest

#: What Spark is held to by default, of the tests that take an engine: each case costs seconds.
#: With WLKG_SPARK=1 it is held to everything.
_FEW = [
    {"test": "1-rwl", "direction": "both"},
    {"test": "mean-rwl", "direction": "out"},
    {"rows": []},
    {"rounds": 1},
]


@pytest.fixture
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine; Spark has a session then."""
    name: str = request.param
    if name == "spark":
        cases = {
            key: value for key, value in request.node.callspec.params.items() if key != "engine"
        }
        if cases not in _FEW and not os.environ.get("WLKG_SPARK"):
            pytest.skip("slow: set WLKG_SPARK=1")
        request.getfixturevalue("spark")
    return name
