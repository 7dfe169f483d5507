"""``wlkg certify``: evidence for an answer, as a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import wlkg
from tests.analysis.symmetry.libraries import needs_igraph
from tests.cli.running import Run, RunJson, assert_refused
from tests.places import EXAMPLE_GRAPHS

PAIR = ("example:c6", "example:2xc3")


def _read(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads(path.read_bytes())
    return document


def test_the_certificate_is_written_and_its_claim_printed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    result = run("certify", *PAIR, "-o", path)
    assert result.exit_code == 0
    assert result.stdout.startswith("same: 1-rwl does not separate the graphs\ncertificate: ")
    document = _read(path)
    assert document["schema"] == "wlkg/certificate/1"
    assert document["classes"] == [{"size": 6, "label": "", "arcs": [[0, 0, 2]]}]
    assert document == wlkg.certify(wlkg.read(PAIR[0]), wlkg.read(PAIR[1])).document


@pytest.mark.parametrize(
    ("arguments", "kind", "test"),
    [
        ((*PAIR,), "same", "1-rwl"),
        ((*PAIR, "--test", "2-wl"), "same", "2-wl"),
        ((*PAIR, "--test", "2-fwl"), "different", "2-fwl"),
        ((*PAIR, "--isomorphic"), "different", "2-rlwl"),
        (("example:c6", "example:c6", "--isomorphic"), "isomorphic", None),
        (("example:c6", "example:cycle,n=5"), "different", "1-rwl"),
        pytest.param(("example:petersen",), "complete", "1-rwl", marks=needs_igraph),
    ],
)
def test_every_kind_is_certified_and_verified(
    run_json: RunJson, tmp_path: Path, arguments: tuple[str, ...], kind: str, test: str | None
) -> None:
    path = tmp_path / "proof.json"
    document = run_json("certify", *arguments, "-o", path)
    assert (document["schema"], document["kind"]) == ("wlkg/certify/1", kind)
    assert (document["test"], document["file"]) == (test, str(path))
    graphs = [argument for argument in arguments if argument.startswith("example:")]
    verified = run_json("verify", path, *graphs)
    assert (verified["valid"], verified["kind"], verified["reasons"]) == (True, kind, [])
    assert verified["claim"] == document["claim"]


def test_options_for_reading_are_recorded(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    graph = EXAMPLE_GRAPHS / "weak-rwl.json"
    options = ("--labels", "kind", "--direction", "out")
    assert run("certify", graph, graph, "--isomorphic", *options, "-o", path).exit_code == 0
    document = _read(path)
    assert document["reading"] == {"labels": "kind"}
    assert document["direction"] == "out"
    assert run("verify", path, graph, graph, *options).exit_code == 0


@needs_igraph
def test_answers_without_evidence_end_with_status_1(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    result = run("certify", *PAIR, "--isomorphic", "--test", "1-rwl", "-o", path)
    assert_refused(result, "no certificate: the graphs are not isomorphic", status=1)
    both = tmp_path / "both.json"
    wlkg.write(wlkg.disjoint_union(*map(wlkg.read, PAIR)), both)
    assert_refused(run("certify", both, "-o", path), "1-rwl is not complete", status=1)
    assert not path.exists()


def test_what_cannot_be_certified_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "proof.json"
    for arguments, message in (
        ((*PAIR, "--test", "3-what"), "unknown test '3-what'"),
        ((*PAIR, "--test", "10-wl"), "with K up to 9"),
        ((*PAIR, "--test", "2-wl", "--fractional"), "gives no fractional isomorphism"),
        ((*PAIR, "--test", "mean-rwl", "--fractional"), "gives no fractional isomorphism"),
        ((*PAIR, "--direction", "out", "--fractional"), "gives no fractional isomorphism"),
        ((*PAIR, "--fractional", "--isomorphic"), "an isomorphism or a fractional one, not both"),
        (("example:c6", "--isomorphic"), "an isomorphism needs two graphs"),
        (("example:c6", "--test", "2-wl"), "only tests of vertices are certified"),
    ):
        assert_refused(run("certify", *arguments, "-o", path), message)
    assert run("certify", *PAIR).exit_code == 2
    assert_refused(run("certify", *PAIR, "-o", tmp_path / "no" / "proof.json"), "cannot be written")
    assert not path.exists()
