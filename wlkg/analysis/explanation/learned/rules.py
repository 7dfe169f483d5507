"""What a model has learned: a formula for each predicted class, true of exactly its vertices.

A model with L layers that is bounded by a test gives vertices of one class of round L the same
prediction. So its predictions are a union of these classes, and formulas of depth L say exactly
which. `explain_predictions` finds such formulas, and shorter ones that are right about fewer
vertices. Predictions are data: they may come from any model, or be the labels of a benchmark.

Every fidelity that is reported was measured: the formulas are evaluated on all vertices, and a
vertex counts as right if the formula of its predicted class, and no other, is true of it.

Where two vertices of one class are predicted differently, the model uses something that the test
does not see. The most frequent prediction of each class is explained then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.explanation.asked import vertex_test
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.learned.search import RuleSearch
from wlkg.analysis.explanation.learned.votes import Votes
from wlkg.arrays import BoolArray, IntArray
from wlkg.catalogue import DEFAULT_TEST, Direction
from wlkg.display import Brief, Displayed
from wlkg.errors import UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.lookup import find_vertex
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.partition import History, Partition
from wlkg.progress import SILENT, Progress
from wlkg.readers.targets import Targets
from wlkg.refinement.refine import refine

#: The levels of fidelity for which the least size is searched with care.
LEVELS = (1.0, 0.99, 0.95, 0.9)
#: Further points of the curve.
_BETWEEN = (0.999, 0.995, 0.98, 0.97, 0.93, 0.85, 0.8, 0.7, 0.6, 0.5, 0.0)
_EPSILON = 1e-9


@dataclass(frozen=True)
class ClassRule:
    """A predicted class and the formula that is true of its vertices."""

    label: str
    formula: Formula
    #: How many of the explained vertices the formula is true of.
    vertices: int

    @property
    def size(self) -> int:
        return self.formula.size


@dataclass(frozen=True)
class RuleSet(Brief):
    """A formula for each predicted class, and the share of vertices about which they are right."""

    classes: tuple[ClassRule, ...]
    fidelity: float
    #: The same on other vertices, by name: the targets of training and of testing, for example.
    on: Mapping[str, float]

    @property
    def size(self) -> int:
        """The size of all formulas together."""
        return sum(rule.size for rule in self.classes)


@dataclass(frozen=True)
class Disagreement:
    """Vertices that the test does not tell apart, with different predictions."""

    #: The first such pair, and its predictions.
    vertices: tuple[int, int]
    labels: tuple[str, str]
    #: How many classes of the test have several predictions, and how many vertices these have.
    classes: int
    members: int


@dataclass(frozen=True, eq=False)
class ModelExplanation(Displayed):
    """Predictions explained by formulas of a bounded depth."""

    graph: RelationalGraph
    test: str
    round: int
    #: The number of vertices whose predictions are explained, and of their classes at the round.
    vertices: int
    items: int
    #: What is shown: the smallest rules that reach the wanted fidelity.
    shown: RuleSet
    #: From the shortest rules to the best; size and fidelity both rise.
    curve: tuple[RuleSet, ...]
    #: None if the predictions are a function of the classes.
    disagreement: Disagreement | None

    @property
    def direction(self) -> Direction:
        return self.graph.direction

    @property
    def bound_holds(self) -> bool:
        return self.disagreement is None

    @property
    def fidelity(self) -> float:
        return self.shown.fidelity


def explain_predictions(
    graph: RelationalGraph,
    predictions: Targets | Mapping[str, str],
    test: str = DEFAULT_TEST,
    round: int | None = None,  # noqa: A002
    *,
    fidelity: float = 1.0,
    direction: Direction | None = None,
    on: Mapping[str, Targets] | None = None,
    curve: bool = True,
    progress: Progress = SILENT,
) -> ModelExplanation:
    """Formulas that are true of exactly the vertices of each predicted class.

    ``round`` is the round of the test that bounds the model: its number of layers, for most models.
    By default it is the first one whose classes determine the predictions, or the last of all. The
    smallest rules that are right about a share of ``fidelity`` of the vertices are shown. ``on``
    names further vertices with classes on which fidelity is measured. Without a ``curve``, only the
    rules that are shown are looked for.

    >>> import wlkg
    >>> graph = wlkg.RelationalGraph.from_triples([("anna", "knows", "bert")])
    >>> explanation = explain_predictions(graph, {"anna": "A", "bert": "B"})
    >>> explanation.round, explanation.fidelity, explanation.shown.size
    (1, 1.0, 5)
    """
    if not 0 <= fidelity <= 1:
        raise UsageError(f"fidelity must be a share from 0 to 1, found {fidelity}")
    if round is not None and round < 0:
        raise UsageError(f"the round must not be negative, found {round}")
    require_graphs(graph)
    graph = graph.with_direction(direction)
    chosen = vertex_test(test)
    given = predictions if isinstance(predictions, Targets) else _targets(graph, predictions)
    if not len(given):
        raise UsageError("there are no predictions to explain")
    history = refine(graph, chosen.name, rounds=round, progress=progress).history
    names = given.classes
    number = {name: i for i, name in enumerate(names)}
    labels = np.array([number[name] for name in given.labels], dtype=np.int64)
    depth = _determining_round(history, given.vertices, labels) if round is None else round
    classes = history.partition(depth)
    votes = Votes.of(classes, given.vertices, labels, len(names))
    vertices = Vertices.seen_by(chosen, graph)
    search = RuleSearch(vertices, history, votes, depth)
    measure = _Measure(vertices, names, {"": given, **(on or {})})
    careful = {fidelity, *(LEVELS if curve else ())}
    others = _BETWEEN if curve else ()
    rule_sets = _curve(search, measure, careful, others, progress)
    return ModelExplanation(
        graph=graph,
        test=chosen.name,
        round=depth,
        vertices=len(given),
        items=votes.num_items,
        shown=_smallest(rule_sets, fidelity),
        curve=_rising(rule_sets),
        disagreement=_disagreement(classes, given, votes),
    )


def at_vertices(predictions: Targets, vertices: IntArray) -> Targets:
    """The predictions for those of the vertices that have one."""
    label_of = dict(zip(predictions.vertices.tolist(), predictions.labels, strict=True))
    known = [v for v in vertices.tolist() if v in label_of]
    return Targets(np.array(known, dtype=np.int64), tuple(label_of[v] for v in known))


def _targets(graph: RelationalGraph, predictions: Mapping[str, str]) -> Targets:
    """Predictions by name; unlike targets, none may be about something that is not a vertex."""
    vertices = {find_vertex(graph, name): label for name, label in predictions.items()}
    return Targets(np.array(list(vertices), dtype=np.int64), tuple(vertices.values()))


def _determining_round(history: History, vertices: IntArray, labels: IntArray) -> int:
    """The first round whose classes determine the labels, or the last round."""
    # Rounds only split classes, so the answer can be found by halving.
    low, high = 0, history.rounds
    while low < high:
        middle = (low + high) // 2
        if _conflict(history.partition(middle), vertices, labels) is None:
            high = middle
        else:
            low = middle + 1
    return low


def _conflict(classes: Partition, vertices: IntArray, labels: IntArray) -> tuple[int, int] | None:
    """The first two vertices of one class with different labels."""
    places = classes.restricted(vertices).first_pair_split_by(Partition.of(labels))
    return None if places is None else (int(vertices[places[0]]), int(vertices[places[1]]))


def _disagreement(classes: Partition, given: Targets, votes: Votes) -> Disagreement | None:
    label_of = dict(zip(given.vertices.tolist(), given.labels, strict=True))
    number = {name: i for i, name in enumerate(given.classes)}
    pair = _conflict(
        classes, given.vertices, np.array([number[name] for name in given.labels], dtype=np.int64)
    )
    if pair is None:
        return None
    is_mixed = np.bincount(votes.item, minlength=votes.num_items) > 1
    return Disagreement(
        vertices=pair,
        labels=(label_of[pair[0]], label_of[pair[1]]),
        classes=int(is_mixed.sum()),
        members=int(votes.weight[is_mixed[votes.item]].sum()),
    )


@dataclass(frozen=True, eq=False)
class _Measure:
    """Evaluates rules on all vertices."""

    vertices: Vertices
    names: tuple[str, ...]
    #: Vertices with their classes, by name; those that are explained are called "".
    on: Mapping[str, Targets]

    def rule_set(self, formulas: tuple[Formula, ...]) -> RuleSet:
        holds = np.array(self.vertices.hold(formulas))
        fidelity = {name: self._fidelity(holds, targets) for name, targets in self.on.items()}
        explained = holds[:, self.on[""].vertices]
        return RuleSet(
            classes=tuple(
                ClassRule(name, formula, int(true.sum()))
                for name, formula, true in zip(self.names, formulas, explained, strict=True)
            ),
            fidelity=fidelity.pop(""),
            on=fidelity,
        )

    def _fidelity(self, holds: BoolArray, targets: Targets) -> float:
        number = {name: i for i, name in enumerate(self.names)}
        # A class that was never predicted has no formula.
        labels = np.array([number.get(name, -1) for name in targets.labels], dtype=np.int64)
        here = holds[:, targets.vertices]
        right = (here.sum(axis=0) == 1) & (here.argmax(axis=0) == labels)
        return float(right.mean()) if len(right) else 1.0


def _curve(
    search: RuleSearch,
    measure: _Measure,
    careful: set[float],
    others: Sequence[float],
    progress: Progress,
) -> list[RuleSet]:
    """Rules for all levels of fidelity; those of the careful ones are shortened."""
    levels = sorted(careful.union(others), reverse=True)
    progress.start("looking for rules", len(levels), "levels of fidelity")
    rule_sets: dict[tuple[Formula, ...], RuleSet] = {}
    try:
        for done, level in enumerate(levels, 1):
            formulas = search.rules(level, shorten=level in careful)
            if formulas not in rule_sets:
                rule_sets[formulas] = measure.rule_set(formulas)
            progress.done(done)
    finally:
        progress.finish()
    return list(rule_sets.values())


def _smallest(rule_sets: list[RuleSet], fidelity: float) -> RuleSet:
    """The smallest rules that reach a fidelity, or the best if none do."""
    best = max(rules.fidelity for rules in rule_sets)
    enough = min(fidelity, best) - _EPSILON
    return min(
        (rules for rules in rule_sets if rules.fidelity >= enough),
        key=lambda rules: (rules.size, -rules.fidelity),
    )


def _rising(rule_sets: list[RuleSet]) -> tuple[RuleSet, ...]:
    """The rules that no others beat in both size and fidelity, smallest first."""
    curve: list[RuleSet] = []
    for rules in sorted(rule_sets, key=lambda rules: (rules.size, -rules.fidelity)):
        if not curve or rules.fidelity > curve[-1].fidelity + _EPSILON:
            curve.append(rules)
    return tuple(curve)
