"""Sections: what they say, that their numbers are the document's, and what damaged input does."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.reports.documents import NAMES, Document, longest_list, numbers_in, places
from wlkg.errors import InputError
from wlkg.reports.blocks import Chart, Paragraph, Section, Table, flat
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.ceiling import labels_in_turn
from wlkg.reports.sections.registry import SECTIONS, section_of
from wlkg.reports.tables.latex import latex
from wlkg.reports.tables.markdown import markdown

Computed = Callable[[str], Document]


def test_every_command_with_a_section_is_tested(computed: Computed) -> None:
    commands = {Result(computed(name)).command for name in NAMES}
    assert commands | {"versus", "train"} == set(SECTIONS)  # these need PyTorch


@pytest.mark.parametrize("name", NAMES)
def test_numbers_of_tables_and_charts_are_in_the_document(name: str, computed: Computed) -> None:
    content = computed(name)
    known = {*numbers_in(content), *range(longest_list(content) + 1)}
    shown = list(_shown_numbers(section_of(Result(content))))
    assert [number for number in shown if number not in known] == []


def _shown_numbers(section: Section) -> list[float]:
    numbers: list[Any] = []
    for block in flat(section.blocks):
        if isinstance(block, Table):
            numbers += [value for row in block.rows for value in row]
        elif isinstance(block, Chart):
            numbers += [
                value for series in block.series for point in series.points for value in point
            ]
    return [n for n in numbers if isinstance(n, int | float) and not isinstance(n, bool)]


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_comes_first_and_rows_fit_their_columns(name: str, computed: Computed) -> None:
    section = section_of(Result(computed(name)))
    first = section.blocks[0]
    assert isinstance(first, Paragraph)
    assert first.kind == "verdict"
    assert first.text.endswith(".")
    for block in flat(section.blocks):
        if isinstance(block, Table):
            assert {len(row) for row in block.rows} <= {len(block.columns)}


@pytest.mark.parametrize("name", NAMES)
def test_damaged_documents_are_refused_or_shown(name: str, computed: Computed) -> None:
    """Whatever a key is replaced by, there is a section or a clear error."""
    content = computed(name)
    wrong: tuple[Any, ...] = (None, "x", -1, 1.5, float("inf"), True, [], {}, [[]], [{}], 10**400)
    outcomes = {True: 0, False: 0}
    depth = 4 if len(json.dumps(content)) < 40_000 else 2
    for place in places(content, depth):
        if place == ("schema",):
            continue
        for value in (_DELETED, *wrong):
            outcomes[_is_shown(_changed(content, place, value))] += 1
    assert outcomes[True]
    assert outcomes[False]


_DELETED = object()


def _changed(content: Document, place: tuple[Any, ...], value: object) -> Document:
    changed = copy.copy(content)
    inside: Any = changed
    for key in place[:-1]:
        inside[key] = copy.copy(inside[key])
        inside = inside[key]
    if value is _DELETED:
        del inside[place[-1]]
    else:
        inside[place[-1]] = value
    return changed


def _is_shown(content: Document) -> bool:
    try:
        section = section_of(Result(content, file="saved.json"))
    except InputError as error:
        if error.path != "saved.json":
            raise
        return False
    assert markdown(section)
    assert latex(section)
    return True


@pytest.mark.parametrize("name", NAMES)
def test_unknown_keys_are_harmless(name: str, computed: Computed) -> None:
    content = computed(name)
    assert section_of(Result({**content, "new": {"x": [1]}})) == section_of(Result(content))


def test_remarks_stand_below_the_answer(computed: Computed) -> None:
    section = section_of(Result(computed("refine"), remarks=("the graph is gone",)))
    assert section.blocks[1] == Paragraph("the graph is gone", "warning")


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("refine", "1-rwl is stable at round 2 with 18 classes of vertices."),
        ("compare", "The graphs are separated by 2-rlwl at round 1, and not by 1-wl, weak-rwl or"),
        ("compare-same", "No test separates the graphs. The graphs are isomorphic"),
        ("pairs", "There is 1 vertex pair that 1-rwl separates and weak-rwl does not."),
        ("ceiling", "No model bounded by 1-rwl gets more than 2 of 3 train targets (66.7 %) and 1"),
        ("explain-pair", ":dana has 1 born neighbour; :finn has none."),
        ("explain-class", "Each of them, and no other vertex, is the object of at least 2 parent"),
        ("symmetry", "1-rwl is complete on this graph"),
        ("symmetry-open", "1-rwl is not complete on this graph: no symmetry maps"),
        ("hierarchy", "separates all of 3 pairs."),
        ("counterexample", "Every claim holds. 2-rlwl is the first test that separates them."),
        ("reproduce", "of 210 runs finished."),
        ("plan", "1 run of 1 left: about 2 minutes with 2 processes."),
        ("relations", "ultra puts 12 relations (inverses included) into 10 classes"),
        ("classes", "alone in a class, and 3 pairs cannot be told apart."),
    ],
)
def test_answers(name: str, answer: str, computed: Computed) -> None:
    first = section_of(Result(computed(name))).blocks[0]
    assert isinstance(first, Paragraph)
    assert answer in first.text


def test_the_drawing_of_a_ceiling_begins_with_targets_of_different_labels() -> None:
    rows = [("a", "x"), ("b", "x"), ("c", "y"), ("d", "x"), ("e", "z")]
    targets = Fields({"targets": [{"name": name, "label": label} for name, label in rows]})
    assert labels_in_turn(targets.many("targets")) == ["a", "c", "e", "b", "d"]
