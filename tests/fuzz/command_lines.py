"""Command lines as inputs: every command and option, with values that fit and values that do not.

The data of such a case is a JSON list of arguments. ``STOCK/`` stands for a folder of small files
of every kind, ``OUT/`` for an empty folder to write to.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import typer

from tests.fuzz import seeds
from tests.fuzz.case import Case
from tests.needs_torch import HAS_TORCH
from wlkg.cli import app

#: How a run may end: an answer, a refusal, output that cannot be written or that nobody reads.
ENDINGS = {0, 1, 2, 3, 4, 74, 141}

_LINES = [
    "info STOCK/g.tsv",
    "info STOCK/g.ttl --literals drop --labels kind --json",
    "convert STOCK/g.tsv OUT/g.json",
    "convert STOCK/g.ttl OUT/g.nt.gz --lossy",
    "refine STOCK/g.tsv --test 1-rwl --colours OUT/c.csv --json",
    "refine STOCK/g.tsv --test 2-rlwl --tuples OUT/t.parquet",
    "pairs STOCK/g.tsv --test 1-rwl --not-by 1-wl --limit 3 --json",
    "compare STOCK/c6.g6 STOCK/2xc3.g6 --test 1-wl --test 2-fwl --exit-zero --json",
    "explain STOCK/g.tsv ann bob --svg OUT/u.svg",
    "explain STOCK/g.tsv ann --test weak-rwl --json",
    "explain STOCK/c6.g6 STOCK/2xc3.g6 --test 2-rlwl",
    "explain STOCK/g.tsv --predictions STOCK/predictions.tsv --json",
    "symmetry STOCK/g.tsv --orbits OUT/o.csv --json",
    "certify STOCK/c6.g6 STOCK/2xc3.g6 -o OUT/c.json",
    "certify STOCK/c6.g6 STOCK/c6.g6 --isomorphic -o OUT/c.json --json",
    "verify STOCK/certificate.json STOCK/c6.g6 STOCK/2xc3.g6 --json",
    "counterexample k33 --out OUT/pairs --format json",
    "counterexample cycles --json",
    "refine STOCK/g.tsv --html OUT/p.html --markdown OUT/p.md --latex OUT/p.tex --figure OUT/p.svg",
    "report STOCK/result.json -o OUT/p.html",
    "hierarchy STOCK/many.g6 --test 1-wl --test 2-rlwl --json",
    "ceiling STOCK/g.tsv --targets STOCK/targets.tsv --json",
    "ceiling STOCK/g.tsv --targets STOCK/targets.tsv --among STOCK/among.txt --test 1-wl",
]
_MODEL_LINES = [
    "train STOCK/g.tsv --targets STOCK/targets.tsv --model rgcn --epochs 2 --save OUT/run --json",
    "train STOCK/g.tsv --targets STOCK/targets.tsv --model compgcn --epochs 1 --log OUT/l.csv",
    "predict STOCK/model.pt STOCK/g.tsv --json",
    "versus STOCK/g.tsv --model rgcn --layers 2 --dim 4 --draws 1 --json",
    "witness STOCK/g.tsv --model rgcn --layers 1 --out OUT/w.pt",
    "translate STOCK/model.pt --to rgcn --out OUT/t.pt",
    "reproduce STOCK/study.toml --dry-run",
]
#: Values for any option.
_VALUES = [
    *(
        "",
        "0",
        "1",
        "2",
        "-1",
        "3.5",
        "nan",
        "inf",
        "1e400",
        "x",
        "é",
        "\ud800",
        "1,2",
        "a=b",
        "[/b]",
        "--",
    ),
    *(
        "99999999999999999999",
        "1-rwl",
        "2-rlwl",
        "99-rlwl",
        "delta-2-lwl",
        "mean-rwl",
        "rgcn",
        "k-rn",
        "gnn",
    ),
    *(
        "compgcn",
        "add",
        "mult",
        "sum",
        "mean",
        "both",
        "out",
        "kind",
        "type",
        "tsv",
        "json",
        "float32",
        "cpu",
    ),
    *(
        "1k",
        "1G",
        "0.5",
        "train",
        "labels",
        "constant",
        "glorot",
        "head,tail",
        "knows",
        "ann",
        "all",
        "cuda",
    ),
    *(
        "STOCK/g.tsv",
        "STOCK/labels.tsv",
        "STOCK/targets.tsv",
        "STOCK/features.tsv",
        "STOCK/model.pt",
    ),
    *(
        "STOCK/among.txt",
        "STOCK/certificate.json",
        "STOCK/study.toml",
        "STOCK/none",
        "STOCK",
        "-",
        "OUT",
    ),
    *(
        "OUT/x.csv",
        "OUT/x.json",
        "OUT/x.svg",
        "OUT/x.pt",
        "OUT/x.parquet",
        "OUT/a/b/c",
        "OUT/x.gz",
        "/dev/full",
    ),
    *(
        "example:c6",
        "example:cfi-g,k=2",
        "example:",
        "STOCK/c6.g6#1",
        "STOCK/c6.g6#9",
        "STOCK/many.g6#all",
    ),
]
#: Options that ask for an amount of work: nobody is surprised if much takes long.
_WORK = {
    *("--epochs", "--draws", "--seeds", "--layers", "--dim", "-k", "--seconds", "--batch"),
    *("--piece", "--isomorphism-seconds", "--patience", "--workers", "--widths"),
}
_AMOUNTS = ["0", "1", "2", "3", "-1", "1.5", "x", ""]
#: Options that open no ordinary file or install something.
_LEFT_OUT = {"--help", "-h", "--install-completion", "--show-completion", "--module"}


def argument_lists() -> list[Case]:
    """Command lines that work."""
    lines = [*_LINES, *(_MODEL_LINES if HAS_TORCH else [])]
    return [
        Case("arguments", "arguments.json", json.dumps(line.split()).encode()) for line in lines
    ]


@cache
def options_of(command: str) -> tuple[tuple[str, bool], ...]:
    """The options of a command, and whether each takes a value."""
    known = _program()
    if command not in known.commands:
        return ()
    options = [p for p in known.commands[command].params if hasattr(p, "is_flag")]
    return tuple(
        (name, not option.is_flag)
        for option in options
        for name in (*option.opts, *option.secondary_opts)
        if name not in _LEFT_OUT
    )


def _value(rng: Random, option: str) -> str:
    return rng.choice(_AMOUNTS if option in _WORK else _VALUES)


def mutate_arguments(rng: Random, data: bytes, other: bytes) -> bytes:
    """The list with an argument added, dropped, replaced or taken from another list."""
    arguments: list[str] = json.loads(data)
    options = options_of(arguments[0]) if arguments else ()
    match rng.choice(("add", "add", "add", "drop", "value", "value", "swap", "command")):
        case "add" if options:
            name, takes_value = rng.choice(options)
            arguments += [name, _value(rng, name)] if takes_value else [name]
        case "drop" if len(arguments) > 1:
            del arguments[rng.randrange(1, len(arguments))]
        case "value" if len(arguments) > 1:
            place = rng.randrange(1, len(arguments))
            arguments[place] = _value(rng, arguments[place - 1])
        case "swap" if len(arguments) > 2:
            i, j = rng.randrange(1, len(arguments)), rng.randrange(1, len(arguments))
            arguments[i], arguments[j] = arguments[j], arguments[i]
        case "command" if rng.random() < 0.3:
            arguments[:1] = json.loads(other)[:1]
        case _:
            arguments.append(rng.choice(_VALUES))
    return json.dumps(arguments).encode()


class WrongEndingError(Exception):
    """A run that ended in a way that is not documented."""


def run_arguments(case: Case, _: Path, folder: Path) -> None:
    """Run a command line, with a folder of files and an empty one."""
    with contextlib.chdir(folder):
        run_command(placed(json.loads(case.data), folder))


def run_placed(arguments: list[str], out: Path) -> tuple[object, str, str]:
    """The exit status of a run, what it printed, and its messages."""
    return _run(placed(arguments, out))


def run_quietly(arguments: list[str]) -> int:
    """The exit status of a run; what it prints is dropped."""
    status = _run(arguments)[0]
    return status if isinstance(status, int) else 0


def placed(arguments: list[str], out: Path) -> list[str]:
    """The arguments with the two folders in place of their words."""
    places = {"STOCK": str(stock()), "OUT": str(out)}
    return [_placed(argument, places) for argument in arguments]


def _placed(argument: str, places: dict[str, str]) -> str:
    for word, place in places.items():
        if argument == word or argument.startswith(f"{word}/"):
            return place + argument.removeprefix(word)
    return argument


def run_command(arguments: list[str]) -> None:
    """Run ``wlkg`` in this process; raise an error unless it ends in a documented way."""
    status, printed, errors = _run(arguments)
    if status not in ENDINGS:
        raise WrongEndingError(f"status {status}\n{errors[-3000:]}")
    if status in (0, 1) and _wants_json(arguments):
        try:
            json.loads(printed)
        except ValueError:
            message = f"--json printed something else: {printed[:300]!r}"
            raise WrongEndingError(message) from None


def _wants_json(arguments: list[str]) -> bool:
    """Whether ``--json`` is an option, not the value of one, and no help is asked for."""
    values = {name for name, takes_value in options_of(arguments[0]) if takes_value}
    before = [arguments[i - 1] for i, word in enumerate(arguments) if word == "--json"]
    return bool(before) and not values & {*before} and not {"--help", "-h", "--"} & {*arguments}


@cache
def _program() -> Any:
    """The commands; Typer takes a tenth of a second to build them."""
    return typer.main.get_command(app)


def _run(arguments: list[str]) -> tuple[object, str, str]:
    """The exit status of a run, and what it printed to standard output and standard error."""
    streams = [io.TextIOWrapper(io.BytesIO(), "utf-8", errors="backslashreplace") for _ in range(3)]
    status: object = None
    with redirect_stdout(streams[0]), redirect_stderr(streams[1]):
        before, sys.stdin = sys.stdin, streams[2]
        try:
            _program().main(arguments, prog_name="wlkg")
        except SystemExit as end:
            status = end.code
        finally:
            sys.stdin = before
    for stream in streams:
        stream.flush()
    printed, errors = (stream.buffer.getvalue().decode() for stream in streams[:2])
    return status, printed, errors


@cache
def stock() -> Path:
    """A folder of small files of every kind, which lasts as long as the process."""
    folder = Path(tempfile.mkdtemp(prefix="wlkg-stock-"))
    _made.append(folder)
    files: dict[str, bytes] = {
        "g.tsv": seeds.graph_seeds("tsv")[0].data,
        "g.ttl": seeds.graph_seeds("turtle")[0].data,
        "c6.g6": b"EhEG\n",
        "2xc3.g6": b"EwCW\n",
        "many.g6": b"EhEG\nEwCW\nEhEG\n",
        "certificate.json": seeds.certificate_seeds()[0].data,
        "study.toml": seeds.study_seeds()[0].data if HAS_TORCH else b"",
        "model.pt": seeds.checkpoint_seeds("checkpoint/tensors")[0].data if HAS_TORCH else b"",
    }
    from wlkg.writers.write import write

    write(seeds.PEOPLE, folder / "g.tsv")
    for name in ("labels", "targets", "features", "predictions", "among"):
        case = seeds.table_seeds(name)[0]
        files[f"{name}{Path(case.name).suffix}"] = case.data
    if HAS_TORCH:
        from tests.gnn.checkpoints.saved_models import GRAPH

        write(GRAPH, folder / "model-graph.tsv", lossy=True)
    del files["g.tsv"]
    for name, data in files.items():
        (folder / name).write_bytes(data)
    printed = _run(["info", str(folder / "g.tsv"), "--json"])[1]
    (folder / "result.json").write_text(printed, encoding="utf-8")
    return folder


#: Folders that `stock` has made, for the worker to remove.
_made: list[Path] = []


def remove_stock() -> None:
    """Remove what `stock` has made."""
    import shutil

    for folder in _made:
        shutil.rmtree(folder, ignore_errors=True)
