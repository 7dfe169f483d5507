"""``--sources FILE`` of ``wlkg refine`` and ``wlkg pairs``."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import wlkg
from tests.cli.running import Run, RunJson

KG = """@prefix ex: <http://example.org/> .
ex:ann ex:knows ex:ben . ex:ben ex:knows ex:cleo . ex:cleo ex:knows ex:ann .
ex:dan ex:knows ex:eve . ex:eve ex:knows ex:fay . ex:fay ex:knows ex:dan .
"""


@pytest.fixture
def kg(tmp_path: Path) -> Path:
    path = tmp_path / "kg.ttl"
    path.write_text(KG)
    return path


@pytest.fixture
def sources(tmp_path: Path) -> Path:
    path = tmp_path / "sources.txt"
    path.write_text("ex:ben\nann\r\n")
    return path


def test_refine_lists_the_sources_and_writes_their_pairs(
    run: Run, run_json: RunJson, kg: Path, sources: Path, tmp_path: Path
) -> None:
    out = tmp_path / "colours.csv"
    options = ("--test", "rawl2", "--sources", sources)
    document = run_json("refine", kg, *options, "--colours", out)
    ben, ann = "http://example.org/ben", "http://example.org/ann"
    assert sorted(document["sources"]) == [ann, ben]
    assert (document["classes_per_round"], document["exact"]) == ([2, 4], True)
    rows = list(csv.DictReader(out.read_text().splitlines()))
    assert list(rows[0]) == ["source", "vertex", "colour"]
    assert len(rows) == 12
    colour = {(row["source"], row["vertex"]): row["colour"] for row in rows}
    # What follows ann and what follows ben have one colour: colours mean the same for all sources.
    assert colour[ann, ben] == colour[ben, "http://example.org/cleo"]
    assert colour[ann, ben] != colour[ann, "http://example.org/cleo"]
    assert len({colour[ann, f"http://example.org/{name}"] for name in ("dan", "eve", "fay")}) == 1
    result = run("refine", kg, *options)
    assert "rawl2, direction both, 2 sources" in " ".join(result.stdout.split())
    assert "candidates that the sources tell apart: 4 classes of 6" in result.stdout
    assert f"--sources {sources} --same" in " ".join(result.stderr.split())


def test_the_tuples_of_chosen_sources_are_the_same_file(
    run: Run, kg: Path, sources: Path, tmp_path: Path
) -> None:
    files = [tmp_path / "one.json", tmp_path / "two.json"]
    for option, path in zip(("--colours", "--tuples"), files, strict=True):
        run("refine", kg, "--test", "rawl2-all", "--sources", sources, option, path)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_pairs_are_those_that_some_source_tells_apart(
    run_json: RunJson, kg: Path, sources: Path
) -> None:
    options = ("--test", "rawl2", "--sources", sources, "--limit", "99")
    graph = wlkg.read(kg)
    history = wlkg.refine(graph, "rawl2", sources=["http://example.org/ann"]).history
    assert history.classes_per_round.tolist() == [2, 4]
    document = run_json("pairs", kg, *options, "--not-by", "1-rwl")
    assert document["count"] == 12
    assert ["http://example.org/ann", "http://example.org/ben", 0] in document["pairs"]
    same = run_json("pairs", kg, *options, "--same")
    assert {v.rpartition("/")[2] for pair in same["pairs"] for v in pair[:2]} == {
        "dan",
        "eve",
        "fay",
    }


@pytest.mark.parametrize("command", ["refine", "pairs"])
@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("nobody\n", ("--test", "rawl2"), "nobody"),
        ("", ("--test", "rawl2"), "sources.txt"),
        ("ex:ann\n", ("--test", "rwl2"), "moves from each source to others"),
        ("ex:ann\n", (), "colours vertices, and has no sources"),
    ],
)
def test_bad_sources_are_refused(
    run: Run,
    kg: Path,
    sources: Path,
    command: str,
    text: str,
    options: tuple[str, ...],
    message: str,
) -> None:
    sources.write_text(text)
    result = run(command, kg, *options, "--sources", sources)
    assert result.exit_code == 2
    assert message in result.stderr
