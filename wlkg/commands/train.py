"""``wlkg train``: train R-GCN, R-GCN + MLP, CompGCN or k-RN on classes of vertices."""

from __future__ import annotations

from typing import Annotated

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
    memory_limit,
    reads_graphs,
    takes_model,
)


@reads_graphs
@takes_model()
def train(
    graph: GraphArgument,
    reading: Reading,
    model_options: ModelOptions,
    targets: TargetsOption,
    holdout: HoldoutOption = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    features: FeaturesOption = None,
    checkpoint: Annotated[
        str | None,
        typer.Option(
            "--checkpoint",
            metavar="FILE",
            help="Begin with this model, and read classes from its features.",
            show_default=False,
        ),
    ] = None,
    epochs: Annotated[
        int | None, typer.Option("--epochs", min=0, help="As in the paper.", show_default=False)
    ] = None,
    lr: Annotated[
        float | None, typer.Option("--lr", help="Learning rate: 0.001 (0.03).", show_default=False)
    ] = None,
    weight_decay: Annotated[float, typer.Option("--weight-decay")] = 0.0005,
    patience: Annotated[
        int | None,
        typer.Option(
            "--patience",
            min=1,
            help="Stop when validation has not improved for so many epochs.",
            show_default=False,
        ),
    ] = None,
    seeds: Annotated[int, typer.Option("--seeds", min=1, help="Run so many seeds.")] = 1,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="DIR", help="Keep checkpoints.", show_default=False),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on where --save ended.")] = False,
    log: Annotated[
        str | None,
        typer.Option("--log", metavar="OUT.csv", help="Write the curves.", show_default=False),
    ] = None,
    compress: Annotated[
        bool,
        typer.Option("--compress/--no-compress", help="A row per colour instead of per vertex."),
    ] = True,
    last_activation: Annotated[
        bool, typer.Option("--last-activation", help="A ReLU after the last layer too.")
    ] = False,
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Train a model on classes of vertices and report honest accuracies.

    15 % of the targets are held out to choose an epoch. Reported are the last epoch and the one
    that was chosen so; the test vertices choose nothing.

    \b
    Examples:
      wlkg train aifb.nt.gz --targets trainingSet.tsv --holdout testSet.tsv
      wlkg train aifb.nt.gz --targets train.tsv --model compgcn --seeds 5
      wlkg train kg.ttl --targets classes.tsv --save runs --resume
      wlkg train kg.ttl --targets classes.tsv --checkpoint witness.pt
    """
    from wlkg.gnn.checkpoints.saved_model import load_model
    from wlkg.gnn.config import defaults
    from wlkg.gnn.training.loop import TrainConfig
    from wlkg.gnn.training.seeds import run_seeds
    from wlkg.gnn.training.task import make_task
    from wlkg.readers.targets import read_targets
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.train import print_training, training_document, write_curves

    limit = memory_limit(max_memory)
    loaded = reading.read(graph)
    usual = defaults(model_options.model, loaded.num_vertices)
    config = model_options.choice(last_activation=last_activation).completed(
        in_width=model_options.dim, out_width=1, relations=1, inverses=False, layers=usual.layers
    )
    columns = {"entity_column": entity_column, "label_column": label_column}
    parts = [
        None if path is None else read_targets(loaded, path, **columns)
        for path in (targets, holdout)
    ]
    assert parts[0] is not None
    task = make_task(
        loaded,
        parts[0],
        parts[1],
        config,
        features=features,
        compress=compress,
        device=model_options.device,
        dtype=model_options.dtype,
        initial=None if checkpoint is None else load_model(checkpoint),
        max_memory=limit,
    )
    training = TrainConfig(
        usual.epochs if epochs is None else epochs,
        usual.learning_rate if lr is None else lr,
        weight_decay,
        model_options.seed,
        patience,
    )
    results = run_seeds(
        task, training, seeds, save=save, resume=resume, progress=TerminalProgress()
    )
    if log is not None:
        write_curves(results, log)
    if json:
        content = training_document(task, training, parts, results)
        print_json("train", {"graph": graph, **content})
    else:
        print_training(graph, task, training, parts, results)
