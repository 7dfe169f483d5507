"""The options that say where vertex tests run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from wlkg.commands.options.completing import one_of
from wlkg.commands.options.single import listed, quiet_option
from wlkg.devices import DEVICES
from wlkg.engines import AUTO, DEFAULT_MASTER, ENGINES, check_engine
from wlkg.errors import UsageError

if TYPE_CHECKING:
    from wlkg.engines import EngineChoice

EngineOption = Annotated[
    str,
    typer.Option(
        "--engine",
        metavar="ENGINE",
        help=f"Where vertex tests run, with equal results: {listed([AUTO, *ENGINES])}.",
        autocompletion=one_of([AUTO, *ENGINES]),
    ),
]
DeviceOption = Annotated[
    str | None,
    quiet_option(
        "--device",
        metavar="DEVICE",
        help=f"--engine torch: where to compute, {listed(DEVICES)}.",
        autocompletion=one_of(DEVICES),
    ),
]
MasterOption = Annotated[
    str | None,
    quiet_option(
        "--master",
        metavar="URL",
        help=f"--engine spark: the master, such as spark://HOST:7077; by default {DEFAULT_MASTER}.",
    ),
]
CheckpointOption = Annotated[
    str | None,
    quiet_option(
        "--checkpoint",
        metavar="FOLDER",
        help="--engine spark: finished rounds go here, and a run that was cut off goes on.",
    ),
]


def check_engine_options(
    engine: str, device: str | None, *tests: str | None, from_file: bool = False
) -> None:
    """Refuse an engine that is unknown, not installed or not able to run the tests."""
    check_engine(engine, [test for test in tests if test is not None], from_file=from_file)
    if device is not None and engine != "torch":
        raise UsageError(f"--device has no effect: the engine is {engine}, not torch")


def engine_in_memory(
    engine: str, device: str | None, max_memory: int | None = None
) -> EngineChoice:
    """The engine for a graph that must be in memory anyway; ``auto`` is the local one."""
    from wlkg.engines import ASKED_FOR, DEFAULT_ENGINE, EngineChoice

    if engine == AUTO:
        return DEFAULT_ENGINE
    return EngineChoice(engine, device or AUTO, max_memory, reason=ASKED_FOR)
