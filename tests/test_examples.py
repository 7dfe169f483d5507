"""The built-in graphs and the files under examples/graphs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import wlkg
from wlkg.examples import EXAMPLES

FOLDER = Path(__file__).parents[1] / "examples" / "graphs"

#: File, options, and (vertices, triples, relations, labels) that it must load with.
FILES: list[tuple[str, dict[str, Any], tuple[int, int, int, int]]] = [
    ("c6.g6", {}, (6, 6, 1, 0)),
    ("2xc3.g6", {}, (6, 6, 1, 0)),
    ("c6.tsv", {}, (6, 12, 1, 0)),
    ("weak-rwl.json", {}, (4, 4, 2, 3)),
    ("weak-rwl.tsv", {}, (4, 4, 2, 0)),
    ("family.ttl", {}, (21, 29, 6, 0)),
    ("family.ttl", {"literals": "drop"}, (10, 16, 3, 0)),
    ("friends.csv", {"columns": "head=person,relation=relation,tail=friend"}, (3, 4, 2, 0)),
    ("traffic.graphml", {}, (4, 5, 3, 0)),
]
#: Files that are no graphs.
COMPANIONS = {"README.md", "weak-rwl.labels.tsv"}


@pytest.mark.parametrize(("name", "options", "expected"), FILES)
def test_each_example_file_loads_as_described(
    name: str, options: dict[str, Any], expected: tuple[int, int, int, int]
) -> None:
    graph = wlkg.read(FOLDER / name, **options)
    labels = len(graph.label_names)
    assert (graph.num_vertices, graph.num_triples, graph.num_relations, labels) == expected


def test_no_example_file_is_left_untried() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {name for name, _, _ in FILES} | COMPANIONS


def test_the_files_are_the_built_in_graphs() -> None:
    assert wlkg.read(FOLDER / "c6.g6") == wlkg.read("example:c6")
    assert wlkg.read(FOLDER / "2xc3.g6") == wlkg.read("example:2xc3")


def test_labels_apart_give_the_same_graph_as_labels_inside() -> None:
    apart = wlkg.label(
        wlkg.read(FOLDER / "weak-rwl.tsv", direction="undirected"), FOLDER / "weak-rwl.labels.tsv"
    )
    inside = wlkg.read(FOLDER / "weak-rwl.json")
    assert wlkg.refine(apart).classes_per_round == wlkg.refine(inside).classes_per_round
    assert apart.label_names == inside.label_names


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_built_in_graph_reads_and_takes_its_parameters(name: str) -> None:
    plain, double = wlkg.read(f"example:{name}"), wlkg.read(f"example:{name},r=2")
    assert plain.num_relations == 1
    assert double.num_relations == 2
    assert double.num_triples == 2 * plain.num_triples


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("example:c7", "Known: 2xc3, c6"),
        ("example:c6,q=2", "Known: r"),
        ("example:c6,r=two", "whole number"),
        ("example:c6,r=0", "at least"),
        ("example:c6,r=99999999999999", "whole number"),
    ],
)
def test_a_wrong_example_is_refused_with_what_is_known(spec: str, message: str) -> None:
    with pytest.raises(wlkg.WlkgError, match=message) as caught:
        wlkg.read(spec)
    assert caught.value.exit_code == 2
