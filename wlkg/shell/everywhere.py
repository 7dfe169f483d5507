"""The options of every command, which may stand before or after its name."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any

import typer

from wlkg.shell.panels import OUTPUT

QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Print the result alone: no notes, no progress, no next step.",
        rich_help_panel=OUTPUT,
    ),
]
VerboseOption = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Also print time, memory, versions and the cache, to stderr.",
        rich_help_panel=OUTPUT,
    ),
]
FullNamesOption = Annotated[
    bool,
    typer.Option(
        "--full-names",
        help="Print whole IRIs instead of prefix:name, and cut no name.",
        rich_help_panel=OUTPUT,
    ),
]
_OPTIONS = {"quiet": QuietOption, "verbose": VerboseOption, "full_names": FullNamesOption}


def with_these(command: Callable[..., None]) -> Callable[..., None]:
    """A command that takes these options as well."""
    signature = inspect.signature(command, eval_str=True)
    added = [
        inspect.Parameter(
            name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation
        )
        for name, annotation in _OPTIONS.items()
    ]

    @wraps(command)
    def wrapper(**arguments: Any) -> None:
        choose(**{name: arguments.pop(name) for name in _OPTIONS})
        command(**arguments)

    parameters = [
        each.replace(kind=inspect.Parameter.KEYWORD_ONLY) for each in signature.parameters.values()
    ]
    wrapper.__signature__ = signature.replace(parameters=parameters + added)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {each.name: each.annotation for each in parameters + added}
    return wrapper


def choose(**given: bool) -> None:
    """Note the options that were given; one that was given before the command stays."""
    from wlkg.reports.presentation import present

    present(**{name: True for name, is_given in given.items() if is_given})


def begin() -> None:
    """Begin a run: nothing is chosen, and no time has passed."""
    from wlkg.reports import details, presentation

    presentation.present(**vars(presentation.Presentation()))
    details.begin()


def show_details() -> None:
    """End a run: print what ``--verbose`` asks for."""
    from wlkg.reports.presentation import presentation

    if presentation().verbose:
        from wlkg.reports.details import print_details

        print_details()
