"""Formulas in logic, English and Manchester syntax."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from tests.analysis.explanation.random_formulas import random_formula
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import (
    ANY,
    TRUE,
    Formula,
    Relation,
    at_least,
    conjunction,
    degree,
    disjunction,
    edge,
    equal,
    exactly,
    label,
    loop,
    negation,
    share_at_least,
    share_exactly,
)
from wlkg.analysis.explanation.languages import (
    LANGUAGES,
    Setting,
    english,
    english_graphs,
    english_pair,
    logic,
    manchester,
)
from wlkg.catalogue import DIRECTIONS, TESTS, find_test
from wlkg.graph.relational_graph import RelationalGraph

EX = "http://example.org/"
WORKS_FOR, KNOWS = Relation(f"{EX}worksFor"), Relation(f"{EX}knows")
AUTHOR_OF = Relation(f"{EX}author", inverse=True)

#: Anna works for two who are the object of one author triple, Bert for one.
TRIPLES = [
    ("anna", "worksFor", "acme"),
    ("anna", "worksFor", "beta"),
    ("bert", "worksFor", "acme"),
    ("bert", "worksFor", "gamma"),
    ("p1", "author", "acme"),
    ("p2", "author", "beta"),
    ("anna", "knows", "bert"),
]


@pytest.fixture(scope="module")
def graph() -> RelationalGraph:
    rows = [(EX + head, EX + relation, EX + tail) for head, relation, tail in TRIPLES]
    return RelationalGraph.from_triples(rows)._derived(prefixes={"": EX}, literals="shared")


def setting(graph: RelationalGraph, test: str = "1-rwl") -> Setting:
    return Setting(graph, find_test(test))


IN_WORDS: list[tuple[str, Formula, str, str]] = [
    (
        "1-rwl",
        at_least(2, WORKS_FOR, exactly(1, AUTHOR_OF, TRUE)),
        "has at least 2 `worksFor` neighbours that are the object of exactly 1 `author` triple",
        "≥2 worksFor.(=1 author⁻.⊤)",
    ),
    (
        "1-rwl",
        at_least(1, AUTHOR_OF, exactly(0, WORKS_FOR, TRUE)),
        "is the object of at least 1 `author` triple whose subject has no `worksFor` neighbour",
        "≥1 author⁻.(=0 worksFor.⊤)",
    ),
    (
        "1-rwl",
        negation(at_least(3, WORKS_FOR, negation(label("red")))),
        "has fewer than 3 `worksFor` neighbours that are not labelled `red`",
        '¬(≥3 worksFor.¬label="red")',
    ),
    (
        "1-rwl",
        conjunction(
            [exactly(2, WORKS_FOR, TRUE), exactly(0, KNOWS, TRUE), at_least(1, AUTHOR_OF, TRUE)]
        ),
        (
            "has exactly 2 `worksFor` neighbours and no `knows` neighbour, and is the object of"
            " at least 1 `author` triple"
        ),
        "=2 worksFor.⊤ ∧ =0 knows.⊤ ∧ ≥1 author⁻.⊤",
    ),
    (
        "1-rwl",
        conjunction([at_least(1, KNOWS, label("red")), exactly(2, KNOWS, TRUE)]),
        (
            "has at least 1 `knows` neighbour that is labelled `red`; and has exactly 2 `knows`"
            " neighbours"
        ),
        '≥1 knows.label="red" ∧ =2 knows.⊤',
    ),
    (
        "1-rwl",
        at_least(2, KNOWS, disjunction([label("red"), conjunction([label("a"), loop(KNOWS)])])),
        (
            "has at least 2 `knows` neighbours that (are labelled `red` or (are labelled `a` and"
            " are their own `knows` neighbours))"
        ),
        '≥2 knows.(label="red" ∨ (label="a" ∧ loop(knows)))',
    ),
    (
        "1-rwl",
        negation(exactly(2, AUTHOR_OF, TRUE)),
        "is not the object of exactly 2 `author` triples",
        "¬(=2 author⁻.⊤)",
    ),
    ("1-wl", at_least(2, ANY, exactly(1, ANY, TRUE)),
     "has at least 2 neighbours that have exactly 1 neighbour", "≥2 ∗.(=1 ∗.⊤)"),
    ("weak-rwl", exactly(1, ANY, degree(AUTHOR_OF, 2)),
     "has exactly 1 arc to a vertex that is the object of exactly 2 `author` triples",
     "=1 ∗.deg(author⁻)=2"),
    ("mean-rwl", share_at_least(Fraction(2, 3), WORKS_FOR, label("red")),
     "has `worksFor` neighbours, at least 2/3 of which are labelled `red`",
     '≥2/3 worksFor.label="red"'),
    ("mean-rwl", negation(share_exactly(Fraction(1), AUTHOR_OF, label("red"))),
     "is the object of no `author` triple or not all of the subjects are labelled `red`",
     '¬(=1/1 author⁻.label="red")'),
    ("mean-rwl", share_at_least(Fraction(1), WORKS_FOR, TRUE),
     "has at least 1 `worksFor` neighbour", "≥1/1 worksFor.⊤"),
    ("2-rlwl", conjunction([edge(KNOWS, 1, 2), negation(equal(1, 2)), label("red", 2)]),
     "y is a `knows` neighbour of x, x and y are different vertices and y is labelled `red`",
     'knows(x, y) ∧ ¬(x = y) ∧ label(y)="red"'),
    ("2-rlwl", at_least(2, KNOWS, edge(AUTHOR_OF, 1, 2), position=1),
     "for at least 2 of the `knows` neighbours x' of x, x' is an `author` neighbour of y",
     "≥2 x:knows.author⁻(x, y)"),
]  # fmt: skip


@pytest.mark.parametrize(("test", "formula", "words", "signs"), IN_WORDS)
def test_formulas_read_as_an_engineer_would_write_them(
    graph: RelationalGraph, test: str, formula: Formula, words: str, signs: str
) -> None:
    assert english(formula, setting(graph, test)).text == words
    assert logic(formula, setting(graph, test)).text == signs


def test_a_pair_is_described_by_the_part_that_decides_with_its_numbers(
    graph: RelationalGraph,
) -> None:
    vertices = Vertices.seen_by(TESTS["1-rwl"], graph)
    anna, bert = graph.vertex(EX + "anna"), graph.vertex(EX + "bert")
    telling = at_least(2, WORKS_FOR, exactly(1, AUTHOR_OF, TRUE))
    formula = conjunction([at_least(1, WORKS_FOR, TRUE), telling])
    assert english_pair(formula, vertices, anna, bert) == (
        ":anna has 2 `worksFor` neighbours that are the object of exactly 1 `author` triple;"
        " :bert has 1."
    )
    assert english_pair(negation(formula), vertices, bert, anna).endswith(":anna has 2.")
    alone = exactly(0, Relation(f"{EX}knows", inverse=True), TRUE)
    assert english_pair(alone, vertices, anna, bert) == (
        ":anna is the object of no `knows` triple; :bert is the object of 1."
    )


def test_two_graphs_are_described_by_their_numbers(graph: RelationalGraph) -> None:
    formula = exactly(2, WORKS_FOR, TRUE)
    said = [english_graphs(formula, setting(graph), (n, m), ("A", "B")) for n, m in
            ((12, 9), (1, 0), (0, 1))]  # fmt: skip
    assert said == [
        "12 vertices of A have exactly 2 `worksFor` neighbours; in B there are 9.",
        "1 vertex of A has exactly 2 `worksFor` neighbours; in B there is none.",
        "No vertex of A has exactly 2 `worksFor` neighbours; in B there is 1.",
    ]
    pairs = english_graphs(equal(1, 2), setting(graph, "2-rlwl"), (3, 4), ("A", "B"))
    assert pairs == "A has 3 pairs (x, y) where x and y are the same vertex; in B there are 4."


def test_owl_has_words_for_named_relations_only(graph: RelationalGraph) -> None:
    formula = at_least(2, WORKS_FOR, exactly(1, AUTHOR_OF, TRUE))
    assert manchester(formula, setting(graph)).text == (
        ":worksFor min 2 (inverse :author exactly 1 owl:Thing)"
    )
    joined = disjunction([negation(formula), loop(KNOWS)])
    assert manchester(joined, setting(graph)).text == (
        "(not (:worksFor min 2 (inverse :author exactly 1 owl:Thing))) or (:knows Self)"
    )
    undirected = setting(graph.with_direction("undirected"))
    without: list[tuple[Formula, Setting]] = [
        (at_least(1, ANY, TRUE), setting(graph, "1-wl")),
        (degree(KNOWS, 1), setting(graph, "weak-rwl")),
        (share_at_least(Fraction(1, 2), KNOWS, TRUE), setting(graph, "mean-rwl")),
        (label("red"), setting(graph)),
        (edge(KNOWS, 1, 2), setting(graph, "2-rlwl")),
        (at_least(1, KNOWS, TRUE), undirected),
    ]
    for unspeakable, where in without:
        wording = manchester(unspeakable, where)
        assert wording.text is None
        assert wording.why_not


@pytest.mark.parametrize("language", ["english", "logic", "manchester"])
@pytest.mark.parametrize("test", ["1-rwl", "1-wl", "weak-rwl", "mean-rwl"])
def test_formulas_that_read_the_same_mean_the_same(language: str, test: str) -> None:
    """So brackets are where they must be, and nothing is left out."""
    chance = random.Random(0)
    names = "abcdef"
    for direction in DIRECTIONS:
        rows = [
            (chance.choice(names), chance.choice("rs"), chance.choice(names)) for _ in range(12)
        ]
        graph = RelationalGraph.from_triples(rows, vertices=names, direction=direction)
        graph = graph.with_labels(dict(zip(names, ["red", "blue", "red"] * 2, strict=True)))
        vertices, where = Vertices.seen_by(TESTS[test], graph), setting(graph, test)
        meanings: dict[str | None, list[bool]] = {}
        for seed in range(400):
            formula = random_formula(graph, TESTS[test], seed)
            text = LANGUAGES[language](formula, where).text
            meaning = vertices.holds(formula).tolist()
            if text is not None:
                assert meanings.setdefault(text, meaning) == meaning, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_deep_and_shared_formulas_are_written_in_pieces_or_refused(
    graph: RelationalGraph, language: str
) -> None:
    formula = exactly(1, KNOWS, TRUE)
    for _ in range(3_000):
        again = at_least(2, KNOWS, formula)
        formula = conjunction([at_least(1, KNOWS, formula), exactly(3, WORKS_FOR, again)])
    wording = LANGUAGES[language](formula, setting(graph))
    if wording.text is None:
        assert "too large" in (wording.why_not or "")
    else:
        assert len(wording.text) < 20_000
        assert "more definitions" in wording.text
        assert "A1" in wording.text


def test_definitions_say_all_that_the_formula_says(graph: RelationalGraph) -> None:
    shared = conjunction([exactly(1, KNOWS, TRUE), label("red")])
    parts = [at_least(n, WORKS_FOR, shared) for n in range(1, 12)]
    text = logic(conjunction(parts), setting(graph)).text
    assert text is not None
    first, last = text.split("\n")
    assert first == 'A1 := =1 knows.⊤ ∧ label="red"'
    assert last.startswith("≥1 worksFor.A1 ∧ ≥2 worksFor.A1 ∧ ")
    words = english(conjunction(parts), setting(graph)).text
    assert words is not None
    assert "has at least 2 `worksFor` neighbours in A1" in words
    assert words.endswith(
        "\nA1: vertices that have exactly 1 `knows` neighbour and are labelled `red`"
    )
