"""``wlkg relations``: which relations a foundation model cannot tell apart."""

from __future__ import annotations

from pathlib import Path

import wlkg
from tests.cli.running import Run, RunJson, assert_refused
from tests.places import EXAMPLE_GRAPHS
from wlkg.reports.python_results import as_result

FAMILY = EXAMPLE_GRAPHS / "family.ttl"
BORN = "http://example.org/family#born"
NAME = "http://xmlns.com/foaf/0.1/name"


def test_the_document_has_the_keys_of_the_contract(run_json: RunJson) -> None:
    document = run_json("relations", FAMILY)
    assert document["schema"] == "wlkg/relations/1"
    assert (document["relations"], document["classes"], document["model"]) == (12, 10, "ultra")
    alike = [[BORN, NAME], [f"{BORN}^-1", f"{NAME}^-1"]]
    assert document["alike"] == alike
    by_query = {query["relation"]: query for query in document["queries"]}
    assert len(by_query) == 12
    assert by_query[BORN] == {"relation": BORN, "classes": 12, "rounds": 1, "alike": []}
    type_query = by_query["http://www.w3.org/1999/02/22-rdf-syntax-ns#type"]
    assert (type_query["classes"], type_query["alike"]) == (10, alike)


def test_names_are_taken_in_full_with_prefixes_and_with_the_sign_of_inverses(
    run_json: RunJson,
) -> None:
    options = ("--query", ":parent", "--query", "foaf:name^-1", "--query", BORN)
    document = run_json("relations", FAMILY, *options)
    names = ["http://example.org/family#parent", f"{NAME}^-1", BORN]
    assert [query["relation"] for query in document["queries"]] == names


def test_motifs_are_chosen_by_options(run_json: RunJson) -> None:
    options = ("--model", "motif", "--paths", "2", "--stars", "3", "--literals", "drop")
    document = run_json("relations", FAMILY, *options)
    assert (document["model"], document["paths"], document["stars"]) == ("motif", 2, 3)
    kinds = {"h2h", "t2t", "h2t", "t2h", *(f"{e}-star of {k}" for e in "th" for k in (2, 3))}
    assert set(document["motifs"]) == kinds
    paths = run_json("relations", FAMILY, "--model", "motif")["motifs"]
    assert set(paths) == {"h2h", "t2t", "h2t", "t2h", "tfh", "tft", "hft", "hfh"}


def test_the_text_names_what_is_alike_and_suggests_a_model_that_sees_more(run: Run) -> None:
    result = run("relations", FAMILY, "--limit", "1")
    assert "12 relations and inverses in 10 classes, round 1, no query" in result.stdout
    assert "   2  :born, foaf:name\n1 more class; --limit" in result.stdout
    assert "8 of 12 leave relations that are alike" in result.stdout
    assert "7 more query relations" in result.stdout
    assert "--model motif" in result.stderr
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_rounds_stop_early(run: Run) -> None:
    text = run("relations", FAMILY, "--rounds", "0", "--direction", "out").stdout
    assert "6 relations in 1 class, round 0, no query" in text


def test_unknown_names_and_options_that_do_not_fit_are_refused(run: Run) -> None:
    for options, words in (
        (("--model", "gnn"), "ultra"),
        (("--query", ":nothing"), ":nothing"),
        (("--stars", "3"), "motif"),
        (("--model", "motif", "--paths", "7"), "2 or 3"),
    ):
        assert_refused(run("relations", FAMILY, *options), words)
    assert_refused(run("relations", FAMILY, "--max-memory", "1k"), "144 pairs", status=3)


def test_python_gives_the_document_of_the_command(run_json: RunJson) -> None:
    document = dict(as_result(wlkg.relations(wlkg.read(FAMILY))).document)
    printed = run_json("relations", FAMILY)
    for key in ("relations", "classes", "alike", "queries", "motifs", "triples_alike"):
        assert document[key] == printed[key]


def test_the_text_speaks_only_of_the_queries_that_were_asked_for(run: Run, tmp_path: Path) -> None:
    graph = tmp_path / "g.tsv"
    graph.write_text("a\tr\tb\nb\tr\tc\nc\ts\ta\n")
    one = run("relations", graph, "--query", "s", "--query", "s").stdout
    assert "given the query relation s, all relations are told apart" in one
    two = run("relations", graph, "--query", "s", "--query", "r^-1").stdout
    assert "given any of these 2 query relations, all relations are told apart" in two
    every = run("relations", graph, "--model", "motif", "--stars", "4").stdout
    assert "given the relation of any query, all relations are told apart" in every
    assert " 0 " not in every, "motifs that do not occur are left out"
    limited = run("relations", graph, "--rounds", "0", "--query", "s").stdout
    assert "1 of 1 leaves relations that are alike" in limited
