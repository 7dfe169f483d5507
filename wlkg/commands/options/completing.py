"""What a shell completes: names from the tables of the project, built-in graphs, and files.

A shell completes files by itself wherever the program offers nothing, so options that take files
need no entry here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from wlkg.catalogue import FOUNDATION_MODELS, PAIR_TESTS, TESTS, TUPLE_TESTS

Completion = Callable[[str], list[str]]

_EXAMPLE = "example:"
#: The lengths of tuples that are offered.
_LENGTHS = (2, 3)


def one_of(names: Iterable[str]) -> Completion:
    """Completes one of the names."""
    known = tuple(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in known if name.startswith(incomplete)]

    return complete


def _tests() -> list[str]:
    lengths = (name.replace("K", str(k)) for k in _LENGTHS for name in TUPLE_TESTS)
    return [*TESTS, *PAIR_TESTS, *lengths]


complete_test = one_of(_tests())
complete_link_test = one_of([*_tests(), *FOUNDATION_MODELS])


def complete_graph(incomplete: str) -> list[str]:
    """Completes ``example:NAME`` once it is begun; before that, the shell completes files."""
    if not incomplete or not (_EXAMPLE.startswith(incomplete) or incomplete.startswith(_EXAMPLE)):
        return []
    from wlkg.examples import EXAMPLES

    examples = [f"{_EXAMPLE}{name}" for name in EXAMPLES]
    return one_of([*examples, *_files(incomplete)])(incomplete)


def complete_example(incomplete: str) -> list[str]:
    """Completes the name of a built-in graph."""
    from wlkg.examples import EXAMPLES

    return one_of(EXAMPLES)(incomplete)


def _files(beginning: str) -> list[str]:
    """The files here whose names begin so: beside examples, the shell would not offer them."""
    from pathlib import Path

    return sorted(path.name for path in Path().iterdir() if path.name.startswith(beginning))


def complete_family(incomplete: str) -> list[str]:
    """Completes the name of a family of counterexamples."""
    from wlkg.analysis.counterexample import LIFT
    from wlkg.examples import FAMILIES

    return one_of([*FAMILIES, LIFT])(incomplete)


def complete_generated(incomplete: str) -> list[str]:
    """Completes the name of a family of graphs that can be generated."""
    from wlkg.generation.generate import FAMILIES

    return one_of(FAMILIES)(incomplete)


def complete_format(incomplete: str) -> list[str]:
    """Completes the name of a format that can be read."""
    from wlkg.readers.formats import FORMATS

    return one_of(FORMATS)(incomplete)


def complete_written_format(incomplete: str) -> list[str]:
    """Completes the name of a format that can be written."""
    from wlkg.writers.formats import WRITERS

    return one_of(WRITERS)(incomplete)
