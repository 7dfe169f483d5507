"""An option or an argument as a row of the help: its names, what it does, its default."""

from __future__ import annotations

from typing import Any

from wlkg.shell.panels import INPUT, MODEL, OUTPUT

ARGUMENTS, OPTIONS = "Arguments", "Options"
#: The order of the panels; others come after these.
_ORDER = (ARGUMENTS, OPTIONS, MODEL, INPUT, OUTPUT)


def panel_of(parameter: Any) -> str:
    """The title under which a parameter is listed."""
    if parameter.param_type_name == "argument":
        return ARGUMENTS
    if "--help" in parameter.opts:
        return OUTPUT
    return getattr(parameter, "rich_help_panel", None) or OPTIONS


def panels(parameters: list[Any]) -> dict[str, list[Any]]:
    """The parameters that are shown, by panel."""
    found: dict[str, list[Any]] = {title: [] for title in _ORDER}
    for parameter in parameters:
        if not getattr(parameter, "hidden", False):
            found.setdefault(panel_of(parameter), []).append(parameter)
    return {title: members for title, members in found.items() if members}


def row_of(parameter: Any) -> tuple[str, str, str]:
    """Names, text and remark."""
    if parameter.param_type_name == "argument":
        return metavar(parameter), parameter.help or "", ""
    return _names(parameter), parameter.help or "", _remark(parameter)


def metavar(parameter: Any) -> str:
    """What stands for the value: ``FILE``, ``N``, ``TEXT``."""
    if parameter.metavar:
        return str(parameter.metavar).strip("[]")
    if parameter.param_type_name == "argument":
        return str(parameter.name).upper()
    default = parameter.default
    return "N" if isinstance(default, int | float) else "TEXT"


def _names(parameter: Any) -> str:
    names = ", ".join(sorted(parameter.opts, key=lambda name: (name.startswith("--"), name)))
    if parameter.is_flag:
        return " / ".join([names, *parameter.secondary_opts])
    return f"{names} {metavar(parameter)}"


def _remark(parameter: Any) -> str:
    """The default, or that a value is required."""
    if parameter.required:
        return "[required]"
    default = parameter.default
    if not parameter.show_default or default is None:
        return ""
    if parameter.is_flag:
        is_switch = bool(parameter.secondary_opts)
        names = parameter.opts if default else parameter.secondary_opts
        return f"[default: {names[0]}]" if is_switch else ""
    return f"[default: {default:g}]" if isinstance(default, float) else f"[default: {default}]"


def usage(parameters: list[Any]) -> str:
    """The arguments as they stand in the usage line; optional ones in brackets."""
    pieces = ["[OPTIONS]"]
    for parameter in parameters:
        if parameter.param_type_name == "argument":
            name = metavar(parameter)
            pieces.append(name if parameter.required else f"[{name}]")
    return " ".join(pieces)
