"""How a formula is said: logic, English, SPARQL, and Manchester syntax for OWL.

Every language is a function of a formula and a `Setting` (the graph and the test), and gives a
`Wording`: a text, or the reason why the language has no words for the formula.
"""

from wlkg.analysis.explanation.languages.english import english, english_graphs, english_pair
from wlkg.analysis.explanation.languages.logic import logic
from wlkg.analysis.explanation.languages.manchester import manchester
from wlkg.analysis.explanation.languages.sparql import sparql
from wlkg.analysis.explanation.languages.table import LANGUAGES, Language
from wlkg.analysis.explanation.languages.wording import Setting, Wording

__all__ = [
    "LANGUAGES",
    "Language",
    "Setting",
    "Wording",
    "english",
    "english_graphs",
    "english_pair",
    "logic",
    "manchester",
    "sparql",
]
