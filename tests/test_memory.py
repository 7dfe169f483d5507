"""Memory sizes as people write them, and work that is refused for lack of memory."""

from __future__ import annotations

import re
import resource
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wlkg
from wlkg import memory
from wlkg.errors import TooLargeError, UsageError
from wlkg.memory import free_memory, is_out_of_memory, parse_size
from wlkg.refinement.refine import check_size, refine


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0", 0),
        ("1", 1),
        ("12b", 12),
        ("1k", 1000),
        ("1K", 1000),
        ("1kB", 1000),
        ("1KiB", 1024),
        ("1ki", 1024),
        ("3M", 3 * 10**6),
        ("512MiB", 512 * 2**20),
        ("4G", 4 * 10**9),
        ("1.5GB", 1_500_000_000),
        ("1.5GiB", 1_610_612_736),
        ("2t", 2 * 10**12),
        ("2TiB", 2 * 2**40),
        ("0.5k", 500),
        (" 4 g ", 4 * 10**9),
        ("007k", 7000),
    ],
)
def test_sizes_are_read_as_people_write_them(text: str, expected: int) -> None:
    assert parse_size(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", " ", "G", "x", "-1", "+1", "1e9", ".5G", "1.", "1,5G", "4 G B", "4GG", "1P", "inf", "nan",
     "0x10", "1_000", "4G 2", "9" * 400, "1\x00"],
)  # fmt: skip
def test_other_texts_are_refused_with_examples(text: str) -> None:
    with pytest.raises(UsageError, match=re.escape("4G, 1.5GB or 512MiB")) as caught:
        parse_size(text)
    assert repr(text) in str(caught.value)
    assert caught.value.exit_code == 2


@given(number=st.integers(0, 10**6), unit=st.sampled_from(["", "k", "M", "G", "T"]))
def test_whole_numbers_of_any_unit_are_exact(number: int, unit: str) -> None:
    power = ["", "k", "M", "G", "T"].index(unit)
    assert parse_size(f"{number}{unit}") == number * 1000**power
    assert parse_size(f"{number}{unit}iB") == number * 1024**power


def test_free_memory_is_a_plausible_number() -> None:
    assert 10**6 < free_memory() < 10**15


def test_free_memory_is_limited_by_the_machine_and_by_the_control_group(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(memory, "_available", lambda: 1000)
    monkeypatch.setattr(memory, "_left_in_group", lambda: 70)
    monkeypatch.setattr(memory, "_left_in_limit", lambda: 2**63)
    assert free_memory() == 70
    monkeypatch.setattr(memory, "_left_in_group", lambda: 2**63)
    assert free_memory() == 1000


def test_free_memory_is_limited_by_the_address_space_of_the_process() -> None:
    assert memory._left_in_limit() > 10**18
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    try:
        resource.setrlimit(resource.RLIMIT_AS, (used + 10**9, before[1]))
        assert 5 * 10**8 < free_memory() <= 10**9
        resource.setrlimit(resource.RLIMIT_AS, (used // 2, before[1]))
        left = memory._left_in_limit()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    assert left == 0


@pytest.mark.parametrize(
    ("limit", "used", "expected"), [("5000", "3000", 2700), ("3000", "5000", 0), ("max", "1", None)]
)
def test_memory_left_in_a_control_group_includes_reclaimable_file_caches(
    limit: str, used: str, expected: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    (tmp_path / "memory.current").write_text(f"{used}\n")
    (tmp_path / "memory.stat").write_text("anon 2000\nfile 900\ninactive_file 700\n")
    monkeypatch.setattr(memory, "Path", lambda _: tmp_path)
    left = memory._left_in_group()
    assert left > 10**18 if expected is None else left == expected


def test_free_memory_is_known_without_the_usual_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory, "Path", lambda path: tmp_path / path.lstrip("/"))
    assert memory._left_in_group() > 10**18
    assert 10**6 < free_memory() < 10**15


# -- refusals -------------------------------------------------------------------------------------


def test_a_refusal_states_the_tuples_the_bytes_and_the_limit() -> None:
    with pytest.raises(TooLargeError) as caught:
        check_size("3-rlwl", [10, 20], 1234)
    message = str(caught.value)
    assert caught.value.exit_code == 3
    assert "3-rlwl on 10 and 20 vertices has 9,000 tuples" in message
    needed = re.search(r"needs ([\d,]+) bytes", message)
    assert needed is not None
    bytes_needed = int(needed[1].replace(",", ""))
    assert bytes_needed > 8 * 9000
    assert "1,234" in message
    assert "--max-memory" in message
    check_size("3-rlwl", [10, 20], bytes_needed)
    with pytest.raises(TooLargeError, match=f"{bytes_needed:,} bytes"):
        check_size("3-rlwl", [10, 20], bytes_needed - 1)


def test_huge_numbers_are_shown_as_powers() -> None:
    with pytest.raises(TooLargeError, match=re.escape("1,000^99 tuples")):
        check_size("99-rlwl", [1000, 7], 10**30)


@pytest.mark.parametrize("test", ["1-wl", "weak-rwl", "1-rwl", "1-rlwl", "delta-1-lwl"])
def test_vertex_tests_are_never_refused(test: str) -> None:
    check_size(test, [10**9], 0)
    assert refine(wlkg.read("example:c6"), test, max_memory=0).stable


@pytest.mark.parametrize("sizes", [[], [0], [1, 1]])
def test_graphs_without_two_vertices_are_never_refused(sizes: list[int]) -> None:
    check_size("999999999-rlwl", sizes, 0)


def test_half_of_the_free_memory_may_be_used_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = wlkg.read("example:c6")
    with pytest.raises(TooLargeError) as caught:
        check_size("2-rlwl", [6], 0)
    needed = re.search(r"needs ([\d,]+) bytes", str(caught.value))
    assert needed is not None
    bytes_needed = int(needed[1].replace(",", ""))
    monkeypatch.setattr("wlkg.memory.free_memory", lambda: 2 * bytes_needed)
    assert refine(graph, "2-rlwl").stable
    monkeypatch.setattr("wlkg.memory.free_memory", lambda: 2 * bytes_needed - 1)
    with pytest.raises(TooLargeError, match=f"the {bytes_needed - 1:,} allowed"):
        refine(graph, "2-rlwl")
    assert refine(graph, "2-rlwl", max_memory=bytes_needed).stable


def test_many_graphs_are_not_all_listed() -> None:
    with pytest.raises(
        TooLargeError, match="2-rlwl on 2 and 3 and 4 and 5 and 96 more vertices has"
    ):
        check_size("2-rlwl", range(2, 102), 0)


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (MemoryError(), True),
        (RuntimeError("[enforce fail at alloc_cpu.cpp] DefaultCPUAllocator: not enough"), True),
        (RuntimeError("CUDA out of memory. Tried to allocate 20 GiB"), True),
        (RuntimeError("shapes do not fit"), False),
        (ValueError("out of memory"), False),
    ],
)
def test_errors_that_say_that_memory_ran_out_are_known(error: Exception, expected: bool) -> None:
    assert is_out_of_memory(error) is expected
