"""Which libraries the tests run with: each that is installed, and none."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from wlkg.analysis.symmetry import bliss, dejavu
from wlkg.analysis.symmetry.libraries import Bliss, Dejavu

HAS_IGRAPH = find_spec("igraph") is not None
HAS_DEJAVU = find_spec("dejavu_gi") is not None

needs_igraph = pytest.mark.skipif(
    not HAS_IGRAPH, reason="symmetries need igraph: pip install 'wlkg[symmetry]'"
)
needs_dejavu = pytest.mark.skipif(not HAS_DEJAVU, reason="dejavu-gi is not installed")

BLISS = Bliss(adapter=bliss, name="BLISS", is_exact=True)
DEJAVU = Dejavu(adapter=dejavu, name="dejavu", is_exact=False)


def use_library(patch: pytest.MonkeyPatch, library: Bliss | Dejavu | None) -> None:
    """Let the analyses find this library, or none."""
    for module in ("symmetry.symmetry", "isomorphism"):
        patch.setattr(f"wlkg.analysis.{module}.find_library", lambda: library)
