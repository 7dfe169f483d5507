"""The canonical order of names, and the names that are numbers."""

from __future__ import annotations

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wlkg.graph.names import NumberNames, canonical_order
from wlkg.graph.triple_table import canonical_indices

NAMES = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"]), max_size=4),
    st.text("0123456789", max_size=20),
    st.integers(0, 10**20).map(str),
    st.sampled_from(
        ["00", "01", "-1", "+1", "1.0", "1e3", "1\n", "٣", "²", "0", "\U0001f600", "￿"]
    ),
)


def test_numbers_come_first_by_value_and_the_rest_by_code_point() -> None:
    names = ["b", "10", "9", "a", "0", "07", "", "é", "Z", "\U0001f600", "\uffee", "9" * 19]
    assert canonical_order(names) == [
        "0", "9", "10", "", "07", "9" * 19, "Z", "a", "b", "é", "\uffee", "\U0001f600"
    ]  # fmt: skip


def test_a_repeated_name_is_kept_once() -> None:
    assert canonical_order(["x", "1", "x", "1"]) == ["1", "x"]


def _by_definition(name: str) -> tuple[bool, int, str]:
    is_number = name.isascii() and name.isdecimal() and str(int(name)) == name and len(name) < 19
    return (False, int(name), "") if is_number else (True, 0, name)


@given(st.lists(NAMES))
def test_the_order_of_the_input_does_not_matter(names: list[str]) -> None:
    assert canonical_order(names) == canonical_order(reversed(names))
    assert canonical_order(names) == sorted(set(names), key=_by_definition)


@given(st.lists(NAMES, unique=True))
def test_arrow_sorts_names_into_the_same_order(names: list[str]) -> None:
    indices = canonical_indices(pa.array(names, pa.large_string()))
    assert [names[i] for i in indices.tolist()] == canonical_order(names)


def test_number_names_behave_like_the_tuple_they_replace() -> None:
    names, plain = NumberNames(12), tuple(map(str, range(12)))
    assert tuple(names) == plain
    assert len(names) == 12
    assert names[-1] == plain[-1]
    assert names[2:11:3] == plain[2:11:3]
    assert names == plain
    assert hash(names) == hash(plain)
    assert names == NumberNames(12)


@pytest.mark.parametrize("other", [["0", "2"], ["0"], [0, 1], [0, 5], NumberNames(3), "01", 2])
def test_number_names_differ_from_other_names(other: object) -> None:
    assert NumberNames(2) != other


@pytest.mark.parametrize("index", [2, -3])
def test_number_names_end_where_the_numbers_end(index: int) -> None:
    with pytest.raises(IndexError):
        NumberNames(2)[index]
