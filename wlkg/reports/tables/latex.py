"""A section as LaTeX: its text, tables and code, for use with the package booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from wlkg.reports.blocks import Block, Code, Details, Paragraph, Section, Table
from wlkg.reports.tables.texts import label_of, text_table
from wlkg.typesetting import latex as tex

_HEAD = "".join(f"% \\usepackage{{{package}}}\n" for package in tex.PACKAGES)


def latex(section: Section) -> str:
    """The text and tables of a section, to be included in a document."""
    title = tex.escaped(section.title)
    parts = [f"\\section{{{title}}}", *_blocks(section.blocks, section.title, count(1))]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def latex_document(sections: Sequence[Section], title: str | None = None) -> str:
    """Several sections, and what a document has to load for them."""
    parts = [_HEAD] if title is None else [f"% {tex.escaped(title)}\n{_HEAD}"]
    return "\n".join([*parts, *map(latex, sections)])


def _blocks(blocks: Sequence[Block], section: str, number: Iterator[int]) -> list[str]:
    return [part for block in blocks for part in _block(block, section, number)]


def _block(block: Block, section: str, number: Iterator[int]) -> list[str]:
    if isinstance(block, Paragraph):
        return [_paragraph(block)]
    if isinstance(block, Table):
        label = label_of(section, str(next(number)))
        return [tex.table(text_table(block, label))] if block.rows else []
    if isinstance(block, Code):
        title = [f"\\noindent {tex.escaped(block.title)}:"] if block.title else []
        return [*title, tex.code(block.text)]
    if isinstance(block, Details):
        inside = _blocks(block.blocks, section, number)
        return [f"\\paragraph{{{tex.escaped(block.title)}}}", *inside] if inside else []
    return []


def _paragraph(block: Paragraph) -> str:
    text = tex.paragraph(block.text)
    if block.kind == "verdict":
        return f"\\noindent\\textbf{{{text}}}"
    return f"\\noindent\\emph{{Note:}} {text}" if block.kind == "warning" else text
