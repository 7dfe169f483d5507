"""The classes of a model's features against those of a WL test, layer by layer.

A layer *splits* if two items of one colour have different features, and *merges* if two of
different colours have equal ones:

============  ======  ======  =====================================================
relation      splits  merges  meaning
============  ======  ======  =====================================================
equal         no      no      the layer sees exactly what the test sees
coarser       no      yes     the test bounds the layer, which loses something
finer         yes     no      the test does not bound the layer
incomparable  yes     yes     neither
undecided     ?       ?       the numbers are too close to rounding to tell
============  ======  ======  =====================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from wlkg.gnn.against_wl.clusters import Clusters
from wlkg.partition import History, Partition

Pair = tuple[int, int]

RELATIONS: dict[tuple[bool | None, bool | None], str] = {
    (False, False): "equal",
    (False, True): "coarser",
    (True, False): "finer",
    (True, True): "incomparable",
}
#: Of several draws the first of these that occurs is reported: a violation first, then the most
#: that some weights see.
_TELLING = ("finer", "incomparable", "equal", "undecided", "coarser")


@dataclass(frozen=True)
class LayerVerdict:
    """The features after a layer against the colours of a round."""

    layer: int
    round: int
    wl_classes: int
    #: How many classes of features are surely different.
    model_classes: int
    relation: str
    #: Whether the test bounds the layer; None if the numbers cannot tell.
    bound_holds: bool | None
    max_spread: float
    min_gap: float | None
    #: By how much features differ between runs in different orders.
    noise: float
    #: Two items of different colours with equal features, and two of one colour with different.
    merged: Pair | None
    split: Pair | None
    #: Two items that may or may not have equal features.
    unclear: Pair | None


@dataclass(frozen=True)
class DrawVerdict:
    """All layers of a model with certain weights."""

    weights: str
    layers: tuple[LayerVerdict, ...]


@dataclass(frozen=True)
class Verdicts:
    """A model with several choices of weights against a test."""

    #: For each layer the draw that tells the most.
    layers: tuple[LayerVerdict, ...]
    draws: tuple[DrawVerdict, ...]

    @property
    def bound_holds(self) -> bool | None:
        """Whether no layer of any draw sees more than the test; None if that is undecided."""
        return bound_holds(self.draws)

    @property
    def matches(self) -> bool | None:
        """Whether every layer sees exactly what the test sees, for some draw."""
        return matches(self.layers)


def judge_layer(found: Clusters, colours: Partition, layer: int, at_round: int) -> LayerVerdict:
    """The features after a layer against the colours of a round."""
    split, maybe_split = (colours.told_apart_by(p) for p in (found.surely, found.close))
    maybe_merged = found.surely.told_apart_by(colours)
    # Close features are equal only if there are none that are just a little less close.
    merged = found.possibly.told_apart_by(colours) if found.clear else None
    splits = _certainly(split, maybe_split)
    merges = _certainly(merged, maybe_merged)
    return LayerVerdict(
        layer,
        at_round,
        colours.num_classes,
        found.surely.num_classes,
        RELATIONS.get((splits, merges), "undecided"),
        None if splits is None else not splits,
        found.max_spread,
        found.min_gap,
        found.noise,
        merged,
        split,
        maybe_split if splits is None else maybe_merged if merges is None else None,
    )


def _certainly(sure: Pair | None, possible: Pair | None) -> bool | None:
    return True if sure else None if possible else False


def judge_layers(
    features: Sequence[Clusters], history: History, weights: str, later: int = 0
) -> DrawVerdict:
    """Layer t = 1, 2, ... against round t + ``later``."""
    return DrawVerdict(
        weights,
        tuple(
            judge_layer(found, history.partition(t + later), t, t + later)
            for t, found in enumerate(features, 1)
        ),
    )


def most_telling(draws: Sequence[DrawVerdict]) -> tuple[LayerVerdict, ...]:
    """For each layer the verdict of one draw: a violation, or the one that sees the most."""

    def rank(verdict: LayerVerdict) -> tuple[int, int]:
        return _TELLING.index(verdict.relation), -verdict.model_classes

    by_layer = zip(*(draw.layers for draw in draws), strict=True)
    return tuple(min(verdicts, key=rank) for verdicts in by_layer)


def bound_holds(draws: Sequence[DrawVerdict]) -> bool | None:
    """Whether every layer of every draw keeps to its bound; None if some numbers cannot tell."""
    found = {layer.bound_holds for draw in draws for layer in draw.layers}
    return False if False in found else None if None in found else True


def matches(layers: Sequence[LayerVerdict]) -> bool | None:
    """Whether every layer sees exactly what the test sees; None if that is open."""
    found = {layer.relation for layer in layers}
    if found <= {"equal"}:
        return True
    return None if found <= {"equal", "undecided"} else False
