"""An own model against every vertex test: which tests bound it, and which it matches.

Layer t is judged by round t. If no test bounds the model that way, round t + 1 is tried: messages
divided by degrees, as in a GCN, also carry the degrees of the neighbours, which is not a violation.

A model that returns its last features only is judged by the round of its number of layers if that
number is given, and otherwise by the first round that bounds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import Clusters, cluster
from wlkg.gnn.against_wl.rounding import check_finite
from wlkg.gnn.against_wl.runs import Arrangement
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.verdicts import (
    DrawVerdict,
    Verdicts,
    bound_holds,
    judge_layer,
    judge_layers,
    most_telling,
)
from wlkg.gnn.bounds import direction_of_neighbours
from wlkg.gnn.own_models.diagnosis import Diagnosis, diagnose
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.own_run import OwnRun
from wlkg.partition import History
from wlkg.progress import SILENT, Progress

#: From the weakest to the strongest, as far as they are comparable.
USUAL_TESTS = ("1-wl", "weak-rwl", "mean-rwl", "1-rwl")


@dataclass(frozen=True)
class Against(Verdicts):
    """A model against one test."""

    test: str

    @property
    def relation(self) -> str:
        """The relation of all layers together."""
        relations = {layer.relation for layer in self.layers} - {"equal"}
        if len(relations) < 2:
            return relations.pop() if relations else "equal"
        return "undecided" if "undecided" in relations else "incomparable"


@dataclass(frozen=True)
class OwnVersus:
    """An own model against several tests."""

    name: str
    #: Whether the model returns the features of every layer.
    per_layer: bool
    #: Layer t is judged by round t + ``later``; None if the round was searched for.
    later: int | None
    against: tuple[Against, ...]
    #: The test whose layers are shown.
    chosen: Against
    diagnosis: Diagnosis

    @property
    def matching(self) -> tuple[str, ...]:
        """The tests that see exactly what the model sees."""
        return tuple(against.test for against in self.against if against.matches)

    @property
    def bounding(self) -> tuple[str, ...]:
        """The tests that see everything the model sees."""
        return tuple(against.test for against in self.against if against.bound_holds)

    @property
    def bound_holds(self) -> bool | None:
        """Whether some test bounds the model."""
        if not self.diagnosis.sees_graph_only:
            return False
        answers = {against.bound_holds for against in self.against}
        return True if True in answers else None if None in answers else False


@dataclass(frozen=True, eq=False)
class _Draw:
    """The classes of features after each layer, for one choice of weights."""

    weights: str
    layers: list[Clusters]


@dataclass(frozen=True, eq=False)
class _Draws:
    """All draws of a model."""

    draws: Sequence[_Draw]
    #: Whether the model returns the features of every layer.
    per_layer: bool
    #: The number of layers; None if only the last features are returned and no number was given.
    depth: int | None


def versus_own(
    setting: Setting,
    load: Callable[[int], OwnModel],
    *,
    tests: Sequence[str] = (),
    layers: int | None = None,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> OwnVersus:
    """Judge an own model, loaded with several seeds, by each of the tests."""
    progress.start("running the model", draws, "draws")
    drawn: list[_Draw] = []
    diagnoses: list[Diagnosis] = []
    try:
        for number in range(seed, seed + draws):
            model = load(number)
            clusters, diagnosis = _clustered_layers(setting, model, number)
            drawn.append(_Draw(f"seed {number}", clusters))
            diagnoses.append(diagnosis)
            progress.done(len(drawn))
    finally:
        progress.finish()
    _check_layers(drawn)
    worst = next((d for d in diagnoses if not d.sees_graph_only), diagnoses[0])
    per_layer = bool(model.per_layer)
    depth = len(drawn[0].layers) if per_layer else layers
    judged = _Draws(drawn, per_layer=per_layer, depth=depth)
    later = 0
    against = _against_all(setting, tests or USUAL_TESTS, judged, later=0)
    unbounded = all(a.bound_holds is False for a in against)
    if depth is not None and worst.sees_graph_only and unbounded:
        next_round = _against_all(setting, tests or USUAL_TESTS, judged, later=1)
        if any(a.bound_holds is not False for a in next_round):
            later, against = 1, next_round
    return OwnVersus(
        name=model.name,
        per_layer=per_layer,
        later=None if depth is None else later,
        against=against,
        chosen=_chosen(against),
        diagnosis=worst,
    )


def _clustered_layers(
    setting: Setting, model: OwnModel, seed: int
) -> tuple[list[Clusters], Diagnosis]:
    run = OwnRun(model, setting)
    layers = run(Arrangement.as_given(setting.arcs))
    check_finite(layers)
    diagnosis = diagnose(run, layers, seed + 1)
    return [cluster(rows, diagnosis.noise) for rows in layers], diagnosis


def _check_layers(drawn: Sequence[_Draw]) -> None:
    counts = sorted({len(draw.layers) for draw in drawn})
    if len(counts) > 1:
        raise InputError(
            f"the model gives {' or '.join(map(str, counts))} layers, depending on the seed."
            " Expected the same number each time"
        )


def _against_all(
    setting: Setting, tests: Sequence[str], model: _Draws, *, later: int
) -> tuple[Against, ...]:
    """Judge a model by each of the tests, layer t by round t + ``later``."""
    mode = setting.graph.direction
    if later:
        mode = direction_of_neighbours(mode)
    # If the second attempt is in the same mode, one round more now saves it a run of the test.
    more = 1 if mode == direction_of_neighbours(mode) else 0
    rounds = None if model.depth is None else model.depth + more
    against = []
    for test in tests:
        history = setting.refined(test, mode, rounds).vertices
        if model.per_layer:
            draws = [judge_layers(d.layers, history, d.weights, later) for d in model.draws]
        else:
            layer = _first_bounding(model.draws, history) if model.depth is None else model.depth
            draws = [_judge_last(d, history, layer + later, layer) for d in model.draws]
        against.append(Against(layers=most_telling(draws), draws=tuple(draws), test=test))
    return tuple(against)


def _judge_last(draw: _Draw, history: History, at_round: int, layer: int) -> DrawVerdict:
    colours = history.partition(at_round)
    verdict = judge_layer(draw.layers[-1], colours, layer=layer, at_round=at_round)
    return DrawVerdict(draw.weights, (verdict,))


def _first_bounding(drawn: Sequence[_Draw], history: History) -> int:
    """The first round, from 1 on, whose colours bound the last features; the last if none does.

    Colours only become finer, so bisection finds it.
    """
    low, high = 1, max(history.rounds, 1)
    while low < high:
        middle = (low + high) // 2
        draws = [_judge_last(draw, history, middle, middle) for draw in drawn]
        if bound_holds(draws) is False:
            low = middle + 1
        else:
            high = middle
    return low


def _chosen(against: Sequence[Against]) -> Against:
    """The last test that the model matches, else the tightest bound, else the last test."""
    matching = [each for each in against if each.matches]
    bounding = [each for each in against if each.bound_holds]
    if matching:
        return matching[-1]
    return min(bounding, key=lambda each: each.layers[-1].wl_classes, default=against[-1])
