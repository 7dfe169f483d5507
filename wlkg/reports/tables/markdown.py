"""A section as Markdown: its text, tables and code; charts and drawings are for pages."""

from __future__ import annotations

from collections.abc import Sequence

from wlkg.reports.blocks import Block, Code, Details, Paragraph, Section, Table
from wlkg.reports.tables.texts import text_table
from wlkg.typesetting import markdown as md


def markdown(section: Section) -> str:
    """The text and tables of a section."""
    parts = [f"## {md.escaped(section.title)}", *_blocks(section.blocks, level=3)]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def markdown_document(sections: Sequence[Section], title: str | None = None) -> str:
    """Several sections, under a title if there is one."""
    parts = [] if title is None else [f"# {md.escaped(title)}\n"]
    return "\n".join([*parts, *map(markdown, sections)])


def _blocks(blocks: Sequence[Block], level: int) -> list[str]:
    return [part for block in blocks for part in _block(block, level)]


def _block(block: Block, level: int) -> list[str]:
    if isinstance(block, Paragraph):
        return [_paragraph(block)]
    if isinstance(block, Table):
        return [md.table(text_table(block), level)]
    if isinstance(block, Code):
        title = [f"{md.paragraph(block.title)}:"] if block.title else []
        return [*title, md.code(block.text, block.language)]
    if isinstance(block, Details):
        inside = _blocks(block.blocks, level + 1)
        return [f"{'#' * level} {md.escaped(block.title)}", *inside] if inside else []
    return []


def _paragraph(block: Paragraph) -> str:
    """Answers are bold, and warnings say that they are."""
    text = md.paragraph(block.text)
    if block.kind == "verdict":
        return f"**{text}**"
    return f"**Note:** {text}" if block.kind == "warning" else text
