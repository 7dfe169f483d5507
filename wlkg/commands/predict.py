"""``wlkg predict``: the classes that a trained model gives to vertices, or to whole graphs."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from wlkg.commands.options import (
    AmongOption,
    EntityColumnOption,
    FeaturesOption,
    GraphArgument,
    JsonOption,
    LabelColumnOption,
    MemoryOption,
    Reading,
    UnknownRelationsOption,
    listed,
    memory_limit,
    reads_graphs,
)
from wlkg.commands.options.completing import one_of
from wlkg.devices import DEVICES
from wlkg.gnn.config import DTYPES
from wlkg.shell.panels import OUTPUT


@reads_graphs
def predict(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="CHECKPOINT", help="A model that train --save wrote.", show_default=False
        ),
    ],
    graph: GraphArgument,
    reading: Reading,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            "-o",
            metavar="OUT",
            help="Write all classes and probabilities to a .csv, .json or .parquet file.",
            show_default=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None,
    graphs: Annotated[
        bool,
        typer.Option(
            "--graphs",
            help="Predict whole graphs: GRAPH is a folder or a file of several graphs.",
        ),
    ] = False,
    among: AmongOption = None,
    targets: Annotated[
        str | None,
        typer.Option(
            "--targets",
            metavar="FILE",
            help="True labels of entities, to show the accuracy: a TSV or CSV with a header.",
            show_default=False,
        ),
    ] = None,
    entity_column: EntityColumnOption = None,
    label_column: LabelColumnOption = None,
    features: FeaturesOption = None,
    unknown_relations: UnknownRelationsOption = "error",
    compress: Annotated[
        bool,
        typer.Option(
            "--compress/--no-compress",
            help="Compute vertices that cannot differ once: the same result, faster.",
        ),
    ] = True,
    dtype: Annotated[
        str | None,
        typer.Option(
            "--dtype",
            metavar="TYPE",
            help=f"Type of numbers: {listed(DTYPES)}; by default the model's.",
            show_default=False,
            autocompletion=one_of(DTYPES),
        ),
    ] = None,
    device: Annotated[
        str,
        typer.Option(
            "--device",
            metavar="DEVICE",
            help=f"Where to compute: {listed(DEVICES)}.",
            autocompletion=one_of(DEVICES),
        ),
    ] = "auto",
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Predict classes with a trained model.

    Relations are matched by name: the graph may lack some of those that the model knows. Direction
    mode and kind of features are the model's; if it was made with --labels or a table of
    --features, give them for this graph.

    \b
    Examples:
      wlkg predict runs/seed-0.pt kg.nt -o classes.csv
      wlkg predict runs/seed-0.pt newer_kg.nt --unknown-relations skip
      wlkg predict runs/seed-0.pt kg.nt --among people.txt --json
      wlkg predict runs/seed-0.pt kg.nt --targets testSet.tsv
      wlkg predict runs/seed-0.pt molecules --graphs -o classes.csv
    """
    from wlkg.compiled.compilation import Stopwatch
    from wlkg.errors import UsageError
    from wlkg.gnn.api import Predictions, predict_graphs
    from wlkg.gnn.api import predict as predict_vertices
    from wlkg.progress import phase
    from wlkg.readers.collection import GraphCollection
    from wlkg.readers.tables import read_vertices
    from wlkg.readers.targets import read_targets
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.next_steps import end_text
    from wlkg.reports.predict import (
        check_predictions_path,
        predictions_document,
        print_predictions,
        write_predictions,
    )
    from wlkg.reports.progressbar import TerminalProgress
    from wlkg.reports.steps_of_models import after_prediction

    limit = memory_limit(max_memory)
    if out is not None:
        check_predictions_path(out)
    if graphs and among is not None:
        raise UsageError("--among names vertices: leave it out with --graphs")
    tables = [] if targets is None else [targets]
    loaded = reading.read_collection(graph, tables) if graphs else reading.read(graph)
    known = None
    if targets is not None:
        columns = {"entity_column": entity_column, "label_column": label_column}
        known = read_targets(loaded, targets, **columns)
    how: dict[str, Any] = {
        "features": features,
        "direction": reading.chosen_direction,
        "unknown_relations": unknown_relations,
        "compress": compress,
        "device": device,
        "dtype": dtype,
        "max_memory": limit,
    }
    watch = Stopwatch()
    with phase(TerminalProgress(), "predicting"):
        if isinstance(loaded, GraphCollection):
            predictions: Predictions = predict_graphs(checkpoint, loaded, **how)
        else:
            chosen = None if among is None else read_vertices(loaded, among)
            predictions = predict_vertices(checkpoint, loaded, chosen, **how)
    seconds = watch.seconds
    if out is not None:
        with phase(TerminalProgress(), f"writing {out}"):
            write_predictions(predictions, out)
    if json:
        about = {"checkpoint": checkpoint, "graph": graph}
        document = predictions_document(predictions, known, out)
        print_json("predict", {**about, **document, "seconds": seconds})
    else:
        of_vertices = None if isinstance(loaded, GraphCollection) else loaded
        print_predictions(graph, predictions, known, of_vertices)
        asked = reading.asked(graph)
        end_text(after_prediction(asked, checkpoint, features) if of_vertices else None)
