r"""Text and tables as LaTeX, in which no name of a graph becomes a command.

Needs the package booktabs, and longtable for tables that do not fit on a page. All characters that
LaTeX takes for commands or ligatures are replaced, and so are the symbols of logic and control
characters. Other characters stay as they are: pdfLaTeX has most letters, LuaLaTeX has all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from wlkg.text import printable
from wlkg.typesetting.text_table import TextTable

#: What a document has to load.
PACKAGES = ("booktabs", "longtable")
#: Longer tables go over several pages.
_MOST_ROWS = 45
#: Longer texts are broken into lines.
_LONGEST = 34
_SYMBOLS = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "`": r"\textasciigrave{}",
    "\xa0": "~",
    "“": "``",
    "”": "''",
    "–": "--",
    "…": r"\ldots{}",
    "±": r"$\pm$",
    "×": r"$\times$",
    "·": r"$\cdot$",
    "→": r"$\to$",
    "²": r"$^2$",
    "⁻": r"$^-$",
    "≥": r"$\geq$",
    "≤": r"$\leq$",
    "≠": r"$\neq$",
    "⊤": r"$\top$",
    "⊥": r"$\bot$",
    "¬": r"$\neg$",
    "∧": r"$\wedge$",
    "∨": r"$\vee$",
    "∃": r"$\exists$",
    "∀": r"$\forall$",
    "∈": r"$\in$",
}
#: Hyphens, quotes and commas that would melt into one sign.
_ligature = re.compile(r"(?<=[-,'])(?=[-,'])")


def escaped(text: str) -> str:
    r"""A text that is no command.

    >>> print(escaped(r"50 % of \x_1 & #2, --limit"))
    50 \% of \textbackslash{}x\_1 \& \#2, -{}-limit
    """
    pieces = _ligature.split(printable(text))
    return "{}".join("".join(_SYMBOLS.get(ch, ch) for ch in piece) for piece in pieces)


def paragraph(text: str) -> str:
    """Lines of text."""
    return "\\\\\n".join(escaped(line) for line in text.splitlines() if line.strip())


def code(text: str) -> str:
    """Lines in a typewriter font; not verbatim, which has no symbols of logic."""
    lines = [_code_line(line) for line in text.splitlines()]
    body = "\\\\\n".join(f"  {line}" for line in lines)
    return f"\\begin{{flushleft}}\\ttfamily\\small\n{body}\n\\end{{flushleft}}"


def _code_line(line: str) -> str:
    line = line.expandtabs(4)
    spaces = len(line) - len(line.lstrip(" "))
    return "~" * spaces + _breakable(escaped(line.lstrip(" "))) if line.strip() else "~"


def table(content: TextTable) -> str:
    """A table with its caption, its label, and remarks below it."""
    places = _places(content)
    is_broken = ["p{" in place for place in places]
    head = _row(content.titles, [False] * len(places))
    body = [_row(row, is_broken) for row in content.rows]
    notes = [f"  \\\\[2pt] {{\\footnotesize {escaped(note)}}}" for note in content.notes]
    parts = (content, "".join(places), head, body, notes)
    return _long(*parts) if len(body) > _MOST_ROWS else _floating(*parts)


def _floating(
    content: TextTable, places: str, head: str, body: Sequence[str], notes: Sequence[str]
) -> str:
    lines = [
        "\\begin{table}[ht]",
        "  \\centering",
        f"  {_caption(content)}",
        f"  \\begin{{tabular}}{{{places}}}",
        *("    \\toprule", head, "    \\midrule", *body, "    \\bottomrule"),
        "  \\end{tabular}",
        *notes,
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _long(
    content: TextTable, places: str, head: str, body: Sequence[str], notes: Sequence[str]
) -> str:
    lines = [
        f"\\begin{{longtable}}{{{places}}}",
        f"  {_caption(content)} \\\\",
        *("    \\toprule", head, "    \\midrule", "    \\endhead", *body, "    \\bottomrule"),
        "\\end{longtable}",
        *(f"\\noindent {note.removeprefix('  ').removeprefix(_NEXT_LINE)}" for note in notes),
    ]
    return "\n".join(lines) + "\n"


_NEXT_LINE = "\\\\[2pt] "


def _caption(content: TextTable) -> str:
    label = f"\n  \\label{{tab:{content.label}}}" if content.label else ""
    return f"\\caption{{{escaped(content.title)}}}{label}"


def _places(content: TextTable) -> list[str]:
    """Numbers to the right, short texts to the left, long ones in columns that break lines."""
    columns = zip(*content.rows, strict=True) if content.rows else [()] * len(content.titles)
    is_long = [max(map(len, cells), default=0) > _LONGEST for cells in columns]
    # The others take about a tenth of the line each.
    width = max(0.95 - 0.1 * is_long.count(False), 0.3) / max(sum(is_long), 1)
    return [
        "r" if is_number else f"p{{{width:.2g}\\linewidth}}" if long else "l"
        for is_number, long in zip(content.is_number, is_long, strict=True)
    ]


def _row(cells: Iterable[str], is_broken: Sequence[bool]) -> str:
    texts = [
        _breakable(escaped(cell)) if broken else escaped(cell)
        for cell, broken in zip(cells, is_broken, strict=True)
    ]
    return f"    {' & '.join(texts)} \\\\"


def _breakable(text: str) -> str:
    """A text that may be broken where names have parts."""
    return re.sub(r"(?<=[/:;=])(?=\S)|(?<=\\#)|(?<=\\_)", r"\\allowbreak{}", text)
