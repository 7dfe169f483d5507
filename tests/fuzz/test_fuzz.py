"""The fuzzer finds nothing in a thousand inputs, and it finds what there is to find."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.fuzz import trial, watch
from tests.fuzz.case import SUFFIX, Case
from tests.fuzz.inputs import make_input
from tests.fuzz.kinds import KINDS, Kind, seeds_of
from tests.fuzz.minimise import minimised
from tests.fuzz.trial import try_case
from wlkg.errors import InputError


def ignore(_totals: watch.Totals, _report: dict[str, Any]) -> None:
    pass


def test_a_thousand_inputs_are_accepted_or_refused() -> None:
    totals = watch.run(seed=0, first=0, end=1000, only=None, listen=ignore)
    assert totals.findings == {}, totals.details
    assert totals.answers["accepted"] > 150
    assert totals.answers["refused"] > 500
    assert totals.answers.total() == totals.done == 1000


# -- inputs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_undamaged_inputs_are_accepted_and_some_damaged_ones_are_new(
    kind: str, tmp_path: Path
) -> None:
    known = seeds_of(kind)
    answers = [try_case(case, tmp_path) for case in known[:6]]
    assert not any(answer.finding for answer in answers)
    assert "accepted" in {answer.answer for answer in answers}
    fresh = {make_input(1, number, kind).data for number in range(20)}
    assert len(fresh - {case.data for case in known}) >= 8


def test_an_input_is_the_same_in_every_process() -> None:
    program = (
        "from tests.fuzz.inputs import make_input\n"
        "print(*(make_input(3, i, 'table').digest for i in range(60)))"
    )
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert done.stdout.split() == [make_input(3, i, "table").digest for i in range(60)]


def test_a_case_is_read_as_it_was_stored(tmp_path: Path) -> None:
    case = Case("graph/tsv", "g.tsv", b"a\tr\n\xff\x00", {"read": {"header": True}})
    path = tmp_path / f"x{SUFFIX}"
    path.write_bytes(case.stored("an error"))
    assert Case.load(path) == case


# -- what is found --------------------------------------------------------------------------------


def planted(monkeypatch: pytest.MonkeyPatch, run: Any) -> Case:
    """A case of a kind that does what a test wants."""
    monkeypatch.setitem(KINDS, "planted", Kind(list, (), run, 0))
    return Case("planted", "x", b"abc")


def foreign(_case: Case, path: Path, _out: Path) -> None:
    int(path.read_text())


def refusing(_case: Case, path: Path, _out: Path) -> None:
    raise InputError("no", path=path)


def leaving(_case: Case, _path: Path, out: Path) -> None:
    (out / ".x.12345678.wlkg-part").write_bytes(b"half")


def burning(_case: Case, _path: Path, _out: Path) -> None:
    until = time.process_time() + 0.05
    while time.process_time() < until:
        pass


def growing(_case: Case, _path: Path, _out: Path) -> None:
    assert len(b"x" * (300 << 20))


@pytest.mark.parametrize(
    ("run", "signature"),
    [
        (foreign, "ValueError in outside wlkg"),
        (leaving, "a part of a file is left behind"),
        (burning, "too slow"),
        (growing, "too large"),
    ],
)
def test_what_is_wrong_is_found(
    run: Any, signature: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    case = planted(monkeypatch, run)
    if run is burning:
        monkeypatch.setattr(trial, "SECONDS", 0.02)
    if run is growing:
        monkeypatch.setattr(trial, "BYTES", 280 << 20)
    finding = try_case(case, tmp_path).finding
    assert finding is not None
    assert finding.signature == signature
    assert not list(tmp_path.iterdir())


def test_a_refusal_by_our_own_error_is_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert try_case(planted(monkeypatch, refusing), tmp_path).answer == "refused"


#: A worker that tries inputs 0 to 4 and does something else at number 2.
WORKER = """
import json, os, sys, time
from tests.fuzz.worker import Pulse
seed, first, end, only, pulse, trace = sys.argv[1:]
pulse = Pulse(pulse)
pulse.beat(int(first))
for number in range(int(first), int(end)):
    pulse.beat(number)
    if number == 2:
        {deed}
report = {{"done": int(end), "answers": {{}}, "memory": 0, "slowest": [0, 0]}}
print(json.dumps(report), flush=True)
"""


@pytest.mark.parametrize(
    ("deed", "signature"),
    [
        ("while True: pass", "a hang"),
        ("os.abort()", "a crash, status -6"),
        ("raise MemoryError", "a crash, status 1"),
    ],
)
def test_a_worker_that_hangs_or_crashes_is_replaced(
    deed: str, signature: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "_HANG", 0.1)
    program = tmp_path / "worker.py"
    program.write_text(WORKER.format(deed=deed))
    totals = watch.run(0, 0, 5, None, ignore, worker=(str(program),))
    assert totals.findings == {signature: [2]}
    assert (totals.done, totals.restarts) == (5, 1)


def test_a_finding_is_made_small() -> None:
    noise = Random(1).randbytes(3000).replace(b"!", b"")
    case = Case("graph/tsv", "g.tsv", noise[:1500] + b"!?" + noise[1500:], {"read": {"base": "x"}})
    small = minimised(case, lambda smaller: b"!?" in smaller.data)
    assert (small.data, small.options) == (b"!?", {})
    lines = Case("arguments", "arguments.json", json.dumps(["a", "b", "bad", "c"]).encode())
    found = minimised(lines, lambda smaller: "bad" in json.loads(smaller.data))
    assert json.loads(found.data) == ["bad"]
