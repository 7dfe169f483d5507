"""Where a run keeps its tables, and what it has finished.

Each table is a folder of Parquet files, which cuts Spark's lineage: a later round depends on files,
not on the rounds before it. ``state.json`` is replaced after every finished step, so a run whose
driver died goes on from the last finished round. On several machines, all must see this folder.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wlkg.errors import MALFORMED, OutputError, UsageError
from wlkg.writers.aside import made_folder, written_aside

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_STATE = "state.json"


class WorkFolder:
    """The tables of a run, and its state as a dictionary that JSON can hold."""

    def __init__(self, place: Path, about: dict[str, Any]) -> None:
        self._place = made_folder(place)
        self.state: dict[str, Any] = self._earlier_state() or {"about": about, "rounds": []}
        if self.state["about"] != about:
            raise UsageError(
                f"{place}: this checkpoint belongs to another run, of {self.state['about']}."
                " Name another folder, or remove this one"
            )

    def _earlier_state(self) -> dict[str, Any] | None:
        file = self._place / _STATE
        if not file.exists():
            return None
        try:
            state: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
            return {"about": dict(state["about"]), **state}
        except MALFORMED as error:
            raise UsageError(f"{file}: not the state of a run. Remove the folder") from error

    def save(self) -> None:
        """Make the current state the one that a later run finds."""
        with written_aside(self._place / _STATE) as stream:
            stream.write(json.dumps(self.state, indent=1).encode())

    def write(self, table: DataFrame, name: str) -> DataFrame:
        """Write a table, and read it back without what it was made from."""
        self._note(name)
        table.write.mode("overwrite").parquet(self._path(name))
        return self.read(table.sparkSession, name)

    def folder(self, name: str) -> Path:
        """An empty folder for the files of a table that is not written by Spark."""
        self._note(name)
        self.drop(name)
        return made_folder(self._place / name)

    def read(self, session: SparkSession, name: str) -> DataFrame:
        return session.read.parquet(self._path(name))

    def read_rounds(self, session: SparkSession, name: str, rounds: int, schema: str) -> DataFrame:
        """The tables that were written as `of_round`, up to a round, as one."""
        paths = [self._path(of_round(name, number)) for number in range(rounds + 1)]
        reader = session.read.schema(schema).option("basePath", self._path(name))
        return reader.parquet(*paths)

    def files(self, name: str) -> list[Path]:
        """The Parquet files of a table, to be read without Spark."""
        return sorted((self._place / name).glob("*.parquet"))

    def drop(self, name: str) -> None:
        shutil.rmtree(self._path(name), ignore_errors=True)

    def _note(self, name: str) -> None:
        top = name.partition("/")[0]
        self.state["tables"] = sorted({*self.state.get("tables", ()), top})

    def clear(self) -> None:
        """Remove everything that the run has kept here, and the folder if nothing else is in it."""
        for name in self.state.get("tables", ()):
            self.drop(name)
        (self._place / _STATE).unlink(missing_ok=True)
        with suppress(OSError):
            self._place.rmdir()

    def _path(self, name: str) -> str:
        return str(self._place / name)


def of_round(name: str, number: int) -> str:
    """The name of a round's table; Spark makes a column ``round`` of it."""
    return f"{name}/round={number}"


def check_place(place: str | Path) -> None:
    """Refuse a place that is taken, before anything is computed."""
    if os.path.lexists(place):
        raise OutputError(f"{place}: it exists already. Name a new folder")


def input_size(path: str) -> int:
    """The bytes of a file, or of the files in a folder; 0 for an address elsewhere."""
    place = Path(path)
    files = place.rglob("*") if place.is_dir() else [place]
    return sum(file.stat().st_size for file in files if file.is_file())
