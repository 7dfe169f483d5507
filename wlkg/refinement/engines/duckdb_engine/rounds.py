"""Colour refinement as joins and aggregations in a database.

======================  ============================================================================
``arcs(v, i, u)``       the arcs of vertices that share their class with others
``active(v, c)``        these vertices with their classes
``colour_T(v, c)``      the class of every vertex at round T; two or three rounds are kept
======================  ============================================================================

A class is named by its smallest vertex, so the part of a split class that has this vertex keeps the
name, and no numbers are handed out. In every round:

1. *Join* the arcs with the colours of their neighbours, and *aggregate*: the sum, over the arcs of
   a vertex, of a hash of (relation, colour), in two lanes of 64 bits with different salts. Sums
   have 128 bits, so they do not wrap. For mean-rwl, the summands are hashes of (relation, colour,
   share), once for each relation and colour that the vertex sees.
2. *Relabel*: vertices with equal class and sums get the smallest of them as their new class.
3. *Check*, without hashing, that the split was not overdue (`duckdb_engine.check`).

Different sums mean different multisets, so every split is right. All tables are larger than memory
if they have to be: joins and aggregations spill. A round costs O(arcs) of sequential reads and
writes, so this engine suits graphs with few rounds.
"""

from __future__ import annotations

import random

from wlkg.catalogue import VertexTest
from wlkg.progress import SILENT, Progress
from wlkg.refinement.engines.duckdb_engine.check import members_agree, newborn_agree
from wlkg.refinement.engines.duckdb_engine.database import Database

#: Arcs are copied without those of lone vertices once these are this share of all.
_FORGOTTEN_SHARE = 0.3


class MissedSplitError(Exception):
    """Two different sums were equal, which the check noticed: run again with other salts."""


class DatabaseRounds:
    """One run on the tables ``all_arcs`` and ``colour_0``; tests keep few ``bits`` of a hash."""

    def __init__(
        self, database: Database, test: VertexTest, relations: int, seed: int, bits: int = 64
    ) -> None:
        self._database, self._test = database, test
        draw = random.Random(seed)  # noqa: S311  no secret
        self._salts = [draw.getrandbits(64) for _ in range(4)]
        self._mask = 2**bits - 1
        #: Relation and colour as one number.
        self._pair = f"(c::UBIGINT * {max(relations, 1)} + i)"
        self.rounds = 0
        self.classes_per_round = [database.value("SELECT count(DISTINCT c) FROM colour_0")]
        database.replace("arcs", "SELECT * FROM all_arcs")
        sizes = "SELECT c, count(*) AS size FROM colour_0 GROUP BY c"
        self._list_active(f"SELECT v, c, size FROM colour_0 JOIN ({sizes}) USING (c)")
        if test.sees_shares:
            database.replace("degrees", "SELECT v, i, count(*) AS d FROM arcs GROUP BY v, i")

    def run(self, last_round: int, progress: Progress = SILENT) -> bool:
        """Refine until nothing changes (True) or ``last_round`` is reached (False)."""
        while self.rounds < last_round:
            born = self._advance()
            if not born:
                if not members_agree(self._database, self._test, f"colour_{self.rounds}"):
                    raise MissedSplitError
                return True
            self.rounds += 1
            self.classes_per_round.append(self.classes_per_round[-1] + born)
            if self.rounds > 1:
                seen = f"colour_{self.rounds - 2}"
                if not newborn_agree(self._database, self._test, seen):
                    raise MissedSplitError
                self._database.run(f"DROP TABLE {seen}")
            self._forget_lone_vertices()
            progress.done(self.rounds)
            progress.count(self.classes_per_round[-1], "classes")
        # The colours of the last round were never looked at; those of the round before were.
        before = f"colour_{self.rounds - 1}"
        if self.rounds and not members_agree(self._database, self._test, before):
            raise MissedSplitError
        return False

    def _advance(self) -> int:
        """Prepare the tables of the next round; the number of new classes, 0 if nothing changes."""
        database, now = self._database, f"colour_{self.rounds}"
        # One join at a time, so that each has all of the memory.
        database.run(f"CREATE OR REPLACE TABLE sums AS {self._sums(now)}")
        database.run(
            "CREATE OR REPLACE TABLE signatures AS SELECT active.v, active.c,"
            " coalesce(one, 0) AS one, coalesce(two, 0) AS two"
            " FROM active LEFT JOIN sums USING (v)"
        )
        database.run("DROP TABLE sums")
        database.run(
            "CREATE OR REPLACE TABLE parts AS"
            " SELECT c, one, two, min(v) AS first, count(*) AS size"
            " FROM signatures GROUP BY c, one, two"
        )
        born = database.value("SELECT count(*) FROM parts WHERE first <> c")
        if not born:
            return 0
        database.run(
            "CREATE OR REPLACE TABLE moved AS SELECT v, first AS c, size"
            " FROM signatures JOIN parts USING (c, one, two)"
        )
        database.run(
            "CREATE OR REPLACE TABLE newborn AS"
            " SELECT first AS c, c AS parent FROM parts WHERE first <> c"
        )
        database.run(
            f"CREATE OR REPLACE TABLE colour_{self.rounds + 1} AS"
            f" SELECT v, coalesce(moved.c, {now}.c) AS c FROM {now} LEFT JOIN moved USING (v)"
        )
        self._list_active("SELECT v, c, size FROM moved")
        return born

    def _list_active(self, query: str) -> None:
        self._database.replace("active", f"SELECT v, c, size FROM ({query}) WHERE size > 1")

    def _forget_lone_vertices(self) -> None:
        database = self._database
        kept = database.value("SELECT count(*) FROM arcs SEMI JOIN active USING (v)")
        if kept < (1 - _FORGOTTEN_SHARE) * database.value("SELECT count(*) FROM arcs"):
            database.replace("arcs", "SELECT * FROM arcs SEMI JOIN active USING (v)")

    def _sums(self, now: str) -> str:
        """The query for the two sums of every vertex that has arcs."""
        seen = f"SELECT a.v, a.i, k.c FROM arcs a JOIN {now} k ON a.u = k.v"
        if self._test.sees_shares:
            shares = (
                "SELECT v, i, c, n // gcd(n, d) AS p, d // gcd(n, d) AS q FROM"
                f" (SELECT v, i, c, count(*) AS n FROM ({seen}) GROUP BY v, i, c)"
                " JOIN degrees USING (v, i)"
            )
            share = "p * 4294967296 + q"  # both are at most the degree of a vertex
            lanes = [
                f"sum({self._hashed(f'xor({self._hash(self._pair, salt)}, hash({share}))')})"
                for salt in self._salts[:2]
            ]
            return self._lanes(lanes, shares)
        key = self._pair if self._test.sees_relations else "c::UBIGINT"
        lanes = [f"sum({self._hashed(self._hash(key, salt))})" for salt in self._salts[:2]]
        if self._test.sees_degrees and self.rounds == 0:
            degrees = [f"sum({self._hashed(self._hash('i::UBIGINT', s))})" for s in self._salts[2:]]
            lanes = [f"{lane} + {degree}" for lane, degree in zip(lanes, degrees, strict=True)]
        return self._lanes(lanes, seen)

    @staticmethod
    def _lanes(lanes: list[str], rows: str) -> str:
        return f"SELECT v, {lanes[0]} AS one, {lanes[1]} AS two FROM ({rows}) GROUP BY v"

    def _hash(self, number: str, salt: int) -> str:
        return f"hash(xor({number}, {salt}::UBIGINT))"

    def _hashed(self, value: str) -> str:
        """The part of a hash that is kept: all of it, except where tests provoke collisions."""
        return f"({value} & {self._mask}::UBIGINT)"
