"""The table of languages, for commands, documentation and tests."""

from __future__ import annotations

from collections.abc import Callable

from wlkg.analysis.explanation.formulas import Formula
from wlkg.analysis.explanation.languages.english import english
from wlkg.analysis.explanation.languages.logic import logic
from wlkg.analysis.explanation.languages.manchester import manchester
from wlkg.analysis.explanation.languages.sparql import sparql
from wlkg.analysis.explanation.languages.wording import Setting, Wording

Language = Callable[[Formula, Setting], Wording]

LANGUAGES: dict[str, Language] = {
    "english": english,
    "logic": logic,
    "sparql": sparql,
    "manchester": manchester,
}
