"""The compiled inner loops of `fitted`: ranks by how often a colour was true in training."""

from __future__ import annotations

from typing import Any, NamedTuple

from wlkg.analysis.links.order_kernels import OrderMemory, add_values
from wlkg.compiled.kernel import Kernel
from wlkg.links.queries import QueryArrays
from wlkg.refinement.compiled.arc_arrays import Array


class Rates(NamedTuple):
    """The rates of the classes that answered similar queries in training, the highest first."""

    #: Query q has the entries ``start[q]:end[q]``.
    start: Array
    end: Array
    class_of_entry: Array
    rate: Array


class FittedMemory(NamedTuple):
    """Working memory: counters by class, and ranks by entry."""

    known: Array
    #: For each class, its entry for the query at hand plus 1, or 0.
    entry: Array
    #: For each entry, the rivals of entries with a higher rate, and with the same rate.
    ahead: Array
    level: Array


@Kernel
def rank_entries(low: Any, high: Any, size: Array, rates: Rates, memory: FittedMemory) -> Any:
    """Find the rivals ahead of, and level with, each entry; return those of all entries."""
    ahead: Any = 0
    first = low
    while first < high:
        last = first
        level: Any = 0
        while last < high and rates.rate[last] == rates.rate[first]:
            c = rates.class_of_entry[last]
            memory.entry[c] = last - low + 1
            level += size[c] - memory.known[c]
            last += 1
        for place in range(first, last):
            memory.ahead[place - low] = ahead
            memory.level[place - low] = level
        ahead += level
        first = last
    return ahead


@Kernel
def add_place(ahead: Any, level: Any, order: OrderMemory, totals: Array) -> None:
    """Add the values of an answer behind some rivals, and level with others."""
    add_values(ahead, level, 1, order, totals)
    totals[4] += ahead + 1 + level / 2
    totals[9] += ahead + 1 + level
    totals[14] += ahead + 1


@Kernel
def add_places(ahead: Array, level: Array, order: OrderMemory, totals: Array) -> None:
    """Add the values of several answers."""
    for k in range(len(ahead)):
        add_place(ahead[k], level[k], order, totals)


@Kernel
def rank_fitted(
    low: int,
    high: int,
    queries: QueryArrays,
    class_of: Array,
    size: Array,
    rates: Rates,
    memory: FittedMemory,
    order: OrderMemory,
    totals: Array,
) -> Any:
    """Add the values of the queries ``low:high`` to the totals; return how many answers had a rate.

    Candidates of a class without an entry have rate 0.
    """
    seen: Any = 0
    for q in range(low, high):
        known_low, known_high = queries.known_start[q], queries.known_start[q + 1]
        for place in range(known_low, known_high):
            memory.known[class_of[queries.known[place]]] += 1
        with_rate = rank_entries(rates.start[q], rates.end[q], size, rates, memory)
        for place in range(queries.answer_start[q], queries.answer_start[q + 1]):
            entry = memory.entry[class_of[queries.answers[place]]]
            if entry > 0:
                seen += 1
                ahead, level = memory.ahead[entry - 1], memory.level[entry - 1]
            else:
                ahead = with_rate
                level = len(class_of) - (known_high - known_low) - with_rate
            add_place(ahead, level, order, totals)
        for place in range(rates.start[q], rates.end[q]):
            memory.entry[rates.class_of_entry[place]] = 0
        for place in range(known_low, known_high):
            memory.known[class_of[queries.known[place]]] = 0
    return seen
