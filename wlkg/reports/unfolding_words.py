"""The words of unfolding trees, for the terminal and for pictures."""

from __future__ import annotations

from wlkg.analysis.explanation.formulas import Relation
from wlkg.analysis.explanation.languages import Setting
from wlkg.analysis.explanation.languages.english import english_phrase
from wlkg.analysis.explanation.languages.phrases import (
    Neighbours,
    Phrase,
    bracketed,
    neighbours,
    shown,
)
from wlkg.analysis.explanation.unfolding import Level, Look, Unfolding
from wlkg.reports.terminal import printable

#: Longer phrases are not repeated in the tree: what they say is unfolded below.
_LONGEST_PHRASE = 110
_LARGEST_PHRASE = 20


def vertex_words(look: Look, setting: Setting, width: int = 60) -> str:
    """The name of a vertex, and its label if it has one."""
    whole = setting.longest_name is None
    label = "" if look.label is None else f", labelled `{shown(look.label, None if whole else 30)}`"
    return printable(shown(setting.names.vertex(look.vertex), None if whole else width) + label)


def relation_words(relation: Relation, count: int, setting: Setting) -> str:
    """A number of neighbours: "2 `worksFor` neighbours", "object of 1 `author` triple"."""
    who = neighbours(relation, setting)
    number = f"{count:,}" if count else "no"
    lead = "object of " if relation.inverse else ""
    return printable(f"{lead}{number} {who.noun[count > 1]}")


def branch_words(level: Level, look: Look, setting: Setting) -> str | None:
    """What decides at a vertex, with its numbers; None if it is not about neighbours."""
    part = level.decides
    if part.relation is None:
        return None
    if part.op == "loop":
        return printable(english_phrase(part, setting).one) if look.holds else "no such loop"
    text = relation_words(part.relation, look.neighbours, setting)
    counted = level.counted
    if counted is None or counted.op == "true" or not look.neighbours:
        return text
    phrase = Phrase("fits", "fit")
    if counted.size <= _LARGEST_PHRASE:
        phrase = english_phrase(counted, setting)
        if len(phrase.many) > _LONGEST_PHRASE:
            phrase = Phrase("fits", "fit")
    return printable(
        text + _share_words(look, bracketed(phrase), neighbours(part.relation, setting))
    )


def _share_words(look: Look, phrase: Phrase, who: Neighbours) -> str:
    """Which of the neighbours satisfy what is counted."""
    good, total = look.satisfying, look.neighbours
    if total == 1:
        return f"{' ' if good else ', but not one '}{who.that[0]} {phrase.one}"
    if good in (0, total):
        return f", {'all' if good else 'none'} {who.of_which} {phrase.many}"
    return f", {good:,} {who.that[good > 1]} {phrase.many if good > 1 else phrase.one}"


def below_words(look: Look, *, satisfies: bool) -> str:
    """How the neighbour that is unfolded was chosen."""
    if look.neighbours == 1:
        return "this one"
    if satisfies:
        return "this one" if look.satisfying == 1 else f"one of these {look.satisfying:,}"
    rest = look.neighbours - look.satisfying
    return "the other one" if rest == 1 else f"one of the {rest:,} others"


def other_words(look: Look, setting: Setting) -> list[str]:
    """The other relations of a vertex, which are not unfolded."""
    words = [relation_words(relation, count, setting) for relation, count in look.others]
    if look.more_relations:
        words.append(f"{look.more_relations:,} more relations" if look.more_relations > 1 else
                     "1 more relation")  # fmt: skip
    return words


def cut_words(unfolding: Unfolding) -> str | None:
    """What was left out at the bottom."""
    if not unfolding.left_out:
        return None
    levels = "1 more level" if unfolding.left_out == 1 else f"{unfolding.left_out:,} more levels"
    return f"... {levels}"
