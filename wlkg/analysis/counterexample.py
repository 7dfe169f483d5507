"""Counterexamples in use: build one or lift any graph, check its claims, write its graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from wlkg.analysis.side_by_side import SideBySide
from wlkg.analysis.verdicts import LADDER, Verdict, judge, judge_pairs, judge_vertices
from wlkg.display import Brief, Displayed
from wlkg.errors import UsageError
from wlkg.examples import Claim, Fact, find_family, lift_pair, piece_with_cycle
from wlkg.examples.model import VERTEX_TESTS, never
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.progress import SILENT, Progress, phase
from wlkg.writers.aside import made_folder
from wlkg.writers.formats import SUFFIXES, find_writer
from wlkg.writers.write import write

LIFT = "lift"
#: Two copies of a graph and its 2-lift are covers of one graph, so no vertex test separates them.
_LIFT_CLAIMS = never(*VERTEX_TESTS)


@dataclass(frozen=True, eq=False)
class Counterexample(Displayed):
    """One or two graphs, and what the tests are claimed to say about them.

    The claims are about the two graphs, or about two vertices or two pairs: of the only graph, or
    one of each.
    """

    name: str
    summary: str
    source: str
    parameters: Mapping[str, int | str]
    graph_names: tuple[str, ...]
    graphs: tuple[RelationalGraph, ...]
    vertices: tuple[str, str] | None
    claims: tuple[Claim, ...]
    pairs: tuple[tuple[str, str], tuple[str, str]] | None = None

    def __repr__(self) -> str:
        parameters = "".join(f", {key}={value}" for key, value in self.parameters.items())
        graphs = " / ".join(self.graph_names)
        return f"Counterexample({self.name}{parameters}: {graphs}, {len(self.claims)} claims)"

    def check(self, *, max_memory: int | None = None, progress: Progress = SILENT) -> Findings:
        """Run the tests: whether every claim holds."""
        return examine(self, max_memory=max_memory, progress=progress)


@dataclass(frozen=True)
class Outcome:
    """What a test says, and what it is claimed to say, if anything."""

    verdict: Verdict
    claim: Claim | None

    @property
    def holds(self) -> bool | None:
        """Whether the claim is true; None if nothing is claimed or the test was skipped."""
        if self.claim is None or self.verdict.skipped is not None:
            return None
        same_round = self.claim.round is None or self.claim.round == self.verdict.round
        return self.claim.separated == self.verdict.separated and same_round


@dataclass(frozen=True)
class Findings(Brief):
    """The outcomes of all tests that were run, and the structural facts that were checked."""

    outcomes: tuple[Outcome, ...]
    facts: tuple[Fact, ...]

    def __repr__(self) -> str:
        claimed = sum(outcome.claim is not None for outcome in self.outcomes)
        return f"Findings({claimed} claims, {len(self.facts)} facts, hold={self.hold})"

    @property
    def hold(self) -> bool:
        """Whether nothing contradicts the claims."""
        claims = all(outcome.holds is not False for outcome in self.outcomes)
        return claims and all(fact.holds for fact in self.facts)


def counterexample(
    name: str,
    *,
    of: RelationalGraph | None = None,
    seed: int = 0,
    piece: int | None = None,
    **parameters: int,
) -> Counterexample:
    """A pair of graphs that some tests cannot tell apart, with what is claimed of it.

    ``name`` is a family of ``wlkg counterexample``, with its parameters, or ``lift``, which makes a
    counterexample of any graph: ``of``, or a ``piece`` of that many vertices.

    >>> pair = counterexample("cfi", k=2)
    >>> pair.check().hold, [graph.num_vertices for graph in pair.graphs]
    (True, [12, 12])
    """
    if name != LIFT:
        if of is not None or piece is not None:
            raise UsageError(f"of= and piece= are for {LIFT!r}, not for {name!r}")
        return build(name, parameters)
    if of is None:
        raise UsageError("lift needs a graph: wlkg.counterexample('lift', of=graph)")
    if parameters:
        raise UsageError(f"lift has no parameter {', '.join(map(repr, parameters))}")
    return lift(of, str(of), seed, piece)


def build(spec: str, given: Mapping[str, int | str]) -> Counterexample:
    """The counterexample ``FAMILY[,parameter=value]...``; ``given`` adds more parameters."""
    name, *settings = spec.split(",")
    family = find_family(name)
    pairs = [setting.partition("=")[::2] for setting in settings]
    keys = [key for key, _ in pairs] + list(given)
    if len(set(keys)) < len(keys):
        raise UsageError(f"{spec}: a parameter is given twice")
    values = family.values({**dict(pairs), **given})
    suffix = "".join(f",{key}={value}" for key, value in values.items())
    return Counterexample(
        name=name,
        summary=family.summary,
        source=family.source,
        parameters=values,
        graph_names=tuple(f"{graph}{suffix}" for graph in family.graphs),
        graphs=family.build(values),
        vertices=family.vertices,
        claims=family.claims(values),
        pairs=family.pairs,
    )


def lift(graph: RelationalGraph, name: str, seed: int, piece: int | None = None) -> Counterexample:
    """Two copies of a graph and a random 2-lift of it, which no vertex test separates.

    ``piece`` first cuts the graph down to this many vertices around a cycle.
    """
    parameters: dict[str, int | str] = {"of": name, "seed": seed}
    if piece is not None:
        graph = piece_with_cycle(graph, piece)
        parameters["piece"] = piece
    return Counterexample(
        name=LIFT,
        summary="two copies / a random 2-lift of a graph: no R-GCN or CompGCN tells them apart",
        source="both are 2-covers of the graph, so every vertex has the same unfolding",
        parameters=parameters,
        graph_names=("copies", "lift"),
        graphs=lift_pair(graph, seed),
        vertices=None,
        claims=_LIFT_CLAIMS,
    )


def examine(
    example: Counterexample, *, max_memory: int | None = None, progress: Progress = SILENT
) -> Findings:
    """Check every claim. For a lift, go on up the ladder to the first test that separates."""
    pair = SideBySide(example.graphs)

    def verdict_of(test: str) -> Verdict:
        if example.pairs is not None:
            (u, v), (x, y) = example.pairs
            (u_id, x_id), (v_id, y_id) = _ids(pair, (u, x)), _ids(pair, (v, y))
            both = (u_id, v_id), (x_id, y_id)
            return judge_pairs(pair, both, test, max_memory=max_memory, progress=progress)
        if example.vertices is None:
            return judge(pair, test, max_memory=max_memory, progress=progress)
        return judge_vertices(
            pair, _ids(pair, example.vertices), test, max_memory=max_memory, progress=progress
        )

    outcomes = [Outcome(verdict_of(claim.test), claim) for claim in example.claims]
    if example.name == LIFT:
        claimed = {claim.test for claim in example.claims}
        others = [test for test in LADDER if test not in claimed]
        outcomes += _up_to_first_separating(others, verdict_of)
        return Findings(outcomes=tuple(outcomes), facts=())
    values = {key: int(value) for key, value in example.parameters.items()}
    with phase(progress, "checking facts"):
        facts = find_family(example.name).facts(values, example.graphs)
    return Findings(outcomes=tuple(outcomes), facts=facts)


def _ids(graphs: SideBySide, names: tuple[str, str]) -> tuple[int, int]:
    """The ids in the union of a vertex of the first graph and one of the last."""
    v, w = graphs.graphs[0].vertex(names[0]), graphs.graphs[-1].vertex(names[1])
    return v, sum(graphs.sizes[:-1]) + w


def _up_to_first_separating(
    tests: Iterable[str], verdict_of: Callable[[str], Verdict]
) -> list[Outcome]:
    """The outcomes of tests about which nothing is claimed, up to the first that separates."""
    outcomes = []
    for test in tests:
        verdict = verdict_of(test)
        outcomes.append(Outcome(verdict, claim=None))
        if verdict.separated:
            break
    return outcomes


def write_graphs(
    example: Counterexample,
    folder: str,
    format: str,  # noqa: A002
    *,
    lossy: bool = False,
) -> tuple[str, ...]:
    """Write the graphs into a folder, which is created if necessary; return the paths."""
    writer = find_writer(Path(folder), format)
    given = f".{format.lower().removeprefix('.')}"
    suffix = given if given in SUFFIXES else writer.suffixes[0]
    place = made_folder(folder)
    paths = []
    for name, graph in zip(example.graph_names, example.graphs, strict=True):
        stem = name.replace("=", "").replace(",", "-")
        path = place / f"{stem}{suffix}"
        write(graph, path, format=format, lossy=lossy)
        paths.append(str(path))
    return tuple(paths)
