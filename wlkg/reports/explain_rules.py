"""What a model has learned, as data and as text."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from typing import Any

from rich.table import Table
from rich.text import Text

from wlkg.analysis.explanation.formulas import FALSE, Formula, document, program
from wlkg.analysis.explanation.languages.english import english
from wlkg.analysis.explanation.languages.logic import logic
from wlkg.analysis.explanation.languages.sparql import sparql
from wlkg.analysis.explanation.languages.wording import Setting, Wording
from wlkg.analysis.explanation.learned.rules import (
    ClassRule,
    Disagreement,
    ModelExplanation,
    RuleSet,
)
from wlkg.catalogue import find_test
from wlkg.reports.explain_words import report_setting
from wlkg.reports.names import in_sentence
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import bar, console, new_table, printable
from wlkg.text import counted

#: Larger formulas are given as logic only, and the largest are not printed at all.
_LARGEST_IN_ENGLISH = 12
_LARGEST_SHOWN = 150


def setting_of(explanation: ModelExplanation, prefixes: Mapping[str, str] | None = None) -> Setting:
    """What the formulas are worded with."""
    return report_setting(explanation.graph, find_test(explanation.test), prefixes)


def rules_document(explanation: ModelExplanation, setting: Setting) -> dict[str, Any]:
    """What ``wlkg explain --json`` prints about predictions."""
    return {
        "test": explanation.test,
        "direction": explanation.direction,
        "round": explanation.round,
        "vertices": explanation.vertices,
        "vertex_classes": explanation.items,
        "fidelity": explanation.fidelity,
        "size": explanation.shown.size,
        "on": dict(explanation.shown.on),
        "classes": [_class(rule, setting) for rule in explanation.shown.classes],
        "curve": [_point(rules) for rules in explanation.curve],
        "bound_holds": explanation.bound_holds,
        "disagreement": _difference(explanation),
    }


def _class(rule: ClassRule, setting: Setting) -> dict[str, Any]:
    query = sparql(rule.formula, setting)
    nested = document(rule.formula)
    content: dict[str, Any] = {
        "label": rule.label,
        "vertices": rule.vertices,
        "size": rule.size,
        "depth": rule.formula.depth,
        "formula": nested,
        "sparql": query.text,
        "logic": logic(rule.formula, setting).text,
    }
    if nested is None:
        content["program"] = program(rule.formula)
    if query.why_not is not None:
        content["sparql_why_not"] = query.why_not
    return content


def _point(rules: RuleSet) -> dict[str, Any]:
    sizes = {rule.label: rule.size for rule in rules.classes}
    return {"fidelity": rules.fidelity, "size": rules.size, "sizes": sizes, "on": dict(rules.on)}


def _difference(explanation: ModelExplanation) -> dict[str, Any] | None:
    disagreement = explanation.disagreement
    if disagreement is None:
        return None
    names = explanation.graph.vertex_names
    return {
        "vertices": [names[v] for v in disagreement.vertices],
        "labels": list(disagreement.labels),
        "classes": disagreement.classes,
        "members": disagreement.members,
    }


def print_rules(
    name: str, explanation: ModelExplanation, setting: Setting, *, labels: bool = False
) -> None:
    """The formula of each class, the curve, and where the test does not determine the classes.

    ``labels`` says that labels are explained, not the predictions of a model.
    """
    out, shown = console(), explanation.shown
    one, many = ("label", "labels") if labels else ("prediction", "predictions")
    out.print(heading(printable(name)))
    out.print(
        f"{counted(explanation.vertices, one, many)} in"
        f" {counted(explanation.items, 'class', 'classes')} of {explanation.test}, direction"
        f" {explanation.direction}, after round {explanation.round}"
    )
    left_out = explanation.graph.num_vertices - explanation.vertices
    if left_out:
        without = counted(left_out, "vertex has", "vertices have")
        out.print(remark(f"{without} no {one} and may satisfy any formula"))
    if explanation.disagreement is None:
        out.print(
            f"The {many} are a function of these classes, so formulas of depth"
            f" {explanation.round} can be exact."
        )
    else:
        _print_disagreement(explanation, explanation.disagreement, setting, labels=labels)
    right = round(shown.fidelity * explanation.vertices)
    out.print(
        f"Fidelity {_percent(shown.fidelity)}: the formulas are right about {right:,} of"
        f" {explanation.vertices:,}, each vertex checked; size {shown.size:,}."
    )
    for split, share in shown.on.items():
        out.print(f"Fidelity on {printable(split)}: {_percent(share)}")
    for rule in shown.classes:
        _print_class(rule, setting)
    if len(explanation.curve) > 1:
        out.print()
        out.print(_curve_table(explanation))
        out.print(remark("--fidelity 0.95 shows the rules of another line"))


def _percent(share: float) -> str:
    """A share; what is not all of it never looks like 100 %."""
    return "100 %" if share == 1 else f"{min(100 * share, 99.99):.2f} %"


def _print_disagreement(
    explanation: ModelExplanation, disagreement: Disagreement, setting: Setting, *, labels: bool
) -> None:
    out = console()
    classes = counted(disagreement.classes, "class has", "classes have")
    one, many = ("label", "labels") if labels else ("prediction", "predictions")
    cause = "" if labels else f" The model sees something that {explanation.test} does not."
    members = counted(disagreement.members, "vertex", "vertices")
    out.print(
        f"{classes} several {many}, for {members}.{cause}"
        f" The most frequent {one} of each class is explained."
    )
    for vertex, label in zip(disagreement.vertices, disagreement.labels, strict=True):
        text = in_sentence(setting.names.vertex(vertex), out)
        out.print(f"  {text}: {in_sentence(label, out)}", soft_wrap=True)


def _print_class(rule: ClassRule, setting: Setting) -> None:
    out = console()
    out.print()
    count = counted(rule.vertices, "vertex", "vertices")
    label = in_sentence(rule.label, out)
    out.print(Text.assemble((label, "bold"), f"  {count}, size {rule.size:,}"), soft_wrap=True)
    for line in _worded(rule.formula, setting):
        out.print(_filled(line, out.columns - 2), soft_wrap=True)


def _filled(line: str, width: int) -> str:
    """A line broken at spaces, indented; names stay in one piece."""
    return textwrap.fill(
        line,
        width,
        initial_indent="  ",
        subsequent_indent="    ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _worded(formula: Formula, setting: Setting) -> list[str]:
    if formula is FALSE:
        return ["no vertex: these rules leave the class out"]
    if formula.size > _LARGEST_SHOWN:
        return ["too large to read: --json writes it, a lower --fidelity gives a smaller one"]
    texts = [logic(formula, setting)]
    if formula.size <= _LARGEST_IN_ENGLISH:
        texts.append(english(formula, setting))
    return [line for wording in texts for line in _lines(wording)]


def _lines(wording: Wording) -> list[str]:
    return [printable(line) for line in (wording.text or "").splitlines()]


def _curve_table(explanation: ModelExplanation) -> Table:
    table = new_table(console())
    table.add_column("fidelity", justify="right", no_wrap=True)
    for split in explanation.shown.on:
        table.add_column(printable(split), justify="right", no_wrap=True)
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("")
    most = max(rules.size for rules in explanation.curve)
    for rules in reversed(explanation.curve):
        shares = [rules.fidelity, *rules.on.values()]
        mark = Text(" shown" if rules is explanation.shown else "")
        row = [*map(_percent, shares), f"{rules.size:,}"]
        table.add_row(*row, bar(rules.size / most, 30) + mark)
    return table
