"""Training models that predict links, on one graph, and testing them there or on another."""

from __future__ import annotations

from pathlib import Path

from wlkg.catalogue import Direction
from wlkg.errors import UsageError, unknown_name
from wlkg.gnn.config import DECODERS, LINK_DEFAULTS, LINK_WIDTH, MODELS, ModelChoice
from wlkg.gnn.links.link_config import LinkConfig
from wlkg.gnn.links.link_results import LinkResult, LinkTraining
from wlkg.gnn.links.link_run import LinkRun
from wlkg.gnn.links.link_scorer import Step
from wlkg.gnn.links.link_task import LinkSet, LinkTask, make_link_task
from wlkg.gnn.training.loop import run_to_end
from wlkg.gnn.training.seeds import for_each_seed
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import Triples, as_graph, named_triples
from wlkg.progress import SILENT, Progress

#: The least number of batches by default where a batch is left out of the graph.
_LEAST_STEPS = 10


def train_links(
    graph: RelationalGraph,
    test: Triples | None = None,
    validation: Triples | None = None,
    model: str | ModelChoice = "rgcn",
    *,
    decoder: str | None = None,
    inference: RelationalGraph | None = None,
    known: Triples = (),
    epochs: int | None = None,
    learning_rate: float | None = None,
    weight_decay: float = 0.0,
    batch: int | None = None,
    negatives: int | None = None,
    remove_batch: bool | None = None,
    patience: int | None = None,
    seeds: int = 1,
    seed: int = 0,
    features: str | None = None,
    direction: Direction | None = None,
    unknown_relations: str = "error",
    compress: bool = True,
    device: str = "auto",
    dtype: str = "float32",
    save: str | None = None,
    resume: bool = False,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> LinkTraining:
    """Train a model that ranks the answers to the queries (h, r, ?) and (?, r, t).

    The model learns the triples of ``graph``. The epoch that ranks those of ``validation`` best is
    reported beside the last. The triples of ``test`` have no influence; they are ranked on the same
    graph, or on the graph ``inference``, which may have other vertices. Answers that are known to
    be true are no mistakes: those of the graph, of ``validation`` and of ``known``. An encoder
    needs a ``decoder``, DistMult by default; c-mpnn has its own.

    For each answer the loss compares its score with those of all candidates that are not known, or
    of as many ``negatives``. A step takes a ``batch`` of triples. With ``remove_batch``, as c-mpnn
    has it by default, the model does not see them meanwhile. All else is as in `wlkg.train`.

    >>> import wlkg
    >>> people = [("ann", "knows", "ben"), ("ben", "knows", "cleo"), ("cleo", "knows", "dan")]
    >>> graph = wlkg.RelationalGraph.from_triples(people)
    >>> training = train_links(graph, test=[("ann", "knows", "dan")], epochs=3, seeds=2)
    >>> [sorted(result.last.ties) for result in training.results]
    [['optimistic', 'pessimistic', 'random'], ['optimistic', 'pessimistic', 'random']]
    """
    require_graphs(graph)
    choice = model if isinstance(model, ModelChoice) else ModelChoice(model, width=LINK_WIDTH)
    if choice.model not in LINK_DEFAULTS:
        raise unknown_name("model of links", choice.model, LINK_DEFAULTS)
    usual, conditional = LINK_DEFAULTS[choice.model], MODELS[choice.model].conditional
    removed = conditional if remove_batch is None else remove_batch
    config = LinkConfig(
        epochs=usual.epochs if epochs is None else epochs,
        learning_rate=usual.learning_rate if learning_rate is None else learning_rate,
        weight_decay=weight_decay,
        seed=seed,
        patience=patience,
        batch=_batch(graph.num_triples, usual.batch, batch, removed=removed),
        negatives=negatives,
        remove_batch=removed,
    )
    if patience is not None and validation is None:
        raise UsageError("--patience needs validation: there is no triple to validate on")
    task = make_link_task(
        graph,
        _set_of(graph, validation, ()),
        _test_set(graph, test, validation, inference, known),
        choice,
        _decoder_of(choice, decoder, remove_batch),
        Step(queries=2 * (config.batch or 0), negatives=negatives),
        features=features,
        direction=direction,
        unknown_relations=unknown_relations,
        compress=compress,
        device=device,
        dtype=dtype,
        max_memory=max_memory,
    )

    def once(config: LinkConfig, folder: Path | None) -> LinkResult:
        return _train_once(task, config, folder, resume=resume, progress=progress)

    results = for_each_seed(once, config, seeds, save=save, resume=resume)
    return LinkTraining(task=task, config=config, results=results)


def _batch(triples: int, usual: int, given: int | None, *, removed: bool) -> int:
    """The number of triples in a step; most of the graph stays if they are ``removed``."""
    if removed and given is not None and given >= triples:
        raise UsageError(
            f"a batch of {given:,} triples leaves none in the graph, which has {triples:,}. Use a"
            " smaller --batch, or --keep-batch"
        )
    most = max(1, triples // _LEAST_STEPS) if removed else triples
    return min(usual, most) if given is None else min(given, triples)


def _train_once(
    task: LinkTask, config: LinkConfig, folder: Path | None, *, resume: bool, progress: Progress
) -> LinkResult:
    run, effort = LinkRun(task, config), (task.device, task.scorer.effort)
    return run_to_end(run, config, effort, save=folder, resume=resume, progress=progress)


def _decoder_of(choice: ModelChoice, decoder: str | None, remove_batch: bool | None) -> str:
    """The decoder; options that change nothing about the model are refused."""
    if MODELS[choice.model].conditional:
        if decoder is not None:
            raise UsageError(
                f"--decoder has no effect on {choice.model}: an MLP scores its features of pairs"
            )
        return ""
    if remove_batch is not None:
        option = "--remove-batch" if remove_batch else "--keep-batch"
        raise UsageError(
            f"{option} has no effect on {choice.model}: it is for c-mpnn. An encoder sees the"
            " whole graph"
        )
    if decoder is not None and decoder not in DECODERS:
        raise unknown_name("decoder", decoder, DECODERS)
    return decoder or next(iter(DECODERS))


def _set_of(graph: RelationalGraph, ranked: Triples | None, known: Triples) -> LinkSet | None:
    if ranked is None:
        return None
    return LinkSet(graph, as_graph(ranked), known)


def _test_set(
    graph: RelationalGraph,
    test: Triples | None,
    validation: Triples | None,
    inference: RelationalGraph | None,
    known: Triples,
) -> LinkSet | None:
    """The triples to test on; those of validation are known, if they are about the same graph."""
    if inference is not None:
        return _set_of(inference, test, known)
    both = [each for each in (known, validation) if each is not None]
    named = [triple for each in both for triple in named_triples(each)]
    return _set_of(graph, test, named)
