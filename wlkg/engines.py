"""The engines for vertex tests: what each is for, and what it needs.

An engine runs the same test with the same result; it differs in where it computes. The command line
and the documentation read this table without loading any engine, and one contract test runs every
entry (`wlkg.refinement.engines.running` has the functions).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from dataclasses import dataclass

from wlkg.catalogue import SINGLE_VERTEX_TESTS, TESTS, TupleTest, find_test
from wlkg.errors import MissingExtraError, UsageError, unknown_name

#: Let the size of the graph and what is installed decide.
AUTO = "auto"
LOCAL = "local"
#: Why an engine runs: see `EngineChoice.reason`.
ASKED_FOR = "you chose it"
DEFAULT_MASTER = "local[*]"


@dataclass(frozen=True)
class EngineInfo:
    """An engine: what it is, the tests that it runs, and what must be installed for it."""

    summary: str
    tests: tuple[str, ...]
    #: The module that it needs, and the extra of this project that installs it.
    module: str | None = None
    extra: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether the module can be found; this does not load it."""
        return self.module is None or importlib.util.find_spec(self.module) is not None


_EVERY_TEST = (*TESTS, *SINGLE_VERTEX_TESTS)
#: The tests that engines have rules for which read a graph from its file.
_COMMON_TESTS = ("1-wl", "weak-rwl", "1-rwl", "mean-rwl")

ENGINES: dict[str, EngineInfo] = {
    LOCAL: EngineInfo(
        "compiled code on two threads, all in memory; the only one for many rounds", _EVERY_TEST
    ),
    "torch": EngineInfo("tensors on a CPU or GPU, see --device", _EVERY_TEST, "torch", "gnn"),
    "duckdb": EngineInfo(
        "a database on disk, for graphs that are larger than memory",
        _COMMON_TESTS,
        "duckdb",
        "duckdb",
    ),
    "spark": EngineInfo(
        "a cluster, or the cores of one machine, for files of any size",
        _COMMON_TESTS,
        "pyspark",
        "spark",
    ),
}


@dataclass(frozen=True)
class EngineChoice:
    """The engine that runs, and its settings."""

    name: str = LOCAL
    #: torch: where to compute.
    device: str = "auto"
    #: duckdb: the bytes that it may use before it spills to disk; spark: those of each JVM.
    max_memory: int | None = None
    #: spark: the URL of the master, and a folder from which a run that was cut off goes on.
    master: str = DEFAULT_MASTER
    checkpoint: str | None = None
    #: Why it was chosen.
    reason: str = ""


DEFAULT_ENGINE = EngineChoice(reason="the graph fits into memory")


def find_engine(name: str) -> EngineInfo:
    """The engine of that name, or an error that lists the engines."""
    if name not in ENGINES:
        raise unknown_name("engine", name, [AUTO, *ENGINES])
    return ENGINES[name]


def check_engine(name: str, tests: Iterable[str]) -> None:
    """Refuse an engine that does not exist, does not run one of the tests or is not installed."""
    if name == AUTO:
        return
    engine = find_engine(name)
    if name == LOCAL:
        return
    for test in tests:
        chosen = find_test(test)
        if isinstance(chosen, TupleTest):
            raise UsageError(
                f"{test} is a test of tuples, which only the engine {LOCAL} runs."
                f" Use --engine {LOCAL} or {AUTO}, or a vertex test: {', '.join(TESTS)}"
            )
        if chosen.name not in engine.tests:
            able = [each for each, info in ENGINES.items() if chosen.name in info.tests]
            raise UsageError(
                f"the engine {name} does not run {test}. Engines that do: {', '.join(able)}."
                f" The tests of {name}: {', '.join(engine.tests)}"
            )
    if not engine.is_installed:
        raise MissingExtraError(f"the engine {name}", engine.extra)


def check_rounds(rounds: int | None) -> None:
    """Refuse a negative number of rounds."""
    if rounds is not None and rounds < 0:
        raise UsageError(f"the number of rounds must not be negative, found {rounds}")
