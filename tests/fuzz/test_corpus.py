"""Every input that was ever a finding is now accepted or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.case import SUFFIX, Case
from tests.fuzz.kinds import KINDS
from tests.fuzz.trial import try_case

FILES = sorted((Path(__file__).parent / "corpus").glob(f"*{SUFFIX}"))


def test_the_corpus_is_there_and_its_files_are_small() -> None:
    assert FILES
    assert max(path.stat().st_size for path in FILES) <= 100_000


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_former_finding_is_accepted_or_refused(path: Path, tmp_path: Path) -> None:
    case = Case.load(path)
    if case.kind not in KINDS:
        pytest.skip(f"{case.kind} needs PyTorch")
    finding = try_case(case, tmp_path).finding
    assert finding is None, finding
