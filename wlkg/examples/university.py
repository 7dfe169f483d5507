"""A made-up university: people, papers, topics and courses, and the groups of the people to learn.

The graph does not say in which research group a person is: as in AIFB, it has to be learned from
what people write, teach and read. Most people can be told apart, so their group can be learned. Of
the others, some tests or all see too little:

=================  ==========================================================  ====================
people             what they look like                                         told apart by
=================  ==========================================================  ====================
assistants         assist one course and attend another, or the other way      1-rwl, not weak-rwl
                   round
guests             have reviewed one workshop paper, or two that are alike     1-rwl, not mean-rwl
first-year         learn together in a ring of six, or in two rings of three   2-rlwl, not 1-rwl
students
visitors           have written one paper together                             no test: symmetry
=================  ==========================================================  ====================

Everything follows from the tables below and a small random generator of its own, so the graph is
the same everywhere.
"""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.examples.rdf_building import COMMON, name, rdf_graph
from wlkg.graph.relational_graph import RelationalGraph

PREFIXES = {
    "uni": "http://example.org/university/",
    "voc": "http://example.org/university/vocabulary#",
    **COMMON,
}

#: Each group: its topics, and the number of its doctoral students.
GROUPS: dict[str, tuple[tuple[str, ...], int]] = {
    "databases": (("query-planning", "provenance", "data-quality"), 5),
    "learning": (
        ("graph-learning", "embeddings", "fairness", "active-learning", "speech"),
        6,
    ),
    "logic": (("description-logic", "model-checking"), 3),
    "systems": (("storage", "scheduling", "networks", "tracing"), 4),
}

#: What a paper of each group usually comes with: the relation, and the kind of thing.
RESULTS = {
    "databases": ("voc:publishes", "Dataset"),
    "learning": ("voc:trains", "Model"),
    "logic": ("voc:proves", "Theorem"),
    "systems": ("voc:ships", "Software"),
}

_FIRST = (  # noqa: SIM905  one name in a line of its own would be a page of names
    "Ada Ben Cleo Dana Eli Finn Gwen Hugo Ines Jan Kira Leo Mara Nils Olga Paul Rosa Sven Tara Udo"
    " Vera Wim Yara Zeno"
).split()
_LAST = (  # noqa: SIM905
    "Abel Berg Conti Dahl Egger Falk Gruber Hahn Iversen Jansen Keller Lang Meyer Novak Olsen"
    " Petrov Quist Roth Sand Thoma Urban Vogel Weiss"
).split()

Triple = tuple[str, str, str]


class _Dice:
    """A linear congruential generator: the same numbers in every version of Python."""

    def __init__(self) -> None:
        self._state = 2022

    def below(self, limit: int) -> int:
        self._state = (self._state * 1_103_515_245 + 12_345) % 2**31
        return (self._state >> 16) % limit

    def several(self, items: Sequence[str], count: int) -> list[str]:
        """Different items, in their own order."""
        chosen: set[str] = set()
        while len(chosen) < min(count, len(items)):
            chosen.add(items[self.below(len(items))])
        return [item for item in items if item in chosen]


class University:
    """The triples, and the group of every person, in the order in which they are made."""

    def __init__(self) -> None:
        self.triples: list[Triple] = []
        self.group_of: dict[str, str] = {}
        self._dice = _Dice()
        self._papers = 0
        for group in GROUPS:
            self._research_group(group)
        self._assistants()
        self._guests()
        self._first_years()
        self._visitors()

    def _add(self, head: str, relation: str, *tails: str) -> None:
        self.triples += [(head, relation, tail) for tail in tails]

    def _person(self, kind: str, group: str) -> str:
        number = len(self.group_of)
        first, last = _FIRST[number % len(_FIRST)], _LAST[number % len(_LAST)]
        person = f"uni:{first}-{last}".lower()
        self.group_of[person] = group
        self._add(person, "rdf:type", f"voc:{kind}")
        self._add(person, "foaf:name", f'"{first} {last}"')
        return person

    def _people(self, kind: str, *groups: str) -> list[str]:
        return [self._person(kind, group) for group in groups]

    def _paper(self, kind: str, authors: Sequence[str], topic: str, year: int) -> str:
        self._papers += 1
        paper = f"uni:paper-{self._papers}"
        self._add(paper, "rdf:type", f"voc:{kind}")
        self._add(paper, "voc:author", *authors)
        self._add(paper, "voc:about", topic)
        self._add(paper, "voc:year", f'"{year}"^^xsd:gYear')
        return paper

    def _topic(self, local: str) -> str:
        topic = f"uni:{local}"
        self._add(topic, "rdf:type", "skos:Concept")
        self._add(topic, "rdfs:label", f'"{local.replace("-", " ")}"@en')
        return topic

    def _course(self, local: str, credit_points: int) -> str:
        course = f"uni:course-{local}"
        self._add(course, "rdf:type", "voc:Course")
        self._add(course, "voc:credits", f'"{credit_points}"^^xsd:integer')
        return course

    def _research_group(self, group: str) -> None:
        """A professor, two postdocs and their doctoral students, who write, teach and cite."""
        topics, students = GROUPS[group]
        professor = self._person("Professor", group)
        postdocs = self._people("Postdoc", group, group)
        doctoral = self._people("DoctoralStudent", *[group] * students)
        for place, student in enumerate(doctoral):
            self._add((professor, *postdocs)[place % 3], "voc:supervises", student)
        self._courses(group, professor, postdocs, doctoral)
        self._grants(group, professor)
        self._write(group, topics, (professor, *postdocs), doctoral)
        for place, person in enumerate((professor, *postdocs, *doctoral)):
            self._add(person, "voc:office", f"uni:room-{group}-{1 + place // 3}")

    def _courses(
        self, group: str, professor: str, postdocs: Sequence[str], doctoral: Sequence[str]
    ) -> None:
        for teacher, level, credit_points in ((professor, 1, 6), (postdocs[0], 2, 3)):
            course = self._course(f"{group}-{level}", credit_points)
            self._add(teacher, "voc:teaches", course)
            for assistant in self._dice.several(doctoral, 2):
                self._add(assistant, "voc:assists", course)

    def _grants(self, group: str, professor: str) -> None:
        """Grants have no name of their own; large groups have two."""
        for number in range(1, 1 + len(GROUPS[group][0]) // 2):
            grant = f"_:grant_{group}_{number}"
            self._add(grant, "rdf:type", "voc:Grant")
            self._add(grant, "voc:awardedTo", professor)
            self._add(grant, "voc:amount", f'"{100_000 * number}"^^xsd:integer')

    def _write(
        self, group: str, topics: Sequence[str], staff: Sequence[str], doctoral: Sequence[str]
    ) -> None:
        area = self._topic(group)
        written: list[str] = []
        for local in topics:
            topic = self._topic(local)
            self._add(topic, "skos:broader", area)
            for _ in range(2 + self._dice.below(2)):
                authors = self._dice.several(staff, 1) + self._dice.several(doctoral, 2)
                paper = self._paper("Paper", authors, topic, 2018 + self._dice.below(6))
                self._result(group, paper)
                for cited in self._dice.several(written, self._dice.below(3)):
                    self._add(paper, "voc:cites", cited)
                written.append(paper)

    def _result(self, group: str, paper: str) -> None:
        """Four papers of five come with one of three results of the group."""
        relation, kind = RESULTS[group]
        if self._dice.below(5):
            result = f"uni:{kind}-{1 + self._dice.below(3)}".lower()
            self._add(paper, relation, result)
            if (result, "rdf:type", f"voc:{kind}") not in self.triples:
                self._add(result, "rdf:type", f"voc:{kind}")

    def _assistants(self) -> None:
        """In pairs: one assists the large course and attends the small one, the other inversely."""
        large, small = "uni:course-databases-1", "uni:course-logic-2"
        for _ in range(3):
            first, second = self._people("Assistant", "databases", "logic")
            self._add(first, "voc:assists", large)
            self._add(first, "voc:attends", small)
            self._add(second, "voc:assists", small)
            self._add(second, "voc:attends", large)

    def _guests(self) -> None:
        """Guests of the systems group have reviewed one workshop paper, those of learning two."""
        for _ in range(3):
            for guest, count in zip(
                self._people("Guest", "systems", "learning"), (1, 2), strict=True
            ):
                for _ in range(count):
                    paper = self._paper("WorkshopPaper", (), "uni:systems", 2024)
                    self._add(guest, "voc:reviewed", paper)

    def _first_years(self) -> None:
        for group, rings in (("learning", (6,)), ("systems", (3, 3))):
            for length in rings:
                ring = self._people("FirstYear", *[group] * length)
                for student, next_one in zip(ring, ring[1:] + ring[:1], strict=True):
                    self._add(student, "voc:learnsWith", next_one)

    def _visitors(self) -> None:
        for groups in (("databases", "logic"), ("systems", "learning")):
            self._paper("Paper", self._people("Visitor", *groups), f"uni:{groups[0]}", 2023)


def university() -> RelationalGraph:
    """The graph; the vertices start alike, whatever their type."""
    return rdf_graph(University().triples, PREFIXES)


def university_targets() -> dict[str, list[tuple[str, str]]]:
    """The people and their groups: two thirds to train on, one third to test."""
    rows = [(name(person, PREFIXES), group) for person, group in University().group_of.items()]
    is_test = [place % 3 == 1 for place in range(len(rows))]
    return {
        "train": [row for row, held_out in zip(rows, is_test, strict=True) if not held_out],
        "test": [row for row, held_out in zip(rows, is_test, strict=True) if held_out],
    }
