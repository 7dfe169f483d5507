"""What two collections of items have different numbers of, and formulas without connectives for it.

Both collections are given by the classes of their items at a round. Formulas of depth 0 are facts;
formulas of depth 1 say how many neighbours an item has, or how many with a fact. All of them that
are true of different numbers of items are found by one pass over what the items see.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from wlkg.analysis.explanation.classwise import Classwise, Profile
from wlkg.analysis.explanation.formulas import (
    TRUE,
    Formula,
    Modality,
    Relation,
    at_least,
    degree,
    share_at_least,
)

_Key = TypeVar("_Key")


@dataclass(frozen=True, slots=True)
class Look:
    """How two collections of items differ: those that two items see, or those of two graphs."""

    #: How they are seen; None for collections that nothing looks at.
    modality: Modality | None
    #: The numbers of items of both collections.
    totals: tuple[int, int]
    #: For each class, how much more the first collection has of it than the second; never 0.
    surplus: dict[int, int]
    #: An item of each of these classes, and the surplus by item.
    of_class: dict[int, int]
    surplus_of: dict[int, int]
    #: Whether one collection can be told from the other by its size.
    has_unequal_totals: bool


def difference(
    modality: Modality | None, ours: Profile, theirs: Profile, *, shares: bool
) -> Look | None:
    """How two collections differ, as numbers or as shares; None if they do not."""
    totals = (sum(n for n, _ in ours.values()), sum(n for n, _ in theirs.values()))
    compares_shares = shares and all(totals)
    # Shares are compared by cross multiplication.
    weights = (totals[1], totals[0]) if compares_shares else (1, 1)
    surplus: dict[int, int] = {}
    of_class: dict[int, int] = {}
    for c in [*ours, *(c for c in theirs if c not in ours)]:
        n, item = ours.get(c, (0, -1))
        m, other = theirs.get(c, (0, -1))
        if n * weights[0] != m * weights[1]:
            surplus[c] = n * weights[0] - m * weights[1]
            of_class[c] = item if n else other
    if not surplus:
        return None
    return Look(
        modality=modality,
        totals=totals,
        surplus=surplus,
        of_class=of_class,
        surplus_of={of_class[c]: number for c, number in surplus.items()},
        has_unequal_totals=not compares_shares and totals[0] != totals[1],
    )


def simple_formulas(classes: Classwise, look: Look, depth: int) -> Iterator[Formula]:
    """All facts (depth 0), or a number for everything that can be counted (depth 1).

    Each is true of different numbers of items. Where several numbers would do, the least is taken.
    """
    if depth == 0:
        yield from _facts(classes, look)
        return
    # For each thing to count: a number of it -> surplus of the items with that number.
    arcs: dict[Relation, dict[int, int]] = {}
    seen: dict[tuple[Modality, Formula], dict[int, int]] = {}
    for item, surplus in look.surplus_of.items():
        for relation, count in classes.items.arc_counts(item).items():
            _add(arcs.setdefault(relation, {}), count, surplus)
        for what, count in _countable(classes, item):
            _add(seen.setdefault(what, {}), count, surplus)
    for relation, surplus_by_count in arcs.items():
        yield from (degree(relation, n) for n, surplus in surplus_by_count.items() if surplus)
    for (modality, fact), surplus_by_count in seen.items():
        threshold = _least_threshold(surplus_by_count)
        if threshold is None:
            continue
        if classes.items.sees_shares:
            yield share_at_least(Fraction(1), modality.relation, fact)
        else:
            yield at_least(threshold, modality.relation, fact, modality.position)


def _facts(classes: Classwise, look: Look) -> Iterator[Formula]:
    balance: dict[Formula, int] = {}
    for item, surplus in look.surplus_of.items():
        for fact in classes.items.facts(item):
            _add(balance, fact, surplus)
    yield from (fact for fact, surplus in balance.items() if surplus)


def _countable(classes: Classwise, item: int) -> Iterator[tuple[tuple[Modality, Formula], int]]:
    """The numbers of neighbours of an item, and of those with each fact.

    For tests that see shares, only whether there are any neighbours.
    """
    for modality, profile in classes.profile(item, 0).items():
        if classes.items.sees_shares:
            yield (modality, TRUE), 1
            continue
        yield (modality, TRUE), sum(count for count, _ in profile.values())
        with_fact: dict[Formula, int] = {}
        for count, neighbour in profile.values():
            for fact in classes.items.facts(neighbour):
                _add(with_fact, fact, count)
        yield from (((modality, fact), count) for fact, count in with_fact.items())


def _least_threshold(surplus_by_count: dict[int, int]) -> int | None:
    """The least n such that the items with at least n do not balance; None if there is none."""
    balance, least = 0, None
    counts = sorted(surplus_by_count, reverse=True)
    for count, lower in zip(counts, [*counts[1:], 0], strict=True):
        balance += surplus_by_count[count]
        if balance:
            least = lower + 1
    return least


def _add(numbers: dict[_Key, int], key: _Key, number: int) -> None:
    numbers[key] = numbers.get(key, 0) + number
