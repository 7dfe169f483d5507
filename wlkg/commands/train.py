"""``wlkg train``: train a model on classes of vertices or graphs, or on links."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from wlkg.commands.options import (
    EntityColumnOption,
    FeaturesOption,
    GraphArgument,
    HoldoutOption,
    LabelColumnOption,
    MemoryOption,
    ModelOptions,
    OptionalTargetsOption,
    OutputsWithFigure,
    Reading,
    UnknownRelationsOption,
    has_outputs_with_figure,
    listed,
    memory_limit,
    reads_graphs,
    takes_model,
    target_words,
)
from wlkg.commands.options.completing import one_of
from wlkg.commands.options.given import as_given
from wlkg.commands.options.link_training import (
    LinkTrainingOptions,
    read_folder_of_links,
    takes_links,
)
from wlkg.commands.options.training import TrainingOptions, takes_training
from wlkg.errors import UsageError
from wlkg.gnn.config import LINK_WIDTH, READOUTS, require_classifier
from wlkg.shell.panels import MODEL

if TYPE_CHECKING:
    from wlkg.reports.next_steps import NextStep

#: What only concerns labels of vertices or graphs.
_NOT_FOR_LINKS = (
    "--targets",
    "--holdout",
    "--graphs",
    "--readout",
    "--entity-column",
    "--label-column",
    "--checkpoint",
    "--freeze",
    "--validation",
)


@has_outputs_with_figure
@reads_graphs
@takes_model()
@takes_training
@takes_links
def train(
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    model_options: ModelOptions,
    training_options: TrainingOptions,
    link_options: LinkTrainingOptions,
    targets: OptionalTargetsOption = None,
    holdout: HoldoutOption = None,
    graphs: Annotated[
        bool,
        typer.Option(
            "--graphs",
            help="The targets are whole graphs: GRAPH is a folder or a file of several graphs.",
        ),
    ] = False,
    readout: Annotated[
        str | None,
        typer.Option(
            "--readout",
            metavar="NAME",
            help="Whole graphs: how the features of all vertices become one vector:"
            f" {listed(READOUTS)}; {READOUTS[0]} by default.",
            show_default=False,
            rich_help_panel=MODEL,
            autocompletion=one_of(READOUTS),
        ),
    ] = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    features: FeaturesOption = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Start with the weights of this model instead of random ones.",
            show_default=False,
        ),
    ] = None,
    unknown_relations: UnknownRelationsOption = "error",
    freeze: Annotated[
        bool,
        typer.Option(
            "--freeze",
            help="Do not change the model: learn only a linear map from its features to classes.",
        ),
    ] = False,
    validation: Annotated[
        str | None,
        typer.Option(
            "--validation",
            metavar="SHARE|FILE",
            help="What to validate on: a share of the targets, 0.15 by default, 0 for none; or a"
            " TSV of further targets.",
            show_default=False,
        ),
    ] = None,
    compress: Annotated[
        bool,
        typer.Option(
            "--compress/--no-compress",
            help="Compute vertices that cannot differ once: the same result, faster.",
        ),
    ] = True,
    last_activation: Annotated[
        bool,
        typer.Option(
            "--last-activation",
            help="Apply a ReLU after the last layer too.",
            rich_help_panel=MODEL,
        ),
    ] = False,
    max_memory: MemoryOption = None,
) -> None:
    """Train a model on classes of vertices or graphs, or on links.

    15 % of the targets are set aside for validation. The report shows the last epoch and the epoch
    with the lowest validation loss; the test vertices have no influence on either. --freeze keeps
    the weights as they are, at random or from a checkpoint: what a linear map can read from the
    features of a model that was not trained.

    With --links, GRAPH is a folder: the model learns the triples of train.txt, the epoch that ranks
    those of valid.txt best is reported beside the last, and those of test.txt are ranked under all
    rules for ties. Below stands the highest MRR that such a model can reach.

    \b
    Examples:
      wlkg train aifb.nt.gz --targets trainingSet.tsv --holdout testSet.tsv
      wlkg train aifb.nt.gz --targets train.tsv --model compgcn --seeds 5
      wlkg train kg.ttl --targets classes.tsv --save runs --resume
      wlkg train kg.ttl --targets classes.tsv --checkpoint witness.pt
      wlkg train kg.ttl --targets classes.tsv --validation valid.tsv --patience 50
      wlkg train molecules --graphs --targets classes.tsv --model k-rn --readout mlp
      wlkg train WN18RR --links --model compgcn --decoder rotate --patience 10
      wlkg train WN18RR_v1 --links --model c-mpnn --inference WN18RR_v1_ind
    """
    if link_options.links:
        more = {
            "last_activation": last_activation,
            "features": features,
            "unknown_relations": unknown_relations,
            "compress": compress,
            "max_memory": memory_limit(max_memory),
        }
        _train_links(graph, reading, outputs, model_options, training_options, link_options, more)
        return
    from wlkg.gnn.api import train as train_vertices
    from wlkg.gnn.api import train_graphs
    from wlkg.readers.collection import GraphCollection
    from wlkg.readers.targets import VALIDATION_SHARE, Targets, read_targets, share_of
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_saving, after_training
    from wlkg.reports.terminal import note
    from wlkg.reports.train import print_training, training_document, write_curves
    from wlkg.reports.train_ceiling import training_ceiling

    require_classifier(model_options.model)
    _refuse_unused(model_options, graphs=graphs, checkpoint=checkpoint is not None)
    if targets is None:
        raise UsageError("missing option '--targets': name a table of labels, or give --links")
    limit = memory_limit(max_memory)
    share = None if validation is None else share_of(validation)
    given = (targets, holdout, validation if share is None else None)
    tables = [path for path in given if path is not None]
    loaded = reading.read_collection(graph, tables) if graphs else reading.read(graph)
    columns = {"entity_column": entity_column, "label_column": label_column}
    validated: Targets | float = VALIDATION_SHARE
    if validation is not None:
        validated = read_targets(loaded, validation, **columns) if share is None else share
    how: dict[str, Any] = {
        "model": model_options.choice(last_activation=last_activation),
        **training_options.arguments(),
        "validation": validated,
        "seed": model_options.seed,
        "features": features,
        "freeze": freeze,
        "compress": compress,
        "device": model_options.device,
        "dtype": model_options.dtype,
        "max_memory": limit,
        "progress": TerminalProgress(),
    }
    classes = read_targets(loaded, targets, **columns)
    tested = None if holdout is None else read_targets(loaded, holdout, **columns)
    if isinstance(loaded, GraphCollection):
        how |= {"readout": readout or READOUTS[0], "batch": training_options.batch}
        training = train_graphs(loaded, classes, tested, **how)
        without = len(loaded.graphs) - len(training.task.sets.items)
        if without:
            note(f"{without:,} of {len(loaded.graphs):,} graphs have no class and take no part")
    else:
        how |= {
            "checkpoint": checkpoint,
            "direction": reading.chosen_direction,
            "unknown_relations": unknown_relations,
        }
        training = train_vertices(loaded, classes, tested, **how)
    if training_options.log is not None:
        write_curves(training, training_options.log)
    labels = target_words(targets, holdout, entity_column, label_column)

    def step() -> NextStep | None:
        save = training_options.save
        if save is None or graphs:
            bound = training.task.bounded_by
            return after_training(reading.asked(graph), labels, bound, graphs=graphs)
        return after_saving(reading.asked(graph), f"{save}/seed-{model_options.seed}.pt", features)

    outputs.present(
        "train",
        lambda: {
            "graph": graph,
            **training_document(training),
            **({} if isinstance(loaded, GraphCollection) else training_ceiling(loaded, training)),
        },
        lambda: print_training(graph, training),
        [] if isinstance(loaded, GraphCollection) else [reading.named(graph, loaded)],
        step=step,
    )


def _refuse_unused(model_options: ModelOptions, *, graphs: bool, checkpoint: bool) -> None:
    """Refuse options that say nothing about labels, or not in this combination."""
    model_options.refuse(*LinkTrainingOptions.NAMES, because="it belongs to --links")
    if graphs:
        model_options.refuse(
            *("--checkpoint", "--unknown-relations", "--last-activation"),
            because="a model of whole graphs starts with random weights, and each layer has a ReLU",
        )
    else:
        model_options.refuse("--readout", because="it is for whole graphs, --graphs")
        model_options.refuse("--batch", because="it is for --graphs and --links")
    if checkpoint:
        model_options.refuse_switches(because="--checkpoint brings its own model")
    else:
        model_options.refuse("--unknown-relations", because="it is about --checkpoint")
    if model_options.model == "k-rn":
        model_options.refuse("--compress", because="k-RN has a row for every tuple")


def _train_links(
    folder: str,
    reading: Reading,
    outputs: OutputsWithFigure,
    model_options: ModelOptions,
    training_options: TrainingOptions,
    options: LinkTrainingOptions,
    more: dict[str, Any],
) -> None:
    """``--links``: train on the triples of a folder, and rank those of its test split."""
    from wlkg.gnn.api import train_links
    from wlkg.readers.folders import has_split
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_training_links
    from wlkg.reports.terminal import note
    from wlkg.reports.train_links import links_training_document, write_link_curves
    from wlkg.reports.train_links_ceiling import links_training_ceiling
    from wlkg.reports.train_links_text import print_links_training

    model_options.refuse(*_NOT_FOR_LINKS, because="--links learns the triples of a folder")
    if options.inference is None:
        model_options.refuse("--unknown-relations", because="it is about --inference")
    if model_options.model == "c-mpnn":
        model_options.refuse("--compress", because="c-mpnn has a row for every pair")
    width = {} if as_given(model_options.context, "--dim") else {"width": LINK_WIDTH}
    choice = model_options.choice(last_activation=more.pop("last_activation"), **width)
    tested = read_folder_of_links(options.inference or folder, reading, "test")
    graph = tested.graph if options.inference is None else reading.read(folder)
    validation, unchosen = None, "no epoch is chosen, and nothing stops training early"
    if not has_split(folder, "valid"):
        note(f"there is no valid split: {unchosen}")
    elif "valid" in (reading.splits or ""):
        note(f"the valid split is part of the graph: {unchosen}")
    else:
        validation = replace(reading, splits="valid", labels=None).read(folder)
    progress = TerminalProgress()
    training = train_links(
        graph,
        tested.ranked,
        validation,
        choice,
        decoder=options.decoder,
        negatives=options.negatives,
        remove_batch=options.remove_batch,
        inference=None if options.inference is None else tested.graph,
        known=() if tested.known is None else tested.known,
        direction=reading.chosen_direction,
        batch=training_options.batch,
        seed=model_options.seed,
        device=model_options.device,
        dtype=model_options.dtype,
        progress=progress,
        **training_options.arguments(),
        **more,
    )
    if training.task.test is not None and training.task.test.left_out.relations:
        note(f"left out: {training.task.test.left_out}")
    if training_options.log is not None:
        write_link_curves(training, training_options.log)
    ceiling = links_training_ceiling(training, progress)
    inputs = [reading.named(folder, graph)]
    if options.inference is not None:
        inputs.append(reading.named(options.inference, tested.graph))
    outputs.present(
        "train",
        lambda: {
            "graph": folder,
            "inference": options.inference,
            **links_training_document(training, ceiling),
        },
        lambda: print_links_training(folder, training, ceiling),
        inputs,
        step=lambda: after_training_links(
            reading.asked(options.inference or folder),
            training.task.bounded_by,
            None if options.inference is None else folder,
        ),
    )
