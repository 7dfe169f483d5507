"""Results of functions become the documents that the commands print."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import wlkg
from tests.cli.running import RunJson
from tests.needs_torch import needs_torch
from tests.places import EXAMPLE_GRAPHS
from wlkg.analysis.counterexample import build
from wlkg.analysis.pairs import pairs_of_tests
from wlkg.corpora import Group
from wlkg.display import Displayed
from wlkg.errors import UsageError
from wlkg.reports import python_results
from wlkg.reports.python_results import as_result
from wlkg.reports.sections.registry import SECTIONS

FAMILY = str(EXAMPLE_GRAPHS / "family.ttl")
#: What a function does not know: how long a command took.
UNKNOWN = {"seconds"}
LABELS = {"http://example.org/family#dana": "x", "http://example.org/family#eli": "y"}


def _family() -> wlkg.RelationalGraph:
    return wlkg.read(FAMILY)


def _known(document: Any) -> Any:
    """The document without what only a command knows."""
    if isinstance(document, dict):
        return {key: _known(value) for key, value in document.items() if key not in UNKNOWN}
    return [_known(value) for value in document] if isinstance(document, list) else document


VALUES: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "refine": (lambda: wlkg.refine(_family(), "weak-rwl"), (FAMILY, "--test", "weak-rwl")),
    "compare": (
        lambda: wlkg.compare(wlkg.read("example:c6"), wlkg.read("example:2xc3")),
        ("example:c6", "example:2xc3", "--exit-zero"),
    ),
    "compare names": (
        lambda: wlkg.compare(_family(), wlkg.read("example:direction-matters-g"), names=True),
        (FAMILY, "example:direction-matters-g", "--names", "--exit-zero"),
    ),
    "classes": (
        lambda: wlkg.classes(_family(), type="Person", limit=20, members=3),
        (FAMILY, "--type", "foaf:Person"),
    ),
    "pairs": (
        lambda: pairs_of_tests(_family(), "1-rwl", "1-wl", limit=20),
        (FAMILY, "--not-by", "1-wl"),
    ),
    "symmetry": (lambda: wlkg.symmetry(_family()), (FAMILY,)),
    "relations": (lambda: wlkg.relations(_family()), (FAMILY,)),
    "explain": (lambda: wlkg.explain(_family(), ":dana", ":finn"), (FAMILY, ":dana", ":finn")),
    "explain class": (lambda: wlkg.explain(_family(), ":dana"), (FAMILY, ":dana")),
    "explain graphs": (
        lambda: wlkg.explain(wlkg.read("example:c6"), wlkg.read("example:2xc3"), test="2-rlwl"),
        ("example:c6", "example:2xc3", "--test", "2-rlwl"),
    ),
    "counterexample": (lambda: build("cycles", {}), ("cycles",)),
}


@pytest.mark.parametrize("name", VALUES)
def test_a_result_has_the_document_of_its_command(name: str, run_json: RunJson) -> None:
    compute, arguments = VALUES[name]
    result = as_result(compute())
    command = name.split(maxsplit=1)[0]
    assert result.command == command
    assert _known(dict(result.document)) == _known(run_json(command, *arguments))


def test_the_graphs_of_a_result_are_at_hand() -> None:
    graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    result = as_result(wlkg.compare(*graphs, ["1-wl"]))
    assert [named.graph for named in result.graphs] == list(graphs)


def test_ceilings_and_tables_of_pairs_have_documents() -> None:
    ceiling = as_result(wlkg.ceiling(_family(), LABELS))
    assert ceiling.document["splits"]["train"]["targets"] == 2
    assert ceiling.document["of"] == "vertices"
    graphs = wlkg.read("example:c6"), wlkg.read("example:2xc3")
    table = as_result(wlkg.hierarchy([Group("small", graphs)], ["1-rwl"]))
    assert table.document["rows"][0]["separated"] == 0


@needs_torch
def test_models_have_documents() -> None:
    versus = as_result(wlkg.versus(_family(), "rgcn", layers=1))
    assert versus.document["bound_holds"] is True
    training = as_result(wlkg.train(_family(), LABELS, epochs=1))
    assert training.document["epochs"] == 1


def test_anything_else_has_no_report() -> None:
    with pytest.raises(UsageError, match="a list is no result that has a report"):
        as_result([])


def _displayed() -> Iterator[type]:
    """Every class of the package that shows itself in notebooks."""
    for module in pkgutil.walk_packages(wlkg.__path__, "wlkg."):
        if module.name != "wlkg.__main__":
            importlib.import_module(module.name)
    waiting = [Displayed]
    while waiting:
        kind = waiting.pop()
        waiting += kind.__subclasses__()
        yield kind


@needs_torch
def test_every_displayed_class_has_a_converter() -> None:
    kinds = list(_displayed())
    names = {kind.__name__ for kind in kinds}
    assert set(python_results._CONVERTERS) <= names
    for kind in kinds:
        known = {each.__name__ for each in kind.__mro__} & set(python_results._CONVERTERS)
        assert known or kind.__subclasses__(), kind


@pytest.mark.parametrize("name", [name for name in VALUES if name.split()[0] in SECTIONS])
def test_a_result_shows_itself_in_a_notebook(name: str) -> None:
    html = VALUES[name][0]()._repr_html_()
    assert html.startswith("<iframe")
    assert "sandbox=" in html
