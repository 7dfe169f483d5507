"""Triples from a file into the database: names become numbers there, not in memory.

Readers hand over blocks: some names, and triples as places in this list. ``names`` collects the
names of all blocks under running ids, ``rows`` the triples as ids. Then each distinct name becomes
a vertex, a relation, or both, in the canonical order in which graphs in memory number them too.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from wlkg.catalogue import Direction, VertexTest
from wlkg.graph.names import NUMBER
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.duckdb_engine.database import Database

#: Triples, or names, that are handed to the database together.
_TOGETHER = 1 << 18


class DatabaseTriples:
    """Takes triples as `wlkg.graph.triple_table.TripleTable` does, and writes them to tables."""

    def __init__(self, database: Database, progress: Progress = SILENT) -> None:
        self._database, self._progress = database, progress
        self._names = 0
        self._rows = 0
        database.run("CREATE TABLE names (id BIGINT, name VARCHAR, is_end BOOL, is_relation BOOL)")
        database.run("CREATE TABLE rows (h BIGINT, r BIGINT, t BIGINT)")

    def __len__(self) -> int:
        return self._rows

    def add(self, heads: pa.Array, relations: pa.Array, tails: pa.Array) -> None:
        """Append rows; each column holds large strings, dictionary-encoded or not."""
        plain = [
            column.cast(pa.large_string()) if pa.types.is_dictionary(column.type) else column
            for column in (heads, relations, tails)
        ]
        encoded = pa.concat_arrays(plain).dictionary_encode()
        codes = encoded.indices.to_numpy(zero_copy_only=False).reshape(3, -1).T
        self.add_codes(encoded.dictionary, codes)

    def add_codes(self, names: pa.Array, codes: npt.NDArray[np.int32]) -> None:
        """Append rows of three indices into ``names``."""
        if not len(codes):
            return
        is_end, is_relation = (np.zeros(len(names), dtype=bool) for _ in range(2))
        is_end[codes[:, [0, 2]]] = True
        is_relation[codes[:, 1]] = True
        ids = self._names + np.arange(len(names))
        columns = {"id": ids, "name": names, "is_end": is_end, "is_relation": is_relation}
        self._database.insert("names", pa.table(columns))
        rows = codes.astype(np.int64) + self._names
        self._database.insert("rows", pa.table({k: rows[:, j] for j, k in enumerate("hrt")}))
        self._names += len(names)
        self._rows += len(codes)
        self._progress.count(self._rows, "triples")

    def add_rows(self, rows: Iterable[tuple[str, str, str]]) -> None:
        """Append triples of Python strings."""
        remaining = iter(rows)
        while batch := list(islice(remaining, _TOGETHER)):
            self.add(*(pa.array(column, pa.large_string()) for column in zip(*batch, strict=True)))


def number_names(database: Database) -> None:
    """Make ``vertices`` and ``relations`` (in canonical order) and ``triples`` from the rows."""
    number = f"CASE WHEN regexp_full_match(name, '{NUMBER}') THEN name::BIGINT END"
    for table, role in (("vertices", "is_end"), ("relations", "is_relation")):
        database.run_in_order(
            f"CREATE TABLE {table} AS SELECT name FROM (SELECT DISTINCT name FROM names"
            f" WHERE {role}) ORDER BY {number} NULLS LAST, name"
        )
        database.run(
            f"CREATE TABLE {table}_of AS SELECT id, {table}.rowid::INTEGER AS number"
            f" FROM names JOIN {table} USING (name) WHERE {role}"
        )
    database.run("DROP TABLE names")
    # One join at a time: together they would need three tables of hashes in memory.
    for column, table in (("h", "vertices_of"), ("r", "relations_of"), ("t", "vertices_of")):
        database.replace(
            "rows",
            f"SELECT rows.* REPLACE (number AS {column})"
            f" FROM rows JOIN {table} ON rows.{column} = {table}.id",
        )
    for table in ("vertices_of", "relations_of"):
        database.run(f"DROP TABLE {table}")
    database.run("CREATE TABLE triples AS SELECT DISTINCT h, r, t FROM rows")
    database.run("DROP TABLE rows")


def make_arcs(database: Database, test: VertexTest, direction: Direction) -> int:
    """Make ``all_arcs`` as `wlkg.graph.arcs` has them; the number of their relations."""
    relations = database.value("SELECT count(*) FROM relations")
    there = "SELECT h AS v, r AS i, t AS u FROM triples"
    back = "SELECT t AS v, r AS i, h AS u FROM triples"
    inverse = f"SELECT t AS v, (r + {relations})::INTEGER AS i, h AS u FROM triples"
    arcs = {
        "out": there,
        "in": back,
        "undirected": f"{there} UNION {back}",
        "both": f"{there} UNION ALL {inverse}",
    }[direction]
    if not (test.sees_relations or test.sees_degrees):
        arcs = f"SELECT DISTINCT v, 0 AS i, u FROM ({arcs})"
    database.run(f"CREATE TABLE all_arcs AS {arcs}")
    database.run("DROP TABLE triples")
    return 2 * relations if direction == "both" else relations
