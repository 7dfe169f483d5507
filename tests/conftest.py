"""Fixtures that several test files share."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from typer.testing import CliRunner, Result

from tests.cli.running import Run, RunJson
from wlkg.cli import app

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# How long an example takes says more about the machine than about the code.
settings.register_profile("wlkg", deadline=None)
settings.load_profile("wlkg")


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """The folder of public datasets; without it, the tests that need it are skipped."""
    place = os.environ.get("WLKG_DATA")
    if not place:
        pytest.skip("WLKG_DATA is not set: it names the folder that holds the public datasets")
    return Path(place)


@pytest.fixture(scope="session")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SparkSession]:
    """A small Spark session that all runs use, whatever master they are given; it needs Java."""
    from wlkg.refinement.engines.spark.java import MissingJavaError, check_java
    from wlkg.refinement.engines.spark.session import SETTINGS, spark_session

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


@pytest.fixture(scope="session", autouse=True)
def _no_synchronisation() -> Iterator[None]:
    """Files are not forced to the disk, which would take longer than most tests.

    Tests of that (`tests.faults`) and processes that tests start still do it.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wlkg.writers.aside._synchronise", lambda _: None)
        yield


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all examples of a hypothesis test may write to, one after the other."""
    return tmp_path_factory.mktemp("scratch")


@pytest.fixture
def heeds_signals() -> Iterator[None]:
    """Child processes heed Ctrl-C and SIGHUP, even where a shell or ``nohup`` ignores them."""
    interrupt = signal.signal(signal.SIGINT, signal.default_int_handler)
    hang_up = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, interrupt)
    signal.signal(signal.SIGHUP, hang_up)


@pytest.fixture(scope="session")
def run() -> Run:
    """Runs ``wlkg`` in this process, as in ``run("info", path, "--json")``."""

    def run(*arguments: object, stdin: bytes | None = None) -> Result:
        return CliRunner().invoke(app, [*map(str, arguments)], prog_name="wlkg", input=stdin)

    return run


@pytest.fixture(scope="session")
def run_json(run: Run) -> RunJson:
    """Runs ``wlkg`` with ``--json`` and returns the document that it prints."""

    def run_json(*arguments: object, status: int = 0) -> dict[str, Any]:
        result = run(*arguments, "--json")
        assert result.exit_code == status, result.output
        document: dict[str, Any] = json.loads(result.stdout)
        return document

    return run_json
