"""What an engine says about a graph that it refined from its file, without a graph in memory."""

from __future__ import annotations

from dataclasses import dataclass

from wlkg.catalogue import Direction


@dataclass(frozen=True, kw_only=True)
class RefinementSummary:
    """The outcome of a vertex test, in numbers; colours are in the file that was asked for."""

    test: str
    direction: Direction
    vertices: int
    arcs: int
    #: The number of classes at rounds 0 .. ``rounds``.
    classes_per_round: tuple[int, ...]
    #: Whether the last partition is known to be stable.
    stable: bool
    #: Whether it was proved, without hashing, that no split was missed.
    exact: bool
    #: What the proof covers.
    proof: str
    #: The number of pairs of vertices with the same colour in the last round.
    indistinguishable_pairs: int
    #: The name of the engine.
    engine: str
    seconds: float

    @property
    def rounds(self) -> int:
        """The last round: the smallest t with the partition of t + 1, or where the run stopped."""
        return len(self.classes_per_round) - 1

    @property
    def classes(self) -> int:
        return self.classes_per_round[-1]

    @property
    def distinguishable_pairs(self) -> int:
        """The number of pairs of vertices with different colours in the last round."""
        return self.vertices * (self.vertices - 1) // 2 - self.indistinguishable_pairs
