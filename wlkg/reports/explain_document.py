"""Explanations of vertices and graphs as data: what ``wlkg explain --json`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from wlkg.analysis.alike import Alike
from wlkg.analysis.explanation.explain import Explanation
from wlkg.analysis.explanation.formulas import Formula, document, program
from wlkg.analysis.explanation.graphs import GraphsExplanation
from wlkg.analysis.explanation.pair import PairExplanation
from wlkg.analysis.explanation.tuple_evidence import TupleClass
from wlkg.analysis.explanation.vertex_class import ClassExplanation
from wlkg.reports.explain_words import Explained


def _formula_document(formula: Formula | None, explained: Explained) -> dict[str, Any]:
    """A formula as data and in words; one that is too deep for nested JSON is a flat program."""
    tree = None if formula is None else document(formula)
    content: dict[str, Any] = {"formula": tree}
    if formula is not None and tree is None:
        content["program"] = program(formula)
    return {
        **content,
        "depth": None if formula is None else formula.depth,
        "size": None if formula is None else formula.size,
        "logic": explained.words(formula, "logic").text,
        "manchester": explained.words(formula, "manchester").text,
    }


def pair_document(pair: PairExplanation, explained: Explained) -> dict[str, Any]:
    """What ``wlkg explain GRAPH V W --json`` prints; ``sparql`` selects the class of V."""
    query = explained.words(pair.class_formula, "sparql")
    return {
        "kind": "pair",
        "test": pair.test,
        "direction": pair.direction,
        "vertices": list(pair.names),
        "separated": pair.round is not None,
        "round": pair.round,
        **_formula_document(pair.formula, explained),
        "holds": None if pair.holds is None else list(pair.holds),
        "counts": None if pair.counts is None else list(pair.counts),
        "english": explained.sentence(pair),
        "sparql": query.text,
        "why_no_sparql": query.why_not,
        "formula_sparql": explained.words(pair.formula, "sparql").text,
        "class_size": pair.class_size,
        "tuple_class": _tuple_class_document(pair.tuple_class, explained.graph.vertex_names),
        **_alike_document(pair.alike),
    }


def graphs_document(
    explanation: GraphsExplanation,
    explained: Explained,
    names: tuple[str, str],
) -> dict[str, Any]:
    """What ``wlkg explain G H --json`` prints."""
    query = explained.words(explanation.formula, "sparql")
    counts = None if explanation.counts is None else list(explanation.counts)
    tuple_class = None
    if explanation.tuple_class is not None:
        tuple_class = {
            "representative": list(explanation.representative or ()),
            "graph": names[bool(explanation.in_second)],
            "counts": list(explanation.tuple_class.counts),
        }
    return {
        "kind": "graphs",
        "test": explanation.test,
        "direction": explanation.direction,
        "separated": explanation.round is not None,
        "round": explanation.round,
        **_formula_document(explanation.formula, explained),
        "counts": counts,
        "english": explained.graphs_sentence(explanation, names),
        "sparql": query.text,
        "why_no_sparql": query.why_not,
        "tuple_class": tuple_class,
        **_alike_document(explanation.alike),
    }


def class_document(explanation: ClassExplanation, explained: Explained) -> dict[str, Any]:
    """What ``wlkg explain GRAPH V --json`` prints."""
    names = explained.graph.vertex_names
    query = explained.words(explanation.formula, "sparql")
    return {
        "kind": "class",
        "test": explanation.test,
        "direction": explanation.direction,
        "vertex": explanation.name,
        "round": explanation.round,
        "classes": explanation.classes,
        "class_size": explanation.class_size,
        **_formula_document(explanation.formula, explained),
        "english": explained.words(explanation.formula, "english").text,
        "sparql": query.text,
        "why_no_sparql": query.why_not,
        "members": [names[v] for v in explanation.members.tolist()],
        "nearest": [
            {
                "vertex": near.name,
                "round": near.round,
                "class_size": near.class_size,
                "formula": document(near.formula),
            }
            for near in explanation.nearest
        ],
    }


def _tuple_class_document(
    tuple_class: TupleClass | None, names: Sequence[str]
) -> dict[str, Any] | None:
    if tuple_class is None:
        return None
    return {
        "representative": [names[v] for v in tuple_class.representative],
        "counts": list(tuple_class.counts),
    }


def _alike_document(alike: Alike | None) -> dict[str, Any]:
    """What is known about a pair that the test does not separate."""
    if alike is None:
        return {}
    return {
        "symmetric": alike.symmetric,
        "other_tests": [asdict(other) for other in alike.others],
    }


def explanation_document(
    explanation: Explanation, explained: Explained, names: Sequence[str]
) -> dict[str, Any]:
    """The document of any explanation; ``names`` are the arguments of the command."""
    if isinstance(explanation, PairExplanation):
        return pair_document(explanation, explained)
    if isinstance(explanation, ClassExplanation):
        return class_document(explanation, explained)
    return graphs_document(explanation, explained, (names[0], names[1]))
