"""The command line: what it prints where, and how it ends."""

from __future__ import annotations

import gzip
import json
import os
import pty
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import wlkg
from wlkg import RelationalGraph
from wlkg.cli import app
from wlkg.errors import MissingExtraError, TooLargeError
from wlkg.readers import FORMATS, SUFFIXES
from wlkg.reports import progressbar
from wlkg.reports.terminal import printable, shortened

runner = CliRunner()
PROGRAM = [sys.executable, "-m", "wlkg"]
KEYS = {"vertices", "triples", "relations", "self_loops", "duplicates", "seconds"}


def run(*arguments: str | Path, stdin: bytes | None = None) -> Any:
    return runner.invoke(app, [str(a) for a in arguments], prog_name="wlkg", input=stdin)


def run_process(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=60, check=False, **options
    )


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.tsv"
    path.write_text(
        "# who knows whom\nann\tknows\tbob\nbob\tknows\tbob\nann\tknows\tbob\nbob\tis\tx\n"
    )
    return path


# -- info ---------------------------------------------------------------------------------------


def test_info_tells_what_was_loaded(people: Path) -> None:
    result = run("info", people)
    assert result.exit_code == 0
    words = [line.split() for line in result.stdout.splitlines()]
    for fact in (["vertices", "3"], ["relations", "2"], ["self-loops", "1"], ["labels", "0"]):
        assert any(line[:2] == fact for line in words)
    assert ["triples", "3", "1", "repeated", "ones", "dropped"] in words
    assert any(line[:2] == ["knows", "2"] for line in words)
    assert "note: 1 lines that start with '#' were skipped" in result.stderr


def test_info_as_json_has_the_keys_that_scripts_rely_on(people: Path) -> None:
    result = run("info", people, "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "wlkg/info/1"
    assert set(document) >= KEYS
    counts = [document[key] for key in ("vertices", "triples", "relations")]
    assert counts == [3, 3, 2]
    assert (document["self_loops"], document["duplicates"]) == (1, 1)
    assert document["triples_per_relation"] == {"knows": 2, "is": 1}
    assert document["seconds"] >= 0


def test_info_on_several_graphs_is_a_table(tmp_path: Path) -> None:
    path = tmp_path / "three.g6"
    path.write_bytes(b"A_\nBw\nC~\n")
    result = run("info", f"{path}#all")
    assert result.exit_code == 0
    assert [line.split()[:3] for line in result.stdout.splitlines()[-3:]] == [
        ["#1", "2", "1"],
        ["#2", "3", "3"],
        ["#3", "4", "6"],
    ]
    document = json.loads(run("info", f"{path}#all", "--json").stdout)
    assert [graph["triples"] for graph in document["graphs"]] == [1, 3, 6]


@pytest.mark.parametrize("path", ["aifb/aifb_stripped.nt.gz", "kg/WN18RR", "kg/FB15k-237"])
def test_info_counts_the_benchmarks(path: str, data_dir: Path) -> None:
    expected = {
        "aifb/aifb_stripped.nt.gz": [8285, 29043, 45],
        "kg/WN18RR": [40559, 86835, 11],
        "kg/FB15k-237": [14505, 272115, 237],
    }
    document = json.loads(run("info", data_dir / path, "--json").stdout)
    assert [document[key] for key in ("vertices", "triples", "relations")] == expected[path]


@pytest.mark.parametrize("example", ["example:c6", "example:2xc3,r=2"])
def test_info_knows_the_examples(example: str) -> None:
    document = json.loads(run("info", example, "--json").stdout)
    assert document["vertices"] == 6
    assert document["direction"] == "undirected"
    assert document["relations"] == (2 if "r=2" in example else 1)


@pytest.mark.parametrize(
    ("name", "text", "options", "expected"),
    [
        ("t", b"a b\nb c\n", ["--format", "edgelist", "--columns", "head,tail"], [3, 2, 1]),
        ("t.csv", b"x;r;y\n", ["--delimiter", ";"], [2, 1, 1]),
        ("t.tsv", b"#a\tr\tb\n", ["--comment", ""], [2, 1, 1]),
        ("t.tsv", b"head\trelation\ttail\n", ["--no-header"], [2, 1, 1]),
        ("t.ttl", b'<a> <p> "x", <b> .', ["--base", "http://e/", "--literals", "drop"], [2, 1, 1]),
        (
            "t.nq",
            b"<a:a> <a:p> <a:b> <a:g> .\n<a:a> <a:p> <a:c> .\n",
            ["--graph", "a:g"],
            [2, 1, 1],
        ),
    ],
)
def test_reading_options_reach_the_reader(
    name: str, text: bytes, options: list[str], expected: list[int], tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_bytes(text)
    result = run("info", path, "--json", *options)
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert [document[key] for key in ("vertices", "triples", "relations")] == expected


def test_direction_and_labels_are_options(people: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.tsv"
    labels.write_text("ann\tw\nbob\tm\nx\tthing\n")
    result = run("info", people, "--json", "--direction", "undirected", "--labels", labels)
    document = json.loads(result.stdout)
    assert (document["direction"], document["labels"], document["arcs"]) == ("undirected", 3, 5)


@pytest.mark.parametrize(
    ("name", "text"),
    [("tsv", b"a\tr\tb\n"), ("nt", b"<a:a> <a:p> <a:b> .\n"), ("graph6", b"A_\n")],
)
@pytest.mark.parametrize("packed", [False, True])
def test_standard_input_is_read_where_the_format_is_given(
    name: str, text: bytes, packed: bool
) -> None:
    content = gzip.compress(text) if packed else text
    result = run("info", "-", "--format", name, "--json", stdin=content)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["triples"] == 1


# -- convert ------------------------------------------------------------------------------------


def test_convert_writes_what_info_then_reads(people: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.nt.gz"
    result = run("convert", people, target)
    assert result.exit_code == 0
    assert result.stdout == f"{target}: 3 vertices, 3 triples, 2 relations\n"
    assert wlkg.read(target) == wlkg.read(people)


def test_convert_as_json_names_what_was_lost(people: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    result = run("convert", people, target, "--labels", "kind", "--lossy", "--json")
    document = json.loads(result.stdout)
    assert document["schema"] == "wlkg/convert/1"
    assert (document["triples"], document["lost"]) == (3, ["vertex labels"])


def test_convert_notes_on_stderr_what_was_not_kept(tmp_path: Path) -> None:
    result = run("convert", "example:c6", tmp_path / "c6.tsv")
    assert result.exit_code == 0
    assert "note: not kept: that edges are undirected" in result.stderr
    assert wlkg.read(tmp_path / "c6.tsv").num_triples == 12


def test_a_refused_conversion_leaves_nothing_behind(people: Path, tmp_path: Path) -> None:
    for target, word in (("out.g6", "graph6 cannot hold"), ("out.doc", "cannot tell the format")):
        result = run("convert", people, tmp_path / target)
        assert result.exit_code == 2
        assert word in result.stderr
        assert result.stdout == ""
    assert [path.name for path in tmp_path.iterdir()] == ["people.tsv"]


# -- how it ends --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["info", "nothing.nt"], "nothing.nt: no such file"),
        (["info", "-"], "reading from standard input needs --format"),
        (["info", "example:nothing"], "unknown example 'nothing'. Known: 2xc3, c6"),
        (["info", "example:c6,k=3"], "unknown parameter of example 'c6': 'k'. Known: r"),
        (["info", "example:c6,r=x"], "r must be a whole number, found 'x'"),
        (["info", "example:c6,r=0"], "at least one copy and one relation"),
        (["info", "example:c6", "--direction", "up"], "unknown direction 'up'. Known: both"),
        (["info", "example:c6", "--labels", "type"], "the graph has no relation"),
        (["info", "example:c6", "--literals", "no"], "unknown literal policy 'no'. Known: shared"),
        (["info", "a.tsv", "--format", "word"], "unknown format 'word'. Known: ntriples"),
        (["convert", "example:c6", "no/where.g6"], "cannot be written: No such file"),
    ],
)
def test_a_mistake_ends_in_one_line_on_stderr_and_status_2(
    arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert message in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [["nonsense"], ["info"], ["info", "example:c6", "--nonsense"], ["info", "a", "[/b]"]],
)
def test_bad_usage_ends_with_status_2_and_no_traceback(arguments: list[str]) -> None:
    done = run_process(*arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "Usage: wlkg" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_suffix_is_answered_with_the_known_ones(tmp_path: Path) -> None:
    path = tmp_path / "graph.docx"
    path.write_bytes(b"x")
    result = run("info", path)
    assert result.exit_code == 2
    assert "unknown suffix '.docx'" in result.stderr
    assert "--format" in result.stderr
    assert all(f" {suffix} " in result.stderr for suffix in SUFFIXES)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TooLargeError("it would not fit"), 3),
        (MemoryError(), 3),
        (MissingExtraError("this", "gnn"), 4),
        (KeyboardInterrupt(), 130),
    ],
)
def test_every_kind_of_failure_has_its_exit_status(
    error: BaseException, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> RelationalGraph:
        raise error

    monkeypatch.setattr("wlkg.readers.read", fail)
    result = run("info", "example:c6")
    assert result.exit_code == status
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1


def test_a_document_beyond_the_limit_is_refused_with_status_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "large.g6"
    path.write_bytes(b"A_\n" * 50)
    monkeypatch.setattr("wlkg.readers.source.DOCUMENT_LIMIT", 100)
    result = run("info", path)
    assert result.exit_code == 3
    assert "more than 100 bytes" in result.stderr


@pytest.mark.parametrize("name", ["tsv", "nt", "turtle", "graph6"])
def test_ctrl_c_while_reading_a_pipe_ends_with_status_130(name: str) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "info", "-", "--format", name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    process.stdin.write(b"\n")
    process.stdin.flush()
    wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    try:
        status = process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        pytest.fail("it went on waiting for input")
    finally:
        out, err = process.communicate()
    assert (status, out) == (130, b"")
    assert b"Traceback" not in err
    assert err.endswith(b"error: interrupted\n")


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """Until the pipe is empty, that is until the program has taken what was written, and a bit."""
    assert process.stdin is not None
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        left = int.from_bytes(pending_bytes(process.stdin.fileno()), sys.byteorder)
        if not left:
            break
        time.sleep(0.02)
    time.sleep(0.3)


def pending_bytes(descriptor: int) -> bytes:
    import fcntl
    import termios

    return fcntl.ioctl(descriptor, termios.FIONREAD, b"\0\0\0\0")


def test_a_closed_pipe_is_no_reason_for_a_traceback(people: Path) -> None:
    process = subprocess.Popen(
        [*PROGRAM, "info", people], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    process.wait(timeout=30)
    assert b"Traceback" not in errors


# -- what it looks like -------------------------------------------------------------------------


def test_the_version_is_shown_by_script_and_module() -> None:
    script = Path(sys.executable).with_name("wlkg")
    for command in (PROGRAM, [script] if script.exists() else PROGRAM):
        done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=True)
        assert done.stdout == f"wlkg {wlkg.__version__}\n"


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_the_commands_and_their_options(flag: str) -> None:
    top = run(flag)
    assert top.exit_code == 0
    assert all(name in top.stdout for name in ("info", "convert", "--version"))
    command = run("info", flag)
    assert command.exit_code == 0
    options = ("--json", "--format", "--direction", "--literals", "--columns", "--labels")
    assert all(option in command.stdout for option in options)
    assert "wlkg info museum.nt.xz" in command.stdout


def test_the_options_on_the_command_line_are_those_of_reading() -> None:
    from dataclasses import fields

    from wlkg.commands.options import _READING
    from wlkg.readers.options import ReadOptions

    known = {field.name for field in fields(ReadOptions)}
    assert set(_READING) == known | {"format", "direction", "labels"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completion_script_is_printed(shell: str) -> None:
    done = run_process(
        "--show-completion",
        shell,
        env=os.environ | {"_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1"},
    )
    assert done.returncode == 0, done.stderr
    assert "_WLKG_COMPLETE" in done.stdout


HOSTILE = "[red]x[/] [/bad] \x1b[31m\x07 :cat: \u202e"


def test_hostile_names_are_shown_harmlessly(tmp_path: Path) -> None:
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


def test_output_in_a_pipe_keeps_to_80_columns(tmp_path: Path) -> None:
    path = tmp_path / f"{'long' * 30}.tsv"
    names = ["http://example.org/" + "x" * 200, "日本" * 60, "short"]
    rows = [f"{name} {i}\t{name} {i}\tb{i}\n" for name in names for i in range(9)]
    path.write_text("".join(rows) + '<a:b>\tr\t"x"\n_:b\tr\t_:b\n')
    done = run_process("info", path, env=os.environ | {"COLUMNS": "200"})
    assert done.returncode == 0
    assert "more relations" in done.stdout
    from rich.cells import cell_len

    assert max(map(cell_len, done.stdout.splitlines())) <= 80


def test_an_encoding_without_the_letters_is_no_error(tmp_path: Path) -> None:
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


def test_two_runs_give_the_same_json_whatever_the_hash_seed(tmp_path: Path) -> None:
    path = tmp_path / "g.ttl"
    path.write_text(
        "@prefix : <http://e/> . "
        + " ".join(f':v{i} :p{i % 3} :v{i * 7 % 11}, [ :q "{i}" ] .' for i in range(11))
    )
    texts = []
    for seed in ("1", "2"):
        done = run_process(
            "info", path, "--json", "--labels", "kind", env=os.environ | {"PYTHONHASHSEED": seed}
        )
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        texts.append([line for line in lines if not line.startswith('  "seconds"')])
        assert len(texts[-1]) == len(lines) - 1
    assert texts[0] == texts[1]


def test_every_format_may_be_named_on_the_command_line() -> None:
    result = run("info", "-", "--format", "nonsense")
    assert all(name in result.stderr for name in FORMATS)


# -- progress -----------------------------------------------------------------------------------


def test_progress_is_silent_where_nobody_watches(
    people: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progressbar, "_PATIENCE", 0.0)
    result = run("info", people)
    assert "reading" not in result.stderr


def run_slowly_on_terminal(command: list[str], chunks: list[bytes]) -> tuple[int, str]:
    """Exit status and what a terminal would have got on stderr, with input that takes its time."""
    main, side = pty.openpty()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=side
    )
    os.close(side)

    def feed() -> None:
        assert process.stdin is not None
        with process.stdin:
            for chunk in chunks:
                process.stdin.write(chunk)
                process.stdin.flush()
                time.sleep(0.15)

    feeder = threading.Thread(target=feed)
    feeder.start()
    shown = b""
    try:
        while select.select([main], [], [], 30)[0]:
            try:
                data = os.read(main, 4096)
            except OSError:  # the other side is closed
                break
            shown += data
        return process.wait(timeout=30), shown.decode()
    finally:
        process.kill()
        feeder.join()
        os.close(main)


def test_progress_on_slow_input_is_shown_on_a_terminal() -> None:
    program = (
        "import sys; from wlkg.reports import progressbar; progressbar._PATIENCE = 0.3;"
        "from wlkg.cli import app; app(sys.argv[1:])"
    )
    command = [sys.executable, "-c", program, "info", "-", "--format", "graph6"]
    status, shown = run_slowly_on_terminal(command, [b"A_\n", *[b"\n" * 600_000] * 9])
    assert status == 0
    assert "reading -" in shown
    assert "MB" in shown
    assert shown.rindex("\x1b[?25h") > shown.rindex("\x1b[?25l"), "the cursor is back"


class Terminal:
    """Something that says it is a terminal."""

    encoding = "utf-8"

    def __init__(self) -> None:
        self.text = ""

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None: ...


@contextmanager
def terminal(patience: float = 0.0) -> Iterator[Terminal]:
    """Stderr as a terminal; not a fixture, because pytest changes stderr after those."""
    fake = Terminal()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "stderr", fake)
        patch.setattr(progressbar, "_PATIENCE", patience)
        patch.setattr(progressbar, "_INTERVAL", 0.0)
        patch.setenv("TERM", "xterm")
        yield fake


def test_a_file_name_cannot_steer_the_progress_bar() -> None:
    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading [/red] :cat: \x1b[2J", 100, "bytes")
        progress.done(50)
        progress.found(7, "triples")
        progress.finish()
    assert r"reading [/red] :cat: \x1b[2J" in screen.text
    assert "\x1b[2J" not in screen.text
    assert "7 triples" in screen.text


def test_reports_after_the_end_draw_nothing() -> None:
    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", None, "bytes")
        progress.done(50)
        progress.finish()
        before = screen.text
        assert "reading" in before
        progress.done(60)
        progress.found(3, "triples")
        assert screen.text == before


def test_reports_from_several_threads_draw_one_bar() -> None:
    failures: list[Exception] = []

    def report() -> None:
        try:
            for amount in range(20):
                progress.done(amount)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    with terminal() as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", 100, "bytes")
        threads = [threading.Thread(target=report) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        progress.finish()
    assert failures == []
    assert "reading" in screen.text


def test_fast_work_draws_no_bar() -> None:
    with terminal(patience=1000.0) as screen:
        progress = progressbar.TerminalProgress()
        progress.start("reading", 100, "bytes")
        progress.done(50)
        progress.finish()
    assert screen.text == ""
