"""Counterexamples at work: build one or lift any graph, hold the claims against the tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from wlkg.analysis.compare import LADDER, Verdict, judge
from wlkg.errors import OutputError, UsageError
from wlkg.examples import Claim, Fact, find_family, lift_pair, piece_with_cycle
from wlkg.examples.model import VERTEX_TESTS, never
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress
from wlkg.refinement.refine import refine
from wlkg.writers.formats import find_writer
from wlkg.writers.write import write

#: What is claimed of every pair of lifts: both are covers of one graph.
_LIFT_CLAIMS = never(*VERTEX_TESTS)


@dataclass(frozen=True, eq=False)
class Counterexample:
    """One or two graphs, and what the tests are claimed to say about them.

    The claims are about the two graphs, or about two vertices of the one.
    """

    name: str
    summary: str
    source: str
    parameters: Mapping[str, int | str]
    graph_names: tuple[str, ...]
    graphs: tuple[RelationalGraph, ...]
    vertices: tuple[str, str] | None
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Outcome:
    """What a test was found to say, and what it is claimed to say, if anything is."""

    found: Verdict
    claim: Claim | None

    @property
    def holds(self) -> bool | None:
        """Whether the claim is true; None if nothing is claimed or the test was skipped."""
        if self.claim is None or self.found.skipped is not None:
            return None
        same_round = self.claim.round is None or self.claim.round == self.found.round
        return self.claim.separated == self.found.separated and same_round


def build(spec: str, given: Mapping[str, int | str]) -> Counterexample:
    """The counterexample of ``FAMILY[,parameter=value]...`` with more parameters."""
    name, *settings = spec.split(",")
    family = find_family(name)
    pairs = [setting.partition("=")[::2] for setting in settings]
    keys = [key for key, _ in pairs] + list(given)
    if len(set(keys)) < len(keys):
        raise UsageError(f"{spec}: a parameter is given twice")
    values = family.values({**dict(pairs), **given})
    suffix = "".join(f",{key}={value}" for key, value in values.items())
    return Counterexample(
        name,
        family.summary,
        family.source,
        values,
        tuple(f"{graph}{suffix}" for graph in family.graphs),
        family.build(values),
        family.vertices,
        family.claims(values),
    )


def lift(graph: RelationalGraph, name: str, seed: int, piece: int | None = None) -> Counterexample:
    """Two copies of a graph and a random 2-lift of it, which no vertex test tells apart.

    ``piece`` takes only so many vertices of the graph, around a cycle.
    """
    parameters: dict[str, int | str] = {"of": name, "seed": seed}
    if piece is not None:
        graph = piece_with_cycle(graph, piece)
        parameters["piece"] = piece
    return Counterexample(
        "lift",
        "two copies / a random 2-lift of a graph: no R-GCN or CompGCN tells them apart",
        "both are 2-covers of the graph, so every vertex has the same unfolding",
        parameters,
        ("copies", "lift"),
        lift_pair(graph, seed),
        None,
        _LIFT_CLAIMS,
    )


@dataclass(frozen=True)
class Findings:
    """What came of looking: claims with what the tests say, more tests, and structural facts."""

    outcomes: tuple[Outcome, ...]
    facts: tuple[Fact, ...]

    @property
    def hold(self) -> bool:
        """Whether nothing contradicts what is claimed."""
        claims = all(outcome.holds is not False for outcome in self.outcomes)
        return claims and all(fact.holds for fact in self.facts)


def examine(
    example: Counterexample, *, max_memory: int | None = None, progress: Progress = SILENT
) -> Findings:
    """Run every claim. For a lift, go on up the ladder to the first test that separates."""
    outcomes = tuple(
        Outcome(_verdict(example, claim.test, max_memory, progress), claim)
        for claim in example.claims
    )
    if example.name == "lift":
        return Findings(outcomes + _first_separating(example, max_memory, progress), ())
    values = {key: int(value) for key, value in example.parameters.items()}
    return Findings(outcomes, find_family(example.name).facts(values, example.graphs))


def _verdict(
    example: Counterexample, test: str, max_memory: int | None, progress: Progress
) -> Verdict:
    if example.vertices is None:
        one, two = example.graphs
        return judge(one, two, test, max_memory=max_memory, progress=progress)
    graph = example.graphs[0]
    found = refine(graph, test, max_memory=max_memory, progress=progress)
    v, w = (graph.vertex(name) for name in example.vertices)
    first = found.vertices.separated_at(v, w)
    return Verdict(test, first is not None, first, found.rounds, found.classes, found.exact)


def _first_separating(
    example: Counterexample, max_memory: int | None, progress: Progress
) -> tuple[Outcome, ...]:
    """The tests of the ladder without a claim, in order, up to the first that separates."""
    claimed = {claim.test for claim in example.claims}
    outcomes = []
    for test in LADDER:
        if test not in claimed:
            outcomes.append(Outcome(_verdict(example, test, max_memory, progress), None))
            if outcomes[-1].found.separated:
                break
    return tuple(outcomes)


def write_graphs(
    example: Counterexample,
    folder: str,
    format: str,  # noqa: A002
    *,
    lossy: bool = False,
) -> tuple[str, ...]:
    """Write the graphs into a folder, which is made if it is not there; return the paths."""
    place = Path(folder)
    find_writer(place, format)
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: the folder cannot be made: {error.strerror}") from error
    paths = []
    for name, graph in zip(example.graph_names, example.graphs, strict=True):
        stem = name.replace("=", "").replace(",", "-")
        path = place / f"{stem}.{format.lower().removeprefix('.')}"
        write(graph, path, format=format, lossy=lossy)
        paths.append(str(path))
    return tuple(paths)
