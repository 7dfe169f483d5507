"""The result of an own model against several tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from wlkg.display import Displayed
from wlkg.gnn.against_wl.verdicts import RELATIONS, LayerVerdict, Verdicts
from wlkg.gnn.own_models.diagnosis import Diagnosis
from wlkg.gnn.own_models.reach import Reach
from wlkg.gnn.own_models.traits import Traits
from wlkg.graph.relational_graph import RelationalGraph

#: Where the number of layers comes from.
RETURNED, GIVEN, INFERRED = DEPTH_FROM = ("layers returned", "given", "inferred")


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
class OwnVersus(Displayed):
    """An own model against several tests."""

    name: str
    #: Whether the model returns the features of every layer.
    per_layer: bool
    #: The number of layers; None if changes travel without limit.
    depth: int | None
    #: Where that number comes from: one of `DEPTH_FROM`.
    depth_from: str
    #: Layer t is judged by round t + ``later``; None if it is judged by the stable colouring.
    later: int | None
    #: If the last features violate every bound: the first round that would bound them.
    bounded_at: int | None
    against: tuple[Against, ...]
    #: The test whose layers are shown.
    chosen: Against
    diagnosis: Diagnosis
    #: How far a change travels; None if that could not be measured.
    reach: Reach | None
    #: Parts of the model that explain what is unusual.
    traits: Traits
    #: What the model was given, in words.
    inputs: str
    #: The same with dropout off, if runs are random and ``.eval()`` mends that.
    in_eval_mode: OwnVersus | None
    graph: RelationalGraph = field(repr=False, compare=False)

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{each.test}: {each.relation}" for each in self.against)
        shown = verdicts if self.sees_graph_only else "it sees more than the graph"
        depth = "no limit" if self.depth is None else f"{self.depth} {self.depth_from}"
        return f"OwnVersus({self.name!r}, depth {depth}, bound_holds={self.bound_holds}, {shown})"

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
