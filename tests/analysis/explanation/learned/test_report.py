"""Rules as JSON and as text."""

from __future__ import annotations

import json

import pytest

from wlkg.analysis.explanation.learned.rules import ModelExplanation, explain_predictions
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.readers.targets import Targets
from wlkg.reports.explain_rules import print_rules, rules_document, setting_of


def explained(*, bound: bool = True) -> ModelExplanation:
    iri = "http://example.org/"
    triples = [(f"{iri}p{i}", f"{iri}worksFor", f"{iri}g{i % 3}") for i in range(9)]
    triples += [(f"{iri}p{i}", f"{iri}author", f"{iri}b{i}") for i in range(4)]
    graph = RelationalGraph.from_triples(triples)
    given = {f"{iri}p{i}": "writer" if i < 4 else "reader" for i in range(9)}
    if not bound:
        given[f"{iri}p8"] = "writer"
    other = Targets.of(graph, {f"{iri}b0": "reader", f"{iri}g0": "writer"})
    return explain_predictions(graph, given, round=2, on={"test": other})


def test_the_document_has_the_keys_that_scripts_rely_on() -> None:
    explanation = explained()
    content = json.loads(json.dumps(rules_document(explanation, setting_of(explanation))))
    assert content["fidelity"] == 1
    assert content["bound_holds"] is True
    assert content["disagreement"] is None
    assert content["on"] == {"test": 0.5}
    assert [entry["label"] for entry in content["classes"]] == ["reader", "writer"]
    writer = content["classes"][1]
    assert writer["vertices"] == 4
    assert writer["formula"]["op"] == "at_least"
    assert writer["size"] == 2
    assert "SELECT" in writer["sparql"]
    assert content["size"] == sum(entry["size"] for entry in content["classes"])
    assert content["curve"][-1]["fidelity"] == 1
    assert content["curve"][-1]["size"] == content["size"]


def test_the_document_names_two_vertices_where_the_test_does_not_bound_the_model() -> None:
    explanation = explained(bound=False)
    content = rules_document(explanation, setting_of(explanation))
    assert content["bound_holds"] is False
    assert content["fidelity"] == pytest.approx(8 / 9)
    assert content["disagreement"]["labels"] == ["reader", "writer"]
    assert content["disagreement"]["vertices"][1] == "http://example.org/p8"


def test_the_text_says_what_was_learned(capsys: pytest.CaptureFixture[str]) -> None:
    explanation = explained()
    print_rules("people.nt", explanation, setting_of(explanation))
    text = capsys.readouterr().out
    assert "9 predictions in 2 classes of 1-rwl" in text
    assert "Fidelity 100 %: the formulas are right about 9 of 9" in text
    assert "Fidelity on test: 50.00 %" in text
    assert "writer  4 vertices, size 2" in text
    assert "≥1 author.⊤" in text
    assert "has at least 1 `author` neighbour" in text
    assert "shown" in text
    assert max(map(len, text.splitlines())) <= 80


def test_the_text_says_where_the_test_does_not_bound_the_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    explanation = explained(bound=False)
    print_rules("people.nt", explanation, setting_of(explanation))
    text = " ".join(capsys.readouterr().out.split())
    assert "The model sees something that 1-rwl does not." in text
    assert "1 class has several predictions, for 5 vertices" in text
    assert "p8: writer" in text
    assert "88.89 %" in text
