"""``wlkg train``: train a model on classes of vertices."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from wlkg.commands.options import (
    EntityColumnOption,
    FeaturesOption,
    GraphArgument,
    HoldoutOption,
    JsonOption,
    LabelColumnOption,
    MemoryOption,
    ModelOptions,
    Reading,
    TargetsOption,
    UnknownRelationsOption,
    listed,
    memory_limit,
    reads_graphs,
    takes_model,
)
from wlkg.gnn.config import READOUTS, WEIGHT_DECAY


@reads_graphs
@takes_model()
def train(
    graph: GraphArgument,
    reading: Reading,
    model_options: ModelOptions,
    targets: TargetsOption,
    holdout: HoldoutOption = None,
    graphs: Annotated[
        bool,
        typer.Option(
            "--graphs", help="Targets are the graphs of a folder, or of a file with several graphs."
        ),
    ] = False,
    readout: Annotated[
        str | None,
        typer.Option(
            "--readout",
            help=f"Whole graphs: {listed(READOUTS)} of the features; {READOUTS[0]} by default.",
            show_default=False,
        ),
    ] = None,
    batch: Annotated[
        int | None,
        typer.Option(
            "--batch",
            min=1,
            help="Whole graphs: how many make a step of the optimiser; by default all.",
            show_default=False,
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
            help="Start with this model, and learn classes from its features.",
            show_default=False,
        ),
    ] = None,
    unknown_relations: UnknownRelationsOption = "error",
    freeze: Annotated[
        bool,
        typer.Option(
            "--freeze",
            help="Keep the model as it is, and learn only a linear map from its features.",
        ),
    ] = False,
    validation: Annotated[
        str | None,
        typer.Option(
            "--validation",
            metavar="SHARE|FILE",
            help="Share of the targets that is set aside, 0.15 by default; 0 for none; or a TSV.",
            show_default=False,
        ),
    ] = None,
    epochs: Annotated[
        int | None,
        typer.Option(
            "--epochs",
            min=0,
            help="Number of epochs; by default as in the paper.",
            show_default=False,
        ),
    ] = None,
    lr: Annotated[
        float | None,
        typer.Option(
            "--lr",
            help="Learning rate; by default 0.001, and 0.03 for large graphs.",
            show_default=False,
        ),
    ] = None,
    weight_decay: Annotated[
        float, typer.Option("--weight-decay", help="Weight decay of the optimiser.")
    ] = WEIGHT_DECAY,
    patience: Annotated[
        int | None,
        typer.Option(
            "--patience",
            min=1,
            help="Stop after this many epochs without improvement on validation.",
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Number of seeds.")] = 1,
    save: Annotated[
        str | None,
        typer.Option(
            "--save", metavar="DIR", help="Keep checkpoints in this folder.", show_default=False
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue from the checkpoints of --save.")
    ] = False,
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="OUT.csv",
            help="Write loss and accuracies of every epoch.",
            show_default=False,
        ),
    ] = None,
    compress: Annotated[
        bool,
        typer.Option(
            "--compress/--no-compress", help="Compute one row per colour instead of per vertex."
        ),
    ] = True,
    last_activation: Annotated[
        bool, typer.Option("--last-activation", help="Apply a ReLU after the last layer too.")
    ] = False,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Train a model on classes of vertices or graphs and report honest accuracies.

    15 % of the targets are set aside for validation. The report shows the last epoch and the epoch
    with the lowest validation loss; the test vertices have no influence on either. --freeze keeps
    the weights as they are, at random or from a checkpoint: what a linear map can read from the
    features of a model that was not trained.

    \b
    Examples:
      wlkg train aifb.nt.gz --targets trainingSet.tsv --holdout testSet.tsv
      wlkg train aifb.nt.gz --targets train.tsv --model compgcn --seeds 5
      wlkg train kg.ttl --targets classes.tsv --save runs --resume
      wlkg train kg.ttl --targets classes.tsv --checkpoint witness.pt
      wlkg train kg.ttl --targets classes.tsv --validation valid.tsv --patience 50
      wlkg train molecules --graphs --targets classes.tsv --model k-rn --readout mlp
    """
    from wlkg.gnn.api import train as train_vertices
    from wlkg.gnn.api import train_graphs
    from wlkg.readers.collection import GraphCollection
    from wlkg.readers.targets import VALIDATION_SHARE, Targets, read_targets, share_of
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.terminal import note
    from wlkg.reports.train import print_training, training_document, write_curves

    if graphs:
        model_options.refuse(
            *("--checkpoint", "--unknown-relations", "--last-activation"),
            because="a model of whole graphs starts with random weights, and each layer has a ReLU",
        )
    else:
        model_options.refuse("--readout", "--batch", because="it is for whole graphs, --graphs")
    limit = memory_limit(max_memory)
    if checkpoint is not None:
        model_options.refuse_switches(because="--checkpoint brings its own model")
    else:
        model_options.refuse("--unknown-relations", because="it is about --checkpoint")
    if model_options.model == "k-rn":
        model_options.refuse("--compress", because="k-RN has a row for every tuple")
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
        "epochs": epochs,
        "learning_rate": lr,
        "weight_decay": weight_decay,
        "validation": validated,
        "patience": patience,
        "seeds": seeds,
        "seed": model_options.seed,
        "features": features,
        "freeze": freeze,
        "compress": compress,
        "device": model_options.device,
        "dtype": model_options.dtype,
        "save": save,
        "resume": resume,
        "max_memory": limit,
        "progress": TerminalProgress(),
    }
    classes = read_targets(loaded, targets, **columns)
    tested = None if holdout is None else read_targets(loaded, holdout, **columns)
    if isinstance(loaded, GraphCollection):
        how |= {"readout": readout or READOUTS[0], "batch": batch}
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
    if log is not None:
        write_curves(training, log)
    if json:
        print_json("train", {"graph": graph, **training_document(training)})
    else:
        print_training(graph, training)
