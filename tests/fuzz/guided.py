"""Coverage-guided fuzzing of the line readers: ``python -m tests.fuzz.guided tsv -runs=100000``.

Needs ``pip install atheris`` (Linux, Python 3.11 or later), which is not among the test
dependencies. The reader is any of `READERS`; what follows is for libFuzzer. The seeds of the format
are where it begins. A foreign exception ends the run, and libFuzzer writes the input to a file.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

READERS = ("ntriples", "nquads", "tsv", "csv", "txt", "edgelist", "graph6")


def main() -> None:
    """Run libFuzzer on the reader that the command line names."""
    if len(sys.argv) < 2 or sys.argv[1] not in READERS:
        raise SystemExit(f"name a reader: {', '.join(READERS)}")
    try:
        import atheris
    except ImportError:
        raise SystemExit("this needs atheris: pip install atheris") from None
    with atheris.instrument_imports(include=["wlkg"]):
        import wlkg.readers.edgelist
        import wlkg.readers.graph6
        import wlkg.readers.ntriples  # noqa: F401
    with tempfile.TemporaryDirectory() as folder:
        arguments = [sys.argv[0], *sys.argv[2:], str(_corpus(Path(folder), sys.argv[1]))]
        atheris.Setup(arguments, _target(Path(folder), sys.argv[1]))
        atheris.Fuzz()


def _corpus(folder: Path, reader: str) -> Path:
    """The undamaged documents of a format, a file each."""
    from tests.fuzz.kinds import seeds_of

    place = folder / "corpus"
    place.mkdir()
    for number, case in enumerate(seeds_of(f"graph/{reader}")):
        (place / str(number)).write_bytes(case.data)
    return place


def _target(folder: Path, reader: str) -> Callable[[bytes], None]:
    """A function that reads any bytes as a graph; it raises only what is a finding."""
    import wlkg
    from wlkg.readers.formats import FORMATS

    path = folder / f"g{FORMATS[reader].suffixes[0]}"
    errors: Any = wlkg.WlkgError

    def read(data: bytes) -> None:
        path.write_bytes(data)
        with suppress(errors):
            wlkg.read_all(path)

    return read


if __name__ == "__main__":
    main()
