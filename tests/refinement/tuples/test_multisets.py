"""Multisets compared by counting, against sorted lists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wlkg.arrays import UInt64Array
from wlkg.refinement.tuples import multiset_kernels
from wlkg.refinement.tuples.code_check_kernels import Groups, Layout
from wlkg.refinement.tuples.multiset_kernels import differ_from_head

#: Tuples of length K over the vertices of one or two graphs.
shapes = st.sampled_from([(1, (5,)), (2, (3,)), (2, (2, 3)), (3, (2,)), (3, (2, 2)), (2, (0, 3))])


def _layout(arity: int, sizes: tuple[int, ...]) -> Layout:
    nothing = np.zeros(0, dtype=np.int64)
    return Layout(
        arity=arity,
        first_tuple=np.cumsum([0, *(n**arity for n in sizes)]),
        sizes=np.array(sizes),
        first_vertex=np.cumsum([0, *sizes[:-1]]),
        types=nothing,
        first_type=nothing,
    )


def _vectors(codes: UInt64Array, arity: int, sizes: tuple[int, ...]) -> list[tuple[object, ...]]:
    """For each tuple, sorted: the codes with x in each position, for each vertex x."""
    first = 0
    result: list[tuple[object, ...]] = []
    for n in sizes:
        block = codes[first : first + n**arity].reshape((n,) * arity)
        first += n**arity
        for place in np.ndindex(*block.shape):
            rows = [
                tuple(int(block[(*place[:j], x, *place[j + 1 :])]) for j in range(arity))
                for x in range(n)
            ]
            result.append(tuple(sorted(rows)))
    return result


def _lines(codes: UInt64Array, arity: int, sizes: tuple[int, ...]) -> list[tuple[object, ...]]:
    """For each line, sorted: its codes; all lines along position 0 first."""
    result: list[tuple[object, ...]] = []
    for j in range(arity):
        first = 0
        for n in sizes:
            block = codes[first : first + n**arity].reshape((n,) * arity)
            first += n**arity
            rows = np.moveaxis(block, j, -1).reshape(n ** (arity - 1), n)
            result.extend(tuple(sorted(row)) for row in rows.tolist())
    return result


@pytest.mark.parametrize("are_lines", [False, True])
@pytest.mark.parametrize("keys_collide", [False, True])
@given(shape=shapes, data=st.data())
@settings(max_examples=150)
def test_the_first_multiset_that_differs_from_that_of_its_head_is_reported(
    shape: tuple[int, tuple[int, ...]], data: st.DataObject, are_lines: bool, keys_collide: bool
) -> None:
    arity, sizes = shape
    count = sum(n**arity for n in sizes)
    values = data.draw(st.lists(st.integers(0, 2), min_size=count, max_size=count))
    codes = np.array(values, dtype=np.uint64)
    multisets = (_lines if are_lines else _vectors)(codes, arity, sizes)
    # Groups of equal multisets, into which one item may be put by mistake.
    names = {each: i for i, each in enumerate(multisets)}
    group = np.array([names[each] for each in multisets])
    if data.draw(st.booleans()):
        one, two = (data.draw(st.integers(0, len(group) - 1)) for _ in range(2))
        group[one] = group[two]
    members = np.argsort(group, kind="stable")
    head = np.zeros(len(group), dtype=np.int64)
    head[group] = np.arange(len(group))
    wrong = [m for m in members.tolist() if multisets[m] != multisets[head[group[m]]]]
    base = np.cumsum([0, *(n ** (arity - 1) for n in sizes)]) if are_lines else np.zeros(0, int)
    with pytest.MonkeyPatch.context() as patch, np.errstate(over="ignore"):
        if keys_collide:
            patch.setattr(multiset_kernels, "GOLDEN", np.uint64(0))
        reported = differ_from_head(
            0,
            len(members),
            Groups(group, head),
            _layout(arity, sizes),
            members,
            codes,
            max(sizes),
            base,
        )
    assert reported == (wrong[0] if wrong else -1)
