"""A Spark session that is ended with all that belongs to it, and Spark's failures as our errors."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import signal
import socket
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wlkg.errors import MissingExtraError, TooLargeError, UsageError, WlkgError, WriteError
from wlkg.refinement.engines.spark.java import check_java

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

#: Seconds to wait for the master to answer, and for a first executor to offer its cores.
MASTER_SECONDS = 10
EXECUTOR_SECONDS = 60

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.log.level": "OFF",
    # Sums wrap modulo 2^64, and long lineages are never built, so no plan grows with the rounds.
    "spark.sql.ansi.enabled": "false",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.adaptive.skewJoin.enabled": "true",
    "spark.python.worker.faulthandler.enabled": "false",
    "spark.sql.parquet.compression.codec": "zstd",
}
#: Less than half of the processor time on graphs of up to some million triples.
_SHORT_RUN = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"


class SparkError(WlkgError):
    """A failure of Spark or of its cluster."""


def require_pyspark() -> None:
    """Say what to install if PySpark is not here."""
    if importlib.util.find_spec("pyspark") is None:
        raise MissingExtraError("the Spark engine", "spark")


@contextmanager
def without_pandas_warning() -> Iterator[None]:
    """PySpark warns of pandas 3, which nothing here uses."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas")
        yield


@contextmanager
def spark_session(
    master: str, memory: int, scratch: Path, *, short: bool = False
) -> Iterator[SparkSession]:
    """A session on a master; one that the caller already has is used instead, and left running.

    ``memory`` bytes go to the JVM of the driver and of each executor. What spills goes to
    ``scratch``, unless SPARK_LOCAL_DIRS names another place. A ``short`` run does without the
    compiler that makes long ones fast.
    """
    from pyspark.sql import SparkSession

    active = SparkSession.getActiveSession()
    if active is not None:
        own = active.newSession()
        own.conf.set("spark.sql.ansi.enabled", "false")
        yield own
        return
    check_java()
    check_master(master)
    interrupt = signal.getsignal(signal.SIGINT)
    with failures_translated(master):
        session = _started(master, memory, scratch, short)
    try:
        with failures_translated(master):
            _wait_for_executors(session, master)
        yield session
    finally:
        _end(session)
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, interrupt)  # PySpark has put its own in its place


def _started(master: str, memory: int, scratch: Path, short: bool) -> SparkSession:
    from pyspark.sql import SparkSession

    mebibytes = f"{max(memory >> 20, 512)}m"
    settings = {
        **SETTINGS,
        "spark.driver.memory": mebibytes,
        "spark.executor.memory": mebibytes,
        "spark.sql.warehouse.dir": str(scratch / "warehouse"),
    }
    if "SPARK_LOCAL_DIRS" not in os.environ:
        settings["spark.local.dir"] = str(scratch)
    if short:
        settings["spark.driver.extraJavaOptions"] = _SHORT_RUN
    if master.startswith("local"):
        # Whatever the machine is called: nobody else has to reach this driver.
        settings |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    builder = SparkSession.builder.master(master).appName("wlkg")
    for name, value in settings.items():
        builder = builder.config(name, value)
    with _quiet_start(), _own_python():
        return builder.getOrCreate()


@contextmanager
def _own_python() -> Iterator[None]:
    """Workers run the Python that runs this, unless PYSPARK_PYTHON names another one."""
    if "PYSPARK_PYTHON" in os.environ:
        yield
        return
    os.environ["PYSPARK_PYTHON"] = sys.executable
    try:
        yield
    finally:
        del os.environ["PYSPARK_PYTHON"]


@contextmanager
def _quiet_start() -> Iterator[None]:
    """Without the lines that the JVM prints before it knows its log level."""
    saved = os.dup(2)
    try:
        with Path(os.devnull).open("wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


def _end(session: SparkSession) -> None:
    """Stop the session and its JVM, which PySpark would keep until this process ends."""
    from pyspark import SparkContext

    with contextlib.suppress(Exception):
        session.stop()
    gateway = SparkContext._gateway
    if gateway is not None:
        with contextlib.suppress(Exception):
            gateway.shutdown()
        process = getattr(gateway, "proc", None)
        if process is not None:
            process.stdin.close()  # the JVM ends when nobody can write to it any more
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        SparkContext._gateway = None
        SparkContext._jvm = None


def check_master(master: str) -> None:
    """Refuse a standalone master that does not answer; Spark itself would take a minute."""
    if not master.startswith("spark://"):
        return
    places = master.removeprefix("spark://").split(",")
    for place in places:
        host, _, port = place.rpartition(":")
        if not host or not port.isdecimal():
            raise UsageError(f"{master}: expected spark://HOST:PORT, as in spark://localhost:7077")
        with contextlib.suppress(OSError):
            socket.create_connection((host, int(port)), timeout=MASTER_SECONDS).close()
            return
    raise SparkError(
        f"{master}: no master answers there within {MASTER_SECONDS} seconds. Is it running?"
    )


def _wait_for_executors(session: SparkSession, master: str) -> None:
    """Refuse a cluster that offers nothing; Spark itself would wait for ever."""
    if master.startswith("local"):
        return
    context = session.sparkContext
    deadline = time.monotonic() + EXECUTOR_SECONDS
    while time.monotonic() < deadline:
        # The driver itself is listed, too.
        if context._jsc.sc().getExecutorMemoryStatus().size() > 1:
            return
        time.sleep(0.2)
    raise SparkError(
        f"{master}: no worker offered an executor within {EXECUTOR_SECONDS} seconds. Start workers,"
        " or ask for less memory than they have"
    )


@contextmanager
def failures_translated(master: str) -> Iterator[None]:
    """Spark's failures as errors with a message and an exit status, without pages of Java."""
    from py4j.protocol import Py4JError, Py4JNetworkError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError, Py4JNetworkError, ConnectionError) as error:
        raise translated(str(error), master) from error


def translated(text: str, master: str) -> WlkgError:
    """The error for a failure that Spark describes at length."""
    if "No space left on device" in text:
        return WriteError(
            "Spark ran out of disk space. Make room, or name a larger disk in SPARK_LOCAL_DIRS"
        )
    if "OutOfMemoryError" in text or "OUT_OF_MEMORY" in text:
        return TooLargeError("Spark ran out of memory. Allow more with --max-memory")
    if "InputError: " in text:
        return SparkError(text.partition("InputError: ")[2].splitlines()[0])
    first = next((line for line in text.splitlines() if line.strip()), "no message")
    return SparkError(f"Spark at {master} failed: {first.strip()[:500]}")
