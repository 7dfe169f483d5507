"""What tests say about two graphs, as tables."""

from __future__ import annotations

from wlkg.reports.blocks import Column, Table
from wlkg.reports.fields import Fields
from wlkg.reports.sections.words import sentence


def said(verdict: Fields) -> str:
    """The verdict of a test or a model, in a word or two."""
    if verdict.has("implied_by"):
        return "implied"
    if verdict.has("skipped"):
        return "skipped"
    separated = verdict.maybe(verdict.truth, "separated")
    if separated is None:
        return "undecided"
    word = "separated" if separated else "same"
    return f"{word}, not proved" if verdict.maybe(verdict.truth, "exact") is False else word


def verdicts_table(verdicts: list[Fields]) -> Table:
    """A row for each test."""
    columns = (
        Column("test"),
        Column("verdict"),
        *(Column(title, "count") for title in ("at round", "stable at", "classes")),
    )
    keys = ("round", "rounds", "classes")
    rows = tuple(
        (each.text("test"), said(each), *(each.maybe(each.whole, key) for key in keys))
        for each in verdicts
    )
    return Table("What each test says", columns, rows, note=skipped_note(verdicts, "test"))


def skipped_note(verdicts: list[Fields], name: str) -> str:
    """Why tests or models were not run."""
    return " ".join(
        f"{each.text(name)}: {sentence(each.text('skipped'))}"
        for each in verdicts
        if each.has("skipped")
    )


def drawn_tests(verdicts: list[Fields], most: int = 6) -> tuple[str, ...]:
    """The tests that ran, as far as a drawing shows them; those that separate come first."""
    ran = [each for each in verdicts if not each.has("skipped")]
    ran.sort(key=lambda each: not each.maybe(each.truth, "separated"))
    return tuple(each.text("test") for each in ran)[:most]
