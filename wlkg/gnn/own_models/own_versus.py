"""An own model against every vertex test: which tests bound it, and which it matches.

Layer t is judged by round t. If no test bounds the model that way, round t + 1 is tried: messages
divided by degrees, as in a GCN, also carry the degrees of the neighbours, which is not a violation.

A model that returns its last features only is judged by the round of its depth. That is the number
of layers if it is given, and otherwise measured: see `reach`. A model that sees further than any
number of layers is judged by the stable colouring. If nothing can be measured, the number of layers
must be given.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import torch
from torch import nn

from wlkg.errors import InputError
from wlkg.gnn.against_wl.clusters import Clusters, cluster
from wlkg.gnn.against_wl.rounding import check_finite
from wlkg.gnn.against_wl.setting import Setting
from wlkg.gnn.against_wl.verdicts import (
    DrawVerdict,
    Evidence,
    bound_holds,
    judge_layer,
    judge_layers,
    most_telling,
)
from wlkg.gnn.bounds import direction_of_neighbours
from wlkg.gnn.own_models.diagnosis import Diagnosis, diagnose
from wlkg.gnn.own_models.loading import Load
from wlkg.gnn.own_models.own_evidence import OwnEvidence
from wlkg.gnn.own_models.own_model import OwnModel
from wlkg.gnn.own_models.own_run import OwnRun, first_run, in_single_precision
from wlkg.gnn.own_models.own_verdict import GIVEN, INFERRED, RETURNED, Against, OwnVersus
from wlkg.gnn.own_models.reach import NO_LIMIT, Reach, Subject, reach_of
from wlkg.gnn.own_models.traits import traits_of
from wlkg.partition import History
from wlkg.progress import SILENT, Progress

#: From the weakest to the strongest, as far as they are comparable.
USUAL_TESTS = ("1-wl", "weak-rwl", "mean-rwl", "1-rwl")


@dataclass(frozen=True, eq=False)
class _Draw:
    """The classes of features after each layer, for one choice of weights."""

    weights: str
    layers: list[Clusters]
    evidence: Evidence


@dataclass(frozen=True, eq=False)
class _Drawn:
    """All draws of a model, and what its runs show."""

    draws: Sequence[_Draw]
    #: The diagnosis of the first draw that depends on more than the graph, if there is one.
    diagnosis: Diagnosis
    reach: Reach | None
    model: OwnModel

    @property
    def per_layer(self) -> bool:
        return bool(self.model.per_layer)


@dataclass(frozen=True)
class _Depth:
    """The number of layers, and the rounds that may bound them."""

    #: None if there is no limit.
    layers: int | None
    origin: str
    #: Layer t may be bounded by round t + each of these; None is the stable colouring.
    later: tuple[int | None, ...]

    def round_at(self, later: int | None) -> int | None:
        """The round that may bound the last layer; None is the stable colouring."""
        return None if self.layers is None or later is None else self.layers + later


def versus_own(
    setting: Setting,
    load: Load,
    *,
    tests: Sequence[str] = (),
    layers: int | None = None,
    draws: int = 3,
    seed: int = 0,
    progress: Progress = SILENT,
) -> OwnVersus:
    """Judge an own model, loaded with several seeds, by each of the tests."""
    result = _versus(setting, load, tests, layers, range(seed, seed + draws), progress)
    if not result.diagnosis.is_random:
        return result
    try:
        seeds = range(seed, seed + draws)
        still = _versus(setting, _in_eval_mode(load), tests, layers, seeds, progress)
    except InputError:
        return result
    return replace(result, in_eval_mode=None if still.diagnosis.is_random else still)


def _in_eval_mode(load: Load) -> Load:
    """How a model is loaded with dropout off."""

    def load_still(seed: int, dtype: torch.dtype, vertices: int | None = None, /) -> OwnModel:
        model = load(seed, dtype, vertices)
        if isinstance(model.code, nn.Module):
            model.code.eval()
        return model

    return load_still


def _versus(
    setting: Setting,
    load: Load,
    tests: Sequence[str],
    layers: int | None,
    seeds: range,
    progress: Progress,
) -> OwnVersus:
    drawn = _draw_all(setting, load, seeds, infers=layers is None, progress=progress)
    depth = _depth_of(drawn, layers)
    later, against = _judged(setting, tests or USUAL_TESTS, drawn, depth)
    violated = drawn.diagnosis.sees_graph_only and all(a.bound_holds is False for a in against)
    chosen = _chosen(against)
    return OwnVersus(
        name=drawn.model.name,
        per_layer=drawn.per_layer,
        depth=depth.layers,
        depth_from=depth.origin,
        later=later,
        bounded_at=_bounded_at(setting, chosen, drawn) if violated else None,
        against=against,
        chosen=chosen,
        diagnosis=drawn.diagnosis,
        reach=drawn.reach,
        traits=traits_of(drawn.model.code, setting.graph.num_vertices),
        inputs=drawn.model.inputs or "",
        in_eval_mode=None,
        graph=setting.graph,
    )


def _draw_all(
    setting: Setting, load: Load, seeds: range, *, infers: bool, progress: Progress
) -> _Drawn:
    """Run a model with the weights of each seed; ``infers`` says whether no depth is given."""
    progress.start("running the model", len(seeds), "draws")
    draws: list[_Draw] = []
    diagnoses: list[Diagnosis] = []
    reaches: list[Reach | None] = []
    try:
        for number in seeds:
            run, draw, diagnosis = _drawn(setting, load, number)
            draws.append(draw)
            diagnoses.append(diagnosis)
            # The more draws, the surer the depth; otherwise one is enough for the diagnosis.
            thorough = infers and not run.model.per_layer
            if diagnosis.can_be_measured and (thorough or not reaches):
                reaches.append(_reach_of(run, load, number, thorough=thorough))
            progress.done(len(draws))
    finally:
        progress.finish()
    _check_layers(draws)
    worst = next((d for d in diagnoses if not d.sees_graph_only), diagnoses[0])
    known = [reach for reach in reaches if reach is not None]
    reach = functools.reduce(Reach.joined, known) if known else None
    return _Drawn(draws, worst, reach, run.model)


def _reach_of(run: OwnRun, load: Load, seed: int, *, thorough: bool) -> Reach | None:
    setting, dtype = run.setting, run.model.dtype
    subject = Subject(
        run.model,
        remade=lambda vertices: load(seed, dtype, vertices),
        relations=setting.arcs.num_relations,
        rows=setting.features.rows,
        device=setting.device,
        seed=seed,
    )
    return reach_of(subject, thorough=thorough)


def _depth_of(drawn: _Drawn, layers: int | None) -> _Depth:
    """The number of layers: those that are returned, those that are given, or what is measured."""
    if drawn.per_layer:
        return _Depth(len(drawn.draws[0].layers), RETURNED, (0, 1))
    if layers is not None:
        return _Depth(layers, GIVEN, (0, 1))
    if drawn.reach is None:
        if drawn.diagnosis.can_be_measured:
            raise InputError(_no_depth(drawn.model.name))
        return _Depth(None, INFERRED, (None,))
    last = drawn.reach.last
    if last.features >= NO_LIMIT:
        return _Depth(None, INFERRED, (None,))
    # A model that ignores neighbours loses something at round 1.
    first = max(1 - last.depth, 0)
    later = None if not last.limited else max(last.round - last.depth, first)
    return _Depth(last.depth, INFERRED, (first, later) if later != first else (first,))


def _no_depth(name: str) -> str:
    return (
        f"{name} returns its last features only, and how many layers it has could not be measured:"
        " it does not run on other graphs, or its features change with other parts of a graph. Give"
        " their number with --layers, or return a list with the features of every layer"
    )


def _judged(
    setting: Setting, tests: Sequence[str], drawn: _Drawn, depth: _Depth
) -> tuple[int | None, tuple[Against, ...]]:
    """The first rounds by which some test bounds the model.

    If there are none, what was measured counts to its full extent; what was given, as it was given.
    """
    verdicts: list[tuple[int | None, tuple[Against, ...]]] = []
    for later in depth.later:
        if verdicts and not drawn.diagnosis.sees_graph_only:
            break
        against = _against_all(setting, tests, drawn, depth, later)
        verdicts.append((later, against))
        if any(a.bound_holds is not False for a in against):
            return verdicts[-1]
    return verdicts[-1 if depth.origin == INFERRED else 0]


def _drawn(setting: Setting, load: Load, seed: int) -> tuple[OwnRun, _Draw, Diagnosis]:
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
    setting: Setting, tests: Sequence[str], drawn: _Drawn, depth: _Depth, later: int | None
) -> tuple[Against, ...]:
    """Judge a model by each of the tests, layer t by round t + ``later``."""
    mode = setting.graph.direction
    if later != 0:
        mode = direction_of_neighbours(mode)
    last_round = depth.round_at(later)
    needed = last_round
    if needed is not None and mode == direction_of_neighbours(mode):
        # The other attempt is in the same mode: one run of the test serves both.
        needed = max(r for each in depth.later if (r := depth.round_at(each)) is not None)
    against = []
    for test in tests:
        history = setting.refined(test, mode, needed).vertices
        if drawn.per_layer:
            assert later is not None
            judged = [
                judge_layers(d.layers, history, d.weights, later, d.evidence) for d in drawn.draws
            ]
        else:
            at_round = history.rounds if last_round is None else last_round
            layer = at_round if depth.layers is None else depth.layers
            judged = [_judge_last(draw, history, at_round, layer) for draw in drawn.draws]
        against.append(Against(layers=most_telling(judged), draws=tuple(judged), test=test))
    return tuple(against)


def _judge_last(draw: _Draw, history: History, at_round: int, layer: int) -> DrawVerdict:
    colours = history.partition(at_round)
    verdict = judge_layer(
        draw.layers[-1], colours, layer=layer, at_round=at_round, evidence=draw.evidence
    )
    return DrawVerdict(draw.weights, (verdict,))


def _bounded_at(setting: Setting, chosen: Against, drawn: _Drawn) -> int | None:
    """The first round of a test that bounds the last features after all.

    Colours only become finer, so bisection finds it.
    """
    if drawn.per_layer:
        return None
    mode = direction_of_neighbours(setting.graph.direction)
    history = setting.refined(chosen.test, mode).vertices

    def bounds(at_round: int) -> bool:
        judged = [_judge_last(draw, history, at_round, at_round) for draw in drawn.draws]
        return bound_holds(judged) is not False

    low, high = chosen.layers[-1].round, history.rounds
    if low >= high or not bounds(high):
        return None
    while low + 1 < high:
        middle = (low + high) // 2
        low, high = (low, middle) if bounds(middle) else (middle, high)
    return high


def _chosen(against: Sequence[Against]) -> Against:
    """The last test that the model matches, else the tightest bound, else the last test."""
    matching = [each for each in against if each.matches]
    bounding = [each for each in against if each.bound_holds]
    if matching:
        return matching[-1]
    return min(bounding, key=lambda each: each.layers[-1].wl_classes, default=against[-1])
