"""Proof in the database, without hashing, that no split was missed in any round.

`wlkg.refinement.engines.torch_engine.check` has the argument: it is enough that all members of a
last class see the same, and that for every class born at a round b > 1, it and its parent see the
same under the colours of round b - 2. A class is represented by the vertex that it is named after.

Views are grouped; those of one group must see each relation and colour equally often. So each
(relation, colour) that occurs in a group must occur in all of its views, with equal counts. A
database groups rows by a hash of their keys too, but it compares the keys themselves.
"""

from __future__ import annotations

from wlkg.catalogue import VertexTest
from wlkg.refinement.engines.duckdb_engine.database import Database

_MEMBERS = "SELECT c AS g, v, size FROM active"
_NEWBORN = (
    "SELECT c AS g, c AS v, 2 AS size FROM newborn"
    " UNION ALL SELECT c AS g, parent AS v, 2 AS size FROM newborn"
)


def members_agree(database: Database, test: VertexTest, colours: str) -> bool:
    """Whether all members of a class see the same of a table of colours."""
    return _agree(database, test, _MEMBERS, colours)


def newborn_agree(database: Database, test: VertexTest, colours: str) -> bool:
    """Whether each class that was split off sees the same as its parent of a table of colours."""
    return _agree(database, test, _NEWBORN, colours)


def _agree(database: Database, test: VertexTest, views: str, colours: str) -> bool:
    seen = (
        f"SELECT g, v, size, i, k.c AS c FROM ({views}) JOIN arcs USING (v)"
        f" JOIN {colours} k ON arcs.u = k.v"
    )
    keys = ["i, c"] if test.sees_relations else ["c"]
    if test.sees_degrees:
        keys.append("i")
    for key in keys:
        counts = f"SELECT g, v, min(size) AS size, {key}, count(*) AS n FROM ({seen})"
        counts += f" GROUP BY g, v, {key}"
        equal = "min(n) = max(n)"
        if test.sees_shares:
            counts = f"SELECT *, gcd(n, d) AS common FROM ({counts}) JOIN degrees USING (v, i)"
            equal = " AND ".join(
                f"min({part} // common) = max({part} // common)" for part in ("n", "d")
            )
        wrong = f"SELECT g FROM ({counts}) GROUP BY g, {key}"
        wrong += f" HAVING count(*) <> min(size) OR NOT ({equal}) LIMIT 1"
        if database.value(f"SELECT count(*) FROM ({wrong})"):
            return False
    return True
