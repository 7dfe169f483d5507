"""The branch on which two unfolding trees part, and how it is shown."""

from __future__ import annotations

import io
import itertools
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len

from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import TRUE, Relation, at_least, equal, exactly, label
from wlkg.analysis.explanation.languages import Setting
from wlkg.analysis.explanation.pair import explain_pair
from wlkg.analysis.explanation.unfolding import DEEPEST, Unfolding, unfolding
from wlkg.catalogue import DIRECTIONS, TESTS
from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.refine import refine
from wlkg.reports.terminal import console
from wlkg.reports.unfolding_svg import unfolding_svg
from wlkg.reports.unfolding_tree import print_unfolding

HOSTILE = 'x <script>alert("1")</script> & \x1b[31m \x00 `r` 数据数据数据数据数据数据数据数据数据'


def random_graph(chance: random.Random) -> RelationalGraph:
    names = "abcdefg"
    rows = [(chance.choice(names), chance.choice("rrrrs"), chance.choice(names)) for _ in range(9)]
    graph = RelationalGraph.from_triples(rows, vertices=names, direction=chance.choice(DIRECTIONS))
    if chance.random() < 0.5:
        return graph
    return graph.with_labels([chance.choice(["red", "blue"]) for _ in names])


def check(found: Unfolding, vertices: Vertices, v: int, w: int) -> None:
    """Every number and every step of an unfolding, by direct evaluation."""
    first, second = found.levels[0].sides
    assert first is not None
    assert second is not None
    assert (first.vertex, second.vertex) == (v, w)
    for i, level in enumerate(found.levels):
        holds = vertices.holds(level.decides)
        looks = [look for look in level.sides if look is not None]
        assert [bool(holds[look.vertex]) for look in looks] == [look.holds for look in looks]
        if len(looks) == 2:
            assert looks[0].holds != looks[1].holds
        else:
            assert i == len(found.levels) - 1
        counted = level.counted
        for side, look in enumerate(level.sides):
            if look is None or counted is None or level.decides.relation is None:
                continue
            seen = vertices.neighbours(look.vertex, level.decides.relation).tolist()
            good = [u for u in seen if vertices.holds(counted)[u]]
            assert (look.neighbours, look.satisfying) == (len(seen), len(good))
            if i + 1 < len(found.levels):
                below = found.levels[i + 1].sides[side]
                assert below is None or below.vertex in seen
                assert below is None or below.satisfies == (below.vertex in good)


@pytest.mark.parametrize("test", ["1-rwl", "1-wl", "weak-rwl", "mean-rwl"])
def test_every_step_of_an_unfolding_is_true(test: str) -> None:
    shown = 0
    for seed in range(60):
        chance = random.Random(seed)
        graph = random_graph(chance)
        last, v, w = separated_last(graph, test)
        formula = explain_pair(graph, v, w, test).formula
        if formula is None:
            continue
        assert formula.depth == last
        vertices, setting = Vertices.seen_by(TESTS[test], graph), Setting(graph, TESTS[test])
        found = unfolding(formula, vertices, v, w)
        check(found, vertices, v, w)
        assert len(found.levels) <= formula.depth + 1
        ElementTree.fromstring(unfolding_svg(found, setting))
        assert text_of(found, setting)
        shown += len(found.levels) > 1
    assert shown > 15


def separated_last(graph: RelationalGraph, test: str) -> tuple[int, int, int]:
    """The round, and the vertices, of a pair that is separated as late as possible."""
    history = refine(graph, test).history
    pairs = itertools.combinations(range(graph.num_vertices), 2)
    return max((history.separated_at(v, w) or 0, v, w) for v, w in pairs)


def text_of(found: Unfolding, setting: Setting) -> str:
    stream = io.StringIO()
    print_unfolding(console(stream), found, setting)
    return stream.getvalue()


EX = "http://example.org/"
TRIPLES = [
    ("anna", "worksFor", "acme"),
    ("anna", "worksFor", "beta"),
    ("anna", "name", "n1"),
    ("bert", "worksFor", "acme"),
    ("bert", "worksFor", "gamma"),
    ("p1", "author", "acme"),
    ("p2", "author", "beta"),
]


def toy() -> RelationalGraph:
    rows = [(EX + head, EX + relation, EX + tail) for head, relation, tail in TRIPLES]
    return RelationalGraph.from_triples(rows)._derived(prefixes={"": EX}, literals="shared")


def test_the_trees_show_the_branch_that_differs_and_count_the_others() -> None:
    graph = toy()
    vertices, setting = Vertices.seen_by(TESTS["1-rwl"], graph), Setting(graph, TESTS["1-rwl"])
    author = Relation(EX + "author", inverse=True)
    formula = at_least(2, Relation(EX + "worksFor"), exactly(1, author, TRUE))
    found = unfolding(formula, vertices, graph.vertex(EX + "anna"), graph.vertex(EX + "bert"))
    assert [line.rstrip() for line in text_of(found, setting).splitlines()] == [
        ":anna",
        "├── 2 `worksFor` neighbours, all of which are the object of exactly 1 `author`",
        "│   triple",
        "│   one of these 2: :acme",
        "│   ├── object of 1 `author` triple",
        "│   └── also: object of 2 `worksFor` triples",
        "└── also: 1 `name` neighbour",
        ":bert",
        "└── 2 `worksFor` neighbours, 1 that is the object of exactly 1 `author` triple",
        "    the other one: :gamma",
        "    ├── object of no `author` triple",
        "    └── also: object of 1 `worksFor` triple",
    ]


def test_names_cannot_break_the_picture_or_the_terminal() -> None:
    triples = [("v", "r", HOSTILE), (HOSTILE, "<b>&", "x"), ("w", "r", "y")]
    graph = RelationalGraph.from_triples(triples).with_labels(
        {name: HOSTILE for row in triples for name in (row[0], row[2])}
    )
    vertices, setting = Vertices.seen_by(TESTS["1-rwl"], graph), Setting(graph, TESTS["1-rwl"])
    formula = at_least(1, Relation("r"), at_least(1, Relation("<b>&"), label(HOSTILE)))
    found = unfolding(formula, vertices, graph.vertex("v"), graph.vertex("w"))
    picture = unfolding_svg(found, setting)
    root = ElementTree.fromstring(picture)
    assert {element.tag.rpartition("}")[2] for element in root.iter()} == {
        "svg", "title", "rect", "line", "g", "text",
    }  # fmt: skip
    text = text_of(found, setting)
    assert "\x1b" not in text + picture
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_a_deep_tree_is_cut_and_says_so() -> None:
    rows = [(f"v{i}", "next", f"v{i + 1}") for i in range(3000)]
    graph = RelationalGraph.from_triples(rows, direction="out")
    following = Relation("next")
    formula = at_least(1, following, TRUE)
    for _ in range(2000):
        formula = at_least(1, following, formula)
    vertices, setting = Vertices.seen_by(TESTS["1-rwl"], graph), Setting(graph, TESTS["1-rwl"])
    found = unfolding(formula, vertices, graph.vertex("v0"), graph.vertex("v2000"))
    assert len(found.levels) == DEEPEST
    assert found.left_out == 2001 - DEEPEST
    assert text_of(found, setting).count("1,993 more levels") == 2
    assert "1,993 more levels" in unfolding_svg(found, setting)


def test_wide_terminals_get_the_trees_side_by_side() -> None:
    graph = toy()
    vertices, setting = Vertices.seen_by(TESTS["1-rwl"], graph), Setting(graph, TESTS["1-rwl"])
    anna, bert = graph.vertex(EX + "anna"), graph.vertex(EX + "bert")
    found = unfolding(at_least(1, Relation(EX + "name"), TRUE), vertices, anna, bert)
    stream = io.StringIO()
    terminal = console(stream)
    terminal.is_pipe, terminal.width = False, 160
    print_unfolding(terminal, found, setting)
    first_line = stream.getvalue().splitlines()[0]
    assert ":anna" in first_line
    assert ":bert" in first_line


def test_tuples_have_no_tree() -> None:
    graph = toy()
    with pytest.raises(UsageError, match="tuples"):
        unfolding(equal(1, 2), Vertices.seen_by(TESTS["1-rwl"], graph), 0, 1)


def test_pictures_do_not_depend_on_other_files(tmp_path: Path) -> None:
    graph = toy()
    vertices, setting = Vertices.seen_by(TESTS["1-rwl"], graph), Setting(graph, TESTS["1-rwl"])
    anna, bert = graph.vertex(EX + "anna"), graph.vertex(EX + "bert")
    picture = unfolding_svg(
        unfolding(at_least(1, Relation(EX + "name"), TRUE), vertices, anna, bert), setting
    )
    assert "href" not in picture
    assert "url(" not in picture
    (tmp_path / "tree.svg").write_text(picture, encoding="utf-8")
    assert ElementTree.parse(tmp_path / "tree.svg").getroot().attrib["viewBox"]
