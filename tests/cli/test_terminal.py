"""What a terminal gets: narrow lines, harmless names, any encoding."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from tests.cli.running import Run, run_process
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


def test_output_in_a_pipe_fits_80_columns(tmp_path: Path) -> None:
    path = tmp_path / f"{'long' * 30}.tsv"
    names = ["http://example.org/" + "x" * 200, "日本" * 60, "short"]
    rows = [f"{name} {i}\t{name} {i}\tb{i}\n" for name in names for i in range(9)]
    path.write_text("".join(rows) + '<a:b>\tr\t"x"\n_:b\tr\t_:b\n')
    done = run_process("info", path, env=os.environ | {"COLUMNS": "200"})
    assert done.returncode == 0
    assert "more relations" in done.stdout
    assert max(map(cell_len, done.stdout.splitlines())) <= 80


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
    """No line controls the terminal, and all fit, except those with whole paths and reasons."""
    assert all(ch.isprintable() or ch == "\n" for ch in text)
    for line in text.splitlines():
        assert cell_len(line) <= 80 or line.startswith(("written: ", "skipped: ")), line


@pytest.mark.parametrize(
    "arguments",
    [
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
    ],
)
def test_reports_are_narrow_and_harmless_with_any_names(
    run: Run, arguments: list[str], hostile: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hostile.parent)
    places = {"HOSTILE": hostile.name, "OTHER": "\x07other[i].tsv", "OUT": "[red]\x1b\n"}
    Path(places["OTHER"]).write_text(f"a\t{HOSTILE}\tb\n")
    result = run(*[places.get(word, word) for word in arguments])
    assert result.exit_code == ("OTHER" in arguments), result.output
    check_harmless(result.stdout)
    check_harmless(result.stderr)
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
