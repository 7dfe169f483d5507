"""English verb phrases: "has at least 2 `worksFor` neighbours", for one vertex and for several."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from wlkg.analysis.explanation.formulas import Relation
from wlkg.analysis.explanation.languages.wording import Setting

#: ``simple``: can be joined with others as it is; ``clause``: ends in a relative clause, which
#: would swallow what follows; ``and``, ``or``: joined already.
Shape = Literal["simple", "clause", "and", "or"]


@dataclass(frozen=True)
class Phrase:
    """A verb phrase, with the verb for one vertex and for several."""

    one: str
    many: str
    shape: Shape = "simple"
    #: The verb of a count, for one vertex and for several: phrases with the same verb share it.
    verb: tuple[str, str] | None = None


@dataclass(frozen=True)
class Neighbours:
    """How the neighbours under a relation are spoken of."""

    #: With the verb for one vertex and for several.
    has: tuple[str, str]
    has_not: tuple[str, str]
    noun: tuple[str, str]
    #: What stands between the noun and a phrase about one neighbour, or several.
    that: tuple[str, str]
    #: The same before "A1", the name of a set.
    within: tuple[str, str]
    #: "at least 2/3 ..." when the relation has just been named, and when it has not.
    of_which: str
    of_them: str


_HAS = ("has", "have")
_HAS_NOT = ("does not have", "do not have")


def neighbours(relation: Relation, setting: Setting) -> Neighbours:
    """How the neighbours under a relation are spoken of."""
    if relation.name is None and setting.counts_arcs:
        return Neighbours(
            has=_HAS,
            has_not=_HAS_NOT,
            noun=("arc", "arcs"),
            that=("to a vertex that", "to vertices that"),
            within=("to a vertex in", "to vertices in"),
            of_which="of which lead to vertices that",
            of_them="of them lead to vertices that",
        )
    if relation.inverse:
        name = quoted(setting.names.relation(relation.name or ""))
        return Neighbours(
            has=("is the object of", "are the object of"),
            has_not=("is not the object of", "are not the object of"),
            noun=(f"{name} triple", f"{name} triples"),
            that=("whose subject", "whose subjects"),
            within=("whose subject is in", "whose subjects are in"),
            of_which="of whose subjects",
            of_them="of the subjects",
        )
    noun = "neighbour"
    if relation.name is not None:
        noun = f"{quoted(setting.names.relation(relation.name))} neighbour"
    return Neighbours(
        has=_HAS,
        has_not=_HAS_NOT,
        noun=(noun, f"{noun}s"),
        that=("that", "that"),
        within=("in", "in"),
        of_which="of which",
        of_them="of them",
    )


def quoted(name: str) -> str:
    """A name in backquotes; with a backquote in it, in double ones."""
    return f"`{name}`" if "`" not in name else f"``{name}``"


def bracketed(phrase: Phrase) -> Phrase:
    """The phrase in brackets, if it is joined from several."""
    if phrase.shape not in ("and", "or"):
        return phrase
    return Phrase(f"({phrase.one})", f"({phrase.many})")


def counted_phrase(
    who: Neighbours, amount: str, number: int, below: str, *, negated: bool = False
) -> Phrase:
    """Verb, amount and noun, such as "has at least 2 neighbours that ..."; 1 is singular."""
    verbs = who.has_not if negated else who.has
    noun = who.noun[number != 1]
    texts = [f"{verb} {amount} {noun}{below}" for verb in verbs]
    return Phrase(texts[0], texts[1], "clause" if below else "simple", verbs)


def at_least_words(count: int, *, negated: bool) -> tuple[str, int]:
    """An amount such as "at least 2", and the number that decides between singular and plural."""
    if not negated:
        return f"at least {count:,}", count
    if count == 1:
        return "no", 1
    return ("at most 1", 1) if count == 2 else (f"fewer than {count:,}", count)


def share_words(share: Fraction, op: str, *, negated: bool) -> str:
    """The words before "of them"."""
    fraction = f"{share.numerator}/{share.denominator}"
    if share == 1:
        return "not all" if negated else "all"
    if op == "share_exactly" and share == 0:
        return "some" if negated else "none"
    if op == "share_exactly":
        return f"{'not ' if negated else ''}exactly {fraction}"
    return f"{'fewer than' if negated else 'at least'} {fraction}"


def joined(op: Literal["and", "or"], parts: list[Phrase]) -> Phrase:
    """Phrases joined by "and" or "or", each in brackets where it could be misread."""
    inside = [
        Phrase(f"({part.one})", f"({part.many})") if part.shape not in ("simple", op) else part
        for part in parts
    ]
    grouped = _with_one_verb(op, inside)
    ones, manys = [part.one for part in grouped], [part.many for part in grouped]
    if len(grouped) in (1, len(inside)):
        return Phrase(listed(op, ones), listed(op, manys), op)
    # Some of the texts are lists themselves.
    one, many = (f"{', '.join(texts[:-1])}, {op} {texts[-1]}" for texts in (ones, manys))
    return Phrase(one, many, op)


def _with_one_verb(op: str, parts: list[Phrase]) -> list[Phrase]:
    """Simple counts with the same verb said with one verb: "has 1 `r` neighbour and no ..."."""
    groups: dict[object, list[Phrase]] = {}
    for i, part in enumerate(parts):
        counts = part.shape == "simple" and part.verb is not None
        groups.setdefault(part.verb if counts else i, []).append(part)
    if len(groups) == len(parts):
        return parts
    merged = []
    for first, *others in groups.values():
        if not others:
            merged.append(first)
            continue
        assert first.verb is not None
        verb = first.verb
        rest = [part.one.removeprefix(verb[0]).strip() for part in (first, *others)]
        text = listed(op, rest)
        merged.append(Phrase(f"{verb[0]} {text}", f"{verb[1]} {text}"))
    return merged


def shown(name: str, width: int | None = 60) -> str:
    """A name, cut in the middle if it is long, as literals may be; whole if there is no width."""
    if width is None or len(name) <= width:
        return name
    half = (width - 1) // 2
    return f"{name[:half]}…{name[-half:]}"


def listed(op: str, texts: list[str]) -> str:
    """Texts as a list in a sentence: "a", "a and b", "a, b and c"."""
    if len(texts) == 1:
        return texts[0]
    return f"{', '.join(texts[:-1])} {op} {texts[-1]}"
