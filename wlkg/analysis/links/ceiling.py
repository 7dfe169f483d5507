"""The best MRR, Hits@k and mean rank that any model bounded by a WL test can reach on test triples.

A model with t layers gives a candidate v of a query with source u a score that depends on the
query's relation and on

==============  ====================================================================================
a vertex test   the colours of u and of v at round t: an encoder (R-GCN, CompGCN) with any decoder
rawl2           the colour of (u, v) at round t: a conditional model (C-MPNN, NBFNet, A*Net)
rwl2, 2-rlwl,   likewise: a model that the test bounds, as k-RN with k = 2 is bounded by 2-rlwl
...
ultra, motif    the colour of (u, v) at round t of rawl2 with colours of relations, not names: a
                foundation model; see `wlkg.analysis.links.foundation`
==============  ====================================================================================

For one query, u and the relation are fixed. So candidates of one class have the same score, and all
that a model can choose is the order of the classes; `order_kernels` finds the best one, as if the
answers were known. No model of t layers scores higher, however it is trained, with one proviso: a
model might also give *different* classes the same score. If ties count against it (pessimistic),
that never pays. If they do not, it may: a model that gives all candidates the same score has an
optimistic MRR of 1. Random and optimistic scores are about models that tie no two classes; for
random ties there is also a bound for all models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from wlkg.analysis.links.fitted import FITTED_PAIRS, Fitted, colours_vertices, fitted_ranks
from wlkg.analysis.links.fitted_pairs import fitted_pairs
from wlkg.analysis.links.foundation import rank_foundation
from wlkg.analysis.links.orbits import PROVEN_ORBITS, UNPROVEN_ORBITS, rank_orbits
from wlkg.analysis.links.order_kernels import MOST_STATES
from wlkg.analysis.links.pair_rows import rank_pairs
from wlkg.analysis.links.ranks import Ranks, rank_candidates
from wlkg.arrays import FloatArray
from wlkg.catalogue import FOUNDATION_MODELS, Direction, TupleTest, find_test
from wlkg.compiled.compilation import Stopwatch
from wlkg.display import Brief, Displayed
from wlkg.errors import UsageError
from wlkg.graph.checking import require_graphs
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.links.queries import LinkQueries, Triples, link_queries
from wlkg.links.scores import METRICS, TIES, LinkScores
from wlkg.memory import check_fits
from wlkg.progress import SILENT, Progress
from wlkg.refinement.proof import UNCHECKED_VERTICES
from wlkg.refinement.refine import refine

#: The tests whose ceilings are computed by default: for encoders and for conditional models.
LINK_TESTS = ("1-rwl", "rawl2")
#: The name of the limit by symmetries, which is no test.
ORBITS = "orbits"
#: The tests that 1-rwl computes, source by source, if the source is marked. Within a source they
#: give the same colours.
MARKED = ("rawl2", "rawl2-all")
#: The number of rounds that are shown by default, besides the stable one.
ROUNDS = 6
#: A class number as it is found and as it is used, the size of a class, and whether it is one.
_BYTES_PER_COLOUR = 17
#: The most answers that are listed by default.
LIMIT = 10


@dataclass(frozen=True)
class RoundLinks(Brief):
    """The best scores at a round, or (None) when the colours are stable."""

    round: int | None
    #: By tie rule: random, pessimistic, optimistic.
    ties: Mapping[str, LinkScores]
    #: With random ties, what not even a model exceeds that gives different classes the same score.
    bound: LinkScores
    #: Whether the scores can be reached. If not, they are upper bounds: some query has too many
    #: classes with answers to try all orders, or the colours were not proved.
    exact: bool


@dataclass(frozen=True)
class TiedAnswer(Brief):
    """An answer that ties with other candidates when the colours are stable."""

    head: str
    relation: str
    tail: str
    #: ``head`` or ``tail``: what the query asks for.
    asked: str
    #: The candidates that no model tells from the answer, besides those known to be true.
    rivals: int


@dataclass(frozen=True)
class FittedLinks(Brief):
    """Scores that training leads to; see `wlkg.analysis.links.fitted`."""

    round: int | None
    ties: Mapping[str, LinkScores]
    #: The share of test triples whose colours occur in training.
    seen: float


@dataclass(frozen=True)
class LinksOfTest(Brief):
    """What no model bounded by a test can exceed."""

    test: str
    #: Rounds 1, 2, ..., and the stable one.
    rounds: tuple[RoundLinks, ...]
    #: The same rounds, for tests of vertices; rounds 1, 2, ... for rawl2; else None.
    fitted: tuple[FittedLinks, ...] | None
    #: rawl2: the training triples that it was fitted on, and all of them.
    fitted_on: tuple[int, int] | None
    #: rawl2: the answers that were ranked by fitted scores, and all of them.
    fitted_ranked: tuple[int, int] | None
    #: The number of answers that tie with others when the colours are stable, and the worst.
    tied: int
    worst: tuple[TiedAnswer, ...]
    #: How it was proved that no two colours were merged.
    proof: str
    seconds: float

    @property
    def last(self) -> RoundLinks:
        return self.rounds[-1]


@dataclass(frozen=True)
class LinkCeiling(Displayed):
    """The ceilings of link prediction on test triples."""

    #: What the graph is called.
    name: str
    direction: Direction
    #: The candidates of every query.
    vertices: int
    triples: int
    #: Two per test triple, fewer if triples share them.
    queries: int
    #: Two per test triple.
    answers: int
    tests: tuple[LinksOfTest, ...]
    #: What the test triples name and the graph does not have.
    new_vertices: tuple[str, ...]
    new_relations: tuple[str, ...]


def link_ceiling(
    graph: RelationalGraph,
    test: Triples,
    known: Triples = (),
    tests: Sequence[str] = LINK_TESTS,
    direction: Direction | None = None,
    rounds: int = ROUNDS,
    *,
    orbits: bool = False,
    training: RelationalGraph | None = None,
    limit: int | None = LIMIT,
    max_memory: int | None = None,
    progress: Progress = SILENT,
) -> LinkCeiling:
    """The best scores of any model on the queries (h, r, ?) and (?, r, t) of test triples.

    The model sees ``graph``. ``test`` has the triples to predict; ``known`` has further true
    triples, which are no mistakes if a model ranks them high, such as those of a validation split.
    Both are graphs, or triples of names. In an inductive set, ``training`` is the graph that models
    were trained on; it only concerns the fitted scores. With ``orbits``, the last of the tests
    is the limit of every model that sees the graph alone; see `wlkg.analysis.links.orbits`.
    ``limit`` is the most tied answers to list.

    >>> import wlkg
    >>> star = wlkg.RelationalGraph.from_triples([("hub", "to", leaf) for leaf in "abc"])
    >>> result = link_ceiling(star, test=[("a", "likes", "b")])
    >>> [each.last.ties["pessimistic"].mrr for each in result.tests]
    [0.3333333333333333, 0.5]
    """
    require_graphs(graph)
    names = list(dict.fromkeys(tests))
    check_link_tests(names)
    if rounds < 1:
        raise UsageError(f"the number of rounds must be at least 1, found {rounds}")
    queries = link_queries(graph.with_direction(direction), test, known)
    results = [
        _test_ceiling(queries, name, rounds, training, limit, max_memory, progress)
        for name in names
    ]
    if orbits:
        results.append(_orbit_ceiling(queries, limit, progress))
    return LinkCeiling(
        name=graph.name,
        direction=queries.graph.direction,
        vertices=queries.graph.num_vertices,
        triples=queries.num_triples,
        queries=queries.num_queries,
        answers=queries.num_answers,
        tests=tuple(results),
        new_vertices=queries.new_vertices,
        new_relations=queries.new_relations,
    )


def check_link_tests(names: Sequence[str]) -> None:
    """Refuse tests that colour neither vertices nor pairs."""
    if not names:
        raise UsageError("there is no test to compute a ceiling for")
    for name in names:
        if name.lower() in FOUNDATION_MODELS:
            continue
        test = find_test(name)
        if isinstance(test, TupleTest) and test.arity != 2:
            raise UsageError(
                f"{name} colours {test.arity}-tuples. Links need a test of vertices or of pairs,"
                f" such as {' or '.join(LINK_TESTS)}"
            )


def _test_ceiling(
    queries: LinkQueries,
    name: str,
    rounds: int,
    training: RelationalGraph | None,
    limit: int | None,
    max_memory: int | None,
    progress: Progress,
) -> LinksOfTest:
    watch = Stopwatch()
    ranks, exact, proof = _ranks(queries, name, rounds, max_memory, progress)
    numbers: list[int | None] = [*range(1, rounds + 1), None]
    fitted = sample = ranked = None
    if colours_vertices(name):
        values = fitted_ranks(queries, training, name, rounds, progress)
        fitted = _fitted(numbers, values)
    elif name.lower() == FITTED_PAIRS:
        pairs = fitted_pairs(queries, training, rounds, progress=progress)
        fitted = _fitted(numbers, pairs.fitted)
        sample, ranked = (pairs.triples, pairs.all_triples), (pairs.answers, queries.num_answers)
    return LinksOfTest(
        test=name,
        rounds=tuple(
            RoundLinks(
                round=number,
                ties=_scores(ranks.means[place]),
                bound=_score(ranks.bound[place]),
                exact=exact and not ranks.bounded[place],
            )
            for place, number in enumerate(numbers)
        ),
        fitted=fitted,
        fitted_on=sample,
        fitted_ranked=ranked,
        tied=int((ranks.rivals > 0).sum()),
        worst=_worst(queries, ranks, limit),
        proof=proof,
        seconds=watch.seconds,
    )


def _orbit_ceiling(queries: LinkQueries, limit: int | None, progress: Progress) -> LinksOfTest:
    watch = Stopwatch()
    ranks, proven = rank_orbits(queries, most_states=MOST_STATES, progress=progress)
    exact = proven and not ranks.bounded[0]
    return LinksOfTest(
        test=ORBITS,
        rounds=(RoundLinks(None, _scores(ranks.means[0]), _score(ranks.bound[0]), exact=exact),),
        fitted=None,
        fitted_on=None,
        fitted_ranked=None,
        tied=int((ranks.rivals > 0).sum()),
        worst=_worst(queries, ranks, limit),
        proof=PROVEN_ORBITS if proven else UNPROVEN_ORBITS,
        seconds=watch.seconds,
    )


def _ranks(
    queries: LinkQueries, name: str, rounds: int, max_memory: int | None, progress: Progress
) -> tuple[Ranks, bool, str]:
    """The ranks under a test, and whether and how its colours were proved."""
    colours = (rounds + 2) * queries.graph.num_vertices
    check_fits(
        f"a ceiling of {name} at {rounds:,} rounds",
        f"{colours:,} colours",
        _BYTES_PER_COLOUR * colours,
        max_memory,
        "ask for fewer rounds",
    )
    if name.lower() in FOUNDATION_MODELS:
        return rank_foundation(
            queries, name, rounds, most_states=MOST_STATES, max_memory=max_memory, progress=progress
        )
    marks_source = name.lower() in MARKED
    if not marks_source and isinstance(find_test(name), TupleTest):
        return rank_pairs(
            queries, name, rounds, most_states=MOST_STATES, max_memory=max_memory, progress=progress
        )
    refinement = refine(queries.graph, "1-rwl" if marks_source else name, progress=progress)
    history = refinement.history
    rows = [history.class_at(np.arange(history.num_items), t) for t in range(rounds + 1)]
    progress.start(f"ranking by {name}", len(queries.arrays.sources), "sources")
    try:
        ranks = rank_candidates(
            queries,
            np.array([*rows, history.class_of]),
            marks_source=marks_source,
            most_states=MOST_STATES,
            progress=progress,
        )
    finally:
        progress.finish()
    proof = refinement.proof if ranks.proved else UNCHECKED_VERTICES
    return ranks, refinement.exact and ranks.proved, proof


def _fitted(numbers: Sequence[int | None], values: Fitted) -> tuple[FittedLinks, ...]:
    return tuple(
        FittedLinks(number, _scores(means), seen=float(seen))
        for number, means, seen in zip(numbers, values.means, values.seen, strict=False)
    )


def _scores(means: FloatArray) -> dict[str, LinkScores]:
    return {tie: _score(row) for tie, row in zip(TIES, means, strict=True)}


def _score(row: FloatArray) -> LinkScores:
    return LinkScores(**dict(zip(METRICS, row.tolist(), strict=True)))


def _worst(queries: LinkQueries, ranks: Ranks, limit: int | None) -> tuple[TiedAnswer, ...]:
    """The answers with the most rivals, the first queries first among equals."""
    order = np.argsort(-ranks.rivals, kind="stable")[:limit]
    order = order[ranks.rivals[order] > 0]
    arrays, names = queries.arrays, queries.graph.vertex_names
    worst = []
    for answer in order.tolist():
        q = int(np.searchsorted(arrays.answer_start, answer, side="right")) - 1
        ends = names[int(queries.source[q])], names[int(arrays.answers[answer])]
        asks_tail = bool(queries.asks_tail[q])
        head, tail = ends if asks_tail else ends[::-1]
        worst.append(
            TiedAnswer(
                head=head,
                relation=queries.relation_names[int(queries.relation[q])],
                tail=tail,
                asked="tail" if asks_tail else "head",
                rivals=int(ranks.rivals[answer]),
            )
        )
    return tuple(worst)
