"""The section of ``wlkg reproduce``: questions, answers and evidence, or the plan of a study."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Column, Details, Paragraph, Section, Table
from wlkg.reports.fields import Fields
from wlkg.reports.results import Result
from wlkg.reports.sections.study_tables import study_table
from wlkg.reports.sections.words import counted, listed


def reproduce_section(result: Result) -> Section:
    """The answers of a study, or what is left to run."""
    fields = result.fields
    return _study(fields) if fields.has("questions") else _plan(fields)


def _study(fields: Fields) -> Section:
    departures = fields.texts("departures")
    runs, finished = fields.whole("runs"), fields.whole("finished")
    questions = fields.many("questions")
    answer = f"{finished:,} of {counted(runs, 'run', 'runs')} finished."
    answers = [
        f"{_start(each.text('question'))}: {_start(each.text('answer'))}." for each in questions
    ]
    blocks: list[Block] = [Paragraph(" ".join([answer, *answers]), "verdict")]
    if departures:
        blocks.append(Paragraph(f"Not the full study: {', '.join(departures)}.", "warning"))
    for question in questions:
        blocks += _question(question)
    about = fields.named("table_columns") if fields.has("table_columns") else {}
    tables = fields.one("tables")
    blocks += [study_table(name, tables.many(name), about.get(name)) for name in tables.content]
    if fields.has("figures") and fields.texts("figures"):
        names = listed(fields.texts("figures"))
        blocks.append(Paragraph(f"Figures in {fields.text('out')}: {names}.", "note"))
    return Section(f"{fields.text('study')}: the study in numbers", tuple(blocks))


def _start(text: str) -> str:
    """What comes before the details: the name of a question, or yes, no and open."""
    return text.partition(":")[0].partition(".")[0]


def _question(question: Fields) -> list[Block]:
    """A question, its answer, why it is so, and the comparisons that it rests on."""
    blocks: list[Block] = [
        Paragraph(f"{question.text('question')} {question.text('answer')}"),
        Paragraph(question.text("explanation"), "note"),
    ]
    evidence = question.many("evidence")
    if evidence:
        blocks.append(Details("Evidence", (_evidence_table(evidence),)))
    return blocks


def _evidence_table(evidence: list[Fields]) -> Table:
    """A row for each paired comparison; its numbers as far as there are some."""
    keys = [key for key in evidence[0].content if key not in ("first", "second")]
    columns = (Column("first"), Column("second"), *(_column(key) for key in keys))
    rows = tuple(
        (
            each.text("first"),
            each.text("second"),
            *(next(iter(each.parts(key)), None) for key in keys),
        )
        for each in evidence
    )
    return Table("Paired comparisons", columns, rows)


def _column(key: str) -> Column:
    return Column(key.replace("_", " "), "number")


def _plan(fields: Fields) -> Section:
    """The runs by model and width, and the time that they take together."""
    runs = fields.many("runs")
    left = sum(not run.truth("finished") for run in runs)
    minutes = (fields.number("seconds_left") or 0) / 60
    processes = counted(fields.whole("workers"), "process", "processes")
    answer = f"{counted(left, 'run', 'runs')} of {len(runs):,} left: about {minutes:,.0f} minutes"
    rows = tuple(
        (run.text("file"), run.whole("epochs"), run.number("seconds"), run.truth("finished"))
        for run in runs
    )
    columns = (
        Column("run"),
        Column("epochs", "count"),
        Column("time", "seconds"),
        Column("finished"),
    )
    table = Table("Runs", columns, rows, searchable=True)
    return Section(
        "The plan of a study", (Paragraph(f"{answer} with {processes}.", "verdict"), table)
    )
