"""The classes of a model's features against those of a WL test, layer by layer.

A layer *splits* if two items of one colour have different features, and *merges* if two items of
different colours have equal features:

============  ======  ======  =====================================================
relation      splits  merges  meaning
============  ======  ======  =====================================================
equal         no      no      the layer sees exactly what the test sees
coarser       no      yes     the test bounds the layer, which loses something
finer         yes     no      the test does not bound the layer
incomparable  yes     yes     neither
undecided     ?       ?       too close to rounding, and too much work for exact arithmetic
============  ======  ======  =====================================================
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from wlkg.display import Brief
from wlkg.gnn.against_wl.clusters import Clusters
from wlkg.partition import History, Partition

Pair = tuple[int, int]

RELATIONS: dict[tuple[bool | None, bool | None], str] = {
    (False, False): "equal",
    (False, True): "coarser",
    (True, False): "finer",
    (True, True): "incomparable",
}
#: The order in which one of several draws is reported: a violation first, then the weights that
#: see the most.
_TELLING = ("finer", "incomparable", "equal", "undecided", "coarser")


@dataclass(frozen=True, eq=False)
class Settled:
    """What is known about features that may be equal."""

    #: Two items of different colours with equal features.
    merged: Pair | None
    #: Items of different classes have different features.
    different: Partition
    #: Whether exact arithmetic was needed, and succeeded.
    exact: bool = False


#: From a layer, the classes of its features and the colours to what is known about mergers.
Evidence = Callable[[int, Clusters, Partition], Settled]


def close_is_equal(layer: int, clusters: Clusters, colours: Partition) -> Settled:
    """Close features count as equal if no others are slightly further apart."""
    del layer
    merged = clusters.possibly.first_pair_split_by(colours) if clusters.clear else None
    return Settled(merged, clusters.surely)


@dataclass(frozen=True)
class LayerVerdict(Brief):
    """The features after a layer against the colours of a round."""

    layer: int
    round: int
    wl_classes: int
    #: The number of classes whose features are surely different.
    model_classes: int
    relation: str
    #: Whether the test bounds the layer; None if the numbers do not decide it.
    bound_holds: bool | None
    max_spread: float
    min_gap: float | None
    #: The largest difference of features between runs in different arrangements.
    noise: float
    #: Two items of different colours with equal features.
    merged: Pair | None
    #: Two items of one colour with different features.
    split: Pair | None
    #: Two items that may or may not have equal features.
    unclear: Pair | None
    #: Whether exact arithmetic decided which features are equal, where floating point could not.
    exact: bool = False


@dataclass(frozen=True)
class DrawVerdict(Brief):
    """All layers of a model with one choice of weights."""

    weights: str
    layers: tuple[LayerVerdict, ...]


@dataclass(frozen=True)
class Verdicts(Brief):
    """A model with several choices of weights against a test."""

    #: For each layer the verdict of the most telling draw.
    layers: tuple[LayerVerdict, ...]
    draws: tuple[DrawVerdict, ...]

    @property
    def bound_holds(self) -> bool | None:
        """Whether no layer of any draw sees more than the test; None if undecided."""
        return bound_holds(self.draws)

    @property
    def matches(self) -> bool | None:
        """Whether every layer sees exactly what the test sees, in some draw; None if undecided."""
        return matches(self.layers)


def judge_layer(
    clusters: Clusters,
    colours: Partition,
    *,
    layer: int,
    at_round: int,
    evidence: Evidence = close_is_equal,
) -> LayerVerdict:
    """Judge the features after a layer by the colours of a round."""
    split, maybe_split = (colours.first_pair_split_by(p) for p in (clusters.surely, clusters.close))
    settled = evidence(layer, clusters, colours)
    maybe_merged = settled.different.first_pair_split_by(colours)
    splits = _certainly(split, maybe_split)
    merges = _certainly(settled.merged, maybe_merged)
    return LayerVerdict(
        layer=layer,
        round=at_round,
        wl_classes=colours.num_classes,
        model_classes=settled.different.num_classes,
        relation=RELATIONS.get((splits, merges), "undecided"),
        bound_holds=None if splits is None else not splits,
        max_spread=clusters.max_spread,
        min_gap=clusters.min_gap,
        noise=clusters.noise,
        merged=settled.merged,
        split=split,
        unclear=maybe_split if splits is None else maybe_merged if merges is None else None,
        exact=settled.exact,
    )


def _certainly(sure: Pair | None, possible: Pair | None) -> bool | None:
    return True if sure else None if possible else False


def judge_layers(
    layers: Iterable[Clusters],
    history: History,
    weights: str,
    later: int = 0,
    evidence: Evidence = close_is_equal,
) -> DrawVerdict:
    """Judge layer t = 1, 2, ... by round t + ``later``, each before the next one is taken."""
    verdicts = (
        judge_layer(
            clusters, history.partition(t + later), layer=t, at_round=t + later, evidence=evidence
        )
        for t, clusters in enumerate(layers, 1)
    )
    return DrawVerdict(weights, tuple(verdicts))


def most_telling(draws: Sequence[DrawVerdict]) -> tuple[LayerVerdict, ...]:
    """For each layer the verdict of one draw: a violation, or the draw that sees the most."""

    def rank(verdict: LayerVerdict) -> tuple[int, int]:
        return _TELLING.index(verdict.relation), -verdict.model_classes

    by_layer = zip(*(draw.layers for draw in draws), strict=True)
    return tuple(min(verdicts, key=rank) for verdicts in by_layer)


def bound_holds(draws: Sequence[DrawVerdict]) -> bool | None:
    """Whether every layer of every draw keeps to its bound; None if undecided."""
    answers = {layer.bound_holds for draw in draws for layer in draw.layers}
    return False if False in answers else None if None in answers else True


def matches(layers: Sequence[LayerVerdict]) -> bool | None:
    """Whether every layer sees exactly what the test sees; None if undecided."""
    relations = {layer.relation for layer in layers}
    if relations <= {"equal"}:
        return True
    return None if relations <= {"equal", "undecided"} else False
