"""Edge lists: TSV, CSV and whitespace, compared with naive splitting of every line."""

from __future__ import annotations

import csv
import io
import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wlkg
from tests.text_inputs import AWKWARD_NAMES, Triples, block_sizes, tiny_blocks, triples_of
from wlkg.errors import InputError, UsageError, WlkgError

Rows = list[tuple[str, str, str]]


def written(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def names(without: str) -> st.SearchStrategy[str]:
    """Non-empty names without the given characters that are not comments or reserved relations."""
    letters = st.characters(exclude_characters=without, exclude_categories=["Cs"])
    known = [name for name in AWKWARD_NAMES if not set(name) & set(without)]
    words = st.one_of(st.sampled_from(known), st.text(letters, min_size=1, max_size=4))
    return words.filter(lambda name: not name.startswith("#") and not name.endswith("^-1"))


def quoted(name: str, always: bool) -> str:
    """A CSV field according to RFC 4180."""
    doubled = name.replace('"', '""')
    return f'"{doubled}"' if always or set(name) & set(',"\r\n') else name


def rows(without: str) -> st.SearchStrategy[Rows]:
    name = names(without)
    return st.lists(st.tuples(name, name, name), min_size=1, max_size=6)


# -- names come through as they are ---------------------------------------------------------------


@settings(deadline=None, max_examples=150)
@given(rows=rows("\t\r\n"), size=block_sizes, end=st.sampled_from(["\n", "\r\n", "\n\n"]))
@example([('"a', "r", 'b"')], 1, "\n")
def test_tsv_is_split_at_tabs_and_nothing_else(
    scratch: Path, rows: Rows, size: int | None, end: str
) -> None:
    path = written(scratch, "t.tsv", end.join("\t".join(row) for row in rows))
    with tiny_blocks(size):
        assert triples_of(path, header=False) == set(rows)


@settings(deadline=None, max_examples=100)
@given(
    rows=rows(" \t\r\n"),
    size=block_sizes,
    gap=st.sampled_from([" ", "  ", "\t", " \t "]),
    around=st.sampled_from(["", " ", "\t"]),
)
def test_whitespace_is_spaces_and_tabs_and_nothing_else(
    scratch: Path, rows: Rows, size: int | None, gap: str, around: str
) -> None:
    lines = [(around if row[0] != "#" else "") + gap.join(row) + around + "\n" for row in rows]
    path = written(scratch, "t.edges", "".join(lines))
    with tiny_blocks(size):
        assert triples_of(path, header=False) == set(rows)


@settings(deadline=None, max_examples=200)
@given(
    rows=rows(""),
    size=block_sizes,
    end=st.sampled_from(["\n", "\r\n"]),
    plain=st.integers(0, 40),
    always=st.booleans(),
)
@example([('"', ",", "a\nb")], 7, "\n", 40, False)
def test_csv_quotes_protect_commas_quotes_and_line_feeds(
    scratch: Path, rows: Rows, size: int | None, end: str, plain: int, always: bool
) -> None:
    """Quotes in a later block must work like quotes in the first block."""
    text = "".join(f"v{i},r,v{i + 1}{end}" for i in range(plain))
    text += "".join(",".join(quoted(name, always) for name in row) + end for row in rows)
    path = written(scratch, "t.csv", text)
    expected = {tuple(name.replace("\r\n", "\n") for name in row) for row in rows}
    expected |= {(f"v{i}", "r", f"v{i + 1}") for i in range(plain)}
    with tiny_blocks(size):
        assert triples_of(path, header=False) == expected


@settings(deadline=None, max_examples=150)
@given(text=st.text(alphabet='ab,"\r\n#', max_size=25), size=block_sizes)
@example("a\rx,r,b\n", None)
def test_csv_is_what_the_standard_library_says(scratch: Path, text: str, size: int | None) -> None:
    """A file may mix plain blocks and blocks with quotes, for any block size."""
    path = written(scratch, "v.csv", text)

    def verdict() -> Triples | None:
        try:
            return triples_of(path, header=False, comment="")
        except WlkgError:
            return None

    expected: Triples | None
    try:
        lines = io.StringIO(text.replace("\r\n", "\n"), newline="\n")
        rows = [tuple(row) for row in csv.reader(lines, strict=True) if row]
        fine = bool(rows) and all(len(row) == 3 and all(row) for row in rows)
        expected = {(h, r, t) for h, r, t in rows} if fine else None
    except csv.Error:
        expected = None
    with tiny_blocks(size):
        assert verdict() == expected


def test_a_quoted_name_that_starts_like_a_comment_is_a_name(tmp_path: Path) -> None:
    text = '"#a",r,b\n# a comment, "with an open quote\n"c\n# no comment",r,d\n#e,r,f\n'
    graph = wlkg.read(written(tmp_path, "c.csv", text))
    assert set(graph.named_triples()) == {("#a", "r", "b"), ("c\n# no comment", "r", "d")}
    assert graph.notes == (
        "2 lines that start with '#' were skipped as comments (--comment '' reads them)",
    )


@settings(deadline=None, max_examples=40)
@given(rows=rows("\t\r\n"), shuffler=st.randoms())
def test_the_order_of_the_lines_does_not_matter(
    scratch: Path, rows: Rows, shuffler: random.Random
) -> None:
    path = written(scratch, "o.tsv", "\n".join("\t".join(row) for row in rows))
    before = wlkg.read(path, header=False)
    shuffler.shuffle(rows)
    written(scratch, "o.tsv", "\n".join("\t".join(row) for row in rows))
    assert wlkg.read(path, header=False) == before


def test_repeated_triples_are_counted(tmp_path: Path) -> None:
    graph = wlkg.read(written(tmp_path, "d.tsv", "a\tr\tb\na\tr\tb\nb\tr\ta\na\tr\tb\n"))
    assert (graph.num_triples, graph.duplicates) == (2, 2)


def test_numbers_are_ordered_by_value_and_before_other_names(tmp_path: Path) -> None:
    graph = wlkg.read(written(tmp_path, "n.tsv", "10\t2\t9\n010\t10\tx\n100\t1\tA\n"))
    assert list(graph.vertex_names) == ["9", "10", "100", "010", "A", "x"]
    assert graph.relation_names == ("1", "2", "10")


# -- headers, comments, columns -------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    ["head\trelation\ttail", "subject\tpredicate\tobject", "h\tr\tt", "Source\tType\tTarget"],
)
@pytest.mark.parametrize("before", ["", "\n", "# x\n\n# y\n"])
@pytest.mark.parametrize("size", [None, 1])
def test_a_header_is_recognised_and_noted(
    tmp_path: Path, header: str, before: str, size: int | None
) -> None:
    path = written(tmp_path, "h.tsv", f"{before}{header}\na\tr\tb\n")
    with tiny_blocks(size):
        graph = wlkg.read(path)
    assert set(graph.named_triples()) == {("a", "r", "b")}
    number = before.count("\n") + 1
    assert graph.notes[0] == (
        f"line {number} was taken as a header (--no-header reads it as a triple)"
    )
    assert wlkg.read(path, header=False).num_triples == 2


@pytest.mark.parametrize("size", [None, 1])
@pytest.mark.parametrize("name", ["x.tsv", "x.csv", "x.txt", "x.edges"])
def test_a_header_in_another_order_says_which_column_is_which(
    tmp_path: Path, name: str, size: int | None
) -> None:
    comma = "," if name.endswith("csv") else "\t"
    lines = ["# " + "long " * 50, "tail,head,relation", "b,a,r"]
    path = written(tmp_path, name, "\n".join(lines).replace(",", comma))
    with tiny_blocks(size):
        assert triples_of(path) == {("a", "r", "b")}


def test_a_first_line_that_names_no_columns_is_a_triple(tmp_path: Path) -> None:
    assert wlkg.read(written(tmp_path, "n.tsv", "head\tknows\ttail\n")).num_triples == 1
    path = written(tmp_path, "n.tsv", "s t\n")
    assert triples_of(path, columns="head,tail", delimiter=" ") == {("s", "edge", "t")}


def test_a_header_may_be_forced(tmp_path: Path) -> None:
    path = written(tmp_path, "f.tsv", "x\ty\tz\na\tr\tb\n")
    assert triples_of(path, header=True) == {("a", "r", "b")}
    assert triples_of(path) == {("a", "r", "b"), ("x", "y", "z")}


TABLES = ["one.tsv", "one.csv", "one.txt", "one.edges"]


@pytest.mark.parametrize("name", TABLES)
def test_a_header_of_one_column_is_refused(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, "name\nann\nbob\n")
    with pytest.raises(InputError, match=r"expected 2 or 3 columns, found 1: name\. A row needs"):
        wlkg.read(path, header=True)


@pytest.mark.parametrize("name", TABLES)
def test_a_file_of_comments_has_no_header_to_complain_about(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, name, "# nothing\n")
    with pytest.raises(InputError, match="the file holds no triple"):
        wlkg.read(path, header=True)


@pytest.mark.parametrize("size", [None, 1])
def test_comments_are_skipped_noted_and_optional(tmp_path: Path, size: int | None) -> None:
    path = written(tmp_path, "c.tsv", "# one\na\tr\tb\n#c\tr\td\n #e\tr\tf\n")
    with tiny_blocks(size):
        graph = wlkg.read(path)
    assert set(graph.named_triples()) == {("a", "r", "b"), (" #e", "r", "f")}
    assert "2 lines that start with '#' were skipped" in graph.notes[0]
    assert wlkg.read(written(tmp_path, "d.tsv", "#c\tr\td\n"), comment="").num_triples == 1
    percent = written(tmp_path, "e.tsv", "%% x\n#c\tr\td\n")
    assert triples_of(percent, comment="%%") == {("#c", "r", "d")}


@pytest.mark.parametrize(
    ("columns", "text", "expected"),
    [
        ("head,relation,tail", "1\t2\t3", ("1", "2", "3")),
        ("head,tail,relation", "1\t2\t3", ("1", "3", "2")),
        ("t,r,h", "1\t2\t3", ("3", "2", "1")),
        ("head,tail", "1\t2", ("1", "edge", "2")),
        ("tail,_,head", "1\t2\t3", ("3", "edge", "1")),
        ("h,r,t,_", "1\t2\t3\t", ("1", "2", "3")),
        ("_,h,_,r,t", "\t1\t\t2\t3", ("1", "2", "3")),
        (" h , r , t ", "1\t2\t3", ("1", "2", "3")),
    ],
)
@pytest.mark.parametrize("comma", ["\t", ","])
def test_columns_by_position(
    tmp_path: Path, columns: str, text: str, expected: tuple[str, str, str], comma: str
) -> None:
    name = "c.tsv" if comma == "\t" else "c.csv"
    path = written(tmp_path, name, text.replace("\t", comma) + "\n")
    assert triples_of(path, columns=columns) == {expected}


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        ("head=who,relation=does,tail=what", ("a", "r", "b")),
        ("tail=who,head=what", ("b", "edge", "a")),
        ("head=who,relation=when,tail=what", ("a", "now", "b")),
    ],
)
def test_columns_by_name(tmp_path: Path, columns: str, expected: tuple[str, str, str]) -> None:
    path = written(tmp_path, "c.csv", 'when,who,"does",what\nnow,a,r,b\n')
    assert triples_of(path, columns=columns, header=True) == {expected}


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ("head,tail,nose", r"'nose' is not head, relation, tail or _"),
        ("head,head,tail", "occurs twice"),
        ("head,relation", "must say where head and tail are"),
        ("", "is not head, relation, tail"),
    ],
)
def test_columns_that_make_no_sense_are_refused(tmp_path: Path, columns: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        wlkg.read(written(tmp_path, "c.tsv", "a\tr\tb\n"), columns=columns)


def test_columns_by_name_take_the_first_line_as_the_header(tmp_path: Path) -> None:
    path = written(tmp_path, "c.tsv", "who\twhat\twhom\na\tr\tb\n")
    columns = "head=who,relation=what,tail=whom"
    assert list(wlkg.read(path, columns=columns).named_triples()) == [("a", "r", "b")]
    with pytest.raises(UsageError, match="needs a header line, but --no-header says"):
        wlkg.read(path, columns=columns, header=False)


def test_an_unknown_column_is_refused_with_the_list_of_columns(tmp_path: Path) -> None:
    path = written(tmp_path, "c.csv", "when,who,what\nnow,a,b\n")
    with pytest.raises(InputError, match=r"no column 'whom'\. The columns are: when, who, what"):
        wlkg.read(path, columns="head=whom,tail=what", header=True)


@pytest.mark.parametrize("delimiter", ["|", ";", " ", "\\t", "tab", "comma", "space", "whitespace"])
@pytest.mark.parametrize("name", ["d.tsv", "d.csv", "d.txt"])
def test_another_delimiter(tmp_path: Path, delimiter: str, name: str) -> None:
    words = {"\\t": "\t", "tab": "\t", "comma": ",", "space": " ", "whitespace": "  "}
    path = written(tmp_path, name, words.get(delimiter, delimiter).join("arb") + "\n")
    assert triples_of(path, delimiter=delimiter) == {("a", "r", "b")}


@pytest.mark.parametrize("delimiter", ["||", "é", "\n", "\r"])
def test_a_delimiter_is_one_ascii_character(tmp_path: Path, delimiter: str) -> None:
    with pytest.raises(UsageError, match="--delimiter must be one ASCII character"):
        wlkg.read(written(tmp_path, "d.tsv", "a\tr\tb\n"), delimiter=delimiter)


# -- errors ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [None, 10])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_of_the_wrong_width_is_refused_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int | None, end: str
) -> None:
    lines = ["# people", "", *["ann\tknows\tbob"] * 11, "ann\tbob", "ann\tknows\tbob"]
    written(tmp_path, "people.tsv", end.join(lines))
    monkeypatch.chdir(tmp_path)
    with tiny_blocks(size), pytest.raises(InputError) as caught:
        wlkg.read("people.tsv")
    assert str(caught.value) == (
        "people.tsv, line 14: expected 3 tab-separated fields, found 2. "
        "For a graph with one relation pass --columns head,tail"
    )
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.tsv", "a\tr\tb\tc\n", r"line 1: expected 3 tab-separated fields, found 4\. Name the"),
        ("a.tsv", "a r b\n", r"line 1: expected 3 tab-separated fields, found 1\. Is the sep"),
        ("a.csv", "a,r,b\n,\n", r"line 2: expected 3 comma-separated fields, found 2"),
        ("a.csv", 'a,r,b\n"x\ny",r,z\n"c",r\n', r"line 4: expected 3 comma-separated fields"),
        ("a.csv", 'a,r,b\n"x\ny",r\n', r"line 2: expected 3 comma-separated fields, found 2"),
        ("a.edges", "a r b\na r\n", r"line 2: expected 3 whitespace-separated fields, found 2"),
        ("a.tsv", "a\tr\tb\n\tr\tb\n", r"line 2: an empty name\. Every vertex"),
        ("a.tsv", "a\t\tb\n", r"line 1: an empty name"),
        ("a.tsv", "a\tr\t\r\n", r"line 1: an empty name"),
        ("a.csv", 'a,r,b\n"",r,b\n', r"line 2: an empty name"),
        ("a.csv", 'a,r,b\n# x\na,r,"b\n', r"line 3: not valid CSV.*Check the quotes"),
        ("a.csv", 'a,r,b\na,r,"b"c\n', r"line 2: not valid CSV"),
        ("a.csv", f"{'x' * 200_000},r,b\n", r"line 1: not valid CSV: field larger than"),
        ("a.tsv", "# only\n\n# comments\n", "the file holds no triple"),
        ("a.tsv", "head\trelation\ttail\n", "the file holds no triple"),
        ("a.tsv", "", "the file is empty"),
        ("a.tsv", "a\tknows^-1\tb\n", r"'knows\^-1' ends in the reserved suffix"),
        ("a.csv", '"a","knows^-1",b\n', r"'knows\^-1' ends in the reserved suffix"),
        ("a.tsv", b"a\tr\tb\nc\tr\t\xe9\n", r"line 2, column 5: byte 0xe9 is not UTF-8"),
        ("a.csv", b'"a",r,b\nc,r,\xe9\n', r"line 2, column 5: byte 0xe9 is not UTF-8"),
        ("a.xyz", "a\tr\tb\n", r"unknown suffix '\.xyz'\. Name the format with --format.*\.tsv"),
        ("a", "a\tr\tb\n", "the name has no suffix"),
    ],
)
def test_a_wrong_file_is_refused_with_the_place(
    tmp_path: Path, name: str, text: str | bytes, message: str
) -> None:
    path = written(tmp_path, name, text)
    with pytest.raises(InputError, match=message) as caught:
        wlkg.read(path)
    assert str(caught.value).startswith(str(path))
    assert caught.value.exit_code == 2


def test_a_vertex_may_have_the_name_of_an_inverse_relation(tmp_path: Path) -> None:
    assert triples_of(written(tmp_path, "v.tsv", "a^-1\tr\tb\n")) == {("a^-1", "r", "b")}


def test_a_file_without_lines_is_not_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wlkg.readers.lines.LONGEST_LINE", 1 << 20)
    with tiny_blocks(1 << 16), pytest.raises(InputError, match="a line is longer than 1 MiB"):
        wlkg.read(written(tmp_path, "l.tsv", b"x" * (3 << 20)))


def test_txt_is_split_at_tabs_if_the_first_row_has_any(tmp_path: Path) -> None:
    assert triples_of(written(tmp_path, "t.txt", "# x y\na b\tr\tc\n")) == {("a b", "r", "c")}
    assert triples_of(written(tmp_path, "t.txt", "# x\ty\na r  c\n")) == {("a", "r", "c")}
    with tiny_blocks(1):
        assert triples_of(written(tmp_path, "t.txt", "# x y\na b\tr\tc\n")) == {("a b", "r", "c")}


ROWS = "".join(f"v{i}\tr{i % 2}\tv{i + 1}\n" for i in range(12))
KNOWN_TITLES = ["head\trelation\ttail", "Subject\tPredicate\tObject", "s\tp\to", "from\trel\tto"]


@pytest.mark.parametrize("titles", KNOWN_TITLES)
def test_a_header_with_common_titles_is_no_triple(titles: str, tmp_path: Path) -> None:
    (tmp_path / "g.tsv").write_text(f"{titles}\n{ROWS}")
    graph = wlkg.read(tmp_path / "g.tsv")
    assert graph.num_triples == 12
    assert graph.notes == ("line 1 was taken as a header (--no-header reads it as a triple)",)
    kept = wlkg.read(tmp_path / "g.tsv", header=False)
    assert (kept.num_triples, kept.notes) == (13, ())


def test_a_header_with_other_titles_is_suspected(tmp_path: Path) -> None:
    (tmp_path / "g.tsv").write_text(f"# mine\nentity 1\tlink\tentity 2\n{ROWS}")
    graph = wlkg.read(tmp_path / "g.tsv")
    assert graph.num_triples == 13
    assert graph.notes[-1] == (
        "line 2 may be a header, because entity 1, link, entity 2 occur nowhere else "
        "(--header skips it, --no-header says that it is a triple)"
    )
    for header, expected in ((True, 12), (False, 13)):
        decided = wlkg.read(tmp_path / "g.tsv", header=header)
        assert decided.num_triples == expected
        assert not [note for note in decided.notes if "may be" in note]


@pytest.mark.parametrize(
    "first", ["v3\tonly\there", "once\tr1\ttwice", "one\tlink\tv5", "1\tlink\t2"]
)
def test_a_first_row_whose_names_are_used_is_not_suspected(first: str, tmp_path: Path) -> None:
    (tmp_path / "g.tsv").write_text(f"{first}\n{ROWS}")
    assert wlkg.read(tmp_path / "g.tsv").notes == ()


def test_a_header_of_two_columns_is_suspected_too(tmp_path: Path) -> None:
    rows = "".join(f"v{i} v{i + 1}\n" for i in range(12))
    (tmp_path / "g.txt").write_text(f"person friend\n{rows}")
    graph = wlkg.read(tmp_path / "g.txt", columns="head,tail")
    assert "may be a header, because person, friend occur nowhere else" in graph.notes[0]


@pytest.mark.parametrize("option", ["comment", "base", "relation_attribute"])
def test_text_outside_of_utf_8_is_no_option(tmp_path: Path, option: str) -> None:
    path = tmp_path / "g.tsv"
    path.write_text("a\tr\tb\n")
    with pytest.raises(UsageError, match=f"{option} must be text in UTF-8"):
        wlkg.read(path, **{option: "\udcff"})  # type: ignore[arg-type]


def test_white_space_other_than_blanks_and_tabs_is_part_of_a_name(tmp_path: Path) -> None:
    path = tmp_path / "g.edges"
    rows = ["A \u2028 ^", *(f"{n} r {n + 1}" for n in range(20))]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert ("A", "\u2028", "^") in set(wlkg.read(path).named_triples())
