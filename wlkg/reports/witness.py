"""Constructed weights and translated models as data and as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table
from rich.text import Text

from wlkg.reports.terminal import console, printable

if TYPE_CHECKING:
    from wlkg.gnn.config import ModelConfig
    from wlkg.gnn.theorems.checked_translation import Translated
    from wlkg.gnn.theorems.witness import Witness


def kind(config: ModelConfig) -> str:
    """A model in a word or two."""
    if config.model == "rgcn":
        return "rgcn"
    name = f"{config.k}-rn" if config.model == "k-rn" else config.model
    return f"{name} with {config.composition}"


def witness_document(found: Witness, out: str | None) -> dict[str, Any]:
    """What ``wlkg witness --json`` prints."""
    return {
        "model": found.model.config.model,
        "config": asdict(found.model.config),
        "test": found.bound.test,
        "direction": found.bound.direction,
        "layers": [
            {"layer": t, "classes": count, "width": found.model.config.widths[t]}
            for t, count in enumerate(found.classes_per_round)
        ],
        "weights": found.num_weights,
        "largest": found.largest,
        "verified": True,
        "out": out,
    }


def print_witness(name: str, found: Witness, out: str | None) -> None:
    """The widths, which are numbers of classes, and what was checked."""
    terminal = console()
    config = found.model.config
    title = f"{printable(name)}: {kind(config)}, {config.activation}, simulating {found.bound.test}"
    terminal.print(Text(title, style="bold"), soft_wrap=True)
    table = Table(box=None, pad_edge=False)
    for column in ("layer", "classes", "width"):
        table.add_column(column, justify="right")
    for t, count in enumerate(found.classes_per_round):
        table.add_row(f"{t}", f"{count:,}", f"{config.widths[t]:,}")
    terminal.print(table)
    terminal.print(f"checked by running it: every layer t equals round t of {found.bound.test}")
    terminal.print(f"{found.num_weights:,} weights; no sum is larger than {found.largest:,}")
    if out is not None:
        terminal.print(f"written to {printable(out)}")


def translated_document(found: Translated, out: str | None) -> dict[str, Any]:
    """What ``wlkg translate --json`` prints."""
    sides = (("from", found.before), ("to", found.after))
    return {
        **{
            side: {"kind": kind(model.config), "layers": model.config.layers, "weights": weights}
            for (side, model), weights in zip(sides, found.num_weights, strict=True)
        },
        "graphs": found.graphs,
        "max_difference": found.max_difference,
        "out": out,
    }


def print_translated(found: Translated, out: str | None) -> None:
    """Both models side by side, and how well they agree."""
    terminal = console()
    table = Table(box=None, pad_edge=False)
    for column in ("model", "layers", "weights"):
        table.add_column(column, justify="left" if column == "model" else "right")
    for model, weights in zip((found.before, found.after), found.num_weights, strict=True):
        table.add_row(kind(model.config), f"{model.config.layers}", f"{weights:,}")
    terminal.print(table)
    terminal.print(
        f"outputs on {found.graphs} random graphs differ by at most {found.max_difference:.1e}"
    )
    if out is not None:
        terminal.print(f"written to {printable(out)}")
