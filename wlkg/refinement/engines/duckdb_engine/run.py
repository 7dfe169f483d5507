"""The duckdb engine on a graph in memory: its arcs go to the database, its colours come back."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from wlkg.arrays import IntArray
from wlkg.partition import History
from wlkg.progress import Progress
from wlkg.refinement.engines.duckdb_engine.database import Database, opened_database
from wlkg.refinement.engines.duckdb_engine.rounds import DatabaseRounds, MissedSplitError
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND
from wlkg.refinement.vertices.vertex_problem import VertexProblem
from wlkg.refinement.vertices.vertex_tests import VertexRun, run_textbook


def run_duckdb(
    problem: VertexProblem, last_round: int, progress: Progress, *, max_memory: int | None = None
) -> VertexRun:
    """Refine in a database; if no attempt passes the check, the textbook decides."""
    arcs = problem.arcs
    with opened_database(max_memory) as database:
        database.run("CREATE TABLE all_arcs (v INTEGER, i INTEGER, u INTEGER)")
        rows = {"v": arcs.source.astype(np.int32), "i": arcs.relation, "u": arcs.neighbour}
        database.insert("all_arcs", pa.table(rows))
        smallest = np.unique(problem.start.colours, return_index=True)[1]
        start = {"v": np.arange(problem.num_vertices), "c": smallest[problem.start.colours]}
        for seed in range(ATTEMPTS):
            database.run("CREATE OR REPLACE TABLE colour_0 (v INTEGER, c INTEGER)")
            database.insert("colour_0", pa.table(start))
            rounds = DatabaseRounds(database, problem.test, arcs.num_relations, seed)
            watch = _Watch(progress, database, rounds)
            try:
                stable = rounds.run(last_round, watch)
            except MissedSplitError:
                continue
            history = History.from_rounds([start["c"], *watch.colourings])
            return VertexRun(history=history, stable=stable, exact=True, proof=EVERY_ROUND)
    return run_textbook(problem, last_round, progress)


class _Watch:
    """Passes progress on, and fetches the colours of every round on the way."""

    def __init__(self, progress: Progress, database: Database, rounds: DatabaseRounds) -> None:
        self._progress, self._database, self._rounds = progress, database, rounds
        self.colourings: list[IntArray] = []

    def done(self, amount: int) -> None:
        query = f"SELECT c FROM colour_{self._rounds.rounds} ORDER BY v"
        self.colourings.append(np.asarray(self._database.columns(query)["c"]))
        self._progress.done(amount)

    def start(self, what: str, total: int | None, unit: str) -> None:
        self._progress.start(what, total, unit)

    def count(self, number: int, what: str) -> None:
        self._progress.count(number, what)

    def say(self, text: str) -> None:
        self._progress.say(text)

    def finish(self) -> None:
        self._progress.finish()
