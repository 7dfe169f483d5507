"""A run in progress: rounds until the colours are stable, each finished on disk, then the check."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from pyspark import StorageLevel
from pyspark.sql import DataFrame, SparkSession

from wlkg.progress import Progress
from wlkg.refinement.engines.spark.check import can_prove, missed_no_split
from wlkg.refinement.engines.spark.classes import CLASS_SCHEMA, class_table, count_classes
from wlkg.refinement.engines.spark.rounds import COLOUR, next_colours, start_colours
from wlkg.refinement.engines.spark.session import SparkError
from wlkg.refinement.engines.spark.tables import ARCS, VERTICES, Origin
from wlkg.refinement.engines.spark.work_folder import WorkFolder, of_round
from wlkg.refinement.proof import ATTEMPTS, EVERY_ROUND, UNCHECKED_VERTICES

#: Called with each finished round and its colours.
Watcher = Callable[[int, DataFrame], None]
COLOURS, CLASSES = "colours", "classes"
_COLOUR_SCHEMA = "vertex long, colour1 long, colour2 long, round int"
#: Bytes of input for a partition: at most, and at least for more than one.
_PARTITION = 32 << 20
_SMALLEST = 1 << 20


@dataclass(frozen=True)
class Outcome:
    """How a run ended; its rounds are in the state of the work folder."""

    stable: bool
    #: Whether it was proven that no split was missed in any round.
    exact: bool

    @property
    def proof(self) -> str:
        return EVERY_ROUND if self.exact else UNCHECKED_VERTICES


@dataclass
class Run:
    """What has been finished is in the state of the work folder."""

    session: SparkSession
    work: WorkFolder
    origin: Origin
    progress: Progress
    watch: Watcher = lambda _round, _colours: None

    def complete(self, last: int | None) -> Outcome:
        """Prepare the arcs, run the rounds, check the outcome."""
        state = self.work.state
        self.session.conf.set("spark.sql.shuffle.partitions", self._partitions())
        if "arcs" not in state:
            self.origin.make(self.session, self.work, self.progress)
            vertices, arcs = (
                self.work.read(self.session, name).count() for name in (VERTICES, ARCS)
            )
            state |= {"vertices": vertices, "arcs": arcs, "attempt": 0}
            self.work.save()
        placed = self._placed_arcs()
        self.progress.start(f"refining by {self.origin.test.name} with Spark", last, "rounds")
        try:
            return self._refine(placed, last)
        finally:
            self.progress.finish()
            placed.unpersist()

    @property
    def rounds(self) -> int:
        """The last round that is part of the result."""
        return len(self.work.state["rounds"]) - 1

    def all_colours(self) -> DataFrame:
        """The colours of all rounds."""
        return self.work.read_rounds(self.session, COLOURS, self.rounds, _COLOUR_SCHEMA)

    def all_classes(self) -> DataFrame:
        """The classes of all rounds."""
        return self.work.read_rounds(self.session, CLASSES, self.rounds, CLASS_SCHEMA)

    def colours_of(self, number: int) -> DataFrame:
        """The colours of one round."""
        table = self.work.read(self.session, of_round(COLOURS, number))
        return table.select("vertex", *COLOUR)

    def _partitions(self) -> int:
        size, parallelism = self.origin.size, self.session.sparkContext.defaultParallelism
        return max(1, min(2 * parallelism, size // _SMALLEST), size // _PARTITION)

    def _placed_arcs(self) -> DataFrame:
        """The arcs, partitioned and sorted by neighbour, in memory as far as they fit."""
        partitions = int(self.session.conf.get("spark.sql.shuffle.partitions") or 1)
        arcs = self.work.read(self.session, ARCS).repartition(partitions, "neighbour")
        return arcs.sortWithinPartitions("neighbour").persist(StorageLevel.MEMORY_AND_DISK)

    def _refine(self, arcs: DataFrame, last: int | None) -> Outcome:
        """Run and check; after a collision everything is done again with other hash functions."""
        test = self.origin.test
        provable = can_prove(arcs, test)
        while self.work.state["attempt"] < ATTEMPTS:
            stable = self._run_rounds(arcs, last)
            if stable is not None:
                if not provable:
                    return Outcome(stable, exact=False)
                self.progress.say("checking every round")
                colours, classes = self.all_colours(), self.all_classes()
                if missed_no_split(arcs, colours, classes, test, self.rounds, stable=stable):
                    return Outcome(stable, exact=True)
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
        salt = self.work.state["attempt"]
        if not entries:
            vertices = self.work.read(self.session, VERTICES)
            if not self._finish_round(start_colours(vertices, salt)):
                return None
        while len(entries) < 2 or entries[-1]["classes"] != entries[-2]["classes"]:
            number = len(entries)
            if last is not None and number > last:
                return False
            colours, is_first = self.colours_of(number - 1), number == 1
            following = next_colours(arcs, colours, self.origin.test, salt, is_first=is_first)
            if not self._finish_round(following):
                return None
        entries.pop()
        return True

    def _finish_round(self, following: DataFrame) -> bool:
        """Write the colours and the classes of a round; False if a collision merged classes."""
        started = time.monotonic()
        entries = self.work.state["rounds"]
        number = len(entries)
        colours = self.work.write(following, of_round(COLOURS, number))
        classes = self.work.write(class_table(colours), of_round(CLASSES, number))
        count = count_classes(classes)
        if not count.refines:
            return False
        seconds = time.monotonic() - started
        entries.append({"classes": count.classes, "pairs": count.pairs, "seconds": seconds})
        self.work.save()
        self.watch(number, colours)
        self.progress.done(number)
        self.progress.count(count.classes, "classes")
        return True
