"""Kill runs at random moments and run them again: ``python -m tests.faults.kill --times 200``.

A run that was killed leaves every file old or whole. The next run resumes or begins anew, and ends
with the same bytes as a run that nobody has disturbed; seconds that results record are left out.
Commands run in processes that are forked from this one, so that they start at once and are killed
at work. Ends with status 1 if anything was wrong.
"""

from __future__ import annotations

import argparse
import importlib
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tests.faults.commands import files_below
from tests.fuzz.command_lines import run_quietly
from tests.needs_torch import HAS_TORCH

_PART = ".wlkg-part"
_VERTICES = 3000
OLD = b"old"


@dataclass(frozen=True)
class Task:
    """A command line that writes to ``OUT``, and how it is run again after it was killed."""

    line: str
    again: str = ""
    #: Files that are there before; a run that goes on with what it finds has none.
    old: tuple[str, ...] = ()


TASKS = {
    "convert": Task("convert DATA/g.tsv OUT/g.nt.gz --force", old=("g.nt.gz",)),
    "refine": Task("refine DATA/g.tsv --test 1-rwl --colours OUT/c.csv", old=("c.csv",)),
}
if HAS_TORCH:
    TASKS |= {
        "train": Task(
            "train DATA/toy.tsv --targets DATA/train.tsv --model rgcn --dim 3 --epochs 10"
            " --save OUT/run",
            again=" --resume",
        ),
        "reproduce": Task("reproduce DATA/toy.toml --out OUT --workers 1 --no-figures"),
    }


def main() -> None:
    """Run the program as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.kill", description=__doc__)
    parser.add_argument("--times", type=int, default=200, help="how many runs are killed")
    parser.add_argument("--seed", type=int, default=0, help="which moments")
    options = parser.parse_args()
    _prepare()
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        faults, moments = kill_often(options.times, options.seed, Path(folder))
    for fault in faults:
        print(fault)
    spoken = ", ".join(f"{count} {moment}" for moment, count in sorted(moments.items()))
    print(
        f"{options.times} runs in {time.monotonic() - started:.0f} s: {spoken}; {len(faults)} wrong"
    )
    sys.exit(1 if faults else 0)


def kill_often(times: int, seed: int, folder: Path) -> tuple[list[str], Counter[str]]:
    """What was wrong in so many runs, and at which moments they were killed."""
    draw = random.Random(seed)
    data = _data(folder / "data")
    references = {name: _reference(task, data, folder) for name, task in TASKS.items()}
    faults: list[str] = []
    moments: Counter[str] = Counter()
    for number in range(times):
        name = list(TASKS)[number % len(TASKS)]
        whole, seconds = references[name]
        out = folder / f"out{number}"
        moment, fault = _trial(TASKS[name], data, out, whole, draw.uniform(0, 1.05 * seconds))
        moments[f"{name} {moment}"] += 1
        if fault:
            faults.append(f"{name}, run {number}: {fault}")
        shutil.rmtree(out, ignore_errors=True)
    return faults, moments


def _data(folder: Path) -> Path:
    """A graph of a few thousand vertices and, if there are models, a small study."""
    draw = random.Random(1)
    folder.mkdir(parents=True)
    rows = sorted(
        {(draw.randrange(_VERTICES), draw.randrange(4), draw.randrange(_VERTICES))
         for _ in range(4 * _VERTICES)}
    )  # fmt: skip
    (folder / "g.tsv").write_text("".join(f"v{h}\tr{r}\tv{t}\n" for h, r, t in rows))
    if HAS_TORCH:
        from tests.studies.toy import TOML, write_toy

        small = TOML.replace("[2, 4]", "[2]").replace("seeds = 2", "seeds = 1")
        write_toy(folder, small.replace("epochs = 5", "epochs = 2"))
    return folder


def _reference(task: Task, data: Path, folder: Path) -> tuple[dict[str, bytes], float]:
    """The files of an undisturbed run, and its seconds once it is warm."""
    for _ in range(2):
        out = folder / "reference"
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        started = time.monotonic()
        status = _wait(_start(task.line, data, out))
        seconds = time.monotonic() - started
        if status:
            raise SystemExit(f"{task.line}: status {status}")
    return files_below(out), seconds


def _trial(
    task: Task, data: Path, out: Path, whole: dict[str, bytes], seconds: float
) -> tuple[str, str | None]:
    """When a run was killed, and what is wrong afterwards."""
    out.mkdir()
    for file in task.old:
        (out / file).write_bytes(OLD)
    process = _start(task.line, data, out)
    time.sleep(seconds)
    os.kill(process, signal.SIGKILL)
    _wait(process)
    moment = _moment(out, whole)
    fault = _half_written(task, out, whole)
    status = _wait(_start(task.line + task.again, data, out))
    if fault is None and status:
        fault = f"the next run ended with status {status}"
    if fault is None and files_below(out) != whole:
        fault = "the next run gave other files than a run that was not disturbed"
    return moment, fault


def _moment(out: Path, whole: dict[str, bytes]) -> str:
    files = files_below(out)
    if any(name.endswith(_PART) for name in files):
        return "while writing"
    return "after the end" if files == whole else "before the end"


def _half_written(task: Task, out: Path, whole: dict[str, bytes]) -> str | None:
    """A file that is neither old nor whole; checkpoints of earlier epochs are whole, too."""
    for name, data in files_below(out).items():
        if name.endswith(_PART) or data == whole.get(name) or (name in task.old and data == OLD):
            continue
        if not (name.endswith(".pt") and _is_checkpoint(out / name)):
            return f"{name} is neither old nor whole: {len(data)} bytes"
    return None


def _is_checkpoint(path: Path) -> bool:
    from wlkg.errors import WlkgError
    from wlkg.gnn.checkpoints.saved_model import load_model

    try:
        load_model(str(path))
    except WlkgError:
        return False
    return True


def _start(line: str, data: Path, out: Path) -> int:
    """The process in which a command line runs; this one must not have threads."""
    arguments = [word.replace("DATA", str(data)).replace("OUT", str(out)) for word in line.split()]
    process = os.fork()
    if process:
        return process
    if HAS_TORCH:
        from wlkg.gnn.training import loop

        loop._SAVE_SECONDS = 0.0  # a checkpoint after every epoch
    os._exit(run_quietly(arguments))


def _wait(process: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _prepare() -> None:
    """Import what commands need, once for all processes."""
    # Several threads per process get in each other's way if many processes run.
    os.environ["OMP_NUM_THREADS"] = os.environ["NUMBA_NUM_THREADS"] = "1"
    modules = ["pyarrow.compute", "numba", "networkx"]
    modules += ["wlkg.readers.edgelist", "wlkg.refinement.refine"]
    if HAS_TORCH:
        modules += ["wlkg.gnn.api", "wlkg.studies.reproduce", "wlkg.reports.train"]
    for module in modules:
        importlib.import_module(module)


if __name__ == "__main__":
    main()
