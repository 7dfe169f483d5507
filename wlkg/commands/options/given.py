"""Options that the user gave, as opposed to defaults: those without effect are refused."""

from __future__ import annotations

import typer

from wlkg.errors import UsageError


def as_given(context: typer.Context, option: str) -> str | None:
    """The option in the form in which the user gave it, or None if it has its default.

    ``option`` is any of its names; ``--no-norm`` is also found as ``--norm``.
    """
    for parameter in context.command.params:
        names = [*parameter.opts, *parameter.secondary_opts]
        if option not in names or parameter.name is None:
            continue
        source = context.get_parameter_source(parameter.name)
        if source is None or source.name != "COMMANDLINE":
            return None
        is_off = context.params.get(parameter.name) is False and parameter.secondary_opts
        return parameter.secondary_opts[0] if is_off else parameter.opts[0]
    return None


def refuse_given(context: typer.Context, *options: str, because: str) -> None:
    """Refuse options that the user gave although they have no effect."""
    for option in options:
        given = as_given(context, option)
        if given is not None:
            raise UsageError(f"{given} has no effect: {because}")
