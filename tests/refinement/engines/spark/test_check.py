"""The proof in Spark: it accepts true runs, and notices every missed or late split."""

from __future__ import annotations

import os
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from pyspark.sql import DataFrame, SparkSession

import wlkg
from tests.refinement.engines.tiny_graphs import many_tiny_graphs
from wlkg.arrays import IntArray
from wlkg.catalogue import TESTS, VertexTest
from wlkg.refinement.engines.spark.arcs import with_degrees
from wlkg.refinement.engines.spark.check import missed_no_split
from wlkg.refinement.engines.spark.classes import CLASS_SCHEMA, births, class_table
from wlkg.refinement.vertices.vertex_problem import VertexProblem, vertex_problem

#: Of all splits of a graph, by default a few are missed on purpose, since each check is a job.
STEP = 1 if os.environ.get("WLKG_SPARK") else 12
_COLOURS = "vertex long, colour1 long, colour2 long, round int"


class Checked:
    """A graph whose made-up rounds are checked."""

    def __init__(self, spark: SparkSession, problem: VertexProblem) -> None:
        self.spark, self.test = spark, problem.test
        arcs = problem.arcs
        columns = {
            "vertex": arcs.source,
            "relation": arcs.relation,
            "neighbour": arcs.neighbour,
        }
        self.arcs = with_degrees(self._frame(columns), problem.test).persist()

    def _frame(self, columns: dict[str, IntArray]) -> DataFrame:
        table = pa.table({name: array.astype(np.int64) for name, array in columns.items()})
        return self.spark.createDataFrame(table)

    def holds(self, colourings: Sequence[IntArray], *, stable: bool) -> bool:
        """Whether these colours of all rounds pass."""
        rounds, classes = [], []
        for number, colours in enumerate(colourings):
            before = colourings[max(number - 1, 0)]
            rounds.append(
                np.stack([np.arange(len(colours)), colours, colours * 0, colours * 0 + number])
            )
            colour, first, size = np.unique(colours, return_index=True, return_counts=True)
            same = colour * 0
            classes.append(
                np.stack([colour, same, first, size, before[first], same, same + number])
            )
        return missed_no_split(
            self.arcs,
            self._frame(_columns(_COLOURS, rounds)),
            self._frame(_columns(CLASS_SCHEMA, classes)),
            self.test,
            len(colourings) - 1,
            stable=stable,
        )


def _columns(schema: str, rows: list[IntArray]) -> dict[str, IntArray]:
    names = [field.split()[0] for field in schema.split(", ")]
    return dict(zip(names, np.concatenate(rows, axis=1), strict=True))


def with_a_late_split(colourings: list[IntArray]) -> list[list[IntArray]]:
    """The rounds with two classes joined that had just come apart, in every possible way."""
    wrong = []
    for t in range(1, len(colourings)):
        first = {c: int(np.argmax(colourings[t] == c)) for c in np.unique(colourings[t]).tolist()}
        of_parent: dict[int, int] = {}
        for colour, vertex in first.items():
            parent = int(colourings[t - 1][vertex])
            other = of_parent.setdefault(parent, colour)
            if other != colour:
                joined = [c.copy() for c in colourings]
                joined[t][joined[t] == colour] = other
                wrong.append(joined)
    return wrong


@pytest.mark.parametrize("test", ["1-wl", "weak-rwl", "1-rwl", "mean-rwl"])
def test_every_missed_or_late_split_is_noticed(spark: SparkSession, test: str) -> None:
    graph = many_tiny_graphs(8, seed=5, labels=False)
    chosen = TESTS[test]
    assert isinstance(chosen, VertexTest)
    checked = Checked(spark, vertex_problem(graph, chosen))
    history = wlkg.refine(graph, test).history
    colourings = [history.partition(t).colours.astype(np.int64) for t in range(history.rounds + 1)]
    assert len(colourings) > 2
    assert checked.holds(colourings, stable=True)
    assert not checked.holds(colourings[:-1], stable=True)
    assert checked.holds(colourings[:-1], stable=False)
    wrong = with_a_late_split(colourings)
    assert len(wrong) > 12
    for made in wrong[::STEP]:
        assert not checked.holds(made, stable=True)


def test_classes_that_were_joined_are_mixed(spark: SparkSession) -> None:
    schema = "vertex long, colour1 long, colour2 long, was0 long, was1 long"
    rows = [(0, 5, 5, 1, 1), (1, 5, 5, 1, 2), (2, 6, 6, 1, 2)]
    classes = class_table(spark.createDataFrame(rows, schema))
    assert {row["first"]: row["mixed"] for row in classes.collect()} == {0: True, 2: False}
    labelled = spark.createDataFrame(
        [(0, 5, 5, "red"), (1, 5, 5, "green"), (2, 6, 6, None)],
        "vertex long, colour1 long, colour2 long, label string",
    )
    assert {r["first"]: r["mixed"] for r in class_table(labelled).collect()} == {0: True, 2: False}


def test_births_are_the_parts_without_the_smallest_vertex(spark: SparkSession) -> None:
    schema = "colour1 long, colour2 long, first long, size long, was0 long, was1 long, round int"
    rows = [
        (7, 7, 0, 5, None, None, 0),
        (8, 1, 0, 2, 7, 7, 1),
        (9, 1, 2, 3, 7, 7, 1),
        (8, 2, 0, 2, 8, 1, 2),
        (9, 2, 2, 1, 9, 1, 2),
        (9, 3, 3, 2, 9, 1, 2),
    ]
    found = {tuple(row) for row in births(spark.createDataFrame(rows, schema)).collect()}
    assert found == {(2, 0, 1), (3, 2, 2)}
