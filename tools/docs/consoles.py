"""What a page of the documentation asks its reader to do: files, commands and Python, in order.

====================================  =========================================================
in the page                           means
====================================  =========================================================
a block of ``console``                lines with ``$`` are commands, the others their output;
                                      a line ``...`` stands for any lines
a block with ``title="NAME"``         a file of that name with that content
a block of ``pycon``                  Python with its answers, as in a doctest
anything else                         is only read
====================================  =========================================================
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, field

_BLOCK = re.compile(
    r"^(?P<indent> *)```(?P<language>\w+)(?P<about>[^\n]*)\n(?P<body>.*?)^(?P=indent)```$",
    re.MULTILINE | re.DOTALL,
)
_TITLE = re.compile(r'title="([^"]+)"')


@dataclass(frozen=True)
class GivenFile:
    """A file whose content the page shows."""

    name: str
    content: str


@dataclass(frozen=True)
class Command:
    """A command and the output that the page shows; empty if it shows none."""

    line: str
    output: str
    #: The line as the page has it, perhaps continued with backslashes.
    written: str = field(default="", compare=False)

    def printed(self, text: str) -> bool:
        """Whether this text is what the page shows."""
        return re.fullmatch(pattern(self.output), comparable(text)) is not None


@dataclass(frozen=True)
class Session:
    """Python with its answers."""

    text: str


Step = GivenFile | Command | Session


def steps(page: str) -> Iterator[Step]:
    """What the page asks for, in order."""
    for block in _BLOCK.finditer(page):
        body = textwrap.dedent(block["body"])
        title = _TITLE.search(block["about"])
        if title is not None:
            yield GivenFile(title[1], body)
        elif block["language"] == "console":
            yield from commands(body)
        elif block["language"] == "pycon":
            yield Session(body)


def commands(console: str) -> Iterator[Command]:
    """The commands of a block, with their outputs; a backslash continues a line."""
    for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
        match = re.match(r"(?:.*\\\n)*.*", part)
        assert match is not None, "matches any text"
        line = re.sub(r"\\\n\s*", "", match[0]).strip()
        yield Command(line, part[match.end() + 1 :], match[0])


def pattern(output: str) -> str:
    """A regular expression; a line ``...`` stands for any lines."""
    lines = (
        r"(?:.*\n)*?" if line == "..." else re.escape(line) + "\n"
        for line in comparable(output).splitlines()
    )
    return "".join(lines)


def comparable(text: str) -> str:
    """Without times, rounding errors and what training reaches: they differ between machines."""
    text = re.sub(r" +$", "", text, flags=re.MULTILINE)
    text = re.sub(r"^.*\b\d+\.\d+ s$\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"\d\.\de[+-]\d\d", "1.0e+00", text)
    text = re.sub(r"(last epoch|best epoch|by validation) +\d.*$", r"\1", text, flags=re.MULTILINE)
    return re.sub(r"\d+\.\d+ m?s per epoch", "1.00 ms per epoch", text)
