"""The JSON keys that the reference promises are in the documents."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from tests.needs_torch import HAS_TORCH, REASON
from tests.places import EXAMPLE_GRAPHS
from tools.docs.contract import KEYS
from wlkg.cli import app

UNIVERSITY = str(EXAMPLE_GRAPHS / "university.ttl")
TRAIN = str(EXAMPLE_GRAPHS / "university.train.tsv")
TEST = str(EXAMPLE_GRAPHS / "university.test.tsv")

CALLS: dict[str, list[str]] = {
    "info": ["example:c6"],
    "estimate": ["example:c6"],
    "refine": ["example:c6"],
    "relations": ["example:connect-hub"],
    "pairs": ["example:weak-rwl", "--test", "1-rwl"],
    "compare": ["example:c6", "example:2xc3"],
    "counterexample": ["weak-rwl"],
    "explain": ["example:weak-rwl", "v", "w"],
    "symmetry": ["example:c6"],
    "verify": ["proof.json", "example:c6", "example:2xc3"],
    "train": [UNIVERSITY, "--targets", TRAIN, "--holdout", TEST, "--epochs", "2", "--save", "runs"],
    "predict": ["runs/seed-0.pt", UNIVERSITY],
    "versus": ["example:weak-rwl", "--model", "rgcn"],
    "ceiling": [UNIVERSITY, "--targets", TRAIN],
}
#: A study takes minutes; `tests/studies` reads its document.
NOT_HERE = {"reproduce"}
MODELS = {"train", "predict", "versus"}


def keys_of(document: Any) -> Iterator[str]:
    """All keys of a document, however deep."""
    if isinstance(document, dict):
        yield from document
        for value in document.values():
            yield from keys_of(value)
    elif isinstance(document, list):
        for value in document:
            yield from keys_of(value)


def run(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code in (0, 1), result.output
    return result.stdout


def test_every_promise_is_tried() -> None:
    assert CALLS.keys() | NOT_HERE == KEYS.keys()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch-geometric's
@pytest.mark.parametrize("command", CALLS)
def test_documents_have_the_keys_that_scripts_may_rely_on(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    if command in MODELS and not HAS_TORCH:
        pytest.skip(REASON)
    if command == "verify":
        run("certify", "example:c6", "example:2xc3", "-o", "proof.json")
    if command == "predict":
        run("train", *CALLS["train"])
    document = json.loads(run(command, *CALLS[command], "--json"))
    assert document["schema"] == f"wlkg/{command}/1"
    assert set(KEYS[command]) <= set(keys_of(document))
