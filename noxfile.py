"""One command for each check: ``nox -s lint types tests``; ``nox -l`` lists them.

Each session has a virtual environment of its own. Sessions for a Python that is not installed are
skipped.
"""

from __future__ import annotations

import nox

PYTHONS = ["3.11", "3.12", "3.13"]

nox.options.sessions = ["lint", "types", "tests-3.11"]
nox.options.reuse_existing_virtualenvs = True
nox.options.error_on_missing_interpreters = False


def _install(session: nox.Session, what: str) -> None:
    session.install("-q", "-c", "constraints.txt", "-e", what)


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """All tests; arguments after -- go to pytest, as in ``nox -s tests-3.11 -- tests/graph``."""
    _install(session, ".[test]")
    session.run("pytest", *(session.posargs or ["-n", "2"]))


@nox.session(python=PYTHONS)
def base(session: nox.Session) -> None:
    """The tests on a base install: those of models are skipped."""
    _install(session, ".[dev]")
    session.run("pytest", *(session.posargs or ["-n", "2"]))


@nox.session
def lint(session: nox.Session) -> None:
    """Format and lint."""
    _install(session, ".[dev]")
    session.run("ruff", "format", "--check", ".")
    session.run("ruff", "check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Strict types."""
    _install(session, ".[test]")
    session.run("mypy")


@nox.session
def architecture(session: nox.Session) -> None:
    """Write docs/architecture.md anew."""
    session.run("python", "-m", "tools.architecture")


@nox.session
def docs(session: nox.Session) -> None:
    """Build the documentation into site/."""
    _install(session, ".[docs]")
    session.run("mkdocs", "build", "--strict")


@nox.session
def benchmark(session: nox.Session) -> None:
    """One benchmark, as in ``nox -s benchmark -- refinement``."""
    _install(session, ".[test]")
    session.run("python", "-m", f"benchmarks.{session.posargs[0]}", *session.posargs[1:])
