"""The line ``next: ...`` names a command that runs, with the graphs and options of the user."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from tests.cli.running import Run
from tests.places import EXAMPLE_GRAPHS
from wlkg.reports.next_steps import Asked, stronger_test


def next_words(stderr: str) -> list[str]:
    """The words of the command that the last line names, without ``wlkg``."""
    match = re.search(r"^next: wlkg (.*) \([^()]+\)$", stderr, re.MULTILINE)
    assert match is not None, stderr
    return shlex.split(match[1])


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a graph whose name has a space, and labels for its people."""
    shutil.copy(EXAMPLE_GRAPHS / "family.ttl", tmp_path / "my family.ttl")
    base = "http://example.org/family#"
    text = (EXAMPLE_GRAPHS / "family.ttl").read_text()
    if base not in text:
        found = re.search(r"@prefix : <([^>]*)>", text)
        assert found is not None
        base = found[1]
    rows = "".join(f"{base}{name}\t{name[0]}\n" for name in ("dana", "eli", "finn"))
    (tmp_path / "labels.tsv").write_text(f"person\tlabel\n{rows}")
    (tmp_path / "apart.tsv").write_text(f"person\tlabel\n{base}dana\tx\n{base}finn\ty\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


FAMILY = "my family.ttl"
TESTS = [
    (["info", FAMILY], "refine"),
    (["info", FAMILY, "--literals", "drop", "--direction", "out"], "refine"),
    (["refine", FAMILY], "classes"),
    (["classes", FAMILY, "--literals", "drop"], "explain"),
    (["pairs", FAMILY, "--same"], "explain"),
    (["refine", FAMILY, "--test", "2-rlwl", "--literals", "drop"], None),
    (["pairs", FAMILY, "--literals", "drop"], "explain"),
    (["pairs", FAMILY, "--test", "1-rwl", "--not-by", "1-rwl"], "symmetry"),
    (["compare", "example:c6", "example:2xc3"], "explain"),
    (["compare", "example:c6", "example:2xc3", "--test", "1-rwl"], "compare"),
    (["compare", "example:c6", "example:c6"], "certify"),
    (["explain", "example:c6", "example:2xc3"], "explain"),
    (["explain", "example:c6", "example:2xc3", "--test", "2-rlwl"], "certify"),
    (["explain", FAMILY, ":dana", ":finn"], "explain"),
    (["explain", FAMILY, ":dana"], "explain"),
    (["symmetry", "example:petersen"], "certify"),
    (["certify", "example:c6", "example:2xc3", "--test", "2-rlwl", "-o", "a b.json"], "verify"),
    (["counterexample"], "counterexample"),
    (["counterexample", "cycles", "-n", "4"], "counterexample"),
    (["counterexample", "cycles,n=4", "--check"], "counterexample"),
    (["convert", FAMILY, "out.nt"], "info"),
    (["ceiling", FAMILY, "--targets", "labels.tsv"], "explain"),
]
LABELLED = ["--seed", "3", "--labels", "kind", "--features", "labels"]
MODELS = [
    (["ceiling", FAMILY, "--targets", "apart.tsv"], "train"),
    (["versus", FAMILY, "--layers", "1", "--draws", "1"], None),
    (["versus", FAMILY, "--model", "compgcn", "--layers", "2", "--draws", "1"], None),
    (["witness", FAMILY, "--literals", "drop", "--out", "w.pt"], "versus"),
    (["train", FAMILY, "--targets", "labels.tsv", "--epochs", "2"], "ceiling"),
    (
        ["train", FAMILY, "--targets", "labels.tsv", "--epochs", "2", "--save", "runs", *LABELLED],
        "versus",
    ),
]


def check_chain(run: Run, words: list[str], command: str | None) -> None:
    """Run a command and what it suggests, three times in a row."""
    for _ in range(3):
        result = run(*words)
        assert result.exit_code in (0, 1), (words, result.output)
        if "next: " not in result.stderr:
            assert command is None
            return
        words = next_words(result.stderr)
        assert command in (None, words[0])
        command = None
        words += ["--epochs", "2"] if words[0] == "train" else []


@pytest.mark.parametrize(("words", "command"), TESTS)
@pytest.mark.usefixtures("here")
def test_the_next_step_runs(run: Run, words: list[str], command: str | None) -> None:
    if "example:petersen" in words:
        pytest.importorskip("igraph", reason="symmetries need igraph: pip install 'wlkg[symmetry]'")
    check_chain(run, words, command)


@pytest.mark.parametrize(("words", "command"), MODELS)
@pytest.mark.usefixtures("here")
def test_the_next_step_after_models_runs(run: Run, words: list[str], command: str | None) -> None:
    pytest.importorskip("torch", reason="models need PyTorch: pip install 'wlkg[gnn]'")
    check_chain(run, words, command)


@pytest.mark.usefixtures("here")
def test_the_next_step_keeps_how_the_graph_was_read(run: Run) -> None:
    options = ["--literals", "drop", "--direction", "out", "--labels", "kind"]
    assert next_words(run("info", FAMILY, *options).stderr) == [
        "refine",
        FAMILY,
        *sorted_as(options),
    ]


def sorted_as(options: list[str]) -> list[str]:
    """Pairs of words in the order in which the options are declared."""
    pairs = dict(zip(options[::2], options[1::2], strict=True))
    return [w for key in ("--direction", "--literals", "--labels") for w in (key, pairs[key])]


@pytest.mark.parametrize("flag", ["-q", "--quiet"])
def test_quiet_runs_print_the_result_alone(run: Run, tmp_path: Path, flag: str) -> None:
    words = ["convert", "example:weak-rwl", tmp_path / "g.nt", "--lossy", "--force"]
    usual = run(*words)
    assert "note: " in usual.stderr
    assert "next: " in usual.stderr
    for quiet in (run(flag, *words), run(*words, flag)):
        assert quiet.stderr == ""
        assert quiet.stdout == usual.stdout
    assert "next: " in run(*words).stderr  # it does not outlast a run


def test_json_has_no_next_step(run: Run) -> None:
    assert "next: " not in run("info", "example:c6", "--json").output


def test_names_that_cannot_be_typed_are_not_suggested() -> None:
    assert Asked(("-",)).step("refine", "x") is None
    assert Asked(("g.nt",)).step("explain", "x", about=("-a", "b")) is None
    assert Asked(("g.nt",)).step("explain", "x", about=("a\x1b", "b")) is None
    step = Asked(("a b.nt",)).step("explain", "x", about=("it's", "$HOME"))
    assert step is not None
    assert str(step) == """next: wlkg explain 'a b.nt' 'it'"'"'s' '$HOME' (x)"""


def test_a_stronger_test_is_stronger_than_all() -> None:
    assert stronger_test(["1-wl"]) == "1-rwl"
    assert stronger_test(["1-rwl", "2-rlwl"]) == "2-fwl"
    assert stronger_test(["3-fwl"]) is None


def test_the_last_line_says_what_status_1_means(run: Run) -> None:
    words = ["compare", "example:c6", "example:2xc3"]
    result = run(*words)
    assert result.exit_code == 1
    last = "exit status 1: a test or a model separates the graphs"
    assert result.stdout.splitlines()[-1] == last
    zero = run(*words, "--exit-zero")
    assert zero.exit_code == 0
    assert "exit status" not in zero.stdout
    assert "exit status" not in run(*words, "--json").stdout
