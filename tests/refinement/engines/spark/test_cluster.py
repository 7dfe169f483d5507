"""A worker is killed, or the driver is, on a standalone cluster or one machine: same result."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pyspark
import pytest

import wlkg
from wlkg.refinement.engines.spark.java import MissingJavaError, check_java

pytestmark = pytest.mark.skipif(not os.environ.get("WLKG_SPARK"), reason="slow: set WLKG_SPARK=1")

HOME = Path(pyspark.__file__).parent
PROGRAM = """
import json, sys
from dataclasses import asdict
from wlkg.refinement.engines.spark import running
from wlkg.refinement.engines.spark.run import refine_file
running._SMALLEST = 1  # several partitions of a tiny graph, so that all workers have one
path, master, checkpoint = sys.argv[1:]
summary = refine_file(path, master=master, checkpoint=checkpoint, memory=600 << 20)
print(json.dumps(asdict(summary)))
"""


Start = Callable[..., subprocess.Popen[str]]


@dataclass
class Cluster:
    """A master and two workers, as their documentation says to start them."""

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    port: int = 0

    @property
    def master(self) -> str:
        return f"spark://127.0.0.1:{self.port}"

    def start(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._run("master.Master", "--port", str(self.port), "--webui-port", "0")
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                break
            except OSError:
                time.sleep(0.2)
        for _ in range(2):
            self.add_worker()

    def add_worker(self) -> None:
        size = ("--cores", "1", "--memory", "1g", "--webui-port", "0")
        self._run("worker.Worker", *size, "--work-dir", str(self.folder), self.master)

    def _run(self, kind: str, *words: str) -> None:
        name = f"org.apache.spark.deploy.{kind}"
        environment = os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_NO_DAEMONIZE": "1"}
        command = [str(HOME / "bin" / "spark-class"), name, "--host", "127.0.0.1", *words]
        with (self.folder / "log").open("ab") as log:
            self.processes.append(
                subprocess.Popen(command, env=environment, stdout=log, stderr=log)
            )

    def kill_worker(self) -> None:
        """End a worker, and the executors that it started, without warning."""
        worker = self.processes[-1]
        for pid in (worker.pid, *children_of(worker.pid)):
            os.kill(pid, signal.SIGKILL)

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    try:
        check_java()
    except MissingJavaError as error:
        pytest.skip(str(error))
    made = Cluster(tmp_path / "cluster")
    made.folder.mkdir()
    try:
        made.start()
        yield made
    finally:
        made.stop()


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """A graph that takes several rounds."""
    path = tmp_path / "path.parquet"
    wlkg.generate(path, "path", vertices=15, shuffle=True)
    return path


@pytest.fixture
def scratch(tmp_path: Path) -> Iterator[Path]:
    """Where runs keep temporary files, of which none are left in the end."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    yield folder
    assert not list(folder.iterdir())


@pytest.fixture
def start(scratch: Path) -> Start:
    """Starts a Python program with Spark."""

    def started(*words: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, *map(str, words)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=os.environ | {"SPARK_LOCAL_IP": "127.0.0.1", "TMPDIR": str(scratch)},
        )

    return started


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and those that these have."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, check=True)
    pairs = [tuple(map(int, line.split())) for line in listed.stdout.splitlines()]
    found = [pid]
    for parent in found:
        found += [child for child, other in pairs if other == parent]
    return found[1:]


def assert_all_end(pids: list[int]) -> None:
    """Wait for the end of processes whose parent has died."""
    assert pids
    deadline = time.monotonic() + 60
    while any(Path(f"/proc/{pid}").exists() for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not [pid for pid in pids if Path(f"/proc/{pid}").exists()]


def wait_for_rounds(process: subprocess.Popen[str], checkpoint: Path, rounds: int) -> None:
    """Wait until a run has finished some rounds."""
    deadline = time.monotonic() + 240
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if len(json.loads((checkpoint / "state.json").read_text())["rounds"]) >= rounds:
                return
        except FileNotFoundError:
            pass
        time.sleep(0.1)
    process.kill()
    pytest.fail(f"the run did not get that far: {process.communicate()[1][-2000:]}")


def assert_result(process: subprocess.Popen[str], graph: Path) -> None:
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors[-2000:]
    summary = json.loads(output)
    local = wlkg.refine(wlkg.read(graph))
    assert summary["classes_per_round"] == local.classes_per_round
    assert summary["exact"]
    assert local.rounds > 5


def test_a_lost_worker_changes_nothing(
    cluster: Cluster, start: Start, graph: Path, tmp_path: Path
) -> None:
    checkpoint = tmp_path / "work"
    process = start("-c", PROGRAM, graph, cluster.master, checkpoint)
    wait_for_rounds(process, checkpoint, 2)
    cluster.kill_worker()
    assert_result(process, graph)


@pytest.mark.parametrize("place", ["a cluster", "one machine"])
def test_a_run_whose_driver_died_goes_on_from_the_last_finished_round(
    request: pytest.FixtureRequest, start: Start, graph: Path, tmp_path: Path, place: str
) -> None:
    master = "local[2]"
    if place == "a cluster":
        master = request.getfixturevalue("cluster").master
    checkpoint = tmp_path / "work"
    words = ("-c", PROGRAM, graph, master, checkpoint)
    process = start(*words)
    wait_for_rounds(process, checkpoint, 3)
    java = children_of(process.pid)
    process.kill()
    process.wait()
    assert_all_end(java)
    finished = json.loads((checkpoint / "state.json").read_text())["rounds"]
    again = start(*words)
    wait_for_rounds(again, checkpoint, len(finished) + 1)
    # Rounds that were done before have kept the seconds that they took then.
    now = json.loads((checkpoint / "state.json").read_text())["rounds"]
    assert now[: len(finished)] == finished
    assert_result(again, graph)
    assert not checkpoint.exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_nothing_behind(
    start: Start, graph: Path, scratch: Path, number: signal.Signals
) -> None:
    words = ("-m", "wlkg", "refine", graph, "--engine", "spark", "--master", "local[2]", "-q")
    process = start(*words)
    deadline = time.monotonic() + 120
    while not list(scratch.glob("*/work/classes/round=1")) and time.monotonic() < deadline:
        time.sleep(0.1)
    java = children_of(process.pid)
    process.send_signal(number)
    _, complaint = process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert "interrupted" in complaint
    assert_all_end(java)


def test_a_cluster_answers_about_pairs(cluster: Cluster, start: Start, tmp_path: Path) -> None:
    path = tmp_path / "graph.tsv"
    wlkg.generate(path, "random", vertices=30, triples=40, relations=2)
    words = ("-m", "wlkg", "pairs", path, "--not-by", "1-wl", "--json", "-q")
    spark = ("--engine", "spark", "--master", cluster.master, "--max-memory", "600M")
    answers = []
    for more in ((), spark):
        output, errors = start(*words, *more).communicate(timeout=300)
        assert output, errors[-2000:]
        answers.append(json.loads(output))
    assert answers[0]["count"] > 0
    assert {**answers[0], "seconds": 0} == {**answers[1], "seconds": 0}


def test_a_cluster_without_workers_is_refused(
    cluster: Cluster, graph: Path, tmp_path: Path
) -> None:
    for worker in cluster.processes[1:]:
        worker.kill()
        worker.wait()
    time.sleep(1)
    code = PROGRAM.replace("import json", "import wlkg.refinement.engines.spark.session as s\n"
        "s.EXECUTOR_SECONDS = 3\nimport json", 1)  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", code, str(graph), cluster.master, str(tmp_path / "work")],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "no worker offered an executor within 3 seconds" in done.stderr
