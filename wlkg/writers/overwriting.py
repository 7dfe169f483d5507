"""Files that are already there: replaced only on demand, and never the input itself."""

from __future__ import annotations

from pathlib import Path

from wlkg.errors import OutputError


def refuse_overwriting(
    target: str | Path, *, inputs: tuple[Path | None, ...] = (), force: bool = False
) -> None:
    """Refuse a target that is one of the inputs, or that exists unless ``force`` allows it.

    A device or pipe, such as /dev/stdout, is written to and not replaced.
    """
    path = Path(target)
    try:
        if not path.is_file():
            return
        if any(given is not None and _is_part_of(path, given) for given in inputs):
            raise OutputError(f"{path}: this is the input itself. Write to another file")
    except (OSError, ValueError):  # ValueError: the name has a null character
        return  # writing will say what is wrong with it
    if not force:
        raise OutputError(f"{path}: the file exists. Pass --force to replace it")


def _is_part_of(path: Path, given: Path) -> bool:
    """Whether a file is the input, or lies in the folder that is the input."""
    if not given.exists():
        return False
    return path.samefile(given) or (given.is_dir() and path.parent.samefile(given))
