"""The next steps after commands about models; see the table in `wlkg.reports.next_steps`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from wlkg.analysis.ceiling.study import CeilingStudy
from wlkg.analysis.links.ceiling import LinkCeiling
from wlkg.analysis.relations.relations import Relations
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.next_steps import Asked, NextStep, explain_pair

if TYPE_CHECKING:
    from wlkg.gnn.against_wl.judging import Versus
    from wlkg.gnn.against_wl.verdicts import LayerVerdict
    from wlkg.gnn.own_models.own_verdict import OwnVersus


def after_versus(
    asked: Asked, result: Versus | OwnVersus, graph: RelationalGraph
) -> NextStep | None:
    """Explain the pair that violates the bound, or that is lost."""
    from wlkg.gnn.api import OwnVersus

    if isinstance(result, OwnVersus):
        if not result.sees_graph_only:
            return None
        test, layers, arity = result.chosen.test, result.chosen.layers, 1
    else:
        test, layers, arity = result.bound.test, result.layers, result.refinement.arity
    if arity > 1:
        return None
    for kind, purpose in (
        ("split", "could any model separate them?"),
        ("merged", "what the model does not see"),
    ):
        pair = _first_pair(layers, kind)
        if pair is not None:
            names = [graph.vertex_names[v] for v in pair]
            return explain_pair(asked, names, test, purpose)
    return asked.step("symmetry", "could any model see more?", more=("--test", test))


def _first_pair(layers: Sequence[LayerVerdict], kind: str) -> tuple[int, int] | None:
    """The first pair of vertices that the model splits, or merges, and the test does not."""
    pairs = (getattr(layer, kind) for layer in layers)
    return next((pair for pair in pairs if pair is not None), None)


def after_saving(asked: Asked, checkpoint: str, features: str | None) -> NextStep | None:
    """Compare the saved model with its test."""
    more = ("--checkpoint", checkpoint, *(("--features", features) if features else ()))
    return asked.step("versus", "what it sees of what its test sees", more=more)


def after_ceiling(
    asked: Asked, study: CeilingStudy, targets: Sequence[str], *, graphs: bool
) -> NextStep | None:
    """Explain two targets that collide, or train; ``targets`` are the options that name them."""
    ceiling = study.first.ceiling
    for each in ceiling.collisions.classes:
        by_label = {target.label: target.name for target in reversed(each.targets)}
        names = list(by_label.values())[:2]
        if not graphs and len(names) == 2:
            purpose = "two targets that collide: could anything tell them apart?"
            return explain_pair(asked, names, ceiling.test, purpose)
    if len(ceiling.labels) < 2:
        return None
    more = (*targets, *(("--graphs",) if graphs else ()))
    return asked.step("train", "how close a model comes", more=more)


def after_links(asked: Asked, result: LinkCeiling) -> NextStep | None:
    """The symmetries of the graph, if answers tie."""
    if not any(test.tied for test in result.tests):
        return None
    return asked.step("symmetry", "could any model tell the tied candidates apart?")


def after_relations(asked: Asked, result: Relations) -> NextStep | None:
    """A model that sees more motifs, if relations are alike; else the vertices."""
    more = ("--model", "motif")
    if result.model == "motif" or not result.alike:
        return asked.step("refine", "which vertices a model that knows the relations tells apart")
    return asked.step("relations", "does a model that sees more tell them apart?", more=more)


def after_training(
    asked: Asked, targets: Sequence[str], bounded_by: str, *, graphs: bool
) -> NextStep | None:
    """The best that such a model could reach."""
    more = (*targets, *(("--graphs",) if graphs else ()), "--test", bounded_by)
    return asked.step("ceiling", "the best that any such model can reach", more=more)


def after_training_links(asked: Asked, bounded_by: str, trained: str | None) -> NextStep | None:
    """The ceilings at all rounds; ``trained`` is the folder of training if it is another one."""
    more = ("--links", "--test", bounded_by, *(("--train", trained) if trained else ()))
    return asked.step("ceiling", "the best that any such model can reach, by round", more=more)


def after_prediction(asked: Asked, checkpoint: str, features: str | None) -> NextStep | None:
    """What the model has learned."""
    more = ("--checkpoint", checkpoint, *(("--features", features) if features else ()))
    return asked.step("explain", "what the model has learned", more=more)
