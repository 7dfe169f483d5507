"""Ceilings of link prediction as data and as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.table import Table

from wlkg.analysis.links.ceiling import ORBITS, LinkCeiling, LinksOfTest, RoundLinks
from wlkg.analysis.links.orbits import UNPROVEN_ORBITS
from wlkg.catalogue import FOUNDATION_MODELS, VertexTest, find_test
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.refinement.proof import UNCHECKED_TUPLES, UNCHECKED_VERTICES
from wlkg.reports.names import Name, ReportNames
from wlkg.reports.styles import heading, remark
from wlkg.reports.terminal import Terminal, console, new_table, note, printable
from wlkg.text import counted, first_few

STABLE = "stable"
_LEGEND = (
    "MRR, Hits@k and mean rank: ties are broken at random. against, for: the MRR if every tie"
    " counts against the model, as in many evaluations, or for it."
)
_FITTED = (
    "fitted: the MRR of scores by how often a colour was true in training. seen: the test triples"
    " whose colours occur there."
)
_PROVISO = (
    "A model that gives different classes the same score may gain, where ties are broken at random,"
    " at most {:.4f} in MRR."
)
#: The models that a test bounds, as the subject of a sentence.
_SUBJECTS = {
    "1-rwl": "R-GCN or CompGCN with any decoder",
    "rawl2": "NBFNet, A*Net or other C-MPNN",
}
#: Smaller gains are not worth a word.
_LEAST_GAIN = 0.00005

# -- data -----------------------------------------------------------------------------------------


def links_document(result: LinkCeiling) -> dict[str, Any]:
    """What ``wlkg ceiling --links --json`` prints."""
    return {
        "of": "links",
        "direction": result.direction,
        "vertices": result.vertices,
        "triples": result.triples,
        "queries": result.queries,
        "answers": result.answers,
        "tests": [_test_document(each) for each in result.tests],
        "new_vertices": list(result.new_vertices),
        "new_relations": list(result.new_relations),
        "seconds": sum(each.seconds for each in result.tests),
    }


def _test_document(result: LinksOfTest) -> dict[str, Any]:
    return {
        "test": result.test,
        "bounds": bounded_models(result.test),
        "rounds": [asdict(each) for each in result.rounds],
        "fitted": None if result.fitted is None else [asdict(each) for each in result.fitted],
        "fitted_on": None if result.fitted_on is None else list(result.fitted_on),
        "fitted_ranked": None if result.fitted_ranked is None else list(result.fitted_ranked),
        "tied": result.tied,
        "worst": [asdict(each) for each in result.worst],
        "proof": result.proof,
        "seconds": result.seconds,
    }


def bounded_models(test: str) -> str:
    """The models that a test bounds, in words."""
    if test == ORBITS:
        return "every model that sees the graph alone"
    model = FOUNDATION_MODELS.get(test.lower())
    if model is not None:
        return model.bounds
    chosen = find_test(test)
    if isinstance(chosen, VertexTest):
        return f"encoders with any decoder: {chosen.bounds}"
    return chosen.bounds


# -- text -----------------------------------------------------------------------------------------


def note_unknown(vertices: Sequence[str], relations: Sequence[str], split: str) -> None:
    """Remarks about names that the graph does not have, and what becomes of them."""
    for names, one, many, fate in (
        (
            vertices,
            "entity",
            "entities",
            "a candidate like any other, but without triples",
        ),
        (
            relations,
            "relation",
            "relations",
            "ranked all the same, though no model has seen a triple of it",
        ),
    ):
        if names:
            count = counted(len(names), one, many)
            note(f"{count} of {split} not in the graph, {fate}: {first_few(names)}")


def print_links(name: str, split: str, result: LinkCeiling, graph: RelationalGraph) -> None:
    """For each test the best scores by round, and the answers that tie with most others."""
    out = console()
    note_unknown(result.new_vertices, result.new_relations, split)
    out.print(heading(f"{printable(name)}: links of {split}, direction {result.direction}"))
    for each in result.tests:
        out.print(headline(each))
    names = ReportNames(graph)
    for each in result.tests:
        out.print()
        verb = "bound" if each.test == ORBITS else "bounds"
        out.print(f"{each.test} {verb} {bounded_models(each.test)}")
        out.print(_rounds_table(out, each))
        _print_tied(out, each, result.answers, names)
    out.print()
    out.print(_LEGEND)
    gain = gain_of_tying(result)
    if gain >= _LEAST_GAIN:
        out.print(_PROVISO.format(gain))
    if any(each.fitted is not None for each in result.tests):
        out.print(_FITTED)
    for each in result.tests:
        if each.fitted_on is not None:
            out.print(_fitted_on(each.test, *each.fitted_on))
        if is_cut_short(each):
            out.print(_fitted_ranked(each))
    counts = f"{counted(result.answers, 'answer', 'answers')} to {result.queries:,} queries"
    seconds = sum(each.seconds for each in result.tests)
    out.print(
        remark(f"{counts}, {result.vertices:,} candidates; {exactness(result)}; {seconds:.3f} s")
    )


def _fitted_on(test: str, used: int, of_all: int) -> str:
    """What the fitted scores of a test of pairs rest on."""
    triples = counted(of_all, "training triple", "training triples")
    which, how = ("", "") if used == of_all else (f"{used:,} of ", " drawn at random,")
    each = "" if used == 1 else " each"
    return (
        f"{test} is fitted on {which}{triples},{how}{each} taken out of the graph while its pair is"
        " coloured, as in training."
    )


def is_cut_short(result: LinksOfTest) -> bool:
    """Whether fitted scores of pairs are those of some rounds or some answers only."""
    if result.fitted is None or result.fitted_ranked is None:
        return False
    ranked, of_all = result.fitted_ranked
    return ranked < of_all or len(result.fitted) < len(result.rounds) - 1


def _fitted_ranked(result: LinksOfTest) -> str:
    """What was left out of the fitted scores, since all would take too long."""
    assert result.fitted is not None
    assert result.fitted_ranked is not None
    ranked, of_all = result.fitted_ranked
    answers = counted(of_all, "answer", "answers")
    which = f"all {answers}" if ranked == of_all else f"{ranked:,} of {answers}, drawn at random"
    rounds = counted(len(result.fitted), "round", "rounds")
    return f"To save time, its fitted scores are estimates from {which}, for {rounds} only."


_NOT_EXACT = {
    UNPROVEN_ORBITS: "upper bounds: some symmetries may be missing",
    UNCHECKED_VERTICES: f"not proved: {UNCHECKED_VERTICES}",
    UNCHECKED_TUPLES: f"not proved: {UNCHECKED_TUPLES}",
}


def exactness(result: LinkCeiling) -> str:
    """Whether all ceilings are exact, and if not, why."""
    reasons = {
        _NOT_EXACT.get(test.proof, "upper bounds: some queries have too many orders to try")
        for test in result.tests
        if not all(each.exact for each in test.rounds)
    }
    return "; ".join(sorted(reasons)) or "exact"


def gain_of_tying(result: LinkCeiling) -> float:
    """The most that a model may gain in MRR that gives different classes the same score."""
    rounds = [each for test in result.tests for each in test.rounds]
    return max(each.bound.mrr - each.ties["random"].mrr for each in rounds)


def headline(result: LinksOfTest) -> str:
    """The limit of a test in a sentence."""
    stable = result.last.ties["random"].mrr
    if stable == 1:
        what = "symmetries set" if result.test == ORBITS else f"{result.test} sets"
        return f"{what} no limit: no answer ties with a candidate that is not true"
    if result.test == ORBITS:
        return f"no model that sees the graph alone gets an MRR above {score(stable)}"
    subject = _SUBJECTS.get(result.test, f"model bounded by {result.test}")
    *numbered, last = result.rounds
    limits = [
        f"{score(each.ties['random'].mrr)} with {counted(each.round or 0, 'layer', 'layers')}"
        for each in (*numbered[:3][-1:], *numbered[3:][-1:])
    ]
    limits.append(f"{score(last.ties['random'].mrr)} with any number")
    return f"no {subject} gets an MRR above {', '.join(limits)}"


def score(value: float) -> str:
    """A score with four digits; what is not quite 1 never looks like 1.

    >>> score(1.0), score(0.99999), score(0.89932)
    ('1', '0.9999', '0.8993')
    """
    return "1" if value == 1 else f"{min(value, 0.9999):.4f}"


def _rounds_table(out: Terminal, result: LinksOfTest) -> Table:
    table = new_table(out)
    titles = ["round", "MRR", "Hits@1", "Hits@3", "Hits@10", "mean rank", "against", "for"]
    for title in titles if result.fitted is None else [*titles, "fitted", "seen"]:
        table.add_column(title, justify="right", no_wrap=True)
    for place, each in enumerate(result.rounds):
        row = _row(each)
        if result.fitted is not None and place < len(result.fitted):
            fitted = result.fitted[place]
            row += [score(fitted.ties["random"].mrr), f"{100 * fitted.seen:.1f} %"]
        table.add_row(*row)
    return table


def _row(each: RoundLinks) -> list[str]:
    usual = each.ties["random"]
    shares = [score(v) for v in (usual.mrr, usual.hits_at_1, usual.hits_at_3, usual.hits_at_10)]
    sides = [score(each.ties[tie].mrr) for tie in ("pessimistic", "optimistic")]
    number = STABLE if each.round is None else f"{each.round:,}"
    mark = "" if each.exact else " or less"
    return [number, shares[0] + mark, *shares[1:], f"{usual.mean_rank:,.2f}", *sides]


def _print_tied(out: Terminal, result: LinksOfTest, answers: int, names: ReportNames) -> None:
    if not result.tied:
        return
    out.print(f"{result.tied:,} of {counted(answers, 'answer', 'answers')} tie when stable")
    if not result.worst:
        return
    table = new_table(out)
    for title in ("head", "relation", "tail", "asked"):
        table.add_column(title)
    table.add_column("ties with", justify="right", no_wrap=True)
    for each in result.worst:
        cells = [
            Name(names.vertex(each.head)),
            Name(names.relation(each.relation)),
            Name(names.vertex(each.tail)),
        ]
        table.add_row(*cells, each.asked, f"{each.rivals:,}")
    out.print(table)
    more = result.tied - len(result.worst)
    if more:
        out.print(f"{counted(more, 'more answer', 'more answers')}; --limit lists more of them")
