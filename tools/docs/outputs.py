"""``python -m tools.docs.outputs PAGE...`` runs the commands of pages and writes their outputs.

An output that still is as shown, ``...`` included, stays. One that is not, or a single line ``?``,
is replaced by the whole new output.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from tools.docs import public_data
from tools.docs.consoles import Command, Session, steps
from tools.docs.reader import Reader

ROOT = Path(__file__).parents[2]
#: The folder of public data sets, if there is one.
DATA = os.environ.get("WLKG_DATA")


def renewed(page: str) -> str:
    """The page with the outputs of today, made in the current folder."""
    reader = Reader()
    for step in steps(page):
        if isinstance(step, Command):
            if DATA:
                public_data.link(step.line, Path(DATA))
            outcome = reader.run(step)
            if not outcome.shows(step):
                shown = f"$ {step.written}\n"
                page = page.replace(shown + step.output, shown + _tidy(outcome.stdout))
                print(f"renewed: {step.line}")
        elif isinstance(step, Session):
            print(reader.talk(step), end="")
        else:
            reader.write(step)
    return page


def _tidy(text: str) -> str:
    return "".join(f"{line.rstrip()}\n" for line in text.splitlines())


def main(paths: list[str]) -> None:
    """Renew each page in a fresh folder that has the examples of the repository."""
    for path in [Path(name).absolute() for name in paths]:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            Path("examples").symlink_to(ROOT / "examples")
            text = path.read_text(encoding="utf-8")
            path.write_text(renewed(text), encoding="utf-8")
            os.chdir(ROOT)


if __name__ == "__main__":
    main(sys.argv[1:])
