"""The samples: what they hold, what the tests say about them, and the files under examples/."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

import wlkg
from tests.places import EXAMPLE_GRAPHS as GRAPHS
from wlkg.examples import EXAMPLES, TARGETS, example
from wlkg.examples.university import GROUPS, university, university_targets
from wlkg.graph.terms import kind


def test_the_family_is_that_of_the_file() -> None:
    written = wlkg.read(GRAPHS / "family.ttl")
    built = example("family")
    rename = {"_:anon1": "_:first"}
    rows = {tuple(rename.get(name, name) for name in row) for row in written.named_triples()}
    assert rows == set(built.named_triples())
    assert written.prefixes.items() <= built.prefixes.items()


def test_the_traffic_is_that_of_the_file() -> None:
    assert example("traffic") == wlkg.read(GRAPHS / "traffic.graphml")


def test_the_files_of_the_university_are_up_to_date(tmp_path: Path) -> None:
    from wlkg.writers.example_files import write_example

    write_example("university", str(tmp_path / "university.ttl"), targets=True)
    assert wlkg.read(GRAPHS / "university.ttl") == university()
    for name in ("university.train.tsv", "university.test.tsv"):
        assert (GRAPHS / name).read_bytes() == (tmp_path / name).read_bytes(), (
            "run: wlkg example university -o examples/graphs/university.ttl --targets --force"
        )


def test_the_university_has_all_kinds_of_terms_and_a_handy_size() -> None:
    graph = university()
    assert 100 <= graph.num_vertices <= 300
    assert set(map(kind, graph.vertex_names)) == {"iri", "blank", "literal"}
    assert {"uni", "voc", "foaf", "skos", "xsd"} <= set(graph.prefixes)


def test_every_person_of_the_university_has_a_group_once() -> None:
    splits = university_targets()
    people = [person for rows in splits.values() for person, _ in rows]
    assert len(set(people)) == len(people)
    assert all(university().find_vertex(person) is not None for person in people)
    for rows in splits.values():
        assert set(Counter(group for _, group in rows)) == set(GROUPS)
    # The graph must not say what is to be learned.
    assert not [name for name in university().relation_names if re.search("group|member", name)]


def colliding(test: str) -> set[tuple[str, int]]:
    """The types of people that a test confuses with others of another group, with their number."""
    graph = university()
    splits = university_targets()
    result = wlkg.ceiling(graph, dict(splits["train"]), dict(splits["test"]), test=test)
    type_of = {
        head: tail.rpartition("#")[2]
        for head, relation, tail in graph.named_triples()
        if relation.endswith("#type")
    }
    names = [target.name for group in result.collisions.classes for target in group.targets]
    return set(Counter(type_of[name] for name in names).items())


@pytest.mark.parametrize(
    ("test", "expected"),
    [
        ("weak-rwl", {("FirstYear", 12), ("Visitor", 4), ("Assistant", 6)}),
        ("mean-rwl", {("FirstYear", 12), ("Visitor", 4), ("Guest", 6)}),
        ("1-rwl", {("FirstYear", 12), ("Visitor", 4)}),
        ("2-rlwl", {("Visitor", 4)}),
    ],
)
def test_each_test_confuses_the_people_it_is_said_to(
    test: str, expected: set[tuple[str, int]]
) -> None:
    assert colliding(test) == expected


def test_the_ceiling_of_the_university_rises_with_the_rounds() -> None:
    splits = university_targets()
    result = wlkg.ceiling(university(), dict(splits["train"]), dict(splits["test"]))
    correct = [score.correct for score in result.splits[0].rounds]
    assert correct == sorted(correct)
    assert len(set(correct)) >= 4
    assert correct[-1] < result.splits[0].rounds[-1].total


def test_visitors_are_symmetric_and_first_years_are_not() -> None:
    from wlkg.analysis.symmetry.libraries import find_library

    if find_library() is None:
        pytest.skip("no library that finds symmetries is installed")
    result = wlkg.symmetry(university())
    vertex = university().vertex
    iri = "http://example.org/university/"
    orbit = result.orbits.colours
    assert orbit[vertex(f"{iri}gwen-iversen")] == orbit[vertex(f"{iri}hugo-jansen")]
    assert orbit[vertex(f"{iri}tara-thoma")] != orbit[vertex(f"{iri}ada-conti")]


def test_targets_belong_to_examples() -> None:
    assert set(TARGETS) <= set(EXAMPLES)
