"""Training of links: same seed, same bytes; resumed or refused; what is learned."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.analysis.links.dictionaries import Triple
from tests.gnn.links.small_sets import (
    MODELS_OF_LINKS,
    TEST,
    TRAIN,
    VALID,
    name_of,
    train_small,
)
from tests.gnn.training.tasks import weights_of
from wlkg.analysis.links.ceiling import link_ceiling
from wlkg.errors import InputError, TooLargeError, UsageError, WlkgError
from wlkg.gnn.checkpoints.checkpoint_file import load_checkpoint, save_checkpoint
from wlkg.gnn.checkpoints.saved_model import load_model
from wlkg.gnn.config import ModelChoice
from wlkg.gnn.links.conditional_scorer import _arcs_of_triples
from wlkg.gnn.links.link_results import LinkTraining
from wlkg.gnn.links.link_run import LinkRun
from wlkg.gnn.links.train_links import train_links
from wlkg.gnn.training import loop
from wlkg.gnn.training.run_file import DivergedError, checkpoint_path
from wlkg.graph.relational_graph import RelationalGraph

RGCN, CONDITIONAL = MODELS_OF_LINKS[0], MODELS_OF_LINKS[-3]
both_kinds = pytest.mark.parametrize("model", [RGCN, CONDITIONAL], ids=name_of)


class StopError(Exception):
    pass


@both_kinds
@pytest.mark.parametrize("negatives", [None, 3])
def test_a_run_resumed_at_any_epoch_ends_with_the_same_bytes(
    model: Any, negatives: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"epochs": 6, "negatives": negatives}
    (whole,) = train_small(model, **options).results
    monkeypatch.setattr(loop, "_SAVE_SECONDS", 0.0)
    advance = LinkRun.advance

    def stopping(run: LinkRun, save: Path | None) -> None:
        if run.epoch == 3:
            raise StopError
        advance(run, save)

    with monkeypatch.context() as patch:
        patch.setattr(LinkRun, "advance", stopping)
        with pytest.raises(StopError):
            train_small(model, **options, save=str(tmp_path))
    (resumed,) = train_small(model, **options, save=str(tmp_path), resume=True).results
    assert weights_of(resumed.model) == weights_of(whole.model)
    assert resumed.curves.numpy().tobytes() == whole.curves.numpy().tobytes()
    assert (resumed.last, resumed.chosen) == (whole.last, whole.chosen)


@both_kinds
def test_the_same_seed_gives_the_same_bytes_and_another_one_does_not(model: Any) -> None:
    one, other = train_small(model, seeds=2).results
    again = train_small(model, seed=1).results[0]
    assert weights_of(again.model) == weights_of(other.model) != weights_of(one.model)
    assert again.last == other.last


def test_a_finished_run_is_resumed_for_more_epochs_and_other_runs_are_refused(
    tmp_path: Path,
) -> None:
    folder: dict[str, Any] = {"save": str(tmp_path)}
    train_small(epochs=2, **folder)
    (more,) = train_small(epochs=4, resume=True, **folder).results
    assert weights_of(more.model) == weights_of(train_small(epochs=4).results[0].model)
    with pytest.raises(InputError, match="has 4 epochs, more than 3"):
        train_small(epochs=3, resume=True, **folder)
    with pytest.raises(InputError, match="training differs"):
        train_small(epochs=4, resume=True, negatives=2, **folder)
    with pytest.raises(InputError, match="data differs"):
        train_small(epochs=4, resume=True, validation=TEST, **folder)
    with pytest.raises(InputError, match="training differs"):
        train_small(MODELS_OF_LINKS[1], epochs=4, resume=True, **folder)


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content.pop("best"),
        lambda content: content.update(best={"x": torch.zeros(1)}),
        lambda content: content.update(epoch=1),
        lambda content: content["model"].popitem(),
        lambda content: content["curves"].fill_(math.inf),
    ],
)
def test_a_damaged_checkpoint_is_refused(damage: Any, tmp_path: Path) -> None:
    train_small(epochs=2, save=str(tmp_path))
    path = checkpoint_path(tmp_path, 0)
    content = load_checkpoint(path)
    damage(content)
    save_checkpoint(path, {"format": None, **content})
    with pytest.raises(InputError, match=r"seed-0\.pt"):
        train_small(epochs=3, save=str(tmp_path), resume=True)


def test_the_encoder_of_a_checkpoint_is_a_model_of_its_own(tmp_path: Path) -> None:
    (result,) = train_small(save=str(tmp_path)).results
    saved = load_model(str(checkpoint_path(tmp_path, 0)))
    assert saved.items == "links"
    body = result.model.get_submodule("body")
    assert weights_of(saved.build()) == weights_of(body)
    with pytest.raises(InputError, match="trained to predict links"):
        saved.classifier()


def test_the_test_triples_have_no_influence() -> None:
    graph = RelationalGraph.from_triples(TRAIN)
    trained = [
        train_links(graph, test, VALID, epochs=3, patience=2)
        for test in (TEST, [("p0", "near", "p1")], None)
    ]
    runs = [training.results[0] for training in trained]
    assert len({weights_of(run.model) for run in runs}) == 1
    assert all(torch.equal(run.curves[1:], runs[0].curves[1:]) for run in runs)
    assert runs[2].last.ties is None


def test_the_best_epoch_on_validation_is_reported_and_stops_training() -> None:
    (result,) = train_small(epochs=200, patience=5, learning_rate=0.05).results
    mrr = result.curves[:, 1]
    assert result.chosen is not None
    assert result.chosen.epoch == int(mrr.argmax())
    assert result.chosen.validation_mrr == mrr.max().item()
    assert result.last.epoch == result.chosen.epoch + 5 < 200
    # The kept weights are those of that epoch.
    (until,) = train_small(epochs=result.chosen.epoch, learning_rate=0.05).results
    assert until.last.ties == result.chosen.ties


def reached_and_limit(training: LinkTraining, test: list[Triple], name: str) -> tuple[float, float]:
    """The pessimistic MRR of a model, and the highest one that is possible."""
    assert training.task.test is not None
    rounds = training.task.config.layers
    graph = training.task.test.given.graph
    (ceiling,) = link_ceiling(graph, test, tests=[name], rounds=rounds).tests
    ties = training.results[0].last.ties
    assert ties is not None
    return ties["pessimistic"].mrr, ceiling.rounds[rounds - 1].ties["pessimistic"].mrr


def test_an_encoder_learns_its_own_graph_as_well_as_its_ceiling_allows() -> None:
    # The graph has a symmetry that swaps the towns, so they tie.
    train = [*TRAIN[:6], ("p0", "lives", "town0"), ("p3", "lives", "town1")]
    graph = RelationalGraph.from_triples(train)
    choice = ModelChoice("rgcn", width=16, layers=3)
    how: dict[str, Any] = {"decoder": "mlp", "epochs": 80, "learning_rate": 0.02}
    training = train_links(graph, train, model=choice, **how)
    reached, limit = reached_and_limit(training, train, "1-rwl")
    assert 0.95 * limit < reached <= limit + 1e-9 < 1


def test_a_conditional_model_learns_a_rule_that_no_encoder_can_see() -> None:
    # Couples live together. Of the last two, it is known of one and asked of the other.
    couples = [(f"a{i}", f"b{i}") for i in range(10)]
    train = [triple for a, b in couples for triple in ((a, "knows", b), (b, "knows", a))]
    train += [(a, "lives", f"town{i}") for i, (a, _) in enumerate(couples)]
    train += [(b, "lives", f"town{i}") for i, (_, b) in enumerate(couples[:8])]
    test = [(b, "lives", f"town{i}") for i, (_, b) in enumerate(couples) if i > 7]
    graph = RelationalGraph.from_triples(train)
    choice = ModelChoice("c-mpnn", width=8, layers=2)
    training = train_links(graph, test, model=choice, epochs=15, learning_rate=0.02)
    reached, limit = reached_and_limit(training, test, "rawl2")
    assert 0.95 * limit < reached <= limit + 1e-9
    assert (
        link_ceiling(graph, test, tests=["1-rwl"]).tests[0].last.ties["pessimistic"].mrr < reached
    )


def test_the_triples_of_a_batch_are_left_out_of_the_graph() -> None:
    graph = RelationalGraph.from_triples([*TRAIN, ("p0", "knows", "p0")])
    for direction in ("both", "undirected", "out", "in"):
        seen = graph.with_direction(direction)
        arcs, whole = seen.arcs(), _arcs_of_triples(seen)
        for triple in range(seen.num_triples):
            rest = [i for i in range(seen.num_triples) if i != triple]
            smaller = RelationalGraph.from_arrays(
                seen.head[rest],
                seen.relation[rest],
                seen.tail[rest],
                vertex_names=seen.vertex_names,
                relation_names=seen.relation_names,
                direction=direction,
            ).arcs()
            kept = sorted(set(range(len(arcs))) - set(whole[triple].tolist()))
            left = [(arcs.source[a], arcs.relation[a], arcs.neighbour[a]) for a in kept]
            rows = zip(smaller.source, smaller.relation, smaller.neighbour, strict=True)
            assert left == list(rows)


def test_removal_can_be_switched_off_and_makes_a_difference() -> None:
    one, other = (train_small(CONDITIONAL, remove_batch=way).results[0] for way in (True, False))
    assert weights_of(one.model) != weights_of(other.model)


def test_what_is_learned_ranks_the_links_of_another_graph() -> None:
    other = RelationalGraph.from_triples(
        [("x", "near", "y"), ("z", "lives", "x"), ("z", "knows", "w"), ("w", "knows", "z")]
    )
    graph, test = RelationalGraph.from_triples(TRAIN), [("w", "lives", "y")]
    (result,) = train_links(graph, test, VALID, epochs=2, inference=other).results
    assert result.last.ties is not None
    # The same triples with other names of the vertices, in another order, get the same scores.
    renamed = [(f"{h}!", r, f"{t}!") for h, r, t in reversed(list(other.named_triples()))]
    again = train_links(
        graph,
        [("w!", "lives", "y!")],
        VALID,
        epochs=2,
        inference=RelationalGraph.from_triples(renamed),
    )
    assert again.results[0].last.ties == result.last.ties
    strange = RelationalGraph.from_triples([("x", "hates", "y"), ("w", "lives", "x")])
    with pytest.raises(UsageError, match=r"not trained on: hates.*--unknown-relations skip"):
        train_links(graph, test, epochs=0, inference=strange)
    skipped = train_links(
        graph, test, epochs=0, inference=strange, unknown_relations="skip"
    ).task.test
    assert skipped is not None
    assert skipped.graph.num_triples == 1
    assert skipped.graph.num_vertices == 3


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        (("k-rn", None), {}, "unknown model of links 'k-rn'"),
        (("rgcn", "dot"), {}, "unknown decoder 'dot'"),
        (("c-mpnn", "distmult"), {}, "--decoder has no effect on c-mpnn"),
        (("rgcn", None), {"remove_batch": True}, "--remove-batch has no effect on rgcn"),
        (("c-mpnn", None), {"batch": 11}, "11 triples leaves none in the graph"),
        (("rgcn", None), {"patience": 1, "validation": None}, "--patience needs validation"),
        (("rgcn", None), {"negatives": 0}, "negatives must be at least 1"),
        (("rgcn", None), {"resume": True}, "--resume needs --save"),
    ],
)
def test_what_makes_no_sense_is_refused(model: Any, options: Any, message: str) -> None:
    name, decoder = model
    with pytest.raises(WlkgError, match=message):
        train_small((ModelChoice(name, width=4), decoder), **options)


@both_kinds
def test_what_does_not_fit_into_memory_is_refused(
    model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = "--negatives or a smaller --dim" if model is RGCN else "--batch, a smaller --dim"
    wide = (replace(model[0], width=512), "rotate" if model is RGCN else None)
    with pytest.raises(TooLargeError, match="--dim"):
        train_small(wide, max_memory=5_000)
    monkeypatch.setattr("wlkg.gnn.links.encoder_scorer.check_task_fits", lambda *_, **__: None)
    with pytest.raises(TooLargeError, match=message):
        train_small(model, max_memory=1_000, batch=8)


def test_a_loss_that_is_not_finite_ends_the_run() -> None:
    with pytest.raises(DivergedError, match="Use a smaller --lr"):
        train_small(epochs=50, learning_rate=1e300)


@pytest.mark.parametrize("validation", [None, VALID])
def test_a_model_that_diverges_in_its_last_step_has_no_rank(validation: Any) -> None:
    with pytest.raises(DivergedError, match="a score is nan in epoch 1 of seed 0"):
        train_small(
            epochs=1, batch=None, learning_rate=1e38, dtype="float32", validation=validation
        )
