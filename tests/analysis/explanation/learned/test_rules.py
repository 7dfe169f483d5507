"""Rules for predictions, checked against the direct semantics of formulas."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.analysis.explanation.semantics import Meaning, depth, size
from wlkg.analysis.explanation.formulas import document
from wlkg.analysis.explanation.learned.rules import (
    ModelExplanation,
    RuleSet,
    explain_predictions,
)
from wlkg.catalogue import DIRECTIONS
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import Partition
from wlkg.readers.targets import Targets
from wlkg.refinement.refine import refine

TESTS = ("1-rwl", "weak-rwl", "1-wl", "mean-rwl", "1-rlwl", "delta-1-lwl")


def random_graph(rng: random.Random, *, most: int = 9) -> RelationalGraph:
    """A tiny graph with loops, parallel relations, isolated vertices, and sometimes labels."""
    count, relations = rng.randint(1, most), rng.randint(1, 3)
    triples = [
        (rng.randrange(count), rng.randrange(relations), rng.randrange(count))
        for _ in range(rng.randint(0, 2 * count))
    ]
    graph = RelationalGraph.from_arrays(
        [h for h, _, _ in triples],
        [r for _, r, _ in triples],
        [t for _, _, t in triples],
        num_vertices=count,
        relation_names=[f"r{i}" for i in range(relations)],
        direction=rng.choice(DIRECTIONS),
    )
    if rng.random() < 0.4:
        graph = graph.with_labels([rng.choice(["red", "green", "blue"]) for _ in range(count)])
    return graph


def predicted(graph: RelationalGraph, labels: list[str]) -> Targets:
    return Targets(np.arange(graph.num_vertices), tuple(labels))


def by_class(rng: random.Random, classes: Partition) -> list[str]:
    """Random predictions that are the same within each class."""
    of_class = [rng.choice("ABC") for _ in range(classes.num_classes)]
    return [of_class[c] for c in classes.colours.tolist()]


def given_by(rules: RuleSet, graph: RelationalGraph, test: str) -> list[set[str]]:
    """The classes of each vertex by the direct semantics of the formulas."""
    meaning = Meaning(graph, distinct_neighbours=test in ("1-wl", "delta-1-lwl"))
    found: list[set[str]] = [set() for _ in range(graph.num_vertices)]
    for rule in rules.classes:
        formula = document(rule.formula)
        assert formula is not None
        assert size(formula) == rule.size
        members = meaning.vertices(formula)
        for v in members:
            found[v].add(rule.label)
    return found


def check(explanation: ModelExplanation, given: Targets) -> None:
    """Everything that holds of every explanation."""
    curve = [(rules.size, rules.fidelity) for rules in explanation.curve]
    assert curve == sorted(set(curve))
    assert [f for _, f in curve] == sorted({f for _, f in curve})
    for rules in (explanation.shown, *explanation.curve):
        said = given_by(rules, explanation.graph, explanation.test)
        assert all(len(classes) == 1 for classes in said)
        right = [
            said[v] == {label}
            for v, label in zip(given.vertices.tolist(), given.labels, strict=True)
        ]
        assert rules.fidelity == pytest.approx(sum(right) / len(right))
        for rule in rules.classes:
            formula = document(rule.formula)
            assert formula is not None
            assert depth(formula) <= explanation.round
            assert rule.vertices == sum(said[v] == {rule.label} for v in given.vertices.tolist())


@pytest.mark.parametrize("test", TESTS)
def test_predictions_that_are_functions_of_classes_are_explained_exactly(test: str) -> None:
    rng = random.Random(test)
    for _ in range(60):
        graph = random_graph(rng)
        rounds = rng.randint(0, 4)
        given = predicted(graph, by_class(rng, refine(graph, test).history.partition(rounds)))
        explanation = explain_predictions(graph, given, test, rounds)
        assert explanation.bound_holds
        assert explanation.fidelity == 1
        check(explanation, given)


@pytest.mark.parametrize("test", TESTS)
def test_predictions_that_see_more_than_the_test_are_explained_by_majority(test: str) -> None:
    rng = random.Random(f"{test} is not a bound")
    broken = 0
    for _ in range(30):
        graph = random_graph(rng)
        labels = [rng.choice("ABC") for _ in range(graph.num_vertices)]
        rounds = rng.randint(0, 3)
        given = predicted(graph, labels)
        explanation = explain_predictions(graph, given, test, rounds)
        check(explanation, given)
        classes = refine(graph, test).history.partition(rounds)
        votes: dict[int, list[str]] = {}
        for v, c in enumerate(classes.colours.tolist()):
            votes.setdefault(c, []).append(labels[v])
        best = sum(max(map(of_class.count, of_class)) for of_class in votes.values())
        assert explanation.fidelity == pytest.approx(best / len(labels))
        mixed = [of_class for of_class in votes.values() if len(set(of_class)) > 1]
        assert explanation.bound_holds is not bool(mixed)
        if explanation.disagreement is not None:
            broken += 1
            v, w = explanation.disagreement.vertices
            assert classes.colours[v] == classes.colours[w]
            assert explanation.disagreement.labels == (labels[v], labels[w])
            assert labels[v] != labels[w]
            assert explanation.disagreement.classes == len(mixed)
            assert explanation.disagreement.members == sum(map(len, mixed))
    assert broken > 5


def test_only_the_given_vertices_are_explained() -> None:
    rng = random.Random("some vertices")
    for _ in range(40):
        graph = random_graph(rng)
        some = sorted(rng.sample(range(graph.num_vertices), rng.randint(1, graph.num_vertices)))
        given = Targets(np.array(some), tuple(rng.choice("AB") for _ in some))
        explanation = explain_predictions(graph, given)
        check_some = given_by(explanation.shown, graph, "1-rwl")
        right = [check_some[v] == {label} for v, label in zip(some, given.labels, strict=True)]
        assert explanation.fidelity == pytest.approx(sum(right) / len(right))
        assert explanation.vertices == len(some)
        assert explanation.bound_holds is (explanation.fidelity == 1)


def test_the_round_is_the_first_that_determines_the_predictions() -> None:
    rng = random.Random("round")
    for _ in range(40):
        graph = random_graph(rng)
        history = refine(graph).history
        given = predicted(graph, by_class(rng, history.partition(rng.randint(0, 4))))
        explanation = explain_predictions(graph, given)
        assert explanation.bound_holds
        partition = Partition.of([*map("ABC".index, given.labels)])
        assert history.partition(explanation.round).refines(partition)
        if explanation.round:
            assert not history.partition(explanation.round - 1).refines(partition)


def test_a_lower_fidelity_shows_smaller_rules() -> None:
    rng = random.Random("levels")
    graph = random_graph(rng, most=40)
    given = predicted(graph, by_class(rng, refine(graph).history.partition(2)))
    shown = [explain_predictions(graph, given, fidelity=f).shown for f in (1, 0.8, 0.5, 0)]
    sizes = [rules.size for rules in shown]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]
    for rules, level in zip(shown, (1, 0.8, 0.5, 0), strict=True):
        assert rules.fidelity >= level


def test_labels_that_follow_a_simple_rule_get_that_rule() -> None:
    triples = [(f"p{i}", "worksFor", f"g{i % 3}") for i in range(9)]
    triples += [(f"p{i}", "author", f"b{i}") for i in range(4)]
    graph = RelationalGraph.from_triples(triples)
    given = {f"p{i}": "writer" if i < 4 else "reader" for i in range(9)}
    explanation = explain_predictions(graph, given)
    assert explanation.round == 1
    writer = next(rule for rule in explanation.shown.classes if rule.label == "writer")
    assert document(writer.formula) == {
        "op": "at_least",
        "count": 1,
        "relation": "author",
        "inverse": False,
        "arg": {"op": "true"},
    }


def test_fidelity_is_measured_on_other_vertices_too() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b"), ("c", "r", "d"), ("e", "r", "d")])
    other = Targets.of(graph, {"c": "head", "d": "head", "e": "head", "b": "unheard of"})
    explanation = explain_predictions(graph, {"a": "head", "b": "tail"}, on={"test": other})
    assert explanation.shown.on == {"test": 0.5}
    assert explanation.fidelity == 1


def test_renumbering_the_vertices_changes_nothing() -> None:
    rng = random.Random("renumbered")
    for _ in range(40):
        graph = random_graph(rng)
        given = by_class(rng, refine(graph).history.partition(2))
        order = rng.sample(range(graph.num_vertices), graph.num_vertices)
        moved = graph.permuted(order)
        names = {name: given[v] for v, name in enumerate(graph.vertex_names)}
        one = explain_predictions(graph, names, round=2)
        two = explain_predictions(moved, names, round=2)
        assert [rules.fidelity for rules in one.curve] == [rules.fidelity for rules in two.curve]
        assert one.fidelity == two.fidelity == 1


def test_a_graph_whose_vertices_are_all_predicted_alike_needs_no_question() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    explanation = explain_predictions(graph, {"a": "A", "b": "A"})
    assert explanation.round == 0
    assert [rule.formula.op for rule in explanation.shown.classes] == ["true"]


def test_tests_of_tuples_are_refused() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    with pytest.raises(UsageError, match="2-rlwl colours tuples"):
        explain_predictions(graph, {"a": "A"}, "2-rlwl")


def test_tests_that_see_whole_graphs_are_explained_by_what_neighbours_show() -> None:
    rng = random.Random("whole graphs")
    for test, base in (("1-rwl-all", "1-rwl"), ("1-wl-all", "1-wl")):
        for _ in range(20):
            graph = random_graph(rng)
            rounds = rng.randint(0, 3)
            given = predicted(graph, by_class(rng, refine(graph, test).history.partition(rounds)))
            explanation = explain_predictions(graph, given, test, rounds)
            assert (explanation.test, explanation.fidelity) == (base, 1)
            check(explanation, given)


def test_bad_predictions_are_refused() -> None:
    graph = RelationalGraph.from_triples([("a", "r", "b")])
    with pytest.raises(UsageError, match="no predictions"):
        explain_predictions(graph, {})
    with pytest.raises(UsageError, match="no vertex is called 'z'"):
        explain_predictions(graph, {"z": "A"})
    with pytest.raises(UsageError, match="fidelity must be a share from 0 to 1, found 2"):
        explain_predictions(graph, {"a": "A"}, fidelity=2)
    with pytest.raises(UsageError, match="must not be negative, found -1"):
        explain_predictions(graph, {"a": "A"}, round=-1)
