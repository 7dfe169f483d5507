"""Tasks: which vertices are for validation, and which features they have."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.gnn.training.tasks import CONFIG, N, random_graph, small_task, targets_of
from wlkg.errors import UsageError
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.features import make_features
from wlkg.gnn.training.loop import train_once
from wlkg.gnn.training.target_sets import TargetSets
from wlkg.gnn.training.task import make_task
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.readers.targets import Targets


def test_validation_is_a_seeded_share_of_the_training_vertices_only() -> None:
    split = small_task().split(3)
    assert len(split.validation) == 3
    assert sorted([*split.train.tolist(), *split.validation.tolist()]) == list(range(20))
    assert split.test.tolist() == list(range(20, 30))
    assert split.validation.tolist() == small_task().split(3).validation.tolist()
    assert any(
        split.validation.tolist() != small_task().split(s).validation.tolist() for s in range(5)
    )


def test_validation_may_be_another_share_or_none_or_given() -> None:
    half = TargetSets(targets_of(0, 20), targets_of(20, 30), validation=0.5).split(3)
    assert (len(half.train), len(half.validation), len(half.test)) == (10, 10, 10)
    none = TargetSets(targets_of(0, 20), validation=0).split(3)
    assert (none.train.tolist(), none.validation.tolist()) == (list(range(20)), [])
    given = TargetSets(targets_of(0, 15), targets_of(20, 30), targets_of(15, 20))
    for seed in (0, 1):
        split = given.split(seed)
        assert split.train.tolist() == list(range(15))
        assert split.validation.tolist() == list(range(15, 20))
        assert split.test.tolist() == list(range(20, 30))
    assert given.items.tolist() == list(range(30))
    assert [given.classes[number] for number in given.labels] == [*("xyz" * 10)]


def test_a_large_share_leaves_a_target_to_train_on() -> None:
    split = TargetSets(targets_of(0, 4), validation=0.99).split(0)
    assert (len(split.train), len(split.validation)) == (1, 3)


@pytest.mark.parametrize(
    ("sets", "message"),
    [
        (TargetSets(targets_of(0, 9), validation=1.0), "from 0 to below 1, found 1.0"),
        (TargetSets(targets_of(0, 9), validation=-0.1), "from 0 to below 1, found -0.1"),
        (TargetSets(targets_of(0, 9), validation=math.nan), "from 0 to below 1, found nan"),
        (
            TargetSets(targets_of(0, 9), validation=targets_of(7, 12)),
            "2 vertices are both targets and for validation: 7, 8",
        ),
        (
            TargetSets(targets_of(0, 9), targets_of(11, 13), targets_of(10, 12)),
            "1 vertices are both for validation and held out: 11",
        ),
    ],
)
def test_sets_of_targets_that_overlap_or_leave_nothing_are_refused(
    sets: TargetSets, message: str
) -> None:
    with pytest.raises(UsageError) as caught:
        make_task(random_graph(), sets, ModelChoice("rgcn"))
    assert message in str(caught.value)


def test_features_from_labels_are_one_hot_and_change_the_result() -> None:
    task = small_task(features="labels")
    assert task.config.in_width == 3
    assert train_once(task, CONFIG).last != train_once(small_task(), CONFIG).last
    unlabelled = RelationalGraph.from_triples([("a", "r", "b")])
    targets = Targets(np.array([0, 1]), ("x", "y"))
    with pytest.raises(UsageError, match="no labels"):
        make_task(unlabelled, TargetSets(targets), ModelChoice("rgcn"), features="labels")


def test_features_may_be_given_in_a_table(tmp_path: Path) -> None:
    graph, path = random_graph(), tmp_path / "x.tsv"
    values = np.random.default_rng(3).integers(0, 2, (N, 2)) / 4
    lines = [f"{v}\t{a}\t{b}" for v, (a, b) in enumerate(values.tolist())]
    path.write_text("\n".join(lines) + "\n")
    given = make_features(graph, str(path), 4)
    assert given.width == 2
    assert np.array_equal(given.of(np.arange(N)).numpy(), values)
    assert given.start == Partition.of(values[:, 0] * 2 + values[:, 1])
    curves = [
        train_once(
            small_task(features=str(path), compress=compress, dtype="float64"), CONFIG
        ).curves
        for compress in (True, False)
    ]
    assert torch.allclose(curves[0], curves[1], rtol=1e-9, equal_nan=True)
    assert not torch.allclose(curves[0], train_once(small_task(dtype="float64"), CONFIG).curves)
