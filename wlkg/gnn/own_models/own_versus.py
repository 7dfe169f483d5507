"""A user's own model against every vertex test: which of them bound it, and which it matches.

Layer t is held against round t. Where no test bounds the model so, round t + 1 is tried: messages
divided by degrees, as in a GCN, tell those of the neighbours, too, and that is no violation.

A model that gives its last features only is held against the round of its number of layers, if
that is given, and else against the first round that bounds it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import Clusters, cluster
from wlkg.gnn.against_wl.judging import check_finite
from wlkg.gnn.against_wl.runs import Order
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
from wlkg.gnn.own_models.own_model import UserModel
from wlkg.gnn.own_models.own_run import UserRun
from wlkg.partition import History
from wlkg.progress import SILENT, Progress

#: From the weakest on, as far as there is an order.
USUAL_TESTS = ("1-wl", "weak-rwl", "mean-rwl", "1-rwl")


@dataclass(frozen=True)
class Against(Verdicts):
    """A model against one test."""

    test: str

    @property
    def relation(self) -> str:
        """The relation of all layers together."""
        found = {layer.relation for layer in self.layers} - {"equal"}
        if len(found) < 2:
            return found.pop() if found else "equal"
        return "undecided" if "undecided" in found else "incomparable"


@dataclass(frozen=True)
class UserVersus:
    """A user's model against several tests."""

    name: str
    #: Whether the model gives the features of every layer.
    per_layer: bool
    #: Layer t is held against round t + ``later``; None if the round was looked for.
    later: int | None
    against: tuple[Against, ...]
    #: The test whose layers are shown.
    chosen: Against
    diagnosis: Diagnosis

    @property
    def matching(self) -> tuple[str, ...]:
        """The tests that see exactly what the model sees."""
        return tuple(found.test for found in self.against if found.matches)

    @property
    def bounding(self) -> tuple[str, ...]:
        """The tests that see all that the model sees."""
        return tuple(found.test for found in self.against if found.bound_holds)

    @property
    def bound_holds(self) -> bool | None:
        """Whether some test bounds the model."""
        if not self.diagnosis.sees_graph_only:
            return False
        found = {against.bound_holds for against in self.against}
        return True if True in found else None if None in found else False


@dataclass(frozen=True, eq=False)
class _Draw:
    """What a model with some weights gives."""

    weights: str
    features: list[Clusters]


def versus_user(
    setting: Setting,
    load: Callable[[int], UserModel],
    *,
    tests: Sequence[str] = (),
    layers: int | None = None,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> UserVersus:
    """A user's model, loaded with several seeds, against tests."""
    progress.start("running the model", draws, "draws")
    found: list[_Draw] = []
    diagnoses: list[Diagnosis] = []
    try:
        for number in range(seed, seed + draws):
            model = load(number)
            features, diagnosis = _look(setting, model, number)
            found.append(_Draw(f"seed {number}", features))
            diagnoses.append(diagnosis)
            progress.done(len(found))
    finally:
        progress.finish()
    _check_layers(found)
    worst = next((seen for seen in diagnoses if not seen.sees_graph_only), diagnoses[0])
    per_layer = bool(model.per_layer)
    later, against = _against_all(setting, tests or USUAL_TESTS, found, per_layer, layers)
    if later == 0 and worst.sees_graph_only and all(a.bound_holds is False for a in against):
        deeper = _against_all(setting, tests or USUAL_TESTS, found, per_layer, layers, 1)
        if any(a.bound_holds is not False for a in deeper[1]):
            later, against = deeper
    return UserVersus(model.name, per_layer, later, against, _chosen(against), worst)


def _look(setting: Setting, model: UserModel, seed: int) -> tuple[list[Clusters], Diagnosis]:
    run = UserRun(model, setting.arcs, setting.given, setting.device, setting.dtype)
    features = run(Order.given(setting.arcs))
    check_finite(features)
    found = diagnose(run, setting.arcs, features, seed + 1)
    return [cluster(rows, found.noise) for rows in features], found


def _check_layers(found: Sequence[_Draw]) -> None:
    counts = sorted({len(draw.features) for draw in found})
    if len(counts) > 1:
        raise InputError(
            f"the model gives {' or '.join(map(str, counts))} layers, depending on the seed."
            " Expected the same number each time"
        )


def _against_all(
    setting: Setting,
    tests: Sequence[str],
    found: Sequence[_Draw],
    per_layer: bool,
    layers: int | None,
    later: int = 0,
) -> tuple[int | None, tuple[Against, ...]]:
    depth = len(found[0].features) if per_layer else layers
    rounds = None if depth is None else depth + later
    mode = direction_of_neighbours(setting.direction) if later else setting.direction
    against = []
    for test in tests:
        history = setting.refined(test, mode, rounds).vertices
        if per_layer:
            draws = [judge_layers(d.features, history, d.weights, later) for d in found]
        else:
            at = _first_bounding(found, history) if rounds is None else rounds
            draws = [_judge_last(draw, history, at, at - later) for draw in found]
        against.append(Against(most_telling(draws), tuple(draws), test))
    return (None if depth is None else later), tuple(against)


def _judge_last(draw: _Draw, history: History, at_round: int, layer: int) -> DrawVerdict:
    verdict = judge_layer(draw.features[-1], history.partition(at_round), layer, at_round)
    return DrawVerdict(draw.weights, (verdict,))


def _first_bounding(found: Sequence[_Draw], history: History) -> int:
    """The first round, from 1 on, whose colours bound the last features; the last if none does.

    Colours become finer from round to round, so it is found by bisection.
    """
    low, high = 1, max(history.rounds, 1)
    while low < high:
        middle = (low + high) // 2
        draws = [_judge_last(draw, history, middle, middle) for draw in found]
        if bound_holds(draws) is False:
            low = middle + 1
        else:
            high = middle
    return low


def _chosen(against: Sequence[Against]) -> Against:
    """The last test that the model matches, else the tightest bound, else the last test."""
    matching = [found for found in against if found.matches]
    bounding = [found for found in against if found.bound_holds]
    if matching:
        return matching[-1]
    return min(bounding, key=lambda found: found.layers[-1].wl_classes, default=against[-1])
