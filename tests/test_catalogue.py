"""The tables that users choose from by name."""

from __future__ import annotations

import pytest

from wlkg.catalogue import ALIASES, TEST_CHOICES, TESTS, TUPLE_TESTS, TupleTest, find_test


@pytest.mark.parametrize("table", [TESTS, TUPLE_TESTS])
def test_every_entry_of_a_table_has_its_key_as_name(
    table: dict[str, object],
) -> None:
    assert list(table) == [getattr(test, "name", None) for test in table.values()]


@pytest.mark.parametrize("name", [*TESTS, *ALIASES, "1-fwl", "2-rlwl", "delta-3-lwl", "12-wl"])
def test_a_test_has_the_name_that_it_was_asked_for_by(name: str) -> None:
    assert find_test(name).name == name


@pytest.mark.parametrize(("alias", "name"), ALIASES.items())
def test_an_alias_is_the_same_test_under_another_name(alias: str, name: str) -> None:
    assert find_test(alias) == find_test(name) == TESTS[name]


def test_a_tuple_test_has_the_arity_in_its_name() -> None:
    test = find_test("12-wl")
    assert isinstance(test, TupleTest)
    assert test.arity == 12
    assert test != find_test("2-wl")


def test_the_choices_name_every_test() -> None:
    assert TEST_CHOICES == (
        "1-wl, weak-rwl, 1-rwl, mean-rwl, K-rlwl, delta-K-lwl, K-wl or K-fwl, as in 2-rlwl"
    )
