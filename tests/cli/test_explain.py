"""``wlkg explain`` about vertices and graphs: texts, documents, names and errors."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pyoxigraph
import pytest

import wlkg
from tests.analysis.explanation.semantics import Meaning
from tests.cli.running import Run, RunJson, assert_refused
from tests.places import EXAMPLE_GRAPHS

FAMILY = EXAMPLE_GRAPHS / "family.ttl"
PREFIX = "http://example.org/family#"


def selected(query: str, path: Path) -> set[str]:
    """The vertices that a query selects from a Turtle file, by name."""
    store = pyoxigraph.Store()
    store.load(path=str(path), format=pyoxigraph.RdfFormat.TURTLE)
    terms = [solution["v"] for solution in store.query(query)]  # type: ignore[union-attr]
    return {t.value if isinstance(t, pyoxigraph.NamedNode) else str(t) for t in terms}


def test_two_vertices_get_a_formula_that_is_true_of_the_first_only(run_json: RunJson) -> None:
    document = run_json("explain", FAMILY, ":dana", ":finn")
    assert document["schema"] == "wlkg/explain/1"
    assert document["vertices"] == [f"{PREFIX}dana", f"{PREFIX}finn"]
    assert (document["round"], document["depth"], document["holds"]) == (1, 1, [True, False])
    graph = wlkg.read(FAMILY)
    satisfying = Meaning(graph).vertices(document["formula"])
    assert graph.vertex(f"{PREFIX}dana") in satisfying
    assert graph.vertex(f"{PREFIX}finn") not in satisfying


def test_the_query_of_a_pair_selects_the_class_of_the_first_vertex(run_json: RunJson) -> None:
    document = run_json("explain", FAMILY, ":dana", ":finn")
    assert document["class_size"] == 2
    assert selected(document["sparql"], FAMILY) == {f"{PREFIX}dana", f"{PREFIX}eli"}
    by_formula = selected(document["formula_sparql"], FAMILY)
    assert f"{PREFIX}dana" in by_formula
    assert f"{PREFIX}finn" not in by_formula


def test_the_text_says_why_in_english_logic_owl_and_sparql(run: Run) -> None:
    text = run("explain", FAMILY, ":dana", ":finn").stdout
    assert ":dana and :finn are separated at round 1\n" in text
    assert ":dana has 1 `born` neighbour; :finn has none.\n" in text
    assert "≥1 born.⊤" in text
    assert ":born min 1 owl:Thing" in text
    assert "SELECT DISTINCT ?v WHERE" in text
    assert max(map(len, text.splitlines())) <= 80


def test_one_vertex_gets_a_formula_for_its_class(run: Run, run_json: RunJson) -> None:
    document = run_json("explain", FAMILY, "dana")
    graph = wlkg.read(FAMILY)
    members = {graph.vertex(name) for name in document["members"]}
    assert members == {graph.vertex(f"{PREFIX}{name}") for name in ("dana", "eli")}
    assert Meaning(graph).vertices(document["formula"]) == members
    assert document["class_size"] == 2
    assert selected(document["sparql"], FAMILY) == set(document["members"])
    assert [near["round"] for near in document["nearest"]] == sorted(
        (near["round"] for near in document["nearest"]), reverse=True
    )
    text = run("explain", FAMILY, "dana").stdout
    assert ":dana: a class of 2 vertices, one of 18 classes at round 2\n" in text
    assert "  :eli\n" in text


def test_a_round_may_be_chosen(run_json: RunJson) -> None:
    document = run_json("explain", FAMILY, ":dana", "--round", "0")
    assert (document["round"], document["class_size"]) == (0, wlkg.read(FAMILY).num_vertices)
    assert document["formula"] == {"op": "true"}


def test_two_graphs_get_a_formula_with_different_counts(run: Run, run_json: RunJson) -> None:
    pair = ("example:k33", "example:c6")
    document = run_json("explain", *pair)
    counts = []
    for name, count in zip(pair, document["counts"], strict=True):
        counts.append(len(Meaning(wlkg.read(name)).vertices(document["formula"])))
        assert counts[-1] == count
    assert counts[0] != counts[1]
    assert document["round"] == document["depth"] == 1
    assert "the graphs are separated at round 1\n" in run("explain", *pair).stdout


def test_two_graphs_under_a_test_of_tuples(run: Run, run_json: RunJson) -> None:
    document = run_json("explain", "example:c6", "example:2xc3", "--test", "2-rlwl")
    assert (document["round"], document["depth"]) == (1, 1)
    assert document["counts"][0] != document["counts"][1]
    assert document["tuple_class"]["counts"][0] != document["tuple_class"]["counts"][1]
    assert document["sparql"] is None
    text = run("explain", "example:c6", "example:2xc3", "--test", "2-rlwl").stdout
    assert "no SPARQL query" in text


def test_vertices_that_a_symmetry_swaps_are_said_to_be(run: Run, run_json: RunJson) -> None:
    document = run_json("explain", FAMILY, ":dana", ":eli")
    assert (document["separated"], document["round"], document["formula"]) == (False, None, None)
    assert document["symmetric"] is True
    text = run("explain", FAMILY, ":dana", ":eli").stdout
    assert "not separated by 1-rwl" in text
    assert "a symmetry of the graph maps one to the other" in text


def test_graphs_that_are_alike_name_a_test_that_separates_them(run: Run, run_json: RunJson) -> None:
    document = run_json("explain", "example:c6", "example:2xc3")
    assert (document["separated"], document["symmetric"]) == (False, False)
    assert document["other_tests"][-1] == {"test": "2-rlwl", "round": 1, "skipped": None}
    text = run("explain", "example:c6", "example:2xc3").stdout
    assert text.endswith("2-rlwl separates them, at round 1\n")
    same = run("explain", "example:c6", "example:cycle,n=6").stdout
    assert "the graphs are isomorphic: no test" in same


def test_a_deep_formula_is_a_flat_program(run: Run, run_json: RunJson, tmp_path: Path) -> None:
    path = tmp_path / "path.tsv"
    path.write_text("".join(f"{i}\tnext\t{i + 1}\n" for i in range(600)))
    document = run_json("explain", path, "250", "300", "--direction", "out")
    assert document["round"] == document["depth"] == 301
    assert document["formula"] is None
    assert len(document["program"]) >= 301
    assert document["program"][-1]["arg"] == len(document["program"]) - 2
    text = run("explain", path, "250", "300", "--direction", "out")
    assert text.exit_code == 0
    assert "are separated at round 301" in text.stdout


def test_a_vertex_that_does_not_exist_suggests_the_nearest(run: Run) -> None:
    result = run("explain", FAMILY, ":dina", ":finn")
    assert result.exit_code == 2
    assert "no vertex is called ':dina'. The nearest names: :dana" in result.stderr


def test_prefixes_may_be_given(run: Run, run_json: RunJson) -> None:
    document = run_json("explain", FAMILY, "f:dana", ":finn", "--prefix", f"f={PREFIX}")
    assert document["vertices"][0] == f"{PREFIX}dana"
    assert "is not declared" in run("explain", FAMILY, "f:dana", ":finn").stderr
    assert_refused(run("explain", FAMILY, ":dana", "--prefix", "f"), "expected PREFIX=IRI")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name one vertex, two vertices or a second graph"),
        ((":dana", ":eli", ":finn"), "name one vertex, two vertices or a second graph"),
        ((":dana", "--predictions", "p.tsv"), "name one vertex, two vertices or a second graph"),
        ((":dana", ":eli", "--round", "1"), "--round has no effect: two vertices are explained"),
        ((":dana", "--fidelity", "0.9"), "--fidelity has no effect: the class of one vertex"),
        ((":dana", "--svg", "x.svg"), "--svg has no effect: the class of one vertex"),
        ((":dana", "--test", "2-rlwl"), "2-rlwl colours tuples"),
        ((":dana", "--test", "5-xwl"), "unknown test '5-xwl'"),
    ],
)
def test_questions_that_make_no_sense_are_refused(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    assert_refused(run("explain", FAMILY, *arguments), message)


@pytest.mark.parametrize("test", ["1-wl", "weak-rwl", "mean-rwl", "1-rlwl", "1-rwl-all"])
def test_every_vertex_test_explains_a_pair(run: Run, run_json: RunJson, test: str) -> None:
    document = run_json("explain", FAMILY, ":ada", ":finn", "--test", test)
    assert document["round"] == document["depth"]
    assert selected(document["sparql"], FAMILY) >= {f"{PREFIX}ada"}
    assert document["english"] in " ".join(
        run("explain", FAMILY, ":ada", ":finn", "--test", test).stdout.split()
    )


def test_the_trees_are_drawn_where_they_part(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "trees.svg"
    assert run("explain", FAMILY, ":ada", ":cleo", "--svg", picture).exit_code == 0
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    texts = "".join(root.itertext())
    assert root.tag.endswith("svg")
    assert ":ada" in texts
    assert ":cleo" in texts
    never = run("explain", FAMILY, ":dana", ":eli", "--svg", tmp_path / "none.svg")
    assert never.exit_code == 0
    assert "is not written: the trees of the two vertices never part" in never.stderr
    assert not (tmp_path / "none.svg").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--svg", "trees.png"), "trees are written as .svg"),
        (("--svg", "no/such/folder/trees.svg"), "there is no such folder"),
        (("--svg", "trees.svg", "--test", "2-rlwl"), "2-rlwl colours tuples, which have no trees"),
    ],
)
def test_pictures_that_cannot_be_written_are_refused(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    assert_refused(run("explain", FAMILY, ":ada", ":cleo", *arguments), message)


def test_without_a_formula_nothing_is_said_of_a_query(run: Run) -> None:
    text = run("explain", "example:c6", "example:2xc3", "--test", "2-fwl").stdout
    assert "12 tuples in example:c6" in text
    assert "SPARQL" not in text
