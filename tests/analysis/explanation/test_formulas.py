"""Formulas as values: equal ones are one object, simple ones stay simple, data round trips."""

from __future__ import annotations

import gc
import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given

from tests.analysis.explanation.formula_strategies import tuple_formulas, vertex_formulas
from tests.analysis.explanation.semantics import depth, size
from wlkg.analysis.explanation import formulas as f

KNOWS, LIKES = f.Relation("knows"), f.Relation("likes", inverse=True)


def test_equal_formulas_are_one_object() -> None:
    one = f.at_least(2, KNOWS, f.conjunction([f.label("a"), f.exactly(1, LIKES, f.TRUE)]))
    two = f.at_least(2, KNOWS, f.conjunction([f.label("a"), f.exactly(1, LIKES, f.TRUE)]))
    assert one is two
    assert one is not f.at_least(2, LIKES, one.args[0])
    assert one is not f.exactly(2, KNOWS, one.args[0])
    assert f.label("a", 1) is not f.label("a", 2)


def test_formulas_that_nobody_uses_are_forgotten() -> None:
    value = "a label that no other test uses"
    gc.collect()  # what other tests have left
    before = len(f._interned)
    formula = f.negation(f.label(value))
    assert len(f._interned) == before + 2
    del formula
    gc.collect()
    assert len(f._interned) == before


@pytest.mark.parametrize(
    ("built", "simple"),
    [
        (f.negation(f.negation(f.label("a"))), f.label("a")),
        (f.conjunction([]), f.TRUE),
        (f.disjunction([]), f.FALSE),
        (f.conjunction([f.label("a")]), f.label("a")),
        (f.conjunction([f.label("a"), f.TRUE, f.label("a")]), f.label("a")),
        (f.conjunction([f.label("a"), f.FALSE]), f.FALSE),
        (f.conjunction([f.label("a"), f.negation(f.label("a"))]), f.FALSE),
        (f.disjunction([f.label("a"), f.negation(f.label("a"))]), f.TRUE),
        (f.disjunction([f.label("a"), f.TRUE]), f.TRUE),
        (
            f.conjunction([f.conjunction([f.label("a"), f.label("b")]), f.label("c")]),
            f.conjunction([f.label("a"), f.label("b"), f.label("c")]),
        ),
        (f.at_least(0, KNOWS, f.label("a")), f.TRUE),
        (f.at_least(1, KNOWS, f.FALSE), f.FALSE),
        (f.exactly(0, KNOWS, f.FALSE), f.TRUE),
        (f.exactly(2, KNOWS, f.FALSE), f.FALSE),
    ],
)
def test_what_is_trivially_simpler_is_built_simpler(built: f.Formula, simple: f.Formula) -> None:
    assert built is simple


@given(formula=vertex_formulas([KNOWS, LIKES]))
def test_a_formula_survives_json_and_pickle(formula: f.Formula) -> None:
    assert f.from_program(json.loads(json.dumps(f.program(formula)))) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula
    document = f.document(formula)
    assert document is not None
    assert (depth(document), size(document)) == (formula.depth, formula.size)


@given(formula=tuple_formulas([KNOWS, LIKES], arity=3))
def test_a_formula_about_tuples_survives_json_and_pickle(formula: f.Formula) -> None:
    assert f.from_program(json.loads(json.dumps(f.program(formula)))) is formula
    assert pickle.loads(pickle.dumps(formula)) is formula


def test_json_has_the_documented_keys() -> None:
    formula = f.at_least(2, LIKES, f.conjunction([f.label("a"), f.degree(KNOWS, 3)]))
    assert f.document(formula) == {
        "op": "at_least",
        "count": 2,
        "relation": "likes",
        "inverse": True,
        "arg": {
            "op": "and",
            "args": [
                {"op": "label", "value": "a"},
                {"op": "degree", "relation": "knows", "inverse": False, "count": 3},
            ],
        },
    }
    assert f.document(f.share_at_least(Fraction(2, 3), f.ANY, f.TRUE)) == {
        "op": "share_at_least",
        "share": "2/3",
        "relation": None,
        "inverse": False,
        "arg": {"op": "true"},
    }


def test_a_very_deep_formula_is_a_value_like_others() -> None:
    def deep() -> f.Formula:
        formula = f.label("end")
        for _ in range(20_000):
            formula = f.at_least(1, KNOWS, formula)
        return formula

    one = deep()
    assert one is deep()
    assert (one.depth, one.size) == (20_000, 20_001)
    assert f.document(one) is None
    assert pickle.loads(pickle.dumps(one)) is one
    assert len(f.subformulas(one)) == 20_001
    del one
    gc.collect()


def test_shared_parts_are_written_once_in_a_program() -> None:
    formula = f.label("leaf")
    for count in range(1, 40):
        some, exact = f.at_least(count, KNOWS, formula), f.exactly(count, LIKES, formula)
        formula = f.conjunction([some, exact])
    assert formula.size > 2**39
    assert f.document(formula) is None
    assert len(f.program(formula)) == 1 + 3 * 39
