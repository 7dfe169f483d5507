"""``wlkg train``: train a model on classes of vertices."""

from __future__ import annotations

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
    OutputsWithFigure,
    Reading,
    TargetsOption,
    UnknownRelationsOption,
    has_outputs_with_figure,
    listed,
    memory_limit,
    reads_graphs,
    takes_model,
    target_words,
)
from wlkg.commands.options.completing import one_of
from wlkg.gnn.config import (
    GRAPH_DEFAULTS,
    LARGE,
    LEARNING_RATES,
    MODELS,
    READOUTS,
    WEIGHT_DECAY,
    require_classifier,
)
from wlkg.shell.panels import MODEL, OUTPUT

if TYPE_CHECKING:
    from wlkg.reports.next_steps import NextStep

_SMALL_RATE, _LARGE_RATE = LEARNING_RATES
_EPOCHS = (
    f"Number of epochs; by default {MODELS['rgcn'].epochs[0]:,}"
    f" ({MODELS['k-rn'].epochs[0]:,} for k-rn), fewer from {LARGE:,} vertices on, and"
    f" {GRAPH_DEFAULTS.epochs} for whole graphs."
)


@has_outputs_with_figure
@reads_graphs
@takes_model()
def train(
    graph: GraphArgument,
    reading: Reading,
    outputs: OutputsWithFigure,
    model_options: ModelOptions,
    targets: TargetsOption,
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
    batch: Annotated[
        int | None,
        typer.Option(
            "--batch",
            metavar="N",
            min=1,
            help="Whole graphs: the number in a step of the optimiser; by default all.",
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
    epochs: Annotated[
        int | None,
        typer.Option(
            "--epochs",
            metavar="N",
            min=0,
            help=_EPOCHS,
            show_default=False,
        ),
    ] = None,
    lr: Annotated[
        float | None,
        typer.Option(
            "--lr",
            metavar="X",
            help=f"Learning rate; by default {_SMALL_RATE:g}, {_LARGE_RATE:g} from {LARGE:,}"
            f" vertices on, and {GRAPH_DEFAULTS.learning_rate:g} for whole graphs.",
            show_default=False,
        ),
    ] = None,
    weight_decay: Annotated[
        float, typer.Option("--weight-decay", metavar="X", help="Weight decay of the optimiser.")
    ] = WEIGHT_DECAY,
    patience: Annotated[
        int | None,
        typer.Option(
            "--patience",
            metavar="N",
            min=1,
            help="Stop after N epochs without improvement on validation.",
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[
        int,
        typer.Option("--seeds", metavar="N", min=1, help="Train N times, with N random seeds."),
    ] = 1,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="DIR",
            help="Save the trained models in this folder, as seed-0.pt and so on.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue a run that was stopped, from --save.")
    ] = False,
    log: Annotated[
        str | None,
        typer.Option(
            "--log",
            metavar="OUT.csv",
            help="Write loss and accuracies of every epoch.",
            show_default=False,
            rich_help_panel=OUTPUT,
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
    """Train a model on classes of vertices or graphs.

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
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_saving, after_training
    from wlkg.reports.terminal import note
    from wlkg.reports.train import print_training, training_document, write_curves
    from wlkg.reports.train_ceiling import training_ceiling

    if graphs:
        model_options.refuse(
            *("--checkpoint", "--unknown-relations", "--last-activation"),
            because="a model of whole graphs starts with random weights, and each layer has a ReLU",
        )
    else:
        model_options.refuse("--readout", "--batch", because="it is for whole graphs, --graphs")
    require_classifier(model_options.model)
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
    labels = target_words(targets, holdout, entity_column, label_column)

    def step() -> NextStep | None:
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
