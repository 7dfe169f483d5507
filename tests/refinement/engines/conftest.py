"""One small Spark session for all tests of engines; without Java they are skipped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wlkg.refinement.engines.spark.java import MissingJavaError, check_java
from wlkg.refinement.engines.spark.session import SETTINGS, spark_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A session on two threads, which `refine_file` then uses, whatever master it is given."""
    try:
        check_java()
    except MissingJavaError as error:
        pytest.skip(str(error))
    scratch: Path = tmp_path_factory.mktemp("spark")
    with pytest.MonkeyPatch.context() as patch:
        # Tables are tiny here: planning and compiling would take longer than they save.
        for name in ("spark.sql.adaptive.enabled", "spark.sql.codegen.wholeStage"):
            patch.setitem(SETTINGS, name, "false")
        patch.setitem(SETTINGS, "spark.sql.shuffle.partitions", "2")
        with spark_session("local[2]", 1 << 30, scratch, short=True) as session:
            yield session


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
