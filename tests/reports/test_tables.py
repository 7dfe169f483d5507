"""Markdown and LaTeX: names stay text, numbers stand to the right, and the formats are valid."""

from __future__ import annotations

import re
import string
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.reports.documents import NAMES, Document
from wlkg.reports.blocks import Code, Column, Details, Paragraph, Section, Table
from wlkg.reports.results import Result
from wlkg.reports.sections.registry import section_of
from wlkg.reports.tables.latex import latex, latex_document
from wlkg.reports.tables.markdown import markdown, markdown_document
from wlkg.typesetting import latex as tex
from wlkg.typesetting import markdown as md

Computed = Callable[[str], Document]
HOSTILE = (
    r"a|b `x` <script>alert(1)</script> [l](u) *b* _i_ $x$ \input{/etc/passwd} %"
    "\n# h\x00\u202e"
)
MARKDOWN_TABLE = (
    "| name | count | share |\n| --- | ---: | ---: |\n| x_1 | 1,234 | 50.0 % |\n| a\\|b \\`x\\`"
    " \\<script\\>alert(1)\\</script\\> \\[l\\](u) \\*b\\* \\_i\\_ \\$x\\$"
    " \\\\input{/etc/passwd} %\\\\n# h\\\\x00\\\\u202e |  | 100.0 % |"
)
SECTION = Section(
    "T|itle & <b>",
    (
        Paragraph("All is well.", "verdict"),
        Paragraph("# no heading\n- no list\n1. no list", "warning"),
        Table(
            "Sizes",
            (Column("name"), Column("count", "count"), Column("share", "share")),
            (("x_1", 1234, 0.5), (HOSTILE, None, 1.0)),
            note="--limit lists more.",
        ),
        Details("More", (Code("SELECT `v` ```\n  ?u ≥ 1", "Query", "sparql"),)),
    ),
)


def test_markdown() -> None:
    assert markdown(SECTION).split("\n\n") == [
        "## T\\|itle & \\<b\\>",
        "**All is well.**",
        "**Note:** \\# no heading\\\n\\- no list\\\n1\\. no list",
        "### Sizes",
        MARKDOWN_TABLE,
        "\\--limit lists more.",
        "### More",
        "Query:",
        "````sparql\nSELECT `v` ```\n  ?u ≥ 1\n````\n",
    ]


def test_latex() -> None:
    text = latex(SECTION)
    assert r"\section{T\textbar{}itle \& \textless{}b\textgreater{}}" in text
    assert r"    x\_\allowbreak{}1 & 1,234 & 50.0 \% \\" in text
    assert r"\textbackslash{}input\{/\allowbreak{}etc/\allowbreak{}passwd\}" in text
    assert r"{\footnotesize -{}-limit lists more.}" in text
    assert r"\begin{tabular}{p{0.75\linewidth}rr}" in text
    assert r"?u $\geq$ 1" in text
    assert _is_balanced(text)


def test_documents_have_a_title_and_say_what_they_need() -> None:
    assert markdown_document([SECTION], "All *results*").startswith("# All \\*results\\*\n\n## T")
    assert latex_document([SECTION]).startswith("% \\usepackage{booktabs}\n")


@given(st.text(alphabet=st.characters(codec="utf-8"), max_size=40))
def test_no_text_is_a_latex_command(text: str) -> None:
    """What is left after our own replacements has none of the characters that LaTeX acts on."""
    own = {value for value in tex._SYMBOLS.values() if len(value) > 1}
    rest = tex.escaped(text)
    for value in sorted(own, key=len, reverse=True):
        rest = rest.replace(value, "")
    rest = rest.replace("{}", "")
    assert not set(rest) & set("\\&%$#_{}~^<>|`")
    assert rest.isprintable()


@given(st.text(alphabet=string.printable + "é\u202e", max_size=40))
def test_a_markdown_cell_is_one_cell_and_no_markup(text: str) -> None:
    cell = md.escaped(text)
    assert "\n" not in cell
    plain = re.sub(r"\\[!-/:-@\[-`{-~]", "", cell)
    assert not set(plain) & set("\\`*<>|[]~$")


@pytest.mark.parametrize("name", NAMES)
def test_every_section_becomes_valid_text(name: str, computed: Computed) -> None:
    section = section_of(Result(computed(name)))
    rows = [line for line in markdown(section).splitlines() if line.startswith("|")]
    assert all(line.endswith("|") for line in rows)
    assert _is_balanced(latex(section))


def _is_balanced(text: str) -> bool:
    """Whether every environment and every brace is closed."""
    begun, ended = (re.findall(rf"\\{word}\{{(\w+)\}}", text) for word in ("begin", "end"))
    bare = re.sub(r"\\[{}]", "", text)
    return sorted(begun) == sorted(ended) and bare.count("{") == bare.count("}")


def test_long_tables_go_over_several_pages_and_are_cut() -> None:
    rows = tuple((place,) for place in range(300))
    table = Table("Many", (Column("place", "count"),), rows)
    text = latex(Section("Long", (table,)))
    assert r"\begin{longtable}{r}" in text
    assert "200 of 300 rows" in text
    assert "| 199 |" in markdown(Section("Long", (table,)))
    assert "| 200 |" not in markdown(Section("Long", (table,)))
