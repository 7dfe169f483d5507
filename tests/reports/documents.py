"""Documents of every command, small and computed by the program itself."""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from tests.needs_torch import HAS_TORCH
from tests.places import EXAMPLE_GRAPHS, ROOT
from wlkg.cli import app

FAMILY = str(EXAMPLE_GRAPHS / "family.ttl")
Document = dict[str, Any]

#: By name: the arguments of the command; TMP is a folder with targets.
_COMMANDS: dict[str, tuple[str, ...]] = {
    "info": ("info", FAMILY),
    "info-several": ("info", "TMP/several.g6#all"),
    "estimate": ("estimate", FAMILY),
    "refine": ("refine", FAMILY),
    "refine-tuples": ("refine", "example:c6", "--test", "2-rlwl"),
    "refine-stopped": ("refine", FAMILY, "--rounds", "1"),
    "pairs": ("pairs", "example:weak-rwl", "--test", "1-rwl", "--not-by", "weak-rwl"),
    "compare": ("compare", "example:c6", "example:2xc3", "--exit-zero"),
    "compare-vertices": ("compare", "example:k33", "example:c6", "--exit-zero"),
    "compare-names": ("compare", FAMILY, FAMILY, "--names"),
    "compare-two-vertices": (
        *("compare", "example:c6", "example:2xc3", "--vertices", "0", "0", "--exit-zero"),
    ),
    "compare-same": ("compare", "example:c6", "example:c6"),
    "counterexamples": ("counterexample",),
    "counterexample": ("counterexample", "cfi", "-k", "2", "--check"),
    "counterexample-unchecked": ("counterexample", "weak-rwl"),
    "lift": ("counterexample", "lift", "--of", FAMILY),
    "ceiling": ("ceiling", "example:c6", "--targets", "TMP/a.tsv", "--holdout", "TMP/b.tsv"),
    "ceiling-tests": (
        *("ceiling", "example:c6", "--targets", "TMP/a.tsv"),
        *("--test", "1-wl", "--test", "1-rwl"),
    ),
    "ceiling-links": ("ceiling", "TMP/links", "--links", "--rounds", "2", "--orbits"),
    "explain-pair": ("explain", FAMILY, ":dana", ":finn"),
    "explain-alike": ("explain", "example:c6", "0", "1"),
    "explain-class": ("explain", FAMILY, ":dana", "--round", "1"),
    "explain-graphs": ("explain", "example:c6", "example:2xc3", "--test", "2-rlwl"),
    "explain-labels": ("explain", FAMILY, "--targets", "TMP/people.tsv"),
    "classes": ("classes", FAMILY),
    "relations": ("relations", FAMILY),
    "pairs-same": ("pairs", FAMILY, "--same"),
    "symmetry": ("symmetry", "example:petersen", "--test", "1-rwl", "--test", "2-rlwl"),
    "symmetry-open": ("symmetry", "TMP/c6-2xc3.tsv"),
    "reproduce": ("reproduce", "aifb", "--out", "TMP/aifb", "--report-only", "--no-figures"),
    "hierarchy": ("hierarchy", "TMP/several.g6", "--test", "1-wl", "--test", "2-rlwl"),
}
_WITH_TORCH: dict[str, tuple[str, ...]] = {
    "compare-models": (
        *("compare", "example:c6", "example:2xc3", "--model", "rgcn", "--model", "k-rn"),
        "--exit-zero",
    ),
    "versus": ("versus", FAMILY, "--model", "rgcn"),
    "versus-lossy": ("versus", FAMILY, "--model", "compgcn", "--composition", "add"),
    "train": ("train", FAMILY, "--targets", "TMP/people.tsv", "--epochs", "5", "--seeds", "2"),
}
#: What ``wlkg reproduce --dry-run`` prints, in short.
PLAN: Document = {
    "schema": "wlkg/reproduce/1",
    "runs": [{"file": "a.json", "epochs": 8000, "seconds": 10.5, "finished": False}],
    "seconds_left": 120.0,
    "workers": 2,
}
NAMES = [*_COMMANDS, *(_WITH_TORCH if HAS_TORCH else ()), "plan"]


def document(name: str, folder: Path) -> Document:
    """A fresh copy of the document with this name; ``folder`` is for input files."""
    return copy.deepcopy(_computed(name, folder))


@cache
def _computed(name: str, folder: Path) -> Document:
    if name == "plan":
        return PLAN
    write_inputs(folder)
    arguments = [
        argument.replace("TMP", str(folder)) for argument in {**_COMMANDS, **_WITH_TORCH}[name]
    ]
    result = CliRunner().invoke(app, [*arguments, "--json"], prog_name="wlkg")
    assert result.exit_code == 0, result.output
    computed: Document = json.loads(result.stdout)
    return computed


def write_inputs(folder: Path) -> None:
    """Targets, graphs and the runs of a study, which the commands read."""
    shutil.copytree(ROOT / "docs" / "reproduction" / "aifb", folder / "aifb", dirs_exist_ok=True)
    (folder / "several.g6").write_text("".join(f"{code}\n" for code in ("EhEG", "EwCW", "C~")))
    (folder / "a.tsv").write_text("entity\tlabel\n0\tred\n1\tred\n2\tblue\n")
    (folder / "b.tsv").write_text("entity\tlabel\n3\tred\n4\tblue\n")
    links = folder / "links"
    links.mkdir(exist_ok=True)
    (links / "train.txt").write_text("hub\tto\ta\nhub\tto\tb\nhub\tto\tc\n")
    (links / "test.txt").write_text("a\tlikes\tb\nnew\tto\ta\n")
    cycles = [(v, (v + 1) % 6) for v in range(6)] + [(6, 7), (7, 8), (8, 6), (9, 10)]
    cycles += [(10, 11), (11, 9)]
    lines = [f"{v}\tedge\t{w}\n{w}\tedge\t{v}\n" for v, w in cycles]
    (folder / "c6-2xc3.tsv").write_text("".join(lines))
    people = ("ada", "ben", "cleo", "dana", "eli", "finn")
    rows = [f"http://example.org/family#{name}\t{name < 'd'}\n" for name in people]
    (folder / "people.tsv").write_text("entity\tlabel\n" + "".join(rows))


def places(value: Any, depth: int = 4) -> Iterator[tuple[Any, ...]]:
    """The places in a document: keys and numbers on the way to each value."""
    inside: Any = ()
    if isinstance(value, dict):
        inside = value.items()
    elif isinstance(value, list):
        inside = list(enumerate(value))[:2]
    for key, each in inside if depth else ():
        yield (key,)
        yield from ((key, *rest) for rest in places(each, depth - 1))


def numbers_in(value: Any) -> Iterator[float]:
    """All numbers in a document."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            yield from numbers_in(each)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield value


def longest_list(value: Any) -> int:
    """The length of the longest list in a document: positions in it are rounds."""
    inside = list(value.values()) if isinstance(value, dict) else value
    if not isinstance(inside, list):
        return 0
    own = len(value)
    return max([own, *(longest_list(each) for each in inside)])
