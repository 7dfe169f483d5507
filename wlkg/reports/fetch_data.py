"""A data set that was fetched, as data and as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from wlkg.reports.terminal import console, printable
from wlkg.studies.fetch import Fetched


def fetched_document(fetched: Fetched) -> dict[str, Any]:
    """What ``wlkg fetch-data --json`` prints."""
    dataset = fetched.dataset
    return {
        "name": fetched.name,
        "folder": fetched.folder,
        "source": fetched.source,
        "sha256": fetched.sha256,
        "files": fetched.files,
        "vertices": dataset.graph.num_vertices,
        "triples": dataset.graph.num_triples,
        "relations": dataset.graph.num_relations,
        "train": len(dataset.targets),
        "test": len(dataset.holdout or ()),
        "checked": fetched.checked,
    }


def print_fetched(fetched: Fetched) -> None:
    """What is where, and what was checked."""
    out = console()
    dataset = fetched.dataset
    targets = f"{len(dataset.targets):,} train and {len(dataset.holdout or ()):,} test targets"
    for file in fetched.files:
        out.print(printable(str(Path(fetched.folder) / file)), soft_wrap=True)
    out.print(f"{dataset.graph.counts}, {targets}", soft_wrap=True)
    checked = "all counts are those of the paper" if fetched.checked else "the paper has no counts"
    out.print(f"{checked}; SHA-256 of the archive: {fetched.sha256}", soft_wrap=True)
    out.print(
        f"next: wlkg reproduce {fetched.name} --data {printable(fetched.folder)} --quick",
        soft_wrap=True,
    )
