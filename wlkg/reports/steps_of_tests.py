"""The next steps after commands about tests; see the table in `wlkg.reports.next_steps`."""

from __future__ import annotations

from wlkg.analysis.classes import Classes
from wlkg.analysis.compare import Comparison
from wlkg.analysis.explanation.explain import Explanation
from wlkg.analysis.explanation.graphs import GraphsExplanation
from wlkg.analysis.explanation.pair import PairExplanation
from wlkg.analysis.hierarchy.table import Hierarchy
from wlkg.analysis.pairs import PairsOfTests
from wlkg.analysis.symmetry.symmetry import Symmetry
from wlkg.catalogue import VertexTest, find_test
from wlkg.refinement.results import Refinement
from wlkg.reports.next_steps import Asked, NextStep, explain_pair, stronger_test


def after_info(asked: Asked) -> NextStep | None:
    """Refine."""
    return asked.step("refine", "which vertices can be told apart")


def after_refinement(
    asked: Asked, refinement: Refinement, sources: str | None = None
) -> NextStep | None:
    """Look at what cannot be told apart, or at what the relations add."""
    test = ("--test", refinement.test)
    if sources is not None:
        chosen = (*test, "--sources", sources, "--same")
        return asked.step("pairs", "the candidates that no source tells apart", more=chosen)
    if refinement.vertices.partition().sizes.max(initial=0) > 1:
        return asked.step("classes", "the vertices that cannot be told apart", more=test)
    if refinement.test == "1-wl":
        return None
    return asked.step("pairs", "what 1-wl misses", more=(*test, "--not-by", "1-wl"))


def after_classes(asked: Asked, result: Classes) -> NextStep | None:
    """Whether anything could tell two vertices of the largest class apart."""
    for group in result.groups:
        if len(group.vertices) > 1:
            purpose = "could anything tell these two apart?"
            step = explain_pair(asked, group.vertices[:2], result.test, purpose)
            if step is not None and result.stable:
                return step
    return asked.step("symmetry", "could any model tell more apart?", more=("--test", result.test))


def after_pairs(asked: Asked, result: PairsOfTests) -> NextStep | None:
    """Explain a pair."""
    for v, w, _ in result.pairs:
        why = "could anything tell them apart?" if result.same else "why the test separates them"
        step = explain_pair(asked, (v, w), result.test, why)
        if step is not None:
            return step
    if result.count:
        return None
    return asked.step("symmetry", "could any model tell more apart?", more=("--test", result.test))


def after_comparison(asked: Asked, comparison: Comparison) -> NextStep | None:
    """Explain a difference, or look for one."""
    if comparison.names:  # no other command compares names
        return None
    if comparison.weakest_tests:
        test = ("--test", comparison.weakest_tests[0])
        return asked.step("explain", "what differs", more=test)
    if comparison.isomorphic:
        proof = ("--isomorphic", "--output", "isomorphic.json")
        return asked.step("certify", "evidence that can be checked", more=proof)
    if comparison.isomorphic is None:
        longer = ("--isomorphism-seconds", "600")
        return asked.step("compare", "more time to search for an isomorphism", more=longer)
    stronger = stronger_test([each.test for each in comparison.verdicts])
    if stronger is None:
        return None
    return asked.step("compare", "a stronger test", more=("--test", stronger))


def after_explanation(asked: Asked, explanation: Explanation) -> NextStep | None:
    """Ask a test that separates, or collect the whole class; ``asked`` names the graphs alone."""
    if isinstance(explanation, PairExplanation):
        return _after_pair(asked, explanation)
    if isinstance(explanation, GraphsExplanation):
        return _after_graphs(asked, explanation)
    if not explanation.nearest:
        return None
    names = explanation.graph.vertex_names
    pair = (explanation.name, names[explanation.nearest[0].vertex])
    return explain_pair(asked, pair, explanation.test, "what separates the nearest class")


def _after_pair(asked: Asked, pair: PairExplanation) -> NextStep | None:
    if pair.round is None:
        other = None if pair.alike is None else pair.alike.separated_by
        if other is None:
            return None
        return explain_pair(asked, pair.names, other.test, "a test that separates them")
    if pair.class_formula is None:
        return None
    more = ("--test", pair.test, "--round", str(pair.round))
    return asked.step("explain", "what selects its class", about=pair.names[:1], more=more)


def _after_graphs(asked: Asked, explanation: GraphsExplanation) -> NextStep | None:
    if explanation.round is None:
        other = None if explanation.alike is None else explanation.alike.separated_by
        if other is None:
            return None
        return asked.step("explain", "a test that separates them", more=("--test", other.test))
    more = ("--test", explanation.test, "--output", "different.json")
    return asked.step("certify", "evidence that can be checked", more=more)


def after_symmetry(asked: Asked, symmetry: Symmetry) -> NextStep | None:
    """Explain a pair that a stronger test separates, or prove that none does."""
    for row in symmetry.tests:
        if row.open_pair is not None and row.separated_by is not None:
            return explain_pair(asked, row.open_pair, row.separated_by, "how it separates them")
    for row in symmetry.tests:
        # Certificates about one graph are about tests of vertices.
        if row.complete and isinstance(find_test(row.test), VertexTest):
            more = ("--test", row.test, "--output", "complete.json")
            return asked.step("certify", "evidence that can be checked", more=more)
    return None


def after_certificate(asked: Asked, path: str) -> NextStep | None:
    """Check it."""
    step = asked.step("verify", "checks it independently")
    if step is None:
        return None
    command, *rest = step.words
    return NextStep((command, path, *rest), step.purpose)


def after_hierarchy(asked: Asked, hierarchy: Hierarchy) -> NextStep | None:
    """A stronger test, if pairs are left."""
    rows = [row for row in hierarchy.rows if row.kind == "test"]
    stronger = stronger_test([row.test for row in rows])
    if stronger is None or not all(row.whole.not_separated for row in rows):
        return None
    return asked.step("hierarchy", "a stronger test", more=("--test", stronger))
