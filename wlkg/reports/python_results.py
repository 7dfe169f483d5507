"""Results of functions as reports take them: the documents that the commands print.

Converters are found by the name of a class, so that showing a result loads nothing that it does not
need; PyTorch above all.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from wlkg.errors import UsageError
from wlkg.graph.relational_graph import RelationalGraph
from wlkg.reports.results import NamedGraph, Result, result_of

Converter = Callable[[Any], Result]


def as_result(value: Any) -> Result:
    """The result of a function such as `wlkg.refine`, with its graphs."""
    for kind in type(value).__mro__:
        converter = _CONVERTERS.get(kind.__name__)
        if converter is not None and kind.__module__.startswith("wlkg."):
            return converter(value)
    raise UsageError(f"a {type(value).__name__} is no result that has a report")


def _named(*graphs: RelationalGraph) -> list[NamedGraph]:
    return [NamedGraph(_name(graph), graph, {}) for graph in graphs]


def _name(graph: RelationalGraph) -> str:
    """A graph that was not read from a file is called by what it contains."""
    return graph.name or graph.counts


def _refinement(value: Any) -> Result:
    from wlkg.reports.refine import refinement_document

    content = {"graph": _name(value.graph), **refinement_document(value, None)}
    # Graphs that were refined together are shown as one: their union.
    return result_of("refine", content, _named(value.graph))


def _comparison(value: Any) -> Result:
    from wlkg.reports.compare import comparison_document
    from wlkg.reports.compare_explanation import comparison_explanation

    one, two = (_name(graph) for graph in value.graphs)
    explanation = comparison_explanation((one, two), value.graphs, value)
    document = {**comparison_document(value), **explanation}
    content = {"graphs": [one, two], **document, "seconds": None}
    return result_of("compare", content, _named(*value.graphs))


def _pairs(value: Any) -> Result:
    from wlkg.reports.pairs import pairs_document

    content = {"graph": _name(value.graph), **pairs_document(value), "seconds": None}
    return result_of("pairs", content, _named(value.graph))


def _classes(value: Any) -> Result:
    from wlkg.reports.classes import classes_document

    content = {"graph": _name(value.graph), **classes_document(value), "seconds": None}
    return result_of("classes", content, _named(value.graph))


def _symmetry(value: Any) -> Result:
    from wlkg.reports.symmetry import symmetry_document

    content = {"graph": _name(value.graph), **symmetry_document(value)}
    return result_of("symmetry", content, _named(value.graph))


def _explanation(value: Any) -> Result:
    from wlkg.reports.explain_document import explanation_document
    from wlkg.reports.explain_words import Explained

    graphs = value.graphs if hasattr(value, "graphs") else (value.graph,)
    explained = Explained(graphs[0], value.test, graphs[0].prefixes)
    names = [_name(graph) for graph in graphs]
    document = explanation_document(value, explained, names)
    content = {"graph": names[0], **document, "prefixes": {}, "seconds": None}
    return result_of("explain", content, _named(*graphs))


def _rules(value: Any) -> Result:
    from wlkg.reports.explain_rules import rules_document, setting_of

    document = rules_document(value, setting_of(value, value.graph.prefixes))
    content = {"graph": _name(value.graph), **document, "seconds": None}
    return result_of("explain", content, _named(value.graph))


def _ceiling(value: Any) -> Result:
    from wlkg.analysis.ceiling.study import CeilingStudy, Variant
    from wlkg.reports.ceiling import study_document

    study = CeilingStudy(
        of="graphs" if value.of_graphs else "vertices",
        variants=(Variant(value, "", None),),
        trained=None,
    )
    content = {"graph": "", "targets": "", "holdout": None, **study_document(study)}
    return result_of("ceiling", content)


def _link_ceiling(value: Any) -> Result:
    from wlkg.reports.links import links_document

    content = {"graph": value.name, "split": "test", **links_document(value)}
    return result_of("ceiling", content)


def _hierarchy(value: Any) -> Result:
    from wlkg.reports.hierarchy import hierarchy_document

    groups = ", ".join(group.name for group in value.groups)
    return result_of("hierarchy", {"corpus": groups, **hierarchy_document(value), "seconds": None})


def _counterexample(value: Any) -> Result:
    from wlkg.reports.counterexample import counterexample_document, graphs_of

    return result_of("counterexample", counterexample_document(value, None, ()), graphs_of(value))


def _relations(value: Any) -> Result:
    from wlkg.reports.relations import relations_document

    return result_of("relations", {"graph": value.name, **relations_document(value)})


def _versus(value: Any) -> Result:
    from wlkg.reports.versus_document import versus_document

    own = hasattr(value, "diagnosis")
    graph = value.graph if own else value.refinement.graph
    about = {
        "graph": _name(graph),
        "model": value.name if own else value.draws[0].weights,
        "dtype": None,
        "seed": None,
    }
    content = {**about, **versus_document(value, graph), "seconds": None}
    return result_of("versus", content, _named(graph))


def _training(value: Any) -> Result:
    from wlkg.reports.train import training_document

    return result_of("train", {"graph": "", **training_document(value)})


def _link_training(value: Any) -> Result:
    from wlkg.progress import SILENT
    from wlkg.reports.train_links import links_training_document
    from wlkg.reports.train_links_ceiling import links_training_ceiling

    document = links_training_document(value, links_training_ceiling(value, SILENT))
    return result_of("train", {"graph": "", "inference": None, **document})


def _reproduction(value: Any) -> Result:
    from wlkg.reports.reproduce import reproduction_document

    return result_of("reproduce", reproduction_document(value))


_CONVERTERS: dict[str, Converter] = {
    "Refinement": _refinement,
    "Comparison": _comparison,
    "Classes": _classes,
    "PairsOfTests": _pairs,
    "Symmetry": _symmetry,
    "PairExplanation": _explanation,
    "ClassExplanation": _explanation,
    "GraphsExplanation": _explanation,
    "ModelExplanation": _rules,
    "Ceiling": _ceiling,
    "LinkCeiling": _link_ceiling,
    "Relations": _relations,
    "Hierarchy": _hierarchy,
    "Counterexample": _counterexample,
    "Versus": _versus,
    "OwnVersus": _versus,
    "Training": _training,
    "LinkTraining": _link_training,
    "Reproduction": _reproduction,
}
