"""Input number i of a seed: always the same bytes, whatever came before it."""

from __future__ import annotations

from itertools import accumulate
from random import Random

from tests.fuzz.case import Case
from tests.fuzz.containers import compressed
from tests.fuzz.kinds import KINDS, seeds_of
from tests.fuzz.mutators import LARGEST
from tests.readers.compression import COMPRESS


def kinds_named(only: str | None) -> list[str]:
    """The kinds whose name begins with ``only``; all of them without it."""
    chosen = [kind for kind in KINDS if only is None or kind.startswith(only)]
    if not chosen:
        raise SystemExit(f"no kind begins with {only!r}. Known: {', '.join(KINDS)}")
    return chosen


def make_input(seed: int, number: int, only: str | None = None) -> Case:
    """The input with this number."""
    rng = Random(f"{seed}:{number}:{only or ''}")
    kinds = kinds_named(only)
    shares = list(accumulate(KINDS[kind].share for kind in kinds))
    (kind,) = rng.choices(kinds, cum_weights=shares)
    return damaged(rng, kind)


def damaged(rng: Random, kind_name: str) -> Case:
    """An undamaged input of a kind, damaged a few times and compressed now and then."""
    kind, known = KINDS[kind_name], seeds_of(kind_name)
    case = rng.choice(known)
    data = case.data
    for _ in range(rng.choice((0, 1, 1, 1, 1, 2, 2, 3, 5, 8))):
        data = rng.choice(kind.mutators)(rng, data, rng.choice(known).data)[:LARGEST]
    name = case.name
    if kind.compressible and rng.random() < 0.1:
        suffix = rng.choice(sorted(COMPRESS))
        name, data = name + suffix, compressed(rng, data, COMPRESS[suffix])
    return Case(kind_name, name, data, {**case.options, **kind.options(rng)})
