"""Values of a TOML file, checked; errors name the file and, if it can be found, the line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from wlkg.errors import InputError

_WORDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list: "a list",
}


class TomlChecker:
    """Checks what the parser has read from a file."""

    def __init__(self, path: Path, text: str) -> None:
        self._path, self._lines = path, text.splitlines()

    def error(self, message: str, key: str | None = None) -> InputError:
        """The error for a value in the file."""
        return InputError(message, path=self._path, line=None if key is None else self._line(key))

    def _line(self, key: str) -> int | None:
        """The only line that sets the key; None if there are several or none."""
        pattern = re.compile(rf"\s*[\"']?{re.escape(key)}[\"']?\s*=")
        lines = [number for number, line in enumerate(self._lines, 1) if pattern.match(line)]
        return lines[0] if len(lines) == 1 else None

    def check_keys(
        self, table: Mapping[str, Any], known: Mapping[str, tuple[type, ...]], what: str
    ) -> None:
        """Refuse unknown keys and values of a wrong type."""
        for key, value in table.items():
            if key not in known:
                raise self.error(f"unknown key {key!r} of {what}. Known: {', '.join(known)}", key)
            kinds = known[key]
            # In Python, but not in TOML, true is a number.
            is_wrong_bool = isinstance(value, bool) and bool not in kinds
            if not isinstance(value, kinds) or is_wrong_bool:
                raise self.error(f"{key} must be {_WORDS[kinds[0]]}, found {value!r}", key)

    def number(self, table: Mapping[str, Any], key: str, default: Any, least: float) -> Any:
        """The number of a key, or the default; refuse one that is too small."""
        value = table.get(key, default)
        if value is not None and not value >= least:
            raise self.error(f"{key} must be at least {least:g}, found {value}", key)
        return value

    def choice(self, table: Mapping[str, Any], key: str, known: Iterable[str]) -> Any:
        """The word of a key, or None; refuse one that is not known."""
        value = table.get(key)
        if value is not None and value not in known:
            raise self.error(f"unknown {key} {value!r}. Known: {', '.join(known)}", key)
        return value
