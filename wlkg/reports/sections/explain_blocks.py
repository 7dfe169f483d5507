"""A formula as blocks: in English, as logic, as an OWL class, and as a SPARQL query."""

from __future__ import annotations

from wlkg.reports.blocks import Block, Code, Paragraph
from wlkg.reports.fields import Fields

#: Longer texts are left to the JSON document.
_LONGEST = 4_000


def formula_blocks(fields: Fields) -> list[Block]:
    """What a document of ``explain`` says about its formula; empty without one."""
    blocks: list[Block] = []
    english = fields.maybe(fields.text, "english")
    if english is not None and fields.has("logic"):
        blocks.append(Paragraph(plain(english)))
    for key, title, language in (
        ("logic", "Logic", ""),
        ("manchester", "OWL class", "owl"),
        ("sparql", "SPARQL that selects exactly these vertices", "sparql"),
    ):
        if fields.has(key):
            blocks.append(code(fields.text(key), title, language))
    reason = fields.maybe(fields.text, "why_no_sparql")
    if reason is not None and fields.has("logic"):
        blocks.append(Paragraph(f"No SPARQL query: {reason}.", "note"))
    return blocks


def code(text: str, title: str, language: str = "") -> Code:
    """A text to copy; what is too long to read is cut, and says so."""
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…\n({len(text):,} characters; --json has all of them)"
    return Code(text, title, language)


def plain(english: str) -> str:
    """A sentence without the marks around relations that the terminal shows."""
    return english.replace("`", "")
