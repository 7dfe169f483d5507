"""The options that say how to read a graph, seen through ``wlkg info``."""

from __future__ import annotations

import gzip
import json
from dataclasses import fields
from pathlib import Path

import pytest

from tests.cli.running import Run, RunJson, assert_refused
from wlkg.commands.options import Reading
from wlkg.readers.formats import FORMATS, SUFFIXES
from wlkg.readers.options import ReadOptions


@pytest.mark.parametrize(
    ("name", "text", "options", "expected"),
    [
        ("t", b"a b\nb c\n", ["--format", "edgelist", "--columns", "head,tail"], [3, 2, 1]),
        ("t.csv", b"x;r;y\n", ["--delimiter", ";"], [2, 1, 1]),
        ("t.tsv", b"#a\tr\tb\n", ["--comment", ""], [2, 1, 1]),
        ("t.tsv", b"head\trelation\ttail\n", ["--no-header"], [2, 1, 1]),
        ("t.ttl", b'<a> <p> "x", <b> .', ["--base", "http://e/", "--literals", "drop"], [2, 1, 1]),
        (
            "t.nq",
            b"<a:a> <a:p> <a:b> <a:g> .\n<a:a> <a:p> <a:c> .\n",
            ["--graph", "a:g"],
            [2, 1, 1],
        ),
    ],
)
def test_reading_options_reach_the_reader(
    run_json: RunJson,
    name: str,
    text: bytes,
    options: list[str],
    expected: list[int],
    tmp_path: Path,
) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    document = run_json("info", path, *options)
    assert [document[key] for key in ("vertices", "triples", "relations")] == expected


def test_direction_and_labels_are_options(run_json: RunJson, people: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text("ann\tw\nbob\tm\nx\tthing\n")
    document = run_json("info", people, "--direction", "undirected", "--labels", labels)
    assert (document["direction"], document["labels"], document["arcs"]) == ("undirected", 3, 5)


@pytest.mark.parametrize(
    ("name", "text"),
    [("tsv", b"a\tr\tb\n"), ("nt", b"<a:a> <a:p> <a:b> .\n"), ("graph6", b"A_\n")],
)
@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_read_if_the_format_is_given(
    run: Run, name: str, text: bytes, packed: bool
) -> None:
    content = gzip.compress(text) if packed else text
    result = run("info", "-", "--format", name, "--json", stdin=content)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["triples"] == 1


def test_an_unknown_suffix_is_answered_with_the_known_suffixes(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "graph.docx"
    path.write_bytes(b"x")
    result = run("info", path)
    assert result.exit_code == 2
    assert "unknown suffix '.docx'" in result.stderr
    assert "--format" in result.stderr
    assert all(f" {suffix} " in result.stderr for suffix in SUFFIXES)


def test_an_unknown_format_is_answered_with_all_formats(run: Run) -> None:
    result = run("info", "-", "--format", "nonsense")
    assert all(name in result.stderr for name in FORMATS)


def test_the_command_line_has_every_option_of_reading() -> None:
    known = {field.name for field in fields(ReadOptions)}
    assert {field.name for field in fields(Reading)} == known | {"format", "direction", "labels"}


@pytest.mark.parametrize("size", ["10", "1k"])
def test_the_size_of_an_input_may_be_limited(run: Run, tmp_path: Path, size: str) -> None:
    path = tmp_path / "g.tsv"
    path.write_bytes(b"a\tr\tb\n" * 1000)
    assert_refused(run("info", path, "--max-input", size), "allow more with --max-input", status=3)
    assert run("info", path, "--max-input", "1M").exit_code == 0
    assert_refused(run("info", path, "--max-input", "much"), "'much' is not a memory size")
