"""How a model is trained: the options that labels and links have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

import typer

from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.single import quiet_option
from wlkg.gnn.config import (
    GRAPH_DEFAULTS,
    LARGE,
    LEARNING_RATES,
    LINK_DEFAULTS,
    MODELS,
    WEIGHT_DECAY,
)
from wlkg.shell.panels import OUTPUT, TRAINING

_SMALL_RATE, _LARGE_RATE = LEARNING_RATES
_LINKS, _CONDITIONAL = LINK_DEFAULTS["rgcn"], LINK_DEFAULTS["c-mpnn"]


@dataclass(frozen=True)
class TrainingOptions:
    """How a model is trained; None stands for a default that depends on the task."""

    PANEL: ClassVar[str] = TRAINING

    epochs: Annotated[
        int | None,
        quiet_option(
            "--epochs",
            metavar="N",
            min=0,
            help=f"Number of epochs; by default {MODELS['rgcn'].epochs[0]:,}"
            f" ({MODELS['k-rn'].epochs[0]:,} for k-rn), fewer from {LARGE:,} vertices on,"
            f" {GRAPH_DEFAULTS.epochs} for whole graphs, and {_LINKS.epochs} for links"
            f" ({_CONDITIONAL.epochs} for c-mpnn).",
        ),
    ] = None
    lr: Annotated[
        float | None,
        quiet_option(
            "--lr",
            metavar="X",
            help=f"Learning rate; by default {_SMALL_RATE:g}, {_LARGE_RATE:g} from {LARGE:,}"
            f" vertices on, {GRAPH_DEFAULTS.learning_rate:g} for whole graphs, and"
            f" {_LINKS.learning_rate:g} for links ({_CONDITIONAL.learning_rate:g} for c-mpnn).",
        ),
    ] = None
    weight_decay: Annotated[
        float | None,
        quiet_option(
            "--weight-decay",
            metavar="X",
            help=f"Weight decay of the optimiser; by default {WEIGHT_DECAY:g}, and 0 for links.",
        ),
    ] = None
    batch: Annotated[
        int | None,
        quiet_option(
            "--batch",
            metavar="N",
            min=1,
            help="The number of graphs or of triples in a step of the optimiser; by default all"
            f" graphs, and {_LINKS.batch} triples ({_CONDITIONAL.batch} for c-mpnn).",
        ),
    ] = None
    patience: Annotated[
        int | None,
        quiet_option(
            "--patience",
            metavar="N",
            min=1,
            help="Stop after N epochs without improvement on validation.",
        ),
    ] = None
    seeds: Annotated[
        int,
        typer.Option("--seeds", metavar="N", min=1, help="Train N times, with N random seeds."),
    ] = 1
    save: Annotated[
        str | None,
        quiet_option(
            "--save",
            metavar="DIR",
            help="Save the trained models in this folder, as seed-0.pt and so on.",
            rich_help_panel=OUTPUT,
        ),
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a run that was stopped, from --save.")
    ] = False
    log: Annotated[
        str | None,
        quiet_option(
            "--log",
            metavar="OUT.csv",
            help="Write the loss and the scores of every epoch.",
            rich_help_panel=OUTPUT,
        ),
    ] = None

    def arguments(self) -> dict[str, Any]:
        """The arguments of `wlkg.train` and `wlkg.train_links`, apart from ``batch``."""
        decay = {} if self.weight_decay is None else {"weight_decay": self.weight_decay}
        return {
            "epochs": self.epochs,
            "learning_rate": self.lr,
            **decay,
            "patience": self.patience,
            "seeds": self.seeds,
            "save": self.save,
            "resume": self.resume,
        }


def takes_training(command: Command) -> Command:
    """Replace the parameter ``training_options`` by the fields of `TrainingOptions`."""
    return with_options(command, "training_options", TrainingOptions, {})
