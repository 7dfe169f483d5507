"""Small checkpoints; this module needs PyTorch."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from tests.gnn.checkpoints.saved_models import archived, content_of, saved_model
from tests.places import ROOT
from wlkg.gnn.checkpoints.saved_model import save_model
from wlkg.gnn.config import CLASSIFIERS

_EARLIER = ROOT / "tests" / "gnn" / "checkpoints" / "earlier"


def tensor_files() -> Iterator[bytes]:
    """A model of each kind as this version saves it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.pt"
        for name in sorted(CLASSIFIERS):
            save_model(path, replace(saved_model(name), classes=("x", "y")))
            yield path.read_bytes()


def archives() -> Iterator[bytes]:
    """Models as earlier versions saved them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.pt"
        for name in ("compgcn", "k-rn"):
            yield archived(
                {**content_of(saved_model(name)), "classes": ("x", "y")}, path
            ).read_bytes()
    for file in sorted(_EARLIER.iterdir()):
        yield file.read_bytes()
