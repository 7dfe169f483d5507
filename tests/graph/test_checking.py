"""A file's name, or another library's graph, is not a graph, and the error says what to do."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import wlkg
from wlkg.errors import UsageError

C6 = wlkg.read("example:c6")

FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "refine": wlkg.refine,
    "compare": lambda graph: wlkg.compare(C6, graph),
    "compare_vertices": lambda graph: wlkg.compare_vertices(graph, "0", C6, "0"),
    "explain": lambda graph: wlkg.explain(graph, "0"),
    "explain_predictions": lambda graph: wlkg.explain_predictions(graph, {"0": "a"}),
    "ceiling": lambda graph: wlkg.ceiling(graph, {"0": "a"}),
    "ceiling of graphs": lambda graph: wlkg.ceiling([C6, graph], {"#1": "a"}),
    "symmetry": wlkg.symmetry,
    "certify": wlkg.certify,
    "classes": wlkg.classes,
    "verify": lambda graph: wlkg.verify({}, graph),
    "isomorphic": lambda graph: wlkg.isomorphic(C6, graph),
    "find_isomorphism": lambda graph: wlkg.find_isomorphism(graph, C6),
    "disjoint_union": lambda graph: wlkg.disjoint_union(C6, graph),
    "label": lambda graph: wlkg.label(graph, "kind"),
    "write": lambda graph: wlkg.write(graph, "nowhere.nt"),
}

every_function = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)


@every_function
@pytest.mark.parametrize("given", ["people.ttl", Path("people.ttl")])
def test_a_file_name_is_answered_with_read(function: Callable[[Any], Any], given: Any) -> None:
    with pytest.raises(
        UsageError, match=r"expected a graph, found 'people\.ttl'\. Use wlkg\.read\('people\.ttl'\)"
    ):
        function(given)


@every_function
def test_the_graph_of_another_library_is_answered_with_from(function: Callable[[Any], Any]) -> None:
    with pytest.raises(UsageError, match=r"found networkx\..*Graph\. Use .*from_networkx"):
        function(nx.cycle_graph(6))


@pytest.mark.parametrize("name", ["train", "predict", "versus", "witness"])
def test_models_take_graphs_only(name: str) -> None:
    pytest.importorskip("torch")
    calls: dict[str, Callable[[Any], Any]] = {
        "train": lambda graph: wlkg.train(graph, {"0": "a"}),
        "predict": lambda graph: wlkg.predict("model.pt", graph),
        "versus": wlkg.versus,
        "witness": wlkg.witness,
    }
    with pytest.raises(UsageError, match=r"Use wlkg\.read"):
        calls[name]("people.ttl")


def test_pairs_are_those_of_a_refinement_and_a_hierarchy_is_of_groups() -> None:
    with pytest.raises(UsageError, match=r"expected the result of wlkg\.refine, found Rel"):
        wlkg.separated_pairs(C6)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"expected the result of wlkg\.refine, found Rel"):
        wlkg.same_pairs(wlkg.refine(C6), C6)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match=r"expected groups of graphs, found Rel.*read_corpus"):
        wlkg.hierarchy([C6])  # type: ignore[list-item]
