"""Training on links as text: what was reached, beside the ceiling."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

from rich.table import Table

from wlkg.links.scores import TIES
from wlkg.reports.links import note_unknown, score
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import console, new_table, printable
from wlkg.reports.train_links import Ties, limit_of, links_chosen_by, mean_ties
from wlkg.text import counted

if TYPE_CHECKING:
    from wlkg.analysis.links.ceiling import RoundLinks
    from wlkg.gnn.api import LinkTraining
    from wlkg.gnn.links.link_results import LinkEpoch, LinkResult

_SIDES = {"random": "at random", "pessimistic": "against", "optimistic": "for"}
_LEGEND = (
    "MRR, Hits@k: ties are broken at random. against: the MRR if every tie counts against the"
    " model."
)


def print_links_training(
    name: str, training: LinkTraining, ceiling: tuple[str, RoundLinks] | None
) -> None:
    """The model, a row for each seed and reported epoch, and the ceiling below."""
    task, results, out = training.task, training.results, console()
    if task.test is not None:
        queries = task.test.questions.queries
        note_unknown(queries.new_vertices, queries.new_relations, "test")
    model, decoder = task.config, f" + {task.decoder}" if task.decoder else ""
    title = f"{model.model}{decoder}, {model.layers} layers, width {model.width}"
    out.print(heading(f"{printable(name)}: {title}"))
    relations = counted(len(task.relations), "relation", "relations")
    out.print(f"{results[0].parameters:,} parameters, {relations}, {task.scorer.size}")
    out.print(_epoch_table(results))
    out.print(_LEGEND)
    if links_chosen_by(training) is not None:
        out.print(remark(f"best epoch: {links_chosen_by(training)}"))
    if ceiling is not None:
        out.print()
        _print_ceiling(training, *ceiling)
    config = training.config
    candidates = "all candidates" if config.negatives is None else f"{config.negatives} negatives"
    batch = f"batches of {counted(config.batch or 0, 'triple', 'triples')}"
    pace = statistics.mean(result.seconds_per_epoch for result in results)
    settings = f"lr {config.learning_rate:g}, weight decay {config.weight_decay:g}, {batch}"
    out.print(remark(f"{settings}, {candidates}"))
    out.print(remark(f"{pace:.3f} s per epoch on {task.device}"))


def _epoch_table(results: tuple[LinkResult, ...]) -> Table:
    table = new_table(console())
    for title in ("seed", "reported", "epoch", "loss", "valid"):
        table.add_column(title, justify="left" if title == "reported" else "right", no_wrap=True)
    for title in ("MRR", "Hits@1", "Hits@3", "Hits@10", "against"):
        table.add_column(title, justify="right", no_wrap=True)
    for result in results:
        table.add_row(f"{result.seed}", "last epoch", *_cells(result.last))
        if result.chosen is not None:
            table.add_row("", "best epoch", *_cells(result.chosen))
    return table


def _cells(epoch: LinkEpoch) -> list[str]:
    loss = "" if epoch.loss is None else f"{epoch.loss:.3f}"
    valid = "" if epoch.validation_mrr is None else score(epoch.validation_mrr)
    start = [f"{epoch.epoch:,}", loss, valid]
    if epoch.ties is None:
        return [*start, *[""] * 5]
    usual = epoch.ties["random"]
    shares = (usual.mrr, usual.hits_at_1, usual.hits_at_3, usual.hits_at_10)
    return [*start, *map(score, (*shares, epoch.ties["pessimistic"].mrr))]


def _print_ceiling(training: LinkTraining, test: str, best: RoundLinks) -> None:
    """For each tie rule the MRR that was reached, beside the highest one that is possible."""
    out, results = console(), training.results
    bound = f"bounded by round {best.round} of {test}"
    mark = "" if best.exact else " (upper bounds)"
    out.print(f"The highest MRR of any model {bound}{mark}:")
    reached: list[tuple[str, Ties]] = []
    for word, ties in (
        ("last", mean_ties(result.last for result in results)),
        ("best", mean_ties(r.chosen for r in results if r.chosen is not None)),
    ):
        if ties is not None:
            reached.append((word, ties))
    table = new_table(out)
    table.add_column("ties", no_wrap=True)
    table.add_column("ceiling", justify="right", no_wrap=True)
    for word, _ in reached:
        table.add_column(word, justify="right", no_wrap=True)
        table.add_column("reached", justify="right", no_wrap=True)
    for tie in TIES:
        limit = limit_of(tie, best)
        row = [_SIDES[tie], "" if limit is None else score(limit.mrr)]
        for _, ties in reached:
            share = "" if limit is None else f"{100 * ties[tie].mrr / limit.mrr:.1f} %"
            row += [score(ties[tie].mrr), share]
        table.add_row(*row)
    out.print(table)
