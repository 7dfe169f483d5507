"""Training on links as data, and its curves as a file."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from wlkg.links.scores import TIES, LinkScores
from wlkg.reports.train import curves_document, write_rows

if TYPE_CHECKING:
    from wlkg.analysis.links.ceiling import RoundLinks
    from wlkg.gnn.api import LinkTraining
    from wlkg.gnn.links.link_results import LinkEpoch, LinkResult

METRICS = tuple(field.name for field in fields(LinkScores))
#: The ceiling of a tie rule that no model exceeds: its own where ties count against the model, that
#: for models which tie classes where they are broken at random. For ties that count for the model
#: there is none: a model that ties everything is right by definition.
_LIMITS = ("random", "pessimistic")

Ties = Mapping[str, LinkScores]


def links_training_document(
    training: LinkTraining, ceiling: tuple[str, RoundLinks] | None
) -> dict[str, Any]:
    """What ``wlkg train --links --json`` prints; top-level scores are means of the last epochs."""
    task, config, results = training.task, training.config, training.results
    last = mean_ties(result.last for result in results)
    chosen = mean_ties(result.chosen for result in results if result.chosen is not None)
    return {
        "of": "links",
        "model": task.config.model,
        "decoder": task.decoder or None,
        "config": asdict(task.config),
        "training": asdict(config),
        "parameters": results[0].parameters,
        "epochs": config.epochs,
        "loss": _mean(result.last.loss for result in results),
        "validation_mrr": _mean(result.last.validation_mrr for result in results),
        **_by_metric(last),
        "ties": _ties_document(last),
        "chosen_by_validation": {
            "validation_mrr": _mean(
                result.chosen.validation_mrr for result in results if result.chosen is not None
            ),
            "ties": _ties_document(chosen),
        },
        "chosen_by": links_chosen_by(training),
        "ceiling": ceiling_document(last, chosen, ceiling),
        "seconds_per_epoch": statistics.mean(result.seconds_per_epoch for result in results),
        "seed": config.seed,
        "seeds": [result.seed for result in results],
        "runs": [_run_document(result) for result in results],
        "bounded_by": task.bounded_by,
        "triples": task.examples.num_triples,
        "relations": list(task.relations),
        "ranked": ranked_document(training),
        "computed": task.scorer.size,
        "device": str(task.device),
        "dtype": str(task.dtype).removeprefix("torch."),
    }


def links_chosen_by(training: LinkTraining) -> str | None:
    """How an epoch was chosen; None without validation triples."""
    from wlkg.gnn.api import LINK_CHOSEN_BY

    return LINK_CHOSEN_BY if training.task.validation is not None else None


def ranked_document(training: LinkTraining) -> dict[str, Any]:
    """What was ranked, and what the graph does not have."""
    sets = {"validation": training.task.validation, "test": training.task.test}
    return {
        name: None
        if each is None
        else {
            "triples": each.questions.queries.num_triples,
            "queries": each.questions.queries.num_queries,
            "answers": each.questions.queries.num_answers,
            "candidates": each.questions.queries.graph.num_vertices,
            "new_vertices": list(each.questions.queries.new_vertices),
            "new_relations": list(each.questions.queries.new_relations),
            "left_out": asdict(each.left_out),
        }
        for name, each in sets.items()
    }


def mean_ties(epochs: Iterable[LinkEpoch]) -> Ties | None:
    """The mean scores over seeds; None if no test triples were ranked."""
    tested = [epoch.ties for epoch in epochs if epoch.ties is not None]
    if not tested:
        return None
    return {
        tie: LinkScores(
            **{
                name: statistics.mean(getattr(ties[tie], name) for ties in tested)
                for name in METRICS
            }
        )
        for tie in TIES
    }


def limit_of(tie: str, ceiling: RoundLinks) -> LinkScores | None:
    """What no model exceeds under a tie rule; None where nothing is excluded."""
    if tie not in _LIMITS:
        return None
    return ceiling.bound if tie == "random" else ceiling.ties[tie]


def ceiling_document(
    last: Ties | None, chosen: Ties | None, ceiling: tuple[str, RoundLinks] | None
) -> dict[str, Any] | None:
    """The ceiling by tie rule, and which share of its MRR was reached."""
    if ceiling is None:
        return None
    test, best = ceiling
    limits = {tie: limit_of(tie, best) for tie in TIES}
    return {
        "test": test,
        **asdict(best),
        "limit": {tie: None if limit is None else asdict(limit) for tie, limit in limits.items()},
        "reached": {"last": _shares(last, limits), "chosen": _shares(chosen, limits)},
    }


def _shares(
    reached: Ties | None, limits: Mapping[str, LinkScores | None]
) -> dict[str, float] | None:
    if reached is None:
        return None
    known = {tie: limit for tie, limit in limits.items() if limit is not None}
    return {tie: reached[tie].mrr / limit.mrr for tie, limit in known.items()}


def _by_metric(ties: Ties | None) -> dict[str, dict[str, float] | None]:
    """The same scores, metric by metric."""
    return {
        name: None if ties is None else {tie: getattr(ties[tie], name) for tie in TIES}
        for name in METRICS
    }


def _ties_document(ties: Ties | None) -> dict[str, dict[str, float]] | None:
    return None if ties is None else {tie: asdict(ties[tie]) for tie in TIES}


def _run_document(result: LinkResult) -> dict[str, Any]:
    from wlkg.gnn.api import LINK_CURVES

    return {
        "seed": result.seed,
        "last": asdict(result.last),
        "chosen": None if result.chosen is None else asdict(result.chosen),
        "seconds_per_epoch": result.seconds_per_epoch,
        "curves": curves_document(result.curves.tolist(), LINK_CURVES),
    }


def _mean(values: Iterable[float | None]) -> float | None:
    known: Sequence[float] = [value for value in values if value is not None]
    return statistics.mean(known) if known else None


def write_link_curves(training: LinkTraining, path: str) -> None:
    """Loss and validation scores of every epoch as CSV; what was not measured is empty."""
    from wlkg.gnn.api import LINK_CURVES

    rows = (
        [result.seed, epoch, *("" if math.isnan(value) else value for value in row)]
        for result in training.results
        for epoch, row in enumerate(result.curves.tolist())
    )
    write_rows(path, ["seed", "epoch", *LINK_CURVES], rows)
