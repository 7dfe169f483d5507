"""Saved models with what bounds them, and their predictions explained on every vertex."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import wlkg
from wlkg.analysis.explanation.formulas import program
from wlkg.analysis.explanation.learned import search
from wlkg.analysis.explanation.learned.rules import explain_predictions
from wlkg.errors import InputError
from wlkg.gnn.api import BoundedPredictions, predict_bounded
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.training.run_file import checkpoint_path
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets, read_targets

Choice = Mapping[str, Any]
NO_NORM = {"norm": False, "direction": False}


class Definition:
    """What formulas mean, by the definition: sets of vertices, and lists of neighbours."""

    def __init__(self, graph: RelationalGraph, test: str) -> None:
        number = {name: v for v, name in enumerate(graph.vertex_names)}
        self._everything = set(number.values())
        self._labels = {
            v: "" if graph.labels is None else graph.label_names[graph.labels[v]]
            for v in self._everything
        }
        self._around: dict[Any, dict[int, list[int]]] = {}
        self._found: dict[Any, set[int]] = {}
        self._same: dict[Any, Any] = {}
        for head, relation, tail in graph.named_triples():
            arcs = {
                "both": [(False, head, tail), (True, tail, head)],
                "undirected": [(False, head, tail), (False, tail, head)],
                "out": [(False, head, tail)],
                "in": [(True, tail, head)],
            }[graph.direction]
            for inverse, one, two in arcs:
                for kind in ((relation, inverse), (None, False)):
                    seen = self._around.setdefault(kind, {})
                    seen.setdefault(number[one], []).append(number[two])
        if test == "1-wl":
            distinct = {v: list(set(us)) for v, us in self._around[None, False].items()}
            self._around[None, False] = distinct

    def vertices(self, lines: Sequence[Mapping[str, Any]]) -> set[int]:
        """The vertices of which a formula, given as a list of nodes, is true."""
        keys: list[Any] = []
        for line in lines:
            args = tuple(keys[i] for i in line.get("args", [line["arg"]] if "arg" in line else []))
            rest = tuple((name, line[name]) for name in sorted(line) if name not in ("arg", "args"))
            keys.append((rest, tuple(map(id, args))))
            # A tuple with the same content that is already known stands for all of them.
            keys[-1] = self._same.setdefault(keys[-1], keys[-1])
            if keys[-1] not in self._found:
                self._found[keys[-1]] = self._true(line, [self._found[arg] for arg in args])
        return self._found[keys[-1]]

    def _true(self, line: Mapping[str, Any], args: list[set[int]]) -> set[int]:
        if "relation" in line:
            return self._seeing(line, args)
        match line["op"]:
            case "label":
                return {v for v in self._everything if self._labels[v] == line["value"]}
            case "not":
                return self._everything - args[0]
            case "and":
                return set.intersection(*args)
            case "or":
                return set.union(*args)
        assert line["op"] == "true"
        return self._everything

    def _seeing(self, line: Mapping[str, Any], args: list[set[int]]) -> set[int]:
        around = self._around.get((line["relation"], line["inverse"]), {})
        wanted = args[0] if args else self._everything
        counts = dict.fromkeys(self._everything, 0)
        counts |= {v: sum(u in wanted for u in us) for v, us in around.items()}
        match line["op"]:
            case "degree" | "exactly":
                return {v for v in counts if counts[v] == line["count"]}
            case "at_least":
                return {v for v in counts if counts[v] >= line["count"]}
        assert line["op"] == "share_at_least"
        share = Fraction(line["share"])
        return {v for v in around if Fraction(counts[v], len(around[v])) >= share}


def check_explained(bounded: BoundedPredictions) -> None:
    """The rules for all predictions equal them, vertex by vertex, by the definition."""
    explanation = explain_predictions(
        bounded.graph, bounded.predictions, bounded.test, bounded.round, curve=False
    )
    assert explanation.bound_holds
    assert explanation.fidelity == 1
    label_of = dict(
        zip(bounded.predictions.vertices.tolist(), bounded.predictions.labels, strict=True)
    )
    definition = Definition(bounded.graph, bounded.test)
    for rule in explanation.shown.classes:
        assert rule.formula.depth <= bounded.round
        members = definition.vertices(program(rule.formula))
        assert members == {v for v, label in label_of.items() if label == rule.label}


def small_graph(*, labels: bool = False) -> RelationalGraph:
    random = np.random.default_rng(7)
    triples = random.integers(0, [30, 3, 30], (60, 3))
    graph = RelationalGraph.from_arrays(*triples.T, num_vertices=30)
    return graph.with_labels([f"kind {v % 3}" for v in range(30)]) if labels else graph


TARGETS = Targets(np.arange(12), tuple("ABC"[v % 3] for v in range(12)))


def trained(graph: RelationalGraph, folder: Path, choice: Choice, **options: Any) -> Path:
    wlkg.train(
        graph,
        TARGETS,
        model=ModelChoice(**{"width": 8, "layers": 2, **choice}),
        epochs=30,
        learning_rate=0.05,
        save=str(folder),
        **options,
    )
    return checkpoint_path(folder, 0)


@pytest.mark.parametrize(
    ("choice", "test", "rounds"),
    [
        ({"model": "gnn"}, "1-wl", 2),
        ({"model": "rgcn", "layers": 3}, "1-rwl", 3),
        ({"model": "rgcn", "aggregation": "mean"}, "mean-rwl", 2),
        ({"model": "compgcn"}, "1-rwl", 3),
        ({"model": "compgcn", "composition": "add", **NO_NORM}, "weak-rwl", 2),
        ({"model": "k-rn", "k": 1}, "1-rlwl", 2),
    ],
)
def test_a_saved_model_comes_with_its_bound(
    tmp_path: Path, choice: Choice, test: str, rounds: int
) -> None:
    graph = small_graph()
    path = trained(graph, tmp_path, choice)
    bounded = predict_bounded(path, graph)
    assert (bounded.test, bounded.round) == (test, rounds)
    assert bounded.predictions.labels == wlkg.predict(str(path), graph).labels
    assert bounded.graph.labels is None
    if test != "1-rlwl":
        check_explained(bounded)


def test_labels_that_a_model_sees_are_atoms(tmp_path: Path) -> None:
    graph = small_graph(labels=True)
    path = trained(graph, tmp_path, {"model": "rgcn"}, features="labels")
    bounded = predict_bounded(path, graph)
    assert bounded.features == "labels"
    assert bounded.graph.labels is not None
    check_explained(bounded)


def test_labels_that_a_model_does_not_see_are_no_atoms(tmp_path: Path) -> None:
    graph = small_graph(labels=True)
    path = trained(graph, tmp_path, {"model": "rgcn"})
    bounded = predict_bounded(path, graph)
    assert bounded.features == "constant"
    assert bounded.graph.labels is None
    check_explained(bounded)


def test_rows_of_a_table_of_features_are_atoms(tmp_path: Path) -> None:
    graph = small_graph()
    table = tmp_path / "features.tsv"
    table.write_text("".join(f"{v}\t{v % 2}\t{v % 3}\n" for v in range(30)))
    path = trained(graph, tmp_path / "run", {"model": "rgcn"}, features=str(table))
    bounded = predict_bounded(path, graph, features=str(table))
    assert bounded.features == "table"
    assert len(bounded.graph.label_names) == 6
    check_explained(bounded)


def test_relations_that_are_new_to_the_model_are_not_explained(tmp_path: Path) -> None:
    path = trained(small_graph(), tmp_path, {"model": "rgcn"})
    more = RelationalGraph.from_triples([("0", "0", "1"), ("1", "new", "2"), ("2", "1", "0")])
    bounded = predict_bounded(path, more, unknown_relations="skip")
    assert bounded.left_out.relations == ("new",)
    assert "new" not in bounded.graph.relation_names
    check_explained(bounded)


def test_a_model_of_pairs_is_refused_with_what_to_do(tmp_path: Path) -> None:
    graph = small_graph()
    path = trained(graph, tmp_path, {"model": "k-rn", "k": 2})
    with pytest.raises(InputError, match=r"tuples of 2 vertices.*wlkg predict -o OUT.csv"):
        predict_bounded(path, graph)


@pytest.fixture(scope="module")
def aifb(data_dir: Path) -> tuple[RelationalGraph, Targets]:
    graph = wlkg.read(str(data_dir / "aifb" / "aifb_stripped.nt.gz"))
    return graph, read_targets(graph, str(data_dir / "aifb" / "trainingSet.tsv"))


@pytest.mark.parametrize(
    "choice",
    [
        {"model": "rgcn"},
        {"model": "rgcn-mlp"},
        {"model": "rgcn", "aggregation": "mean"},
        {"model": "compgcn"},
        # One layer of most compositions: two cost seconds each, and say nothing new.
        {"model": "compgcn", "composition": "add", **NO_NORM},
        *({"model": "compgcn", "composition": name, "norm": False} for name in ("mult", "corr")),
        *(
            {"model": "compgcn", "composition": name, "layers": 1, **NO_NORM}
            for name in COMPOSITIONS
        ),
    ],
    ids=lambda choice: "-".join(map(str, choice.values())),
)
def test_models_of_aifb_are_explained_on_every_vertex(
    choice: Choice,
    aifb: tuple[RelationalGraph, Targets],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Whether rules are exact does not depend on how long shorter ones are looked for.
    monkeypatch.setattr(search, "EFFORT", 100_000)
    monkeypatch.setattr(search, "THRIFTS", (0.5,))
    graph, targets = aifb
    wlkg.train(
        graph,
        targets,
        model=ModelChoice(**{"width": 8, "layers": 2, **choice}),
        epochs=30,
        learning_rate=0.01,
        save=str(tmp_path),
    )
    bounded = predict_bounded(checkpoint_path(tmp_path, 0), graph)
    assert len(bounded.predictions) == 8285
    check_explained(bounded)
