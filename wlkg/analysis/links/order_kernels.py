"""The best order of the classes that hold answers, for every metric and tie rule.

A query has classes with k answers and s rivals (candidates of the class that are not known to be
true). An answer behind b rivals of classes ranked before its own has one of the ranks b + 1 to
b + s + 1: any of them (ties random), the last (pessimistic) or the first (optimistic). The classes
are put in the order with the best sum over all answers:

1. Classes without rivals come first: they cost the others nothing.
2. A class with no fewer answers and no more rivals than another comes before it. (Exchange the two:
   what lies between them, and the class that moves to the front, gain; what the other loses is no
   more.) So classes with the same k form a *chain* in the order of s, and the best order is a merge
   of the chains. If all classes have the same k, that is all.
3. Several chains are merged by dynamic programming over how much of each has been placed. If that
   has more than `MOST_STATES` states, chains are merged in groups that do not see each other, which
   gives an upper bound.

The mean rank is a sum of k (b + s / 2 + 1), so the order of s / k is best (Smith's rule).

A model may also give different classes the same score, which merges their ranks. If ties count
against it, that never pays. With random ties it may, but an answer still ties with the rivals of
its own class at least. So every class on its own in front, b = 0, is a bound for all models.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from wlkg.compiled.kernel import Kernel
from wlkg.links.scores import METRICS, TIES
from wlkg.refinement.compiled.arc_arrays import Array
from wlkg.refinement.compiled.shell_sort import shell_sort

#: The largest number of ways in which parts of all chains may have been placed.
MOST_STATES = 20_000

#: Five values for each tie rule, and five of the bound if classes may tie.
TOTALS = (len(TIES) + 1) * len(METRICS)
#: For each tie rule, the metrics whose order is searched for: all but the mean rank.
_VALUES = len(TIES) * (len(METRICS) - 1)


class OrderMemory(NamedTuple):
    """Working memory for the order of at most n classes."""

    #: Harmonic numbers: ``harmonic[b]`` = 1 + 1/2 + ... + 1/b.
    harmonic: Array
    #: The answers and rivals of each class, and keys to sort them by.
    held: Array
    rivals: Array
    keys: Array
    #: The rivals of a class and of those before it in its chain.
    prefix: Array
    #: Where chains begin.
    chain: Array
    #: For each chain of a group: how much of it is placed, and the stride of its states.
    placed: Array
    stride: Array
    #: For each state, the best values.
    best: Array
    values: Array


def order_memory(most_classes: int, most_rivals: int) -> OrderMemory:
    """Memory for queries, by the most classes with answers and the most rivals of a query."""
    harmonic = np.zeros(most_rivals + 2)
    np.cumsum(1 / np.arange(1, most_rivals + 2), out=harmonic[1:])
    held, rivals, keys, prefix, chain, placed, stride = np.zeros(
        (7, most_classes + 1), dtype=np.int64
    )
    best, values = np.zeros((MOST_STATES + 1, _VALUES)), np.zeros(_VALUES)
    return OrderMemory(harmonic, held, rivals, keys, prefix, chain, placed, stride, best, values)


@Kernel
def values_of(ahead: Any, rivals: Any, memory: OrderMemory) -> None:
    """The values of one answer behind ``ahead`` rivals, under each tie rule and metric."""
    values, harmonic = memory.values, memory.harmonic
    first, last = ahead + 1, ahead + rivals + 1
    values[0] = (harmonic[last] - harmonic[ahead]) / (rivals + 1)
    values[4] = 1 / last
    values[8] = 1 / first
    for metric in range(1, 4):
        most = 1 if metric == 1 else (3 if metric == 2 else 10)
        within = min(max(most - ahead, 0), rivals + 1)
        values[metric] = within / (rivals + 1)
        values[4 + metric] = 1.0 if last <= most else 0.0
        values[8 + metric] = 1.0 if first <= most else 0.0


@Kernel
def add_values(ahead: Any, rivals: Any, answers: Any, memory: OrderMemory, totals: Array) -> None:
    """Add the values of the answers of a class to the totals."""
    values_of(ahead, rivals, memory)
    for tie in range(3):
        for metric in range(4):
            totals[5 * tie + metric] += answers * memory.values[4 * tie + metric]


@Kernel
def add_ranks(count: Any, memory: OrderMemory, totals: Array) -> None:
    """Sort the classes by s / k, and add the ranks of their answers to the totals."""
    held, rivals = memory.held, memory.rivals
    gap = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for c in range(gap, count):
            k, s = held[c], rivals[c]
            place = c
            while place >= gap and rivals[place - gap] * k > s * held[place - gap]:
                held[place] = held[place - gap]
                rivals[place] = rivals[place - gap]
                place -= gap
            held[place] = k
            rivals[place] = s
        gap //= 3
    ahead = 0
    for c in range(count):
        k, s = held[c], rivals[c]
        totals[4] += k * (ahead + 1 + s / 2)
        totals[9] += k * (ahead + 1 + s)
        totals[14] += k * (ahead + 1)
        ahead += s


@Kernel
def add_bound(count: Any, memory: OrderMemory, totals: Array) -> None:
    """Add the values, with random ties, of each class on its own in front."""
    for c in range(count):
        held, rivals = memory.held[c], memory.rivals[c]
        values_of(0, rivals, memory)
        for metric in range(4):
            totals[15 + metric] += held * memory.values[metric]
        totals[19] += held * (1 + rivals / 2)


@Kernel
def add_chain(low: Any, high: Any, width: Any, memory: OrderMemory, totals: Array) -> None:
    """Add the values of a single chain, the sorted keys ``low:high``."""
    ahead = 0
    for c in range(low, high):
        rivals = memory.keys[c] % width
        add_values(ahead, rivals, memory.keys[c] // width, memory, totals)
        ahead += rivals


@Kernel
def add_merged(first: Any, last: Any, width: Any, memory: OrderMemory, totals: Array) -> None:
    """Add the best values of any merge of the chains ``first:last``."""
    chain, placed, stride, prefix = memory.chain, memory.placed, memory.stride, memory.prefix
    keys, best, values = memory.keys, memory.best, memory.values
    states = 1
    for j in range(first, last):
        placed[j] = 0
        stride[j] = states
        states *= chain[j + 1] - chain[j] + 1
    for value in range(12):
        best[0, value] = 0.0
    for state in range(1, states):
        j = first
        while placed[j] == chain[j + 1] - chain[j]:
            placed[j] = 0
            j += 1
        placed[j] += 1
        ahead = 0
        for j in range(first, last):
            if placed[j] > 0:
                ahead += prefix[chain[j] + placed[j] - 1]
        for value in range(12):
            best[state, value] = 0.0
        for j in range(first, last):
            if placed[j] == 0:
                continue
            key = keys[chain[j] + placed[j] - 1]
            answers, rivals = key // width, key % width
            values_of(ahead - rivals, rivals, memory)
            before = state - stride[j]
            for value in range(12):
                total = best[before, value] + answers * values[value]
                best[state, value] = max(best[state, value], total)
    for tie in range(3):
        for metric in range(4):
            totals[5 * tie + metric] += best[states - 1, 4 * tie + metric]


@Kernel
def find_chains(count: Any, width: Any, memory: OrderMemory) -> Any:
    """Sort the keys of the classes with rivals, and find the chains; return their number."""
    keys, chain = memory.keys, memory.chain
    shell_sort(keys, 0, count)
    chains = 0
    for c in range(count):
        rivals = keys[c] % width
        if c == 0 or keys[c] // width != keys[c - 1] // width:
            chain[chains] = c
            chains += 1
            memory.prefix[c] = rivals
        else:
            memory.prefix[c] = memory.prefix[c - 1] + rivals
    chain[chains] = count
    return chains


@Kernel
def add_best_order(count: Any, memory: OrderMemory, totals: Array, most_states: int) -> Any:
    """Add the best values of a query to the totals; return whether they are reached.

    The query has the classes ``:count`` of ``held`` and ``rivals``. ``totals`` has five values for
    each tie rule, those of ``METRICS``, and five of the bound.
    """
    held, rivals = memory.held, memory.rivals
    add_ranks(count, memory, totals)
    add_bound(count, memory, totals)
    width = len(memory.harmonic)
    with_rivals = 0
    for c in range(count):
        if rivals[c] == 0:
            add_values(0, 0, held[c], memory, totals)
        else:
            memory.keys[with_rivals] = held[c] * width + rivals[c]
            with_rivals += 1
    chains = find_chains(with_rivals, width, memory)
    first = 0
    while first < chains:
        last = first
        states = 1
        while last < chains:
            longer = states * (memory.chain[last + 1] - memory.chain[last] + 1)
            if last > first and longer > most_states:
                break
            states = longer
            last += 1
        if last == first + 1:
            add_chain(memory.chain[first], memory.chain[last], width, memory, totals)
        else:
            add_merged(first, last, width, memory, totals)
        if first == 0 and last == chains:
            return True
        first = last
    return chains == 0
