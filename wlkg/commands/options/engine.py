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
    engine: str,
    device: str | None,
    *tests: str | None,
    master: str | None = None,
    checkpoint: str | None = None,
) -> None:
    """Refuse an engine that is unknown, not installed or not able to run the tests."""
    check_engine(engine, [test for test in tests if test is not None])
    of_engines = (("--device", device, "torch"), ("--master", master, "spark"))
    for option, value, owner in (*of_engines, ("--checkpoint", checkpoint, "spark")):
        if value is not None and engine != owner:
            raise UsageError(f"{option} has no effect: the engine is {engine}, not {owner}")


def engine_in_memory(
    engine: str,
    device: str | None,
    max_memory: int | None = None,
    master: str | None = None,
) -> EngineChoice:
    """The engine for a graph that must be in memory anyway; ``auto`` is the local one."""
    from wlkg.engines import ASKED_FOR, DEFAULT_ENGINE, EngineChoice

    if engine == AUTO:
        return DEFAULT_ENGINE
    return EngineChoice(
        engine, device or AUTO, max_memory, master or DEFAULT_MASTER, reason=ASKED_FOR
    )
