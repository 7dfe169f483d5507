"""A run in progress: rounds until the colours are stable, each finished on disk, then the check."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from wlkg.catalogue import Direction, VertexTest
from wlkg.progress import Progress
from wlkg.refinement.engines.spark.arcs import arc_table, find_salt, vertex_table
from wlkg.refinement.engines.spark.check import can_prove, count_classes, sees_alike
from wlkg.refinement.engines.spark.output import write_colours
from wlkg.refinement.engines.spark.reading import read_labels, read_triples
from wlkg.refinement.engines.spark.rounds import next_colours, start_colours
from wlkg.refinement.engines.spark.session import SparkError
from wlkg.refinement.engines.spark.work_folder import WorkFolder, input_size
from wlkg.refinement.engines.summary import RefinementSummary
from wlkg.refinement.proof import ATTEMPTS, STABLE_VERTICES, UNCHECKED_VERTICES

#: Called with each finished round and its colours.
Watcher = Callable[[int, DataFrame], None]
#: Bytes of input for each partition.
_PARTITION = 32 << 20


@dataclass
class Run:
    """What has been finished is in the state of the work folder."""

    session: SparkSession
    work: WorkFolder
    test: VertexTest
    direction: Direction
    progress: Progress
    watch: Watcher = lambda _round, _colours: None

    def complete(self, path: str, labels: str | None, last: int | None) -> RefinementSummary:
        """Prepare the arcs, run the rounds, check the outcome."""
        started = time.monotonic()
        state = self.work.state
        self.session.conf.set("spark.sql.shuffle.partitions", self._partitions(path))
        if "arcs" not in state:
            self._prepare(path, labels)
        arcs = self._placed_arcs()
        self.progress.start(f"refining by {self.test.name} with Spark", last, "rounds")
        try:
            stable, proven = self._refine(arcs, last)
        finally:
            self.progress.finish()
            arcs.unpersist()
        entries = state["rounds"]
        return RefinementSummary(
            test=self.test.name,
            direction=self.direction,
            vertices=state["vertices"],
            arcs=state["arcs"],
            classes_per_round=tuple(entry["classes"] for entry in entries),
            stable=stable,
            exact=proven,
            proof=STABLE_VERTICES if proven else UNCHECKED_VERTICES,
            indistinguishable_pairs=entries[-1]["pairs"],
            engine="spark",
            seconds=time.monotonic() - started,
        )

    def write(self, place: str | Path) -> None:
        """Write the colours of the last round, and the table of rounds."""
        entries = self.work.state["rounds"]
        colours = self._colours(len(entries) - 1).select("vertex", "colour1", "colour2")
        vertices = self.work.read(self.session, "vertices")
        write_colours(place, vertices, colours, entries, self.work)

    def _partitions(self, path: str) -> int:
        parallelism: int = self.session.sparkContext.defaultParallelism
        return max(2 * parallelism, input_size(path) // _PARTITION)

    def _prepare(self, path: str, labels: str | None) -> None:
        """Turn names into numbers and triples into arcs."""
        self.progress.start(f"reading {path} with Spark", None, "")
        triples = read_triples(self.session, path).persist()
        try:
            salt = find_salt(triples)
            given = None if labels is None else read_labels(self.session, labels)
            vertices = self.work.write(vertex_table(triples, given, salt), "vertices")
            arcs = self.work.write(arc_table(triples, self.test, self.direction, salt), "arcs")
        finally:
            triples.unpersist()
            self.progress.finish()
        self.work.state |= {"vertices": vertices.count(), "arcs": arcs.count(), "attempt": 0}
        self.work.save()

    def _placed_arcs(self) -> DataFrame:
        """The arcs, partitioned and sorted by neighbour, in memory as far as they fit."""
        partitions = int(self.session.conf.get("spark.sql.shuffle.partitions") or 1)
        arcs = self.work.read(self.session, "arcs").repartition(partitions, "neighbour")
        return arcs.sortWithinPartitions("neighbour").persist(StorageLevel.MEMORY_AND_DISK)

    def _refine(self, arcs: DataFrame, last: int | None) -> tuple[bool, bool]:
        """Whether the colours became stable, and whether that is proven.

        After a collision, everything is done again with other hash functions.
        """
        provable = can_prove(arcs, self.test)
        while self.work.state["attempt"] < ATTEMPTS:
            stable = self._run_rounds(arcs, last)
            if stable is not None:
                final = self._colours(len(self.work.state["rounds"]) - 1)
                if not stable or not provable:
                    return stable, False
                self.progress.say("checking")
                if sees_alike(arcs, final.select("vertex", "colour1", "colour2"), self.test):
                    return True, True
            self.work.state["attempt"] += 1
            self.work.state["rounds"] = []
            self.work.save()
        raise SparkError(
            f"the check failed in {ATTEMPTS} runs, with other hash functions each time. This is"
            " less likely than a fault of the machine"
        )

    def _run_rounds(self, arcs: DataFrame, last: int | None) -> bool | None:
        """Run rounds until the colours are stable (True) or the last round; None on a collision."""
        entries = self.work.state["rounds"]
        if not entries and not self._finish_round(None):
            return None
        while len(entries) < 2 or entries[-1]["classes"] != entries[-2]["classes"]:
            number = len(entries)
            if last is not None and number > last:
                return False
            colours = self._colours(number - 1).select("vertex", "colour1", "colour2")
            following = next_colours(
                arcs, colours, self.test, self.work.state["attempt"], is_first=number == 1
            )
            if not self._finish_round(following):
                return None
        entries.pop()
        return True

    def _finish_round(self, following: DataFrame | None) -> bool:
        """Write the colours of a round and count its classes; False if a collision merged some."""
        started = time.monotonic()
        entries = self.work.state["rounds"]
        number = len(entries)
        before: tuple[str, ...] = ("was0", "was1")
        if following is None:
            vertices = self.work.read(self.session, "vertices")
            following = start_colours(vertices, self.work.state["attempt"])
            before = ("label",)
        colours = self.work.write(following, self._table(number))
        count = count_classes(colours, before)
        if not count.refines:
            return False
        seconds = time.monotonic() - started
        entries.append({"classes": count.classes, "pairs": count.pairs, "seconds": seconds})
        self.work.save()
        self.work.drop(self._table(number - 2))
        self.watch(number, colours)
        self.progress.done(number)
        self.progress.say(f"{count.classes:,} classes")
        return True

    def _colours(self, number: int) -> DataFrame:
        return self.work.read(self.session, self._table(number))

    def _table(self, number: int) -> str:
        return f"colours-{number}"
