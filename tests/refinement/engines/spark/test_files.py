"""What the Spark engine reads and writes."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

import wlkg
from tests.cli.running import Run, RunJson
from wlkg.errors import WlkgError
from wlkg.refinement.engines.spark.reading import read_triples
from wlkg.refinement.engines.spark.run import refine_file
from wlkg.refinement.engines.spark.session import SparkError, failures_translated

#: The shared session is used, whatever master is named.
MASTER = "local[2]"
TERMS = """\
<http://a.org/x> <http://a.org/knows> <http://a.org/y> .
<http://a.org/x> <http://a.org/name> "plain" .
<http://a.org/x> <http://a.org/name> "plain"^^<http://www.w3.org/2001/XMLSchema#string> .
<http://a.org/x> <http://a.org/name> "say \\"hi\\" \\u0041"@EN .
<http://a.org/y#1> <http://a.org/%20age> "7"^^<http://www.w3.org/2001/XMLSchema#integer> .
# a comment

_:b1 <urn:x:odd>\t<http://a.org/x> .
<urn:wlkg:name:ann%20b> <urn:wlkg:name:knows> <urn:wlkg:name:bob> .
"""


def names_in_spark(spark: SparkSession, path: Path) -> set[tuple[str, ...]]:
    return {tuple(row) for row in read_triples(spark, str(path)).collect()}


def names_here(path: Path) -> set[tuple[str, ...]]:
    return set(wlkg.read(path).named_triples())


def test_names_of_ntriples_are_those_of_the_local_reader(
    spark: SparkSession, tmp_path: Path
) -> None:
    path = tmp_path / "terms.nt"
    path.write_text(TERMS)
    assert names_in_spark(spark, path) == names_here(path)
    assert len(names_here(path)) == 6


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.tsv", "a\tr\tb\n\n# comment\nNA\tr\t 1 \r\n007\ts\ta\n"),
        ("titles.tsv", "tail\thead\trelation\nb\ta\tr\n"),
        ("plain.txt", "a\tr\tb\nb\tr\ta"),
        ("quotes.csv", 'a,r,"b,c"\n"say ""hi""",r,a\n'),
        ("titles.csv", "subject,object\na,b\nb,c\n"),
    ],
)
def test_names_of_tables_are_those_of_the_local_reader(
    spark: SparkSession, tmp_path: Path, name: str, content: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content.encode())
    assert names_in_spark(spark, path) == names_here(path)


def test_parquet_files_and_folders_of_them_are_read(spark: SparkSession, tmp_path: Path) -> None:
    folder = tmp_path / "parts"
    folder.mkdir()
    wlkg.generate(folder / "1.parquet", "path", vertices=5)
    wlkg.generate(folder / "2.parquet", "random", vertices=5, triples=3, relations=2)
    expected = names_here(folder / "1.parquet") | names_here(folder / "2.parquet")
    assert names_in_spark(spark, folder) == expected


@pytest.mark.usefixtures("spark")
def test_colours_and_rounds_are_written_and_nothing_else(tmp_path: Path) -> None:
    graph = wlkg.read("example:university")
    wlkg.write(graph, tmp_path / "u.nt")
    checkpoint, out = tmp_path / "work", tmp_path / "out"
    summary = refine_file(tmp_path / "u.nt", master=MASTER, checkpoint=checkpoint, colours=out)
    rows = pq.read_table(out / "vertices.parquet").to_pylist()
    local = wlkg.refine(wlkg.read(tmp_path / "u.nt"))
    assert sorted(row["vertex"] for row in rows) == sorted(graph.vertex_names)
    numbers = {row["vertex"]: row["colour"] for row in rows}
    assert set(numbers.values()) == set(range(summary.classes))
    names = local.graph.vertex_names
    pairs = {(numbers[name], c) for name, c in zip(names, local.partition.colours, strict=True)}
    assert len(pairs) == local.classes == summary.classes
    first: dict[int, str] = {}
    for name in sorted(numbers):
        first.setdefault(numbers[name], name)
    assert [first[number] for number in range(len(first))] == sorted(first.values())
    table = pq.read_table(out / "rounds.parquet").to_pydict()
    assert table["classes"] == list(summary.classes_per_round)
    assert table["round"] == list(range(summary.rounds + 1))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out", "u.nt"]
    with pytest.raises(WlkgError, match="it exists already"):
        refine_file(tmp_path / "u.nt", master=MASTER, colours=out)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("wide.tsv", "a\tr\tb\na\tb\n", "expected 3 tab-separated fields, found 2 in the line: a"),
        ("empty.tsv", "a\tr\tb\n\tr\tb\n", "an empty name"),
        ("bad.nt", '<http://a/b> <http://a/c> "open .\n', "bad.nt"),
        ("graph.ttl", "", "does not read .ttl"),
        ("graph.nt.xz", "", "Spark does not read .xz"),
        ("none.nt", None, "no such file"),
    ],
)
def test_files_that_cannot_be_read_are_named(
    spark: SparkSession, tmp_path: Path, name: str, content: str | None, message: str
) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_text(content)
    with pytest.raises(WlkgError, match=message) as caught, failures_translated("here"):
        names_in_spark(spark, path)
    assert str(caught.value).count("\n") == 0
    assert "java" not in str(caught.value)


@pytest.mark.usefixtures("spark")
@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("a\tred\n", "'b' has no label"),
        ("a\tred\nb\tred\nc\tred\n", "'c' is no vertex of the graph"),
        ("a\tred\nb\tred\nb\tblue\n", "'b' has several lines"),
        ("a\tred\nb\n", "expected a vertex, a tab and a label"),
    ],
)
def test_labels_that_do_not_fit_are_refused(tmp_path: Path, lines: str, message: str) -> None:
    (tmp_path / "g.tsv").write_text("a\tr\tb\n")
    (tmp_path / "labels.tsv").write_text("vertex\tlabel\n" + lines)
    with pytest.raises(WlkgError, match=message):
        refine_file(
            tmp_path / "g.tsv",
            master=MASTER,
            labels=tmp_path / "labels.tsv",
        )
    assert issubclass(SparkError, WlkgError)


@pytest.mark.usefixtures("spark")
def test_the_command_line_refines_a_file(run_json: RunJson, tmp_path: Path) -> None:
    path, labels, colours = (tmp_path / name for name in ("g.tsv", "labels.tsv", "colours"))
    path.write_text("a\tr\tb\nb\tr\tc\nc\tr\td\n")
    labels.write_text("a\tx\nb\ty\nc\ty\nd\tx\n")
    words = ("--labels", labels, "--direction", "out")
    local = run_json("refine", path, *words)
    spark = run_json("refine", path, *words, "--engine", "spark", "--colours", colours)
    same = ("test", "direction", "rounds", "stable", "exact", "classes_per_round")
    assert {key: spark[key] for key in same} == {key: local[key] for key in same}
    assert spark["indistinguishable_pairs"] == local["indistinguishable_pairs"]
    assert spark["engine"] == "spark"
    assert len(pq.read_table(colours / "vertices.parquet")) == 4


@pytest.mark.parametrize("words", [("--literals", "drop"), ("--format", "tsv")])
def test_options_that_spark_does_not_heed_are_refused(
    run: Run, tmp_path: Path, words: tuple[str, str]
) -> None:
    path = tmp_path / "g.nt"
    path.write_text("<a:b> <a:c> <a:d> .\n")
    result = run("refine", path, "--engine", "spark", *words)
    assert result.exit_code == 2
    assert "no options for reading but --direction and --labels" in result.stderr
