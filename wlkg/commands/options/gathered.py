"""Options gathered in a dataclass: many on the command line, one value in the function."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from functools import cache, wraps
from typing import Any, TypeVar, get_type_hints

from wlkg.shell.panels import in_panel

Command = TypeVar("Command", bound=Callable[..., None])


@cache
def _hints(options: Any) -> dict[str, Any]:
    """The annotations of the fields, evaluated once for all commands: that is most of the cost.

    The help lists them in the panel that the dataclass names as ``PANEL``, if it does.
    """
    hints = get_type_hints(options, include_extras=True)
    panel = getattr(options, "PANEL", None)
    if panel is None:
        return hints
    return {name: in_panel(hint, panel) for name, hint in hints.items()}


def _default(field: Field[Any]) -> Any:
    """The default of a field; a context has none, because Typer itself provides it."""
    return inspect.Parameter.empty if field.default is MISSING else field.default


def with_options(
    command: Command, parameter: str, options: Any, defaults: dict[str, Any]
) -> Command:
    """Replace a parameter by the fields of the dataclass ``options``; the function gets one value.

    If the command declares an option of the same name itself, its own declaration wins.
    """
    signature = inspect.signature(command, eval_str=True)
    hints = _hints(options)
    kept = [p for name, p in signature.parameters.items() if name != parameter]
    added = [
        inspect.Parameter(
            field.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=defaults.get(field.name, _default(field)),
            annotation=hints[field.name],
        )
        for field in fields(options)
        if field.name not in signature.parameters
    ]

    @wraps(command)
    def wrapper(**arguments: Any) -> None:
        given = {p.name: arguments.pop(p.name) for p in added}
        command(**arguments, **{parameter: options(**given)})

    parameters = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in kept] + added
    wrapper.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    wrapper.__annotations__ = {p.name: p.annotation for p in parameters}
    return wrapper  # type: ignore[return-value]
