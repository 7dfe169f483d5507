"""The options of every command that creates a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, cast

import typer

from wlkg.commands.options.completing import one_of
from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.given import as_given, refuse_given
from wlkg.commands.options.single import listed, quiet_option
from wlkg.devices import DEVICES
from wlkg.errors import UsageError
from wlkg.gnn.compositions import COMPOSITIONS
from wlkg.gnn.config import (
    DTYPES,
    MODELS,
    PAIR_AGGREGATIONS,
    UPDATES,
    Aggregation,
    ModelChoice,
    Update,
)
from wlkg.gnn.switches import SWITCHES
from wlkg.shell.panels import MODEL


@dataclass(frozen=True)
class ModelOptions:
    """Which model the user wants, and how to compute it."""

    PANEL: ClassVar[str] = MODEL

    #: Knows which options the user gave; not an option itself.
    context: typer.Context
    model: Annotated[
        str,
        typer.Option(
            "--model",
            metavar="MODEL",
            help=f"The kind of model: {listed(MODELS)}.",
            autocompletion=one_of(MODELS),
        ),
    ] = "rgcn"
    layers: Annotated[
        int | None, quiet_option("--layers", metavar="N", help="Number of layers.")
    ] = None
    dim: Annotated[
        int, typer.Option("--dim", metavar="N", help="Width of the hidden features.")
    ] = 4
    aggregation: Annotated[
        str,
        typer.Option(
            "--aggregation",
            metavar="NAME",
            help=f"How a vertex combines its messages: {listed(PAIR_AGGREGATIONS)} (c-mpnn only).",
            autocompletion=one_of(PAIR_AGGREGATIONS),
        ),
    ] = "sum"
    composition: Annotated[
        str,
        typer.Option(
            "--composition",
            metavar="NAME",
            help="compgcn, k-rn, c-mpnn: how a neighbour is composed with its relation:"
            f" {listed(COMPOSITIONS)}.",
            autocompletion=one_of(COMPOSITIONS),
        ),
    ] = "mult"
    bias: Annotated[bool, typer.Option("--bias/--no-bias", help="Add a bias in each layer.")] = (
        False
    )
    direction_weights: Annotated[
        bool,
        typer.Option(
            "--direction-weights/--no-direction",
            help="compgcn: separate weights for triples, inverse triples and self-loops.",
        ),
    ] = True
    norm: Annotated[
        bool,
        typer.Option(
            "--norm/--no-norm", help="compgcn: divide messages by the degrees of their ends."
        ),
    ] = True
    relation_update: Annotated[
        bool,
        typer.Option(
            "--relation-update/--no-relation-update",
            help="compgcn, k-rn: transform the relation vectors in each layer.",
        ),
    ] = True
    query_message: Annotated[
        bool,
        typer.Option(
            "--query-message/--no-query-message",
            help="c-mpnn: make the relation vectors of each layer from the vector of the query.",
        ),
    ] = False
    global_readout: Annotated[
        bool,
        typer.Option(
            "--global-readout/--no-global-readout",
            help="c-mpnn: add the sum over all vertices in each layer.",
        ),
    ] = False
    k: Annotated[int, typer.Option("-k", metavar="N", help="k-rn: the length of tuples.")] = 2
    update: Annotated[
        str,
        typer.Option(
            "--update",
            metavar="NAME",
            help=f"k-rn: what is applied to the sum of messages: {listed(UPDATES)}.",
            autocompletion=one_of(UPDATES),
        ),
    ] = "linear"
    dtype: Annotated[
        str,
        typer.Option(
            "--dtype",
            metavar="TYPE",
            help=f"Type of numbers: {listed(DTYPES)}.",
            autocompletion=one_of(DTYPES),
        ),
    ] = "float32"
    device: Annotated[
        str,
        typer.Option(
            "--device",
            metavar="DEVICE",
            help=f"Where to compute: {listed(DEVICES)}, or a number as in cuda:1.",
            autocompletion=one_of(DEVICES),
        ),
    ] = "auto"
    seed: Annotated[int, typer.Option("--seed", metavar="N", min=0, help="Random seed.")] = 0

    def choice(self, **more: Any) -> ModelChoice:
        """The model without dtype, device and seed; ``more`` are settings of single commands."""
        (choice,) = self.choices(self.model, **more)
        return choice

    def choices(self, *models: str, **more: Any) -> list[ModelChoice]:
        """A choice for each of several models: each takes the switches that apply to it.

        A switch that applies to none of them is refused.
        """
        known = [model for model in models if model in MODELS]
        for switch in SWITCHES.values():
            given = as_given(self.context, switch.option)
            reasons = [switch.unused(model, {"norm": self.norm}) for model in known]
            if given is not None and known and None not in reasons:
                raise UsageError(f"{given} {reasons[0]}")
        return [self._choice_of(model, **more) for model in models]

    def _choice_of(self, model: str, **more: Any) -> ModelChoice:
        switches = {
            "layers": self.layers,
            "width": self.dim,
            # The choice itself refuses other words.
            "aggregation": cast("Aggregation", self.aggregation),
            "composition": self.composition,
            "bias": self.bias,
            "direction": self.direction_weights,
            "norm": self.norm,
            "relation_update": self.relation_update,
            "query_message": self.query_message,
            "global_readout": self.global_readout,
            "k": self.k,
            "update": cast("Update", self.update),
            **more,
        }
        chosen = {"norm": self.norm}
        applying = {
            name: value
            for name, value in switches.items()
            if name not in SWITCHES or SWITCHES[name].unused(model, chosen) is None
        }
        return ModelChoice(model=model, **applying)

    def refuse(self, *options: str, because: str) -> None:
        """Refuse options that the user gave although they have no effect."""
        refuse_given(self.context, *options, because=because)

    def refuse_switches(self, *kept: str, because: str) -> None:
        """Refuse ``--model`` and all switches of a model, apart from some that are kept."""
        options = ["--model", *(switch.option for switch in SWITCHES.values())]
        self.refuse(*(option for option in options if option not in kept), because=because)


def takes_model(**defaults: Any) -> Callable[[Command], Command]:
    """Replace the parameter ``model_options`` by the fields of `ModelOptions` as options.

    ``defaults`` are the command's own defaults for some of them.
    """
    return lambda command: with_options(command, "model_options", ModelOptions, defaults)
