"""Constructed weights and translated models as data and as text."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from wlkg.reports.styles import heading
from wlkg.reports.terminal import console, new_table, printable

if TYPE_CHECKING:
    from wlkg.gnn.config import ModelConfig
    from wlkg.gnn.theorems.checkpoint_translation import Translated
    from wlkg.gnn.theorems.witness import Witness


def kind(config: ModelConfig) -> str:
    """The kind of a model in a few words."""
    if config.model in ("compgcn", "c-mpnn"):
        return f"{config.model} with {config.composition}"
    if config.model == "k-rn":
        update = " and an MLP as update" if config.update == "mlp" else ""
        return f"{config.k}-rn with {config.composition}{update}"
    return config.model


def witness_document(witness: Witness, out: str | None) -> dict[str, Any]:
    """What ``wlkg witness --json`` prints."""
    return {
        "model": witness.model.config.model,
        "config": asdict(witness.model.config),
        "test": witness.bound.test,
        "direction": witness.bound.direction,
        "layers": [
            {"layer": t, "classes": count, "width": witness.model.config.widths[t]}
            for t, count in enumerate(witness.classes_per_round)
        ],
        "weights": witness.num_weights,
        "largest": witness.largest,
        "verified": True,
        "out": out,
    }


def print_witness(name: str, witness: Witness, out: str | None) -> None:
    """The widths, which are numbers of classes, and what was checked."""
    terminal = console()
    config = witness.model.config
    title = (
        f"{printable(name)}: {kind(config)}, {config.activation}, simulating {witness.bound.test}"
    )
    terminal.print(heading(title), soft_wrap=True)
    table = new_table(terminal)
    for column in ("layer", "classes", "width"):
        table.add_column(column, justify="right")
    for t, count in enumerate(witness.classes_per_round):
        table.add_row(f"{t}", f"{count:,}", f"{config.widths[t]:,}")
    terminal.print(table)
    terminal.print(f"checked by running it: every layer t equals round t of {witness.bound.test}")
    terminal.print(f"{witness.num_weights:,} weights; no sum is larger than {witness.largest:,}")
    if out is not None:
        terminal.print(f"written to {printable(out)}")


def translated_document(translated: Translated, out: str | None) -> dict[str, Any]:
    """What ``wlkg translate --json`` prints."""
    sides = (("from", translated.before), ("to", translated.after))
    return {
        **{
            side: {"kind": kind(model.config), "layers": model.config.layers, "weights": weights}
            for (side, model), weights in zip(sides, translated.num_weights, strict=True)
        },
        "graphs": translated.graphs,
        "max_difference": translated.max_difference,
        "out": out,
    }


def print_translated(translated: Translated, out: str | None) -> None:
    """Both models side by side, and how well they agree."""
    terminal = console()
    table = new_table(terminal)
    for column in ("model", "layers", "weights"):
        table.add_column(column, justify="left" if column == "model" else "right")
    for model, weights in zip(
        (translated.before, translated.after), translated.num_weights, strict=True
    ):
        table.add_row(kind(model.config), f"{model.config.layers}", f"{weights:,}")
    terminal.print(table)
    terminal.print(
        f"outputs on {translated.graphs} random graphs differ by at most"
        f" {translated.max_difference:.1e}"
    )
    if out is not None:
        terminal.print(f"written to {printable(out)}")
