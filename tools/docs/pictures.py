"""Pictures and pages of the documentation, made by wlkg itself while the documentation is built."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = "made"


@dataclass(frozen=True)
class Picture:
    """A file, and the command that writes it; ``{out}`` stands for the file."""

    name: str
    command: str

    @property
    def path(self) -> str:
        return f"{FOLDER}/{self.name}"


_UNIVERSITY = "examples/graphs/university.ttl"
_TARGETS = (
    "--targets examples/graphs/university.train.tsv --holdout examples/graphs/university.test.tsv"
)

PICTURES = (
    Picture("explain-pair.svg", "explain examples/graphs/family.ttl :ada :cleo --svg {out}"),
    Picture("c6.html", "compare example:c6 example:2xc3 --html {out}"),
    Picture("university.html", f"ceiling {_UNIVERSITY} {_TARGETS} --html {{out}}"),
    Picture("compare.svg", "compare example:c6 example:2xc3 --figure {out}"),
    Picture("refine.svg", f"refine {_UNIVERSITY} --figure {{out}}"),
    Picture("ceiling.svg", f"ceiling {_UNIVERSITY} {_TARGETS} --figure {{out}}"),
)


def drawn() -> dict[str, bytes]:
    """All of them by their places in the documentation, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        contents = pool.map(draw, PICTURES)
        return {p.path: content for p, content in zip(PICTURES, contents, strict=True)}


def draw(picture: Picture) -> bytes:
    """The content of the file."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / picture.name
        words = picture.command.replace("{out}", str(out)).split()
        line = [sys.executable, "-m", "wlkg", *words]
        done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
        if not out.exists():
            raise RuntimeError(f"wlkg {picture.command} wrote nothing:\n{done.stdout}{done.stderr}")
        return out.read_bytes()
