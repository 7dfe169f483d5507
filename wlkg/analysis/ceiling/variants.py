"""The same labels under several tests and direction modes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from wlkg.analysis.ceiling.ceiling import LIMIT, Ceiling, ceiling
from wlkg.catalogue import DIRECTIONS
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.readers.collection import GraphCollection
from wlkg.readers.targets import Targets


@dataclass(frozen=True)
class Variant:
    """A ceiling, how the literals were read, and the seconds that it took."""

    ceiling: Ceiling
    literals: str
    seconds: float


def variants(
    loaded: RelationalGraph | GraphCollection,
    parts: Sequence[Targets],
    tests: Sequence[str],
    *,
    literals: str,
    every_direction: bool = False,
    rounds: int | None = None,
    limit: int | None = LIMIT,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> Iterator[Variant]:
    """The ceilings of labels of vertices, or of graphs, under each test and direction mode."""
    own = (loaded if isinstance(loaded, RelationalGraph) else loaded.union).direction
    modes = sorted(DIRECTIONS, key=lambda mode: mode != own) if every_direction else [own]
    holdout = parts[1] if len(parts) > 1 else None
    for test, mode in product(tests, modes):
        started = time.perf_counter()
        found = ceiling(
            loaded,
            parts[0],
            holdout,
            test,
            mode,
            rounds,
            limit=limit,
            max_memory=max_memory,
            progress=progress,
        )
        yield Variant(found, literals, time.perf_counter() - started)
