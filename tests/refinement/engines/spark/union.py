"""Thousands of tiny graphs as one file: a Spark job costs seconds, whatever it does."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import wlkg
from wlkg.catalogue import Direction


def write_union(folder: Path, graphs: int, seed: int) -> tuple[Path, Path]:
    """Random graphs with loops, parallel relations and labels, side by side: triples and labels.

    Labels differ from graph to graph, so that no graph sees another.
    """
    random = np.random.default_rng(seed)
    triples: set[str] = set()
    vertices: dict[str, str] = {}
    for number in range(graphs):
        size, relations = random.integers(1, 8), random.integers(1, 4)
        label_of = random.integers(0, random.integers(1, 4), size)
        for _ in range(random.integers(1, 13)):
            head, tail = random.integers(0, size, 2).tolist()
            triples.add(f"{number}/{head}\tr{random.integers(relations)}\t{number}/{tail}\n")
            for vertex in (head, tail):
                vertices[f"{number}/{vertex}"] = f"{number}:{label_of[vertex]}"
    path, labels = folder / "union.tsv", folder / "labels.tsv"
    path.write_text("".join(sorted(triples)))
    labels.write_text("".join(f"{vertex}\t{label}\n" for vertex, label in vertices.items()))
    return path, labels


def local_run(
    path: Path, labels: Path | None, test: str, direction: Direction
) -> tuple[wlkg.Refinement, list[str]]:
    """The local engine on the same file, and the names of its vertices."""
    graph = wlkg.read(path, direction=direction)
    if labels is not None:
        graph = wlkg.label(graph, str(labels))
    return wlkg.refine(graph, test), list(graph.vertex_names)
