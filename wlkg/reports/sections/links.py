"""The section of ``wlkg ceiling --links``: the best ranks that any model can give to true links."""

from __future__ import annotations

from wlkg.links.scores import METRICS
from wlkg.reports.blocks import Block, Chart, Column, Paragraph, Section, Series, Table, Value
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.words import Names, counted, listed, titled

TITLES = ("MRR", "Hits@1", "Hits@3", "Hits@10", "mean rank")
TIES_IN_WORDS = {
    "random": "ties broken at random",
    "pessimistic": "ties decided against the model",
    "optimistic": "ties decided for the model",
}
_PROVISO = (
    "Where ties are not decided against the model, the scores are those of models that give"
    " different classes different scores."
)


def links_section(result: Result) -> Section:
    """The limits, the curves, the scores under each tie rule, and the answers that tie."""
    fields, names = result.fields, Names.of(result)
    tests = fields.many("tests")
    if not tests:
        raise fields.error("tests: expected at least one test")
    chart = _chart(tests)
    blocks: list[Block] = [
        Paragraph(_answer(tests), "verdict"),
        *(Paragraph(text, "note") for text in _notes(fields, tests)),
        chart,
    ]
    for test in tests:
        blocks += [_table(test, tie) for tie in TIES_IN_WORDS]
        if test.has("fitted"):
            blocks.append(_fitted_table(test))
        if test.many("worst"):
            blocks.append(_tied_table(test, names))
    title = titled(fields.text("graph"), f"ceilings of links of {fields.text('split')}")
    return Section(title, tuple(blocks), figure=(chart,))


def _last(test: Fields) -> Fields:
    rounds = test.many("rounds")
    if not rounds:
        raise test.error(f"{test.where}.rounds: expected at least one round")
    return rounds[-1]


def _answer(tests: list[Fields]) -> str:
    limits = []
    for test in tests:
        value = _last(test).one("ties").one("random").number("mrr")
        limits.append(f"{0 if value is None else value:.4f} ({test.text('test')})")
    return f"No model bounded by the test gets a higher MRR than {listed(limits)}."


def _notes(fields: Fields, tests: list[Fields]) -> list[str]:
    answers = counted(fields.whole("answers"), "answer", "answers")
    asked = f"{answers} to {fields.whole('queries'):,} queries"
    candidates = counted(fields.whole("vertices"), "candidate", "candidates")
    notes = [
        f"{asked}, each among {candidates} without those known to be true.",
        _PROVISO,
    ]
    for key, what in (("new_vertices", "entities"), ("new_relations", "relations")):
        unknown = fields.texts(key)
        if unknown:
            some = f"{len(unknown):,} {what} of {fields.text('split')}"
            notes.append(f"Not in the graph, but ranked: {some}, such as {listed(unknown[:3])}.")
    if not all(each.truth("exact") for test in tests for each in test.many("rounds")):
        notes.append("Some scores are not proved exact: they may be upper bounds.")
    return notes


def _number(each: Fields) -> int | None:
    return each.maybe(each.whole, "round")


def _name(each: Fields) -> str:
    number = _number(each)
    return "stable" if number is None else str(number)


def _chart(tests: list[Fields]) -> Chart:
    """The MRR by round; the stable one is drawn behind the last round."""
    series = []
    for test in tests:
        points = []
        for place, each in enumerate(test.many("rounds"), 1):
            number = _number(each)
            mrr = each.one("ties").one("random").number("mrr")
            points.append((place if number is None else number, mrr))
        series.append(Series(test.text("test"), tuple(points), "bound"))
    title = "Highest MRR by round; the last is the stable one"
    return Chart(title, "round", "MRR", tuple(series), style="number")


def _table(test: Fields, tie: str) -> Table:
    columns = (Column("round"), *(Column(title, "number") for title in TITLES))
    rows: list[tuple[Value, ...]] = []
    for each in test.many("rounds"):
        scores = each.one("ties").one(tie)
        rows.append((_name(each), *map(scores.number, METRICS)))
    title = f"{test.text('test')}: best scores, {TIES_IN_WORDS[tie]}"
    note = f"It bounds {test.text('bounds')}." if tie == "random" else ""
    return Table(title, columns, tuple(rows), note=note)


def _fitted_table(test: Fields) -> Table:
    columns = (
        Column("round"),
        *(Column(title, "number") for title in TITLES),
        Column("seen", "share"),
    )
    rows: list[tuple[Value, ...]] = []
    for each in test.many("fitted"):
        scores = each.one("ties").one("random")
        rows.append((_name(each), *map(scores.number, METRICS), each.number("seen")))
    note = "Scores by how often a colour was true in training, ties broken at random. Seen: test"
    note += " triples whose colours occur in training."
    for key, what in (("fitted_on", "training triples"), ("fitted_ranked", "answers")):
        numbers = test.wholes(key) if test.has(key) else [0, 0]
        if len(numbers) != 2:
            raise test.wrong(key, "a list of two numbers", numbers)
        if numbers[0] < numbers[1]:
            note += f" Estimated from {numbers[0]:,} of {numbers[1]:,} {what}, drawn at random."
    return Table(f"{test.text('test')}: fitted on training", columns, tuple(rows), note=note)


def _tied_table(test: Fields, names: Names) -> Table:
    rows = tuple(
        (
            names.vertex(each.text("head")),
            each.text("relation"),
            names.vertex(each.text("tail")),
            each.text("asked"),
            each.whole("rivals"),
        )
        for each in test.many("worst")
    )
    columns = (
        *(Column(title) for title in ("head", "relation", "tail", "asked")),
        Column("ties with", "count"),
    )
    more = test.whole("tied") - len(rows)
    note = (
        f"{counted(more, 'more answer', 'more answers')}; --limit lists more." if more > 0 else ""
    )
    title = f"{test.text('test')}: answers that tie with most others when stable"
    return Table(title, columns, rows, note=note, searchable=True)
