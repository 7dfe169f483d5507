r"""Text and tables as Markdown, in which no name of a graph becomes markup.

Any ASCII punctuation may follow a backslash, and stands for itself. What is escaped is what begins
emphasis, code, links, tags, entities, tables or mathematics somewhere in a line, and headings,
lists and quotes at its beginning. Control characters, line breaks among them, become visible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from wlkg.text import printable
from wlkg.typesetting.text_table import TextTable

_special = re.compile(r"[\\`*<>|\[\]~$]|&(?=[#A-Za-z])|(?<![^\W_])_|_(?![^\W_])")
_beginning = re.compile(r"^(\s*)(#|\+|-|=)|^(\s*\d+)([.)])(?=\s|$)")


def escaped(text: str) -> str:
    r"""A text that is no markup.

    >>> print(escaped("a|b `c` <i> x_1 _y_ 1*2"))
    a\|b \`c\` \<i\> x_1 \_y\_ 1\*2
    """
    return _special.sub(lambda match: f"\\{match[0]}", printable(text))


def paragraph(text: str) -> str:
    r"""Lines of text that are no markup, as one paragraph.

    >>> print(paragraph("# no heading\n1. no list"))
    \# no heading\
    1\. no list
    """
    lines = (escaped(line).strip() for line in text.splitlines())
    return "\\\n".join(_beginning.sub(_marked, line) for line in lines if line)


def _marked(match: re.Match[str]) -> str:
    if match[2] is not None:
        return f"{match[1]}\\{match[2]}"
    return f"{match[3]}\\{match[4]}"


def code(text: str, language: str = "") -> str:
    """A block of code, fenced by more backticks than it has in a row."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    lines = (printable(line.expandtabs(4)) for line in text.splitlines())
    return "\n".join([f"{fence}{language}", *lines, fence])


def table(content: TextTable, level: int = 3) -> str:
    """A table under a heading, with remarks below it."""
    marks = ["---:" if is_number else "---" for is_number in content.is_number]
    lines = [f"{'#' * level} {escaped(content.title)}", "", _row(map(escaped, content.titles))]
    lines += [_row(marks), *(_row(map(escaped, row)) for row in content.rows)]
    for note in content.notes:
        lines += ["", paragraph(note)]
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
