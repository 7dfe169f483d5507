"""One small Spark session for all tests of this folder; without Java they are skipped."""

from __future__ import annotations

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
        with spark_session("local[2]", 1 << 30, scratch, short=True) as session:
            yield session
