"""The public data sets that pages name by the folders that ``wlkg fetch-data`` makes."""

from __future__ import annotations

import shlex
from pathlib import Path

#: What these folders are called, also in the folder that WLKG_DATA names.
FOLDERS = {"aifb", "brec"}


def named(line: str) -> set[str]:
    """The folders of public data that a command names."""
    return FOLDERS & {word.split("/", maxsplit=1)[0] for word in shlex.split(line)}


def link(line: str, data: Path) -> None:
    """Put the folders that a command names into the current folder."""
    for name in named(line):
        if not Path(name).exists():
            Path(name).symlink_to(data / name)
