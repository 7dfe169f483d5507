"""``wlkg verify``: whether a certificate holds, and what fails if it does not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wlkg
from tests.certificates import resealed
from tests.cli.running import Run, RunJson, assert_refused
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.verification.certificates import seal

PAIR = ("example:c6", "example:2xc3")


@pytest.fixture
def proof(tmp_path: Path) -> Path:
    """A certificate for the pair."""
    path = tmp_path / "proof.json"
    wlkg.certify(wlkg.read(PAIR[0]), wlkg.read(PAIR[1])).write(path)
    return path


def _changed(path: Path, **changes: Any) -> Path:
    path.write_text(json.dumps(resealed({**json.loads(path.read_bytes()), **changes})))
    return path


def test_a_certificate_that_holds_ends_with_status_0(run: Run, proof: Path) -> None:
    result = run("verify", proof, *PAIR)
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[:2] == ["valid (same)", "1-rwl does not separate the graphs"]
    assert lines[2].startswith("rests on a common equitable partition into 1 class, checked")


def test_a_certificate_that_does_not_hold_says_why(
    run: Run, run_json: RunJson, proof: Path
) -> None:
    _changed(proof, classes=[{"size": 6, "label": "", "arcs": [[0, 0, 3]]}])
    result = run("verify", proof, *PAIR)
    assert result.exit_code == 1
    assert result.stdout.splitlines()[:2] == [
        "does not hold (same)",
        "  graph 1: vertex '0' sees 2 of class 0 through relation 'edge', and its class claims 3",
    ]
    assert result.stdout.splitlines()[-1] == "exit status 1: the certificate does not hold"
    document = run_json("verify", proof, *PAIR, status=1)
    assert document["schema"] == "wlkg/verify/1"
    assert (document["valid"], document["kind"]) == (False, "same")
    assert len(document["reasons"]) == 10


def test_certificates_for_other_graphs_are_refused(run: Run, proof: Path) -> None:
    assert_refused(run("verify", proof, *PAIR[::-1]), "in the other order: swap them")
    assert_refused(run("verify", proof, PAIR[0], "example:petersen"), "is about other graphs")
    assert_refused(run("verify", proof, PAIR[0]), "is about 2 graphs, 1 given")
    assert_refused(run("verify", proof, *PAIR, "--direction", "both"), "use --direction")


def test_malformed_certificates_are_refused_with_one_line(run: Run, proof: Path) -> None:
    for text, message in (
        ("{", "line 1, column 2: not JSON"),
        ("[" * 200_000, "nested too deeply"),
        ('{"schema": ' + "9" * 5_000_000 + "}", "at most 18 digits"),
        ("{}", "schema: expected 'wlkg/certificate/1'"),
        (json.dumps({**json.loads(proof.read_bytes()), "colours": "\ud800\x1b[2J"}), "colours"),
    ):
        other = proof.with_name("other.json")
        other.write_text(text)
        assert_refused(run("verify", other, *PAIR), message)
    assert_refused(run("verify", proof.with_name("none.json"), *PAIR), "no such file")


def test_names_cannot_control_the_terminal(run: Run, tmp_path: Path) -> None:
    graph, path = tmp_path / "graph.json", tmp_path / "proof.json"
    wlkg.write(RelationalGraph.from_triples([("a\x1b[2J", "r", "b")]), graph)
    assert run("certify", graph, graph, "-o", path).exit_code == 0
    classes = [{"size": 1, "label": "", "arcs": [[0, 1, 2]]}, {"size": 1, "label": "", "arcs": []}]
    _changed(path, classes=classes, relations=[["r", False]])
    result = run("verify", path, graph, graph)
    assert result.exit_code == 1
    assert "\x1b[2J" not in result.stdout


def test_aifb_and_a_copy_with_other_names(
    run_json: RunJson, tmp_path: Path, data_dir: Path
) -> None:
    source = data_dir / "aifb" / "aifb_stripped.nt.gz"
    graph = wlkg.read(source)
    copy = RelationalGraph.from_arrays(
        graph.head,
        graph.relation,
        graph.tail,
        num_vertices=graph.num_vertices,
        relation_names=graph.relation_names,
    )
    other, path = tmp_path / "copy.tsv", tmp_path / "proof.json"
    wlkg.write(copy, other)
    for options, kind, claimed in (
        (("--fractional",), "same", "7,399 classes"),
        (("--isomorphic",), "isomorphic", "8,285 vertices"),
    ):
        assert run_json("certify", source, other, *options, "-o", path)["kind"] == kind
        document = run_json("verify", path, source, other)
        assert document["valid"]
        assert claimed in document["rests_on"]
    assert run_json("certify", source, "-o", path)["kind"] == "complete"
    assert "7,399 orbits" in run_json("verify", path, source)["rests_on"]


def test_a_formula_that_is_true_equally_often_separates_nothing() -> None:
    pair = wlkg.read("example:k33"), wlkg.read("example:cycle,n=6")
    document = dict(wlkg.certify(*pair).document)
    assert wlkg.verify(document, *pair).valid
    # The numbers are right, and the seal fits; but they are equal.
    document |= {"formula": [{"op": "true"}], "counts": [6, 6]}
    document["seal"] = seal(document)
    verification = wlkg.verify(document, *pair)
    assert not verification.valid
    assert verification.reasons == (
        "the formula is claimed to be true of 6 vertices in both graphs",
    )
