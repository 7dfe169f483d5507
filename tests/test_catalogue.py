"""The tables that users choose from by name."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wlkg.catalogue import (
    PAIR_TESTS,
    SINGLE_VERTEX_TESTS,
    TEST_CHOICES,
    TESTS,
    TUPLE_TESTS,
    TupleTest,
    find_test,
)


@pytest.mark.parametrize("table", [TESTS, TUPLE_TESTS, PAIR_TESTS])
def test_every_entry_of_a_table_has_its_key_as_name(
    table: dict[str, object],
) -> None:
    assert list(table) == [getattr(test, "name", None) for test in table.values()]


@pytest.mark.parametrize(
    "name", [*TESTS, *PAIR_TESTS, *SINGLE_VERTEX_TESTS, "1-fwl", "2-rlwl", "delta-3-lwl", "12-wl"]
)
def test_a_test_has_the_name_that_it_was_asked_for_by(name: str) -> None:
    assert find_test(name).name == name


@pytest.mark.parametrize(("single", "name"), [("1-rlwl", "1-rwl"), ("delta-1-lwl", "1-wl")])
def test_a_local_test_of_single_vertices_is_a_vertex_test_that_starts_with_loops(
    single: str, name: str
) -> None:
    test = find_test(single)
    assert test == replace(TESTS[name], starts_with_loops=True) != TESTS[name]


def test_a_tuple_test_has_the_arity_in_its_name() -> None:
    test = find_test("12-wl")
    assert isinstance(test, TupleTest)
    assert test.arity == 12
    assert test != find_test("2-wl")


def test_the_choices_name_every_test() -> None:
    assert TEST_CHOICES == (
        "1-wl, weak-rwl, 1-rwl, mean-rwl, 1-wl-all, 1-rwl-all, rawl2, rawl2-all, rwl2, K-rlwl,"
        " delta-K-lwl, K-wl or K-fwl, as in 2-rlwl"
    )


@pytest.mark.parametrize("name", [*TESTS, *PAIR_TESTS, "2-rlwl", "delta-3-lwl", "1-rlwl", "4-fwl"])
def test_names_of_tests_are_accepted_in_any_case(name: str) -> None:
    for spelling in (name.upper(), name.title()):
        assert find_test(spelling) == find_test(name)
        assert find_test(spelling).name == name
