"""``wlkg predict``: the classes that a trained model gives to the vertices of any graph."""

from __future__ import annotations

from typing import Annotated

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
from wlkg.gnn.config import DEVICES, DTYPES


@reads_graphs
def predict(
    checkpoint: Annotated[
        str,
        typer.Argument(
            metavar="CHECKPOINT", help="A model that wlkg train --save wrote.", show_default=False
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
        ),
    ] = None,
    among: AmongOption = None,
    targets: Annotated[
        str | None,
        typer.Option(
            "--targets",
            metavar="FILE",
            help="TSV of entities and their true labels, for an accuracy.",
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
            "--compress/--no-compress", help="Compute one row per colour instead of per vertex."
        ),
    ] = True,
    dtype: Annotated[
        str | None,
        typer.Option(
            "--dtype",
            help=f"Number type: {listed(DTYPES)}; by default the model's.",
            show_default=False,
        ),
    ] = None,
    device: Annotated[
        str, typer.Option("--device", help=f"Where to compute: {listed(DEVICES)}.")
    ] = "auto",
    max_memory: MemoryOption = None,
    json: JsonOption = False,
) -> None:
    """Predict the classes of vertices with a trained model, on any graph.

    Relations are matched by name: the graph may lack some of those that the model knows. Direction
    mode and kind of features are the model's; if it was made with --labels or a table of
    --features, give them for this graph.

    \b
    Examples:
      wlkg predict runs/seed-0.pt kg.nt -o classes.csv
      wlkg predict runs/seed-0.pt newer_kg.nt --unknown-relations skip
      wlkg predict runs/seed-0.pt kg.nt --among people.txt --json
      wlkg predict runs/seed-0.pt kg.nt --targets testSet.tsv
    """
    import time

    from wlkg.gnn.api import predict as run
    from wlkg.readers.tables import read_vertices
    from wlkg.readers.targets import read_targets
    from wlkg.reports.jsondoc import print_json
    from wlkg.reports.predict import (
        check_predictions_path,
        predictions_document,
        print_predictions,
        write_predictions,
    )

    limit = memory_limit(max_memory)
    if out is not None:
        check_predictions_path(out)
    loaded = reading.read(graph)
    chosen = None if among is None else read_vertices(loaded, among)
    known = None
    if targets is not None:
        columns = {"entity_column": entity_column, "label_column": label_column}
        known = read_targets(loaded, targets, **columns)
    started = time.perf_counter()
    predictions = run(
        checkpoint,
        loaded,
        chosen,
        features=features,
        direction=reading.chosen_direction,
        unknown_relations=unknown_relations,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=limit,
    )
    seconds = time.perf_counter() - started
    if out is not None:
        write_predictions(predictions, out)
    if json:
        about = {"checkpoint": checkpoint, "graph": graph}
        document = predictions_document(predictions, known, out)
        print_json("predict", {**about, **document, "seconds": seconds})
    else:
        print_predictions(graph, predictions, known)
