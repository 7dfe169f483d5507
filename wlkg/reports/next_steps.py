"""What a user would want next, by command and outcome: one complete command line.

It goes to standard error, like notes: what is piped or saved is the result alone, and whoever sits
at a terminal sees the line all the same, below the result. ``-q`` leaves it out.

===============  ====================================  ==========================================
after            if                                    next
===============  ====================================  ==========================================
info                                                   refine
refine           some vertices cannot be told apart    classes lists them
classes                                                explain two of a class
                 all can                               pairs that a weaker test does not separate
pairs            there are pairs                       explain the first one
                 there are none                        symmetry
compare          separated                             explain with the weakest test
                 same, not isomorphic                  compare with a stronger test
                 same, isomorphic                      certify
                 same, open                            compare with more time
explain          another test separates                explain with that test
                 separated vertices                    explain the class of the first one
                 separated graphs                      certify
symmetry         a stronger test separates a pair      explain this pair with that test
                 complete                              certify
certify                                                verify
versus           a pair is lost, or violates           explain the pair
                 nothing is lost                       symmetry
witness, train   saved                                 versus with the checkpoint
train            not saved, or links                   ceiling
ceiling          targets of different labels collide   explain two of them
                 none does                             train
                 links: answers tie                    symmetry
predict                                                explain the model
convert                                                info about the new file
generate                                               refine the new file
counterexample                                         its check; then its files
hierarchy        pairs are missed                      a stronger test
===============  ====================================  ==========================================
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.text import Text

from wlkg.reports.presentation import presentation
from wlkg.reports.terminal import console

#: Tests in the order in which they are suggested, each stronger than those before.
_STRONGER = ("1-rwl", "2-rlwl", "2-fwl", "3-rlwl", "3-fwl")
#: Longer names are not worth retyping.
_LONGEST_NAME = 120


@dataclass(frozen=True)
class NextStep:
    """A command, and what it is good for."""

    words: tuple[str, ...]
    purpose: str

    @property
    def command(self) -> str:
        """The line to paste into a shell."""
        return shlex.join(["wlkg", *self.words])

    def __str__(self) -> str:
        return f"next: {self.command} ({self.purpose})"


@dataclass(frozen=True)
class Asked:
    """The graphs that the user named, and the options with which they were read."""

    graphs: tuple[str, ...]
    options: tuple[str, ...] = ()

    def step(
        self, command: str, purpose: str, about: Iterable[str] = (), more: Iterable[str] = ()
    ) -> NextStep | None:
        """A command with the same graphs; None if it could not be run as it stands."""
        names = (*self.graphs, *about)
        if "-" in self.graphs or not all(map(_can_be_typed, names)):
            return None
        return NextStep((command, *names, *self.options, *more), purpose)


def _can_be_typed(name: str) -> bool:
    """Whether a name reads the same on a command line, and is not too long for one."""
    plain = name.isprintable() and not name.startswith("-")
    return bool(name) and plain and len(name) <= _LONGEST_NAME


def end_text(step: NextStep | None, *, status: str | None = None) -> None:
    """End the text of a command: what status 1 means, if it is 1, and the next step."""
    if status is not None:
        sys.stdout.write(f"exit status 1: {status}\n")
    if step is not None and not presentation().quiet:
        sys.stdout.flush()
        console(sys.stderr).print(Text(str(step), style="cyan"), soft_wrap=True)


def stronger_test(tests: Sequence[str]) -> str | None:
    """A test that is stronger than all of these; None if there is none to suggest."""
    places = [_STRONGER.index(test) for test in tests if test in _STRONGER]
    place = max(places, default=-1) + 1
    return _STRONGER[place] if place < len(_STRONGER) else None


def explain_pair(asked: Asked, pair: Sequence[str], test: str, purpose: str) -> NextStep | None:
    """The explanation of two vertices."""
    return asked.step("explain", purpose, about=pair, more=("--test", test))
