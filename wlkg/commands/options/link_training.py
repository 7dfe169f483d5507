"""The options of ``wlkg train`` that only concern links."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, ClassVar

import typer

from wlkg.commands.options.completing import one_of
from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.reading import Reading
from wlkg.commands.options.single import listed, quiet_option
from wlkg.gnn.config import DECODERS
from wlkg.shell.panels import LINKS

if TYPE_CHECKING:
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.links.folder import LinkFolder


@dataclass(frozen=True)
class LinkTrainingOptions:
    """Whether links are learned, how they are scored, and where models are tested."""

    PANEL: ClassVar[str] = LINKS

    links: Annotated[
        bool,
        typer.Option(
            "--links",
            help="Predict links: GRAPH is a folder with train.txt, test.txt and valid.txt. --dim is"
            " 32 by default.",
        ),
    ] = False
    decoder: Annotated[
        str | None,
        quiet_option(
            "--decoder",
            metavar="NAME",
            help="--links: how the features of two vertices become a score:"
            f" {listed(DECODERS)}; {next(iter(DECODERS))} by default. c-mpnn has its own.",
            autocompletion=one_of(DECODERS),
        ),
    ] = None
    negatives: Annotated[
        int | None,
        quiet_option(
            "--negatives",
            metavar="N",
            min=1,
            help="--links: compare each answer with N candidates drawn at random, not with all.",
        ),
    ] = None
    remove_batch: Annotated[
        bool | None,
        quiet_option(
            "--remove-batch/--keep-batch",
            help="--links: leave the triples of a batch out of the graph while they are learned;"
            " c-mpnn does by default.",
        ),
    ] = None
    inference: Annotated[
        str | None,
        quiet_option(
            "--inference",
            metavar="FOLDER",
            help="--links: test on this folder, with other entities, as in an inductive set.",
        ),
    ] = None

    #: The options that say nothing without ``--links``.
    NAMES: ClassVar[tuple[str, ...]] = ("--decoder", "--negatives", "--remove-batch", "--inference")


def takes_links(command: Command) -> Command:
    """Replace the parameter ``link_options`` by the fields of `LinkTrainingOptions`."""
    return with_options(command, "link_options", LinkTrainingOptions, {})


def read_folder_of_links(folder: str, reading: Reading, split: str) -> LinkFolder:
    """The triples of a folder; labels of vertices belong to the graph."""
    from wlkg.links.folder import read_link_folder

    def read(splits: str) -> RelationalGraph:
        is_graph = splits == (reading.splits or "train")
        return replace(reading, splits=splits, labels=reading.labels if is_graph else None).read(
            folder
        )

    return read_link_folder(folder, read, split, reading.splits or "train")
