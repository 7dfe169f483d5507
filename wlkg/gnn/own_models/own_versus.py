"""An own model against every vertex test: which tests bound it, and which it matches.

Layer t is judged by round t. If no test bounds the model that way, round t + 1 is tried: messages
divided by degrees, as in a GCN, also carry the degrees of the neighbours, which is not a violation.

A model that returns its last features only is judged by the round of its number of layers if that
number is given, and otherwise by the first round that bounds it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import torch

from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import Clusters, cluster
from wlkg.gnn.against_wl.rounding import check_finite
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.verdicts import (
    RELATIONS,
    DrawVerdict,
    Evidence,
    LayerVerdict,
    Verdicts,
    bound_holds,
    judge_layer,
    judge_layers,
    most_telling,
)
from wlkg.gnn.bounds import direction_of_neighbours
from wlkg.gnn.own_models.diagnosis import Diagnosis, diagnose
from wlkg.gnn.own_models.own_evidence import OwnEvidence
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.own_run import OwnRun, first_run, in_single_precision
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
        layers = self.layers
        splits = [None if layer.bound_holds is None else not layer.bound_holds for layer in layers]
        merges = [True if layer.merged else _open(layer) for layer in layers]
        return RELATIONS.get((_any(splits), _any(merges)), "undecided")


def _open(layer: LayerVerdict) -> bool | None:
    """Whether a layer without a known merger merges: False, or None if it is undecided."""
    return None if layer.relation == "undecided" else False


def _any(answers: Sequence[bool | None]) -> bool | None:
    return True if True in answers else None if None in answers else False


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
    def sees_graph_only(self) -> bool:
        """Whether features are a function of the graph; if not, no test bounds them."""
        return self.diagnosis.sees_graph_only

    @property
    def matches(self) -> bool | None:
        """Whether the model sees exactly what the chosen test sees."""
        return self.sees_graph_only and self.chosen.matches

    @property
    def matching(self) -> tuple[str, ...]:
        """The tests that see exactly what the model sees."""
        return tuple(a.test for a in self.against if a.matches and self.sees_graph_only)

    @property
    def bounding(self) -> tuple[str, ...]:
        """The tests that see everything the model sees."""
        return tuple(a.test for a in self.against if a.bound_holds and self.sees_graph_only)

    @property
    def bound_holds(self) -> bool | None:
        """Whether some test bounds the model."""
        if not self.sees_graph_only:
            return False
        return _any([against.bound_holds for against in self.against])


@dataclass(frozen=True, eq=False)
class _Draw:
    """The classes of features after each layer, for one choice of weights."""

    weights: str
    layers: list[Clusters]
    evidence: Evidence


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
    load: Callable[[int, torch.dtype], OwnModel],
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
            run, draw, diagnosis = _drawn(setting, load, number)
            drawn.append(draw)
            diagnoses.append(diagnosis)
            progress.done(len(drawn))
    finally:
        progress.finish()
    _check_layers(drawn)
    worst = next((d for d in diagnoses if not d.sees_graph_only), diagnoses[0])
    per_layer = bool(run.model.per_layer)
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
        name=run.model.name,
        per_layer=per_layer,
        later=None if depth is None else later,
        against=against,
        chosen=_chosen(against),
        diagnosis=worst,
    )


def _drawn(
    setting: Setting, load: Callable[[int, torch.dtype], OwnModel], seed: int
) -> tuple[OwnRun, _Draw, Diagnosis]:
    """A model with the weights of a seed: its features, and what its runs show."""
    load_as = functools.partial(load, seed)
    run, layers = first_run(load_as, setting)
    check_finite(layers)
    is_double = run.model.dtype == torch.float64
    single = in_single_precision(load_as, setting) if is_double else None
    diagnosis = diagnose(run, layers, single, seed + 1)
    clusters = [cluster(rows, diagnosis.noise) for rows in layers]
    evidence = OwnEvidence(run, layers, None if single is None else single.layers, clusters)
    return run, _Draw(f"seed {seed}", clusters, evidence), diagnosis


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
            draws = [
                judge_layers(d.layers, history, d.weights, later, d.evidence) for d in model.draws
            ]
        else:
            layer = _first_bounding(model.draws, history) if model.depth is None else model.depth
            draws = [_judge_last(d, history, layer + later, layer) for d in model.draws]
        against.append(Against(layers=most_telling(draws), draws=tuple(draws), test=test))
    return tuple(against)


def _judge_last(draw: _Draw, history: History, at_round: int, layer: int) -> DrawVerdict:
    colours = history.partition(at_round)
    verdict = judge_layer(
        draw.layers[-1], colours, layer=layer, at_round=at_round, evidence=draw.evidence
    )
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
