"""Formulas in English: what is true of a vertex, of one vertex but not another, of two graphs.

"has at least 2 `worksFor` neighbours that are the object of exactly 1 `author` triple". Negations
are moved inwards, where they become "no", "fewer than" or "is not"; brackets show what belongs
together. A large formula names sets of vertices: "has at least 2 `next` neighbours in A2", followed
by a line for each set.
"""

from __future__ import annotations

from wlkg.analysis.explanation.deciding import deciding_part
from wlkg.analysis.explanation.evaluation import Vertices
from wlkg.analysis.explanation.formulas import Formula, Relation, subformulas
from wlkg.analysis.explanation.languages.logic import without_middle
from wlkg.analysis.explanation.languages.phrases import (
    Neighbours,
    Phrase,
    at_least_words,
    bracketed,
    counted_phrase,
    joined,
    neighbours,
    quoted,
    share_words,
    shown,
)
from wlkg.analysis.explanation.languages.tuples_in_english import tuples_in_english
from wlkg.analysis.explanation.languages.wording import Setting, Wording, definitions
from wlkg.text import counted


def english(formula: Formula, setting: Setting) -> Wording:
    """What a vertex that satisfies the formula "has" or "is": a phrase without a subject.

    For a formula about tuples, a clause about x, y, ...
    """
    if any(part.positions for part in subformulas(formula)):
        return Wording(tuples_in_english(formula, setting))
    speech = _Speech(formula, setting)
    return Wording("\n".join([speech.whole().one, *speech.definitions()]))


def english_pair(
    formula: Formula, vertices: Vertices, v: int, w: int, setting: Setting | None = None
) -> str:
    """Why a formula is true of v and false of w: the part that decides, with its two numbers."""
    setting = setting or Setting(vertices.graph, vertices.test)
    part, holds = deciding_part(formula, v, w, vertices.hold)
    speech = _Speech(part, setting)
    first, second = (shown(setting.names.vertex(u), setting.longest_name) for u in (v, w))
    names = (first, second)
    sentence = _comparison(part, vertices, (v, w), names, speech)
    if sentence is None:
        one, two = speech.phrase(part, holds).one, speech.phrase(part, not holds).one
        sentence = f"{names[0]} {one}; {names[1]} {two}"
    return "\n".join([f"{sentence}.", *speech.definitions()])


def english_graphs(
    formula: Formula, setting: Setting, counts: tuple[int, int], graphs: tuple[str, str]
) -> str:
    """How many vertices, or tuples, of two graphs satisfy a formula."""
    first, second = counts
    there = {0: "is none", 1: "is 1"}.get(second, f"are {second:,}")
    arity = max((p for part in subformulas(formula) for p in part.positions), default=0)
    if arity:
        noun = ("pair (x, y)", "pairs (x, y)") if arity == 2 else ("tuple", "tuples")
        number = f"1 {noun[0]}" if first == 1 else f"{first:,} {noun[1]}"
        clause = tuples_in_english(formula, setting)
        return f"{graphs[0]} has {number} where {clause}; in {graphs[1]} there {there}."
    speech = _Speech(formula, setting)
    whole = speech.whole()
    number = counted(first, "vertex", "vertices") if first else "No vertex"
    said = whole.one if first <= 1 else whole.many
    sentence = f"{number} of {graphs[0]} {said}; in {graphs[1]} there {there}."
    return "\n".join([sentence, *speech.definitions()])


def english_phrase(formula: Formula, setting: Setting) -> Phrase:
    """The phrase of a formula, for one vertex and for several, without definitions."""
    return _Speech(formula, setting).phrase(formula, True)


def is_trivial_share(part: Formula) -> bool:
    """Whether a formula about shares only says that there are neighbours: all of them are true."""
    return part.args[0].op == "true" and (part.op == "share_at_least" or part.share == 1)


class _Speech:
    """The phrases of one formula and its parts."""

    def __init__(self, formula: Formula, setting: Setting) -> None:
        self._formula = formula
        self._setting = setting
        self._named = definitions(formula)
        self._phrases: dict[tuple[Formula, bool], Phrase] = {}
        for part in subformulas(formula):
            for truth in (True, False):
                self._phrases[part, truth] = self._phrase(part, truth)

    def whole(self) -> Phrase:
        """The phrase of the formula; its outermost "and" or "or" needs no brackets."""
        formula = self._formula
        parts = [self.phrase(arg, True) for arg in formula.args]
        if formula.op not in ("and", "or") or all(part.shape == "simple" for part in parts):
            return self.phrase(formula, True)
        ones, manys = ([getattr(p, form) for p in parts] for form in ("one", "many"))
        return Phrase(_apart(formula.op, ones), _apart(formula.op, manys))

    def definitions(self) -> list[str]:
        """A line for each named set."""
        lines = [
            f"{name}: vertices that {self._phrases[part, True].many}"
            for part, name in self._named.items()
        ]
        return without_middle(lines)

    def phrase(self, part: Formula, truth: bool) -> Phrase:
        """The phrase for a part, or for its negation; for a named part, that it is in the set."""
        name = self._named.get(part)
        if name is None:
            return self._phrases[part, truth]
        word = "" if truth else "not "
        return Phrase(f"is {word}in {name}", f"are {word}in {name}")

    def below(self, arg: Formula, who: Neighbours, number: int) -> str:
        """The relative clause about neighbours that satisfy a formula."""
        form = number != 1
        if arg.op == "true":
            return ""
        if arg in self._named:
            return f" {who.within[form]} {self._named[arg]}"
        phrase = bracketed(self.phrase(arg, True))
        return f" {who.that[form]} {phrase.many if form else phrase.one}"

    def _phrase(self, part: Formula, truth: bool) -> Phrase:
        if part.op in ("true", "label", "loop"):
            return _atom_phrase(part, self._setting, "" if truth else "not ")
        if part.op == "not":
            return self.phrase(part.args[0], not truth)
        if part.op in ("and", "or"):
            args = [self.phrase(arg, truth) for arg in part.args]
            return joined("and" if (part.op == "and") == truth else "or", args)
        return (
            self._count_phrase(part, truth)
            if part.share is None
            else self._share_phrase(part, truth)
        )

    def _count_phrase(self, part: Formula, truth: bool) -> Phrase:
        assert part.relation is not None
        assert part.count is not None
        who = neighbours(part.relation, self._setting)
        count, negated = part.count, False
        if part.op == "at_least":
            amount, number = at_least_words(count, negated=not truth)
        elif count == 0:
            amount, number = ("no", 1) if truth else ("at least 1", 1)
        else:
            amount, number, negated = f"exactly {count:,}", count, not truth
        below = self.below(part.args[0], who, number) if part.args else ""
        return counted_phrase(who, amount, number, below, negated=negated)

    def _share_phrase(self, part: Formula, truth: bool) -> Phrase:
        assert part.relation is not None
        assert part.share is not None
        who = neighbours(part.relation, self._setting)
        if is_trivial_share(part):
            return counted_phrase(who, "at least 1" if truth else "no", 1, "")
        words = share_words(part.share, part.op, negated=not truth)
        said = bracketed(self.phrase(part.args[0], True)).many
        if truth:
            texts = [f"{verb} {who.noun[1]}, {words} {who.of_which} {said}" for verb in who.has]
            return Phrase(texts[0], texts[1], "clause")
        texts = [f"{verb} no {who.noun[0]} or {words} {who.of_them} {said}" for verb in who.has]
        return Phrase(texts[0], texts[1], "or")


def _apart(op: str, texts: list[str]) -> str:
    return f"{'; '.join(texts[:-1])}; {op} {texts[-1]}"


def _atom_phrase(part: Formula, setting: Setting, word: str) -> Phrase:
    if part.op == "true":
        return Phrase(f"is {word}a vertex", f"are {word}vertices")
    if part.relation is None:
        return _label_phrase(part.value or "", word)
    return _loop_phrase(part.relation, setting, word)


def _label_phrase(value: str, word: str) -> Phrase:
    if not value:
        return (
            Phrase("has no label", "have no label")
            if not word
            else Phrase("has a label", "have a label")
        )
    return Phrase(f"is {word}labelled {quoted(value)}", f"are {word}labelled {quoted(value)}")


def _loop_phrase(relation: Relation, setting: Setting, word: str) -> Phrase:
    name = "" if relation.name is None else f"{quoted(setting.names.relation(relation.name))} "
    return Phrase(f"is {word}its own {name}neighbour", f"are {word}their own {name}neighbours")


# -- pairs ----------------------------------------------------------------------------------------


def _comparison(
    part: Formula,
    vertices: Vertices,
    pair: tuple[int, int],
    names: tuple[str, str],
    speech: _Speech,
) -> str | None:
    """The numbers of two vertices, where the part counts something."""
    if part.op == "label":
        return _labels(vertices, pair, names)
    if part.relation is None or part.op == "loop":
        return None
    who = neighbours(part.relation, speech._setting)
    every = vertices.degrees(part.relation)[list(pair)].tolist()
    have = every
    if part.args:
        have = vertices.counts(part.relation, vertices.holds(part.args[0]))[list(pair)].tolist()
    if part.share is not None and not is_trivial_share(part):
        return _shares(part, who, names, have, every, speech)
    first, second = have
    below = speech.below(part.args[0], who, first or 1) if part.args else ""
    said = counted_phrase(who, f"{first:,}" if first else "no", first or 1, below).one
    return f"{names[0]} {said}; {names[1]} {who.has[0]} {f'{second:,}' if second else 'none'}"


def _labels(vertices: Vertices, pair: tuple[int, int], names: tuple[str, str]) -> str:
    graph = vertices.graph
    said = []
    for name, v in zip(names, pair, strict=True):
        value = "" if graph.labels is None else graph.label_names[graph.labels[v]]
        said.append(f"{name} {_label_phrase(value, '').one}")
    return "; ".join(said)


def _shares(
    part: Formula,
    who: Neighbours,
    names: tuple[str, str],
    have: list[int],
    every: list[int],
    speech: _Speech,
) -> str:
    said = bracketed(speech.phrase(part.args[0], True))
    texts = []
    for name, good, total in zip(names, have, every, strict=True):
        if not total:
            texts.append(f"{name} {who.has[0]} no {who.noun[0]}")
            continue
        noun = who.noun[total != 1]
        number = "none" if not good else f"{good:,}"
        phrase = said.one if good == 1 else said.many
        texts.append(f"{name} {who.has[0]} {total:,} {noun}, {number} {who.of_which} {phrase}")
    return "; ".join(texts)
