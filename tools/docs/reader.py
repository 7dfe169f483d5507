"""A reader who follows a page of the documentation, in the current folder and in this process."""

from __future__ import annotations

import doctest
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tools.docs.consoles import Command, GivenFile, Session, Step
from wlkg.cli import app

#: Statuses of answers; a page that shows another one prints it with ``echo $?``.
ANSWERS = (0, 1)


@dataclass(frozen=True)
class Outcome:
    """What a command printed, without and with messages, and how it ended."""

    stdout: str
    everything: str
    status: int

    def shows(self, command: Command) -> bool:
        """Whether the page shows this output, or none."""
        shown = not command.output or command.printed(self.stdout)
        return shown or command.printed(self.everything)


class Reader:
    """Does one step after the other and remembers what a shell and an interpreter would."""

    def __init__(self) -> None:
        self.status = 0
        self.names: dict[str, Any] = {"__name__": "__main__"}

    def write(self, file: GivenFile) -> None:
        place = Path(file.name)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(file.content, encoding="utf-8")

    def run(self, command: Command) -> Outcome:
        """Run ``wlkg ...``, also with ``> FILE``, ``cat FILE`` or ``echo $?``."""
        if command.line == "echo $?":
            text = f"{self.status}\n"
            return Outcome(text, text, 0)
        words = shlex.split(command.line)
        if words[0] == "cat":
            text = "".join(Path(name).read_text(encoding="utf-8") for name in words[1:])
            return Outcome(text, text, 0)
        assert words[0] == "wlkg", f"only wlkg, cat and echo $? are understood: {command.line}"
        target = words[words.index(">") + 1] if ">" in words else None
        result = CliRunner().invoke(app, words[1 : words.index(">")] if target else words[1:])
        self.status = result.exit_code
        if target is not None:
            Path(target).write_text(result.stdout, encoding="utf-8")
            return Outcome("", result.stderr, result.exit_code)
        return Outcome(result.stdout, result.output, result.exit_code)

    def talk(self, session: Session) -> str:
        """Run Python; the answer says what differs from the page, and is empty if nothing does."""
        test = doctest.DocTestParser().get_doctest(session.text, self.names, "page", None, None)
        said: list[str] = []
        flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
        runner = doctest.DocTestRunner(optionflags=flags, verbose=False)
        runner.run(test, out=said.append, clear_globs=False)
        self.names = test.globs
        return "".join(said)


def complaint(reader: Reader, step: Step, *, last: bool) -> str:
    """What is wrong with a step of a page, or nothing; ``last``: no ``echo $?`` comes after it."""
    if isinstance(step, GivenFile):
        reader.write(step)
        return ""
    if isinstance(step, Session):
        return reader.talk(step)
    outcome = reader.run(step)
    if last and outcome.status not in ANSWERS:
        return f"$ {step.line}\nended with {outcome.status}:\n{outcome.everything}"
    if not outcome.shows(step):
        return f"$ {step.line}\nprints:\n{outcome.everything}\nbut the page shows:\n{step.output}"
    return ""
