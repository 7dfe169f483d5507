"""A toy study: a small graph with labels, two models, two widths, two seeds, five epochs."""

from __future__ import annotations

import random
from pathlib import Path

from wlkg.gnn.config import ModelChoice
from wlkg.studies.facts import BoundFacts, Facts, GraphFacts
from wlkg.studies.runs import Epoch, RunResult
from wlkg.studies.study import Run, Study
from wlkg.studies.toml_study import read_study

TOML = """\
title = "Toy"
graph = "toy.tsv"
targets = "train.tsv"
holdout = "test.tsv"
widths = [2, 4]
seeds = 2
epochs = 5

[[models]]
name = "R-GCN"
model = "rgcn"

[[models]]
name = "CompGCN"
model = "compgcn"
"""
FILE = "toy.toml"
#: A run of no study.
RUN = Run(
    choice=ModelChoice("compgcn", layers=2, width=4),
    epochs=10,
    learning_rate=0.001,
    weight_decay=0.0,
    seed=0,
    device="cpu",
    data="abc",
)


def write_toy(folder: Path, toml: str = TOML) -> Path:
    """Write the files of the toy study to a folder; the path of its TOML file."""
    draw = random.Random(0)
    folder.mkdir(parents=True, exist_ok=True)
    names = [f"v{i}" for i in range(24)]
    triples = {(draw.choice(names), draw.choice("ab"), draw.choice(names)) for _ in range(60)}
    triples |= {(name, "a", "hub") for name in names}
    (folder / "toy.tsv").write_text("".join("\t".join(t) + "\n" for t in sorted(triples)))
    for file, part in (("train.tsv", names[:16]), ("test.tsv", names[16:])):
        rows = (f"{name}\t{'x' if draw.random() < 0.5 else 'y'}\n" for name in part)
        (folder / file).write_text("entity\tlabel\n" + "".join(rows))
    path = folder / FILE
    path.write_text(toml)
    return path


def toy_study(folder: Path, toml: str = TOML) -> Study:
    """The toy study, with files in the folder."""
    return read_study(str(write_toy(folder, toml)))


def made_up_result(run: Run, accuracy: float) -> RunResult:
    """A result that nobody has computed."""
    last = Epoch(run.epochs, 0.5, 1.0, 0.5, accuracy)
    best = Epoch(0, 0.7, 0.5, 0.5, max(accuracy, 0.5))
    return RunResult(
        run=run,
        parameters=10 * run.choice.width,
        last=last,
        chosen=best,
        best_on_test=best,
        curve=(best, last),
        seconds=1.5,
        seconds_per_epoch=0.25,
        versions={"python": "3", "wlkg": "0"},
    )


def made_up_facts(study: Study) -> Facts:
    """Facts with one bound for all models."""
    graph = GraphFacts(
        vertices=25,
        triples=80,
        relations=2,
        train=16,
        test=8,
        classes=2,
        direction="both",
        arc_relations=4,
    )
    models = tuple(f"{e.name}/{model.name}" for e in study.experiments for model in e.models)
    bound = BoundFacts(
        test="1-rwl",
        direction="both",
        round=2,
        classes=20,
        correct={"train": (15, 16), "test": (8, 8)},
        models=models,
    )
    return Facts(graph=graph, bounds=(bound,), majority={"train": 0.5, "test": 0.625})
