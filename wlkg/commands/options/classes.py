"""The options about classes of vertices that are to be explained: predictions or labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from wlkg.commands.options.gathered import Command, with_options
from wlkg.commands.options.reading import Reading
from wlkg.commands.options.single import (
    AmongOption,
    EntityColumnOption,
    FeaturesOption,
    HoldoutOption,
    LabelColumnOption,
    UnknownRelationsOption,
    quiet_option,
)

if TYPE_CHECKING:
    from wlkg.arrays import IntArray
    from wlkg.graph.relational_graph import RelationalGraph
    from wlkg.readers.targets import Targets


class BoundedClasses(NamedTuple):
    """Classes of vertices, the test that may determine them, and where else they are known."""

    #: The graph as the test sees it.
    graph: RelationalGraph
    classes: Targets
    test: str
    round: int | None
    #: Vertices on which the explanation is tried out, by name.
    known: dict[str, Targets]


@dataclass(frozen=True)
class ClassOptions:
    """Where the classes come from, and how well formulas are to agree with them."""

    checkpoint: Annotated[
        str | None,
        quiet_option("--checkpoint", metavar="FILE", help="Explain the model saved by train."),
    ] = None
    predictions: Annotated[
        str | None,
        quiet_option(
            "--predictions",
            metavar="FILE",
            help="Explain the predictions of any model: a TSV or CSV of vertices and classes.",
        ),
    ] = None
    targets: Annotated[
        str | None,
        quiet_option(
            "--targets",
            metavar="FILE",
            help="Explain labels: a TSV of entities and labels. With a model, its training set, on"
            " which agreement is shown.",
        ),
    ] = None
    holdout: HoldoutOption = None
    among: AmongOption = None
    entity_column: EntityColumnOption = None
    label_column: LabelColumnOption = None
    fidelity: Annotated[
        float,
        typer.Option(
            "--fidelity",
            min=0.0,
            max=1.0,
            metavar="SHARE",
            help="Show the shortest formulas that are right about this share of the vertices.",
        ),
    ] = 1.0
    features: FeaturesOption = None
    unknown_relations: UnknownRelationsOption = "error"

    @property
    def of_model(self) -> bool:
        """Whether a model gave the classes, rather than labels."""
        return self.checkpoint is not None or self.predictions is not None

    @property
    def files(self) -> dict[str, str | None]:
        return {
            "checkpoint": self.checkpoint,
            "predictions": self.predictions,
            "targets": self.targets,
            "holdout": self.holdout,
        }

    def read(
        self,
        graph: RelationalGraph,
        reading: Reading,
        *,
        test: str,
        round: int | None,  # noqa: A002
        prefixes: dict[str, str],
        max_memory: int | None,
    ) -> BoundedClasses:
        """The classes, with the given test and round unless a checkpoint decides them."""
        from wlkg.analysis.explanation.learned.rules import at_vertices
        from wlkg.readers.predictions import read_predictions
        from wlkg.readers.tables import read_vertices
        from wlkg.readers.targets import read_targets

        columns = {"entity_column": self.entity_column, "label_column": self.label_column}
        known = {
            name: read_targets(graph, path, **columns)
            for name, path in (("targets", self.targets), ("holdout", self.holdout))
            if path is not None
        }
        chosen: IntArray | None = None
        if self.among is not None:
            chosen = read_vertices(graph, self.among, prefixes)
        if self.checkpoint is not None:
            from wlkg.gnn.api import predict_bounded

            model = predict_bounded(
                self.checkpoint,
                graph,
                features=self.features,
                direction=reading.chosen_direction,
                unknown_relations=self.unknown_relations,
                max_memory=max_memory,
            )
            graph, classes, test, round = model.graph, model.predictions, model.test, model.round  # noqa: A001
        elif self.predictions is not None:
            classes = read_predictions(graph, self.predictions, prefixes)
        else:
            classes = known.pop("targets")
        if chosen is not None:
            classes = at_vertices(classes, chosen)
        if self.of_model:
            # Fidelity is agreement with the model, also on the vertices that it was trained on.
            known = {name: at_vertices(classes, others.vertices) for name, others in known.items()}
        return BoundedClasses(graph, classes, test, round, known)


def takes_classes(command: Command) -> Command:
    """Replace the parameter ``classes`` of a command by the fields of `ClassOptions` as options."""
    return with_options(command, "classes", ClassOptions, {})
