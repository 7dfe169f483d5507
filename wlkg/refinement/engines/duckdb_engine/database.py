"""A database in a temporary folder, with a limit on memory, and its errors in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pyarrow as pa

from wlkg.errors import TooLargeError, WlkgError, WriteError
from wlkg.memory import free_memory
from wlkg.writers.scratch import scratch_folder

T = TypeVar("T")

#: Bytes of a run outside of the database: the interpreter, Arrow, and blocks of input.
_OUTSIDE = 320 << 20
#: Below this, the database cannot even join two tables of which it keeps pieces in memory.
_LEAST = 100 << 20
_FULL_DISK = ("No space left", "Disk quota exceeded", "max_temp_directory_size", "File too large")


class Database:
    """Runs statements; see `opened_database`.

    They run in a thread beside the main one, which a signal can then stop at once: within a
    statement DuckDB would turn any signal into an error that does not say which it was.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        folder: Path,
        allowed: int,
        beside: ThreadPoolExecutor,
    ) -> None:
        self._connection, self._beside = connection, beside
        self.folder = folder
        self.run(f"SET temp_directory = '{str(folder).replace(chr(39), chr(39) * 2)}'")
        self.run(f"SET memory_limit = '{allowed - _OUTSIDE}B'")
        self.run("SET preserve_insertion_order = false")  # takes less memory

    def run(self, statement: str) -> None:
        """Run a statement whose result does not matter."""
        self._do(lambda: self._connection.execute(statement))

    def run_in_order(self, statement: str) -> None:
        """Run a statement that writes rows in the order of its query."""
        self.run("SET preserve_insertion_order = true")
        self.run(statement)
        self.run("SET preserve_insertion_order = false")

    def value(self, query: str) -> int:
        """The single number that a query gives; 0 for NULL."""
        row = self._do(lambda: self._connection.execute(query).fetchone())
        return int(row[0] or 0) if row else 0

    def columns(self, query: str) -> dict[str, Any]:
        """The columns of a result as NumPy arrays."""
        return dict(self._do(lambda: self._connection.execute(query).fetchnumpy()))

    def insert(self, table: str, rows: pa.Table) -> None:
        """Append the rows of an Arrow table."""

        def append() -> None:
            self._connection.register("incoming", rows)
            self._connection.execute(f"INSERT INTO {table} SELECT * FROM incoming")
            self._connection.unregister("incoming")

        self._do(append)

    def replace(self, table: str, query: str) -> None:
        """Make a table from a query that may read an earlier table of that name."""
        self.run(f"CREATE OR REPLACE TABLE {table}_next AS {query}")
        self.run(f"DROP TABLE IF EXISTS {table}")
        self.run(f"ALTER TABLE {table}_next RENAME TO {table}")

    def _do(self, work: Callable[[], T]) -> T:
        task = self._beside.submit(work)
        try:
            return task.result()
        except duckdb.Error as error:
            raise _explained(error, self.folder) from error
        except KeyboardInterrupt:
            self._connection.interrupt()
            wait([task])
            raise


def _explained(error: duckdb.Error, folder: Path) -> WlkgError | duckdb.Error:
    """What went wrong, for a user; an error that only a mistake of ours can cause stays."""
    text = str(error).splitlines()[0]
    if any(sign in str(error) for sign in _FULL_DISK):
        return WriteError(
            f"{folder.parent}: no room for the temporary data of the engine duckdb: {text}."
            " Free some space, or set TMPDIR to a folder on a larger disk"
        )
    if isinstance(error, duckdb.OutOfMemoryException):
        return TooLargeError(
            f"the engine duckdb needs more memory: {text}. Allow more with --max-memory"
        )
    if isinstance(error, duckdb.IOException):
        return WriteError(f"{folder}: cannot be written: {text}")
    return error


@contextmanager
def opened_database(max_memory: int | None = None) -> Iterator[Database]:
    """An empty database; ``max_memory`` is for the whole run, by default half of what is free."""
    allowed = free_memory() // 2 if max_memory is None else max_memory
    if allowed < _OUTSIDE + _LEAST:
        raise TooLargeError(
            f"the engine duckdb needs {_OUTSIDE + _LEAST:,} bytes of memory, more than the"
            f" {allowed:,} allowed. Allow more with --max-memory"
        )
    with scratch_folder() as folder:
        try:
            connection = duckdb.connect(str(folder / "graph.duckdb"))
        except duckdb.Error as error:
            raise _explained(error, folder) from error
        try:
            with ThreadPoolExecutor(max_workers=1) as beside:
                yield Database(connection, folder, allowed, beside)
        finally:
            connection.close()
