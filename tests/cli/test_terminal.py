"""What a terminal gets: narrow lines, harmless names, any encoding."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.running import Run, run_process, words_of
from tests.cli.screen import as_terminal, run_in_terminal
from tests.places import EXAMPLE_GRAPHS
from wlkg.reports.terminal import printable, shortened

HOSTILE = "[red]x[/] [/bad] \x1b[31m\x07 :cat: \u202e"


def test_hostile_names_are_shown_harmlessly(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "[bold]:cat:.tsv"
    path.write_text(f"a\t{HOSTILE}\tb\n")
    result = run("info", path)
    assert result.exit_code == 0
    assert r"[red]x[/] [/bad] \x1b[31m\x07 :cat: \u202e" in result.stdout
    assert "[bold]:cat:.tsv" in result.stdout.replace("\n", "")
    converted = run("convert", path, tmp_path / "[i]:cat:\x1b.nt")
    assert converted.stdout.startswith(f"{tmp_path}/[i]:cat:\\x1b.nt: 2 vertices")
    failed = run("info", tmp_path / "\x1b[2J[red]\n.tsv")
    assert failed.stderr == f"error: {tmp_path}/\\x1b[2J[red]\\n.tsv: no such file\n"
    assert "\x1b" not in result.output + converted.output + failed.output


def test_names_in_a_pipe_are_whole_and_sentences_fit_80_columns(tmp_path: Path) -> None:
    path = tmp_path / f"{'long' * 30}.tsv"
    names = ["http://example.org/" + "x" * 200, "日本" * 60, "short"]
    rows = [f"{name} {i}\t{name} {i}\tb{i}\n" for name in names for i in range(3)]
    path.write_text("".join(rows) + '<a:b>\tr\t"x"\n_:b\tr\t_:b\n')
    done = run_process("info", path, env=os.environ | {"COLUMNS": "60"})
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    for name in names:
        assert any(line.startswith(f"{name} 0 ") for line in lines)
    assert "…" not in done.stdout
    assert all(line == line.rstrip() for line in lines)
    before = lines[1 : next(i for i, line in enumerate(lines) if line.startswith("relation "))]
    assert max(map(cell_len, before)) <= 80


@pytest.fixture
def hostile(tmp_path: Path) -> Path:
    """A graph with a cycle; all its names are hostile, some of them wide and long."""
    long = "http://example.org/" + "x" * 200
    names = [f"{HOSTILE}{i}" for i in range(3)] + [long, "日本" * 60, f"{HOSTILE}{long}", "\x9b1m"]
    path = tmp_path / "[bold]:cat:\x1b[2J日本日本日本日本日本日本日本日本日本日本日本日本.tsv"
    ring = zip(names, [*names[1:], names[0]], strict=True)
    path.write_text("".join(f"{v}\t{v} {i}\t{w}\n" for i, (v, w) in enumerate(ring)))
    return path


def check_harmless(text: str) -> None:
    """No line controls the terminal."""
    assert all(ch.isprintable() or ch == "\n" for ch in text)


def check_narrow(text: str, columns: int) -> None:
    """All lines fit, except those with whole paths and reasons, which the terminal breaks."""
    for line in text.splitlines():
        whole = line.startswith(("written: ", "skipped: ", "not run: ", "about "))
        assert cell_len(line) <= columns or whole, line


REPORTS = [
    ["refine", "HOSTILE"],
    ["refine", "HOSTILE", "--test", "2-rlwl", "--rounds", "0"],
    ["refine", "HOSTILE", "--test", "1-wl"],
    ["pairs", "HOSTILE", "--test", "2-rlwl"],
    ["pairs", "HOSTILE", "--limit", "3"],
    ["compare", "HOSTILE", "HOSTILE"],
    ["compare", "HOSTILE", "OTHER", "--max-memory", "1k"],
    ["counterexample", "lift", "--of", "HOSTILE"],
    ["counterexample", "lift", "--of", "HOSTILE", "--out", "OUT", "--format", "json"],
    ["counterexample"],
    *[["counterexample", name, "--check"] for name in ("cfi", "csl", "direction-matters")],
    ["counterexample", "csl,n=999,a=77,b=88"],
]


@pytest.mark.parametrize("columns", [None, 60, 80, 200])
@pytest.mark.parametrize("arguments", REPORTS)
def test_reports_are_narrow_and_harmless_with_any_names(
    run: Run,
    arguments: list[str],
    columns: int | None,
    hostile: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(hostile.parent)
    if columns is not None:
        as_terminal(monkeypatch, columns)
    places = {"HOSTILE": hostile.name, "OTHER": "\x07other[i].tsv", "OUT": "[red]\x1b\n"}
    Path(places["OTHER"]).write_text(f"a\t{HOSTILE}\tb\n")
    result = run(*[places.get(word, word) for word in arguments])
    assert result.exit_code == ("OTHER" in arguments), result.output
    check_harmless(result.stdout)
    check_harmless(result.stderr)
    if columns is not None:
        check_narrow(result.stdout, columns)
    document = run(*[places.get(word, word) for word in arguments], "--json")
    assert document.exit_code == result.exit_code
    json.loads(document.stdout)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", document.stdout)


def test_letters_that_the_encoding_lacks_are_escaped(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text("a\té日\tb\n")
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = run_process("info", path, env=environment)
    assert done.returncode == 0, done.stderr
    assert r"\xe9\u65e5" in done.stdout


def test_long_names_are_cut_after_their_first_third() -> None:
    assert shortened("abcdefghij", 10) == "abcdefghij"
    assert shortened("abcdefghijk", 10) == "abc…fghijk"
    assert printable("é\t\x9b") == r"é\t\x9b"


# -- terminals of three widths --------------------------------------------------------------------

LONG = "http://example.org/a/rather/long/path/of/an/identifier/that/fills/a/line/"


@pytest.fixture
def long_names(tmp_path: Path) -> Path:
    """Cycles of 4 and 5 vertices whose names are long, with a relation each."""
    rows = [
        f"{LONG}v{n}{i}\t{LONG}knows{n}\t{LONG}v{n}{(i + 1) % n}\n"
        for n in (4, 5)
        for i in range(n)
    ]
    path = tmp_path / "g.tsv"
    path.write_text("".join(rows))
    return path


@pytest.mark.parametrize("columns", [60, 80, 200])
def test_numbers_survive_narrow_terminals(
    run: Run, long_names: Path, columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    as_terminal(monkeypatch, columns)
    info = [line for line in words_of(run("info", long_names).stdout) if line]
    assert ["vertices", "9", "9", "iri"] in info
    relations = [line for line in info if line[0].endswith(("knows4", "knows5"))]
    assert [line[1] for line in relations] == ["5", "4"]
    refined = words_of(run("refine", long_names).stdout)
    assert [line[0] for line in refined if line[-1] == "..."] == ["5", "4"]
    pairs = words_of(run("pairs", long_names, "--limit", 2).stdout)
    assert [line[0] for line in pairs if "v4" in line[-1] or "v5" in line[-1]] == ["1", "1"]
    whole = f"{LONG}v40" in run("pairs", long_names).stdout
    assert whole == (columns == 200)


@pytest.mark.parametrize("columns", [60, 80, 200])
@pytest.mark.parametrize(
    "arguments",
    [
        ["versus", "example:decalin", "--draws", "1", "--layers", "2"],
        ["compare", "example:c6", "example:2xc3", "--model", "rgcn", "--draws", "1"],
        ["symmetry", "example:petersen", "--test", "1-wl", "--test", "1-rwl-all"],
        ["explain", "example:c6", "example:2xc3", "--test", "2-rlwl"],
        ["explain", "FAMILY", ":dana", ":finn"],
        ["explain", "FAMILY", ":dana"],
        ["counterexample"],
        ["counterexample", "cfi", "--check"],
        ["info", "FAMILY"],
        ["refine", "FAMILY"],
    ],
)
def test_nothing_is_cut_from_short_names(
    run: Run, arguments: list[str], columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "versus" in arguments or "--model" in arguments:
        pytest.importorskip("torch", reason="models need PyTorch: pip install 'wlkg[gnn]'")
    if "symmetry" in arguments:
        pytest.importorskip("igraph", reason="symmetries need igraph: pip install 'wlkg[symmetry]'")
    as_terminal(monkeypatch, columns)
    family = str(EXAMPLE_GRAPHS / "family.ttl")
    text = run(*[family if word == "FAMILY" else word for word in arguments]).stdout
    assert text
    assert "…" not in text.replace(family, "")
    for line in text.splitlines():
        assert cell_len(line) <= columns or line.startswith("  ") or family in line, line


def test_names_have_the_prefixes_of_the_input_and_common_ones(run: Run) -> None:
    family = EXAMPLE_GRAPHS / "family.ttl"
    text = run("info", family).stdout
    assert "foaf:name" in text
    assert "rdf:type" in text
    assert ":parent" in text
    full = run("info", family, "--full-names").stdout
    assert "http://xmlns.com/foaf/0.1/name" in full
    assert "foaf:" not in full
    assert run("--full-names", "info", family).stdout.splitlines()[10:] == full.splitlines()[10:]
    explained = run("explain", family, ":dana", ":finn", "--full-names").stdout
    assert "<http" in explained or "http://" in explained
    assert "foaf:" not in explained


def test_a_real_terminal_has_colour_unless_it_is_not_wanted() -> None:
    arguments = ("compare", "example:c6", "example:2xc3", "--test", "2-rlwl")
    coloured = run_in_terminal(*arguments, columns=60)
    assert "\x1b[1;32mseparated" in coloured
    plain = run_in_terminal(*arguments, columns=60, NO_COLOR="1")
    assert not re.search("\x1b\\[[0-9;]*3[0-9]", plain)
    assert "separated" in plain
    piped = run_process(*arguments, env=os.environ | {"FORCE_COLOR": "1"})
    assert "\x1b[1;32mseparated" in piped.stdout
