"""``wlkg classes``: which vertices cannot be told apart."""

from __future__ import annotations

from pathlib import Path

from tests.cli.running import Run, RunJson, assert_refused, words_of
from tests.places import EXAMPLE_GRAPHS
from wlkg.reports.blocks import Paragraph, Table
from wlkg.reports.results import Result
from wlkg.reports.sections.registry import section_of

FAMILY = EXAMPLE_GRAPHS / "family.ttl"


def test_the_document_has_the_keys_of_the_contract(run_json: RunJson) -> None:
    document = run_json("classes", FAMILY, "--type", "foaf:Person")
    assert document["schema"] == "wlkg/classes/1"
    assert document["graph"] == str(FAMILY)
    keys = ("test", "direction", "round", "exact", "vertices", "classes", "alone", "omitted")
    assert [document[key] for key in keys] == ["1-rwl", "both", 2, True, 6, 5, 4, 0]
    base = "http://example.org/family#"
    assert document["groups"] == [
        {"size": 2, "round": 1, "vertices": [f"{base}dana", f"{base}eli"]}
    ]


def test_limits_are_kept_and_what_is_left_out_is_counted(run: Run, run_json: RunJson) -> None:
    options = ("--round", "0", "--members", "2")
    document = run_json("classes", FAMILY, "--labels", "kind", *options, "--limit", "2")
    sizes = [(group["size"], len(group["vertices"])) for group in document["groups"]]
    assert (sizes, document["omitted"], document["round"]) == ([(11, 2), (8, 2)], 1, 0)
    lines = words_of(run("classes", FAMILY, "--labels", "kind", *options, "--limit", "1").stdout)
    assert lines[1][:7] == ["21", "vertices", "in", "3", "classes,", "stopped", "after"]
    assert lines[3] == ["size", "since", "round", "vertices"]
    assert (lines[4][:2], lines[4][-1]) == (["11", "0"], "...")
    assert lines[5][:3] == ["2", "more", "classes"]


def test_classes_of_one_vertex_are_counted_and_listed_on_request(run: Run) -> None:
    text = run("classes", EXAMPLE_GRAPHS / "weak-rwl.json").stdout
    assert "4 vertices in 4 classes, stable at round 1\n4 alone in their class; 0 pairs" in text
    assert text.endswith("no class has 2 vertices or more\n")
    alone = run("classes", EXAMPLE_GRAPHS / "weak-rwl.json", "--min-size", "1").stdout
    assert len(words_of(alone)) == 8


def test_among_takes_names_in_full_prefixed_and_cut(run_json: RunJson, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.txt"
    chosen.write_text(":dana\nhttp://example.org/family#eli\nfinn\nf:ada\n")
    options = ("--among", chosen, "--prefix", "f=http://example.org/family#")
    document = run_json("classes", FAMILY, *options)
    assert (document["vertices"], document["classes"]) == (4, 3)
    pairs = run_json("pairs", FAMILY, *options, "--same")
    assert (pairs["count"], pairs["same"], pairs["not_by"]) == (1, True, None)
    base = "http://example.org/family#"
    assert pairs["pairs"] == [[f"{base}dana", f"{base}eli", None]]


def test_names_that_do_not_exist_are_answered_with_near_ones(run: Run, tmp_path: Path) -> None:
    chosen = tmp_path / "chosen.txt"
    chosen.write_text("dana\ndanna\n")
    for command in ("classes", "pairs"):
        result = run(command, FAMILY, "--among", chosen)
        assert_refused(result, "line 2: 1 name is not a vertex of the graph: danna. The nearest")
        assert ":dana" in result.stderr
    chosen.write_text("Ben\n")
    assert_refused(run("classes", FAMILY, "--among", chosen), "'Ben' fits 2 vertices")
    assert_refused(run("classes", FAMILY, "--type", "Persn"), "no type is called 'Persn'")
    assert_refused(run("classes", FAMILY, "--test", "1-wal"), "unknown test '1-wal'")


def test_the_section_of_a_report_has_the_numbers_of_the_document(run_json: RunJson) -> None:
    document = run_json("classes", FAMILY, "--labels", "kind", "--round", "0", "--limit", "2")
    section = section_of(Result(document))
    answer, table = section.blocks[0], section.blocks[-1]
    assert isinstance(answer, Paragraph)
    assert answer.text == (
        "1-rwl puts 21 vertices into 3 classes by round 0: 0 vertices are alone in a class, and 84"
        " pairs cannot be told apart."
    )
    assert isinstance(table, Table)
    assert [row[:2] for row in table.rows] == [(11, 0), (8, 0)]
    assert table.note.endswith("1 more class not listed; --limit lists more.")
