"""The example notebooks run from beginning to end, and their results show themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.needs_torch import needs_torch
from tests.places import ROOT

nbclient = pytest.importorskip("nbclient", reason="notebooks need nbclient and ipykernel")
nbformat = pytest.importorskip("nbformat", reason="notebooks need nbclient and ipykernel")
pytest.importorskip("ipykernel", reason="notebooks need nbclient and ipykernel")

NOTEBOOKS = sorted((ROOT / "examples" / "notebooks").glob("*.ipynb"))
#: How many results each notebook shows as a section of a report.
SHOWN = {
    "expressivity-of-my-kg": 4,
    "my-own-model-against-wl": 1,
    "why-cant-it-learn-this": 2,
}


def _outputs(notebook: Any) -> list[Any]:
    return [output for cell in notebook.cells for output in cell.get("outputs", [])]


def test_every_notebook_is_known() -> None:
    assert {path.stem for path in NOTEBOOKS} == set(SHOWN)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebooks_are_kept_without_outputs(path: Path) -> None:
    assert _outputs(nbformat.read(path, as_version=4)) == []


@needs_torch
@pytest.mark.filterwarnings("default")  # about event loops and ports, in the machinery of Jupyter
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_its_results(path: Path, tmp_path: Path) -> None:
    notebook = nbformat.read(path, as_version=4)
    client = nbclient.NotebookClient(
        notebook, timeout=300, resources={"metadata": {"path": tmp_path}}
    )
    client.execute()
    data = [output.get("data", {}) for output in _outputs(notebook)]
    frames = [each["text/html"] for each in data if "text/html" in each]
    assert len(frames) == SHOWN[path.stem]
    assert all(frame.lstrip().startswith("<iframe") for frame in frames)
